/** A home as plain data, to be compared: everything that is kept over a restart, in its order, and nothing transient. */

import type { Home } from "../../src/home/home.ts";

export function homeSnapshot(home: Home) {
  return {
    controller: home.controller,
    folders: [...home.folders.values()],
    groups: [...home.groups.values()],
    nodes: [...home.nodes.values()].map(({ version: _version, properties, ...node }) => ({
      ...node,
      properties: [...properties.values()],
    })),
    programs: [...home.programs.values()],
    programProgress: [...home.programProgress.values()],
    programHolds: [...home.programHolds.values()],
    variables: [...home.variables[1].values(), ...home.variables[2].values()],
    networkResources: [...home.networkResources.values()],
    highestIds: [...home.highestIds].sort(),
  };
}
