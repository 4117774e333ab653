/**
 * The definitions that an account with limits gets. Those of plugins, and those that were generated for devices, say what there is in
 * the home, so only what a visible node uses is in it. Built-in definitions are the same in every home.
 */

import { PLUGINS } from "../families.ts";
import type { Home } from "../home/home.ts";
import { decodeRange } from "./encoded-editor.ts";
import { editorsOf, type Nodedef, parameterEditors } from "./nodedef.ts";
import { Profile, type ProfileInstance } from "./profile.ts";

type Made = { readonly from: Profile; readonly version: number; readonly structure: number; readonly profile: Profile };

const known = new WeakMap<Home, Made>();

/** @param home the part of the home that the account reaches */
export function limitedProfile(profile: Profile, home: Home): Profile {
  const before = known.get(home);
  const structure = home.version("structure");
  if (before?.from === profile && before.version === profile.version && before.structure === structure)
    return before.profile;
  const made = new Profile();
  for (const instance of profile.instances()) declareVisible(made, instance, home);
  // Documents are cached by it.
  made.version = (before?.profile.version ?? 0) + 1;
  known.set(home, { from: profile, version: profile.version, structure, profile: made });
  return made;
}

function declareVisible(made: Profile, instance: ProfileInstance, home: Home): void {
  const { family, instance: number, nodedefs, dynamicNodedefs, editors, linkdefs, names } = instance;
  const used = usedIn(home, instance);
  const generated = [...dynamicNodedefs.values()].filter(({ id }) => used.has(id));
  if (family !== PLUGINS.id) {
    const builtIn = { nodedefs: [...nodedefs.values()], editors: [...editors.values()] };
    made.declare(family, number, { ...builtIn, linkdefs: [...linkdefs.values()], names });
    made.declare(family, number, { nodedefs: generated }, true);
    return;
  }
  if (used.size === 0) return;
  const own = [...nodedefs.values()].filter(({ id }) => used.has(id));
  const links = [...linkdefs.values()].filter(({ id }) =>
    [...own, ...generated].some(({ controlLinks, respondLinks }) => [...controlLinks, ...respondLinks].includes(id)),
  );
  const wanted = new Set([...[...own, ...generated].flatMap(editorsOf), ...links.flatMap(parameterEditors)]);
  const isNamed = labelTest([...own, ...generated], wanted);
  const rest = {
    editors: [...editors.values()].filter(({ id }) => wanted.has(id)),
    names: new Map([...names].filter(([key]) => isNamed(key))),
  };
  made.declare(family, number, { nodedefs: own, linkdefs: links, ...rest });
  made.declare(family, number, { nodedefs: generated }, true);
}

function usedIn(home: Home, { family, instance }: ProfileInstance): ReadonlySet<string> {
  const nodes = [...home.nodes.values()].filter((node) => node.family === family && node.instance === instance);
  return new Set(nodes.map(({ nodeDefId }) => nodeDefId));
}

/** The labels of these nodedefs, of their editors, and of the ids of their properties and commands. */
function labelTest(nodedefs: readonly Nodedef[], editors: ReadonlySet<string>): (key: string) => boolean {
  const ids = nodedefs.flatMap(({ properties, sends, accepts }) =>
    [...properties, ...sends, ...accepts].map(({ id }) => id),
  );
  const groups = nodedefs.flatMap(({ nls }) => (nls === null ? [] : [nls]));
  const exact = new Set([
    ...ids.flatMap((id) => [`ST-${id}-NAME`, `CMD-${id}-NAME`]),
    ...groups.flatMap((group) => [
      `NDN-${group}-NAME`,
      ...ids.flatMap((id) => [`ST-${group}-${id}-NAME`, `CMD-${group}-${id}-NAME`]),
    ]),
  ]);
  const prefixes = new Set([...editors].flatMap((id) => decodeRange(id)?.prefix ?? []));
  return (key) => exact.has(key) || prefixes.has(key.slice(0, key.lastIndexOf("-")));
}
