/** The forms of addresses that virtual devices have, and what they tell. */

export type Place = { readonly family: number; readonly instance: number };

/** Family and instance by the form: `HH HH HH N` 1, `ZWnnn_n` 4, `ZYnnn_n` 12, `nSSS_name` 10 with the slot as instance. */
export function placeOf(address: string): Place {
  const slot = /^n(\d{3})_/.exec(address)?.[1];
  if (slot !== undefined) return { family: 10, instance: Number(slot) };
  if (address.startsWith("ZW")) return { family: 4, instance: 1 };
  if (address.startsWith("ZY")) return { family: 12, instance: 1 };
  return { family: 1, instance: 1 };
}

/** Address of another node of the same device; an empty suffix is the device's only node. */
export function withSuffix(address: string, suffix: string): string {
  if (suffix === "") return address;
  return address.replace(/([ _])[^ _]+$/, `$1${suffix}`);
}

/** Nodedef ids of radio devices begin with their family. */
export function nodeDefIdFor(id: string, family: number): string {
  if (family === 4) return `UZW${id}`;
  return family === 12 ? `UZY${id}` : id;
}
