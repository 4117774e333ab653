/** What can be done to nodes, groups and folders besides commanding them. @see docs/interface/nodes.md */

import type { Session } from "../transport/session.ts";
import { order, write } from "./acknowledge.ts";
import { nodePath, segment } from "./paths.ts";

export async function rename(
  session: Session,
  address: string,
  nodeType: "node" | "group" | "folder",
  name: string,
): Promise<void> {
  if (session.mode === "local") return order(session, `${nodePath(address)}/change?name=${segment(name)}`);
  await write(session, "POST", `/api/nodes/${segment(address)}`, { name, nodeType });
}

export function setEnabled(session: Session, address: string, enabled: boolean): Promise<void> {
  return order(session, `${nodePath(address)}/${enabled ? "enable" : "disable"}`);
}

/** @param address null: every node */
export function query(session: Session, address: string | null): Promise<void> {
  return order(session, address === null ? "/rest/query" : `/rest/query/${segment(address)}`);
}
