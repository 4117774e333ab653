/** Nodes of a moved-in home that no device is behind yet: their values are simulated. */

import { ClientError, type Home, type Node } from "@domovoi/client";

/** @returns addresses; none where the controller does not know such nodes, and on the local surface */
export async function nodesWithoutDevice(home: Home): Promise<ReadonlySet<string>> {
  try {
    const { data } = await home.request("GET", "/api/nodes/simulated");
    return new Set(Array.isArray(data) ? data.map(String) : []);
  } catch (error) {
    if (error instanceof ClientError) return new Set();
    throw error;
  }
}

/** Says so behind a value. */
export function withoutDeviceWords({ address }: Node, words: string, missing: ReadonlySet<string>): string {
  return missing.has(address) ? `${words} (no device)`.trim() : words;
}
