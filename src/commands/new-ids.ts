/** Numbers of new things: one above the highest that any thing of the kind ever had. */

import { badValue, ControllerError, invariant } from "../errors.ts";
import { thingKey } from "../home/edit.ts";
import { highestId, ID_MAX } from "../home/highest-ids.ts";
import type { Home } from "../home/home.ts";
import { hexId } from "../home/programs.ts";
import { referencesOf } from "../programs/references.ts";

/** Different ranges let people distinguish folders from scenes at first sight. */
const FIRST = { folder: 11_001, group: 31_001 } as const;
/** Groups of the wired modem; more scenes than that share them. */
const DEVICE_GROUPS = 254;

/**
 * @param kind as in `highestIds`.
 * @param taken the things of the kind, by their ids.
 */
export function newId(
  home: Home,
  kind: "program " | "resource " | `variable ${1 | 2}/`,
  taken: ReadonlyMap<number, unknown>,
): number {
  const known = knownKeys(home);
  const id = freeNumber(
    highestId(home, kind) + 1,
    1,
    (number) => taken.has(number),
    (number) => known.has(`${kind}${number}`),
  );
  invariant(id !== null, "There are more ids than a home may hold programs or variables.");
  return id;
}

/**
 * Addresses of folders and scenes are decimal numbers, as clients know them.
 *
 * @throws ControllerError LIMIT_REACHED
 */
export function newAddress(home: Home, kind: keyof typeof FIRST): string {
  const known = knownKeys(home);
  const isTaken = (number: number) => ADDRESSED.some((things) => home[things].has(String(number)));
  const isKnown = (number: number) =>
    ADDRESS_KINDS.some((each) => known.has(thingKey({ kind: each, key: String(number) })));
  const above = Math.max(FIRST[kind] - 1, highestId(home, `${kind} `)) + 1;
  const address = freeNumber(above, FIRST.folder, (number) => isTaken(number) || isKnown(number), isKnown);
  if (address === null) throw new ControllerError("LIMIT_REACHED");
  return String(address);
}

/**
 * The number that a client has chosen for a new folder or scene, if nothing ever had it: what still names a thing that was removed
 * must not reach another one.
 *
 * @throws ControllerError BAD_VALUE for no number of 1 to 65535; CONFLICT
 */
export function wantedAddress(home: Home, kind: keyof typeof FIRST, wanted: string): string {
  const number = wantedNumber(wanted);
  const keys = ADDRESS_KINDS.map((each) => thingKey({ kind: each, key: wanted }));
  const known = knownKeys(home);
  const isUsed =
    ADDRESSED.some((things) => home[things].has(wanted)) ||
    keys.some((key) => known.has(key)) ||
    (number >= FIRST[kind] && number <= highestId(home, `${kind} `));
  if (!isUsed) return wanted;
  throw new ControllerError("CONFLICT", `The number ${wanted} is in use or was. ${newAddress(home, kind)} is free.`);
}

/** As `wantedAddress`, for a program. @throws ControllerError BAD_VALUE; CONFLICT */
export function wantedProgramId(home: Home, wanted: number): number {
  wantedNumber(String(wanted));
  const isUsed = wanted <= highestId(home, "program ") || home.programs.has(wanted);
  if (!isUsed && !knownKeys(home).has(`program ${wanted}`)) return wanted;
  const next = newId(home, "program ", home.programs);
  throw new ControllerError("CONFLICT", `The number ${hexId(wanted)} is in use or was. ${hexId(next)} is free.`);
}

function wantedNumber(wanted: string): number {
  const number = /^[1-9]\d{0,4}$/.test(wanted) ? Number(wanted) : 0;
  if (number < 1 || number > ID_MAX) throw badValue(`A number is one from 1 to ${ID_MAX}.`);
  return number;
}

/** One that no scene has, while there is one. */
export function newDeviceGroup(home: Home): number {
  const scenes = Map.groupBy(home.groups.values(), ({ deviceGroup }) => deviceGroup);
  const uses = (number: number) => scenes.get(number)?.length ?? 0;
  let best = 1;
  for (let number = 2; number <= DEVICE_GROUPS; number += 1) if (uses(number) < uses(best)) best = number;
  return best;
}

const ADDRESSED = ["nodes", "groups", "folders", "hiddenNodes"] as const;
const ADDRESS_KINDS = ["node", "group", "folder"] as const;

/** Only when the numbers have run out, one that something had is given again; first one that nothing is known to name. */
function freeNumber(
  above: number,
  first: number,
  isTaken: (number: number) => boolean,
  isKnown: (number: number) => boolean,
): number | null {
  const isNew = (number: number) => !isTaken(number) && !isKnown(number);
  return firstWhere(isNew, above) ?? firstWhere(isNew, first) ?? firstWhere((number) => !isTaken(number), first);
}

function firstWhere(fits: (number: number) => boolean, from: number): number | null {
  for (let number = from; number <= ID_MAX; number += 1) if (fits(number)) return number;
  return null;
}

/**
 * Keys of things that an edit can bring back, and of those that a program names. Programs and variables are named in advance by
 * clients, which create them next.
 */
function knownKeys(home: Home): ReadonlySet<string> {
  const known = new Set([...home.edits.values()].flatMap(({ touched }) => touched));
  for (const reference of [...home.programs.values()].flatMap(referencesOf)) {
    if (reference.kind === "resource") known.add(`resource ${reference.id}`);
    if (reference.kind === "address")
      for (const kind of ADDRESS_KINDS) known.add(thingKey({ kind, key: reference.address }));
  }
  return known;
}
