/** The short spelling of value labels in tables: `0 Off, 100 On`. */

export function parseLabels(text: string): ReadonlyMap<number, string> {
  const entries = text.split(", ").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const space = entry.indexOf(" ");
      return [Number(entry.slice(0, space)), entry.slice(space + 1)];
    }),
  );
}
