/** Which definitions a profile has. */

import type { Profile } from "../../src/profile/profile.ts";

/** The ids by family, instance and kind, in a fixed order. */
export function idsOf(profile: Profile): object {
  const places = profile
    .instances()
    .map(({ family, instance, ...tables }) => [
      `${family}/${instance}`,
      Object.fromEntries(Object.entries(tables).map(([kind, table]) => [kind, [...table.keys()].sort()])),
    ]);
  return Object.fromEntries(places);
}
