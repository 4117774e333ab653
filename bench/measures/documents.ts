/** The documents that a client loads at its start; measures also request them repeatedly. */

/** Nine documents, requested in parallel. */
export const FULL_LOAD = [
  "/rest/profiles?include=nodedefs,editors,linkdefs",
  "/api/nodes",
  "/rest/status",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/rest/networking/resources",
  "/api/groups",
] as const;

/** Commands whose effect is reported at once: everything on, then everything off. */
export function switchingPaths(addresses: readonly string[]): readonly string[] {
  return ["DFON", "DFOF"].flatMap((command) =>
    addresses.map((address) => `/rest/nodes/${encodeURIComponent(address)}/cmd/${command}`),
  );
}
