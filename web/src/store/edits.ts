/** Edits of the home for which the client library has no method that gives the number of the edit. */

import type { Home } from "@domovoi/client";

type ThingKind = "node" | "group" | "folder";

type Edited = { readonly edit: number | null };

async function patch(home: Home, address: string, body: object): Promise<Edited> {
  const { data } = await home.request("PATCH", `/api/nodes/${encodeURIComponent(address)}`, body);
  return data as Edited;
}

export function rename(home: Home, nodeType: ThingKind, address: string, name: string): Promise<Edited> {
  return patch(home, address, { name, nodeType });
}

export function setEnabled(home: Home, address: string, enabled: boolean, reason = ""): Promise<Edited> {
  return patch(home, address, { enabled, ...(reason !== "" && { reason }) });
}
