/** Names for ecosystems: at most 32 bytes, and no two alike. */

const BYTES_MAX = 32;

/** In the given order: an earlier name keeps its form, a later one gets a number. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name.trim() === "" ? "?" : name.trim();
    let made = cut(plain, BYTES_MAX);
    for (let number = 2; used.has(made); number += 1) {
      const suffix = ` ${number}`;
      made = `${cut(plain, BYTES_MAX - suffix.length)}${suffix}`;
    }
    used.add(made);
    return made;
  });
}

/** Whole characters only. */
function cut(text: string, bytesMax: number): string {
  let made = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    made += character;
  }
  return made.trim();
}
