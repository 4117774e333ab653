/** The forms of the addresses of virtual devices, and their meaning. */

import { familyOf, PLUGINS, RADIO_FAMILIES, WIRED } from "../../families.ts";

type ProfilePlace = { readonly family: number; readonly instance: number };

/** Family and instance by the form of the address; the instance of a plugin's node is its slot. */
export function profilePlaceOf(address: string): ProfilePlace {
  const slot = /^n(\d{3})_/.exec(address)?.[1];
  if (slot !== undefined) return { family: PLUGINS.id, instance: Number(slot) };
  const radio = RADIO_FAMILIES.find(({ addressForm }) => addressForm.test(address));
  return { family: (radio ?? WIRED).id, instance: 1 };
}

/** Address of another node of the same device; an empty suffix is the device's only node. */
export function withSuffix(address: string, suffix: string): string {
  if (suffix === "") return address;
  return address.replace(/([ _])[^ _]+$/, `$1${suffix}`);
}

/** Nodedef ids of radio devices begin with their family. */
export function nodeDefIdFor(id: string, family: number): string {
  const { prefix } = familyOf(family);
  return prefix === null ? id : `U${prefix}${id}`;
}
