/**
 * The NLS text of a family: labels as `KEY = VALUE` lines, for clients that get nodedefs without labels.
 *
 *     CMD-B-ID-NAME, CMD-ID-NAME   label of a command, of nodedefs whose `nls` is B, or of all
 *     ST-B-ID-NAME, ST-ID-NAME     label of a property
 *     NDN-B-NAME                   name of a nodedef
 *     PREFIX-n                     label of raw value n in editors that encode `_N_PREFIX`
 *
 * @see docs/interface/profiles.md
 */

import { WIRED } from "../families.ts";
import { CONTROLS } from "./builtin/command-ids-table.ts";
import type { Nodedef } from "./nodedef.ts";
import type { Profile, ProfileInstance } from "./profile.ts";

/** Clients ask for the labels of all families under this id; family 1 has the same text. */
const GLOBAL_FAMILY = -1;

/** null when there is no such family and instance. */
export function nlsText(profile: Profile, family: number, instance: number): string | null {
  const own = profile.instance(family === GLOBAL_FAMILY ? WIRED.id : family, instance);
  if (family !== GLOBAL_FAMILY && !own) return null;
  const isGlobal = family === GLOBAL_FAMILY || family === WIRED.id;
  const common = isGlobal ? [...controlEntries(), ...(profile.instance("common", 1)?.names ?? [])] : [];
  return lines([...common, ...(own ? instanceEntries(own) : [])]);
}

/** Reads an NLS text: of this or another controller, or of a plugin. Comments and lines without a key or a label are skipped. */
export function readNls(text: string): readonly NlsEntry[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const at = line.indexOf("=");
    const key = line.slice(0, Math.max(0, at)).trim();
    const label = line.slice(at + 1).trim();
    return key === "" || key.startsWith("#") || label === "" ? [] : [[key, label] as const];
  });
}

type NlsEntry = readonly [key: string, text: string];

function controlEntries(): readonly NlsEntry[] {
  return CONTROLS.flatMap(({ id, label, kind }): readonly NlsEntry[] => [
    ...(kind === "property" ? [] : [[`CMD-${id}-NAME`, label] as const]),
    ...(kind === "command" ? [] : [[`ST-${id}-NAME`, label] as const]),
  ]);
}

function instanceEntries({ nodedefs, dynamicNodedefs, names }: ProfileInstance): readonly NlsEntry[] {
  return [...[...nodedefs.values(), ...dynamicNodedefs.values()].flatMap(nodedefEntries), ...names];
}

function nodedefEntries({ nls, name, properties, sends, accepts }: Nodedef): readonly NlsEntry[] {
  if (nls === null) return [];
  return [
    [`NDN-${nls}-NAME`, name],
    ...properties.map((property): NlsEntry => [`ST-${nls}-${property.id}-NAME`, property.name]),
    ...[...sends, ...accepts].map((command): NlsEntry => [`CMD-${nls}-${command.id}-NAME`, command.name]),
  ];
}

/** Lists a key once, at its first use: nodedefs of a kind share their prefix. An empty text counts as absent. */
function lines(entries: readonly NlsEntry[]): string {
  const received = new Map<string, string>();
  for (const [key, text] of entries) {
    const line = text.replace(/\p{Cc}+/gu, " ").trim();
    if (line !== "" && KEY.test(key) && !received.has(key)) received.set(key, line);
  }
  return [...received].map(([key, text]) => `${key} = ${text}\n`).join("");
}

/** Leaves out a key that would read as a comment or end at another equals sign. */
const KEY = /^[^#=\s\p{Cc}][^=\p{Cc}]*$/u;
