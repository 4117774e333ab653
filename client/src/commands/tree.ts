/** Operations on nodes, groups and folders beside commands. @see docs/interface/nodes.md */

import { isObject, readEnvelope, textOf } from "../documents/json.ts";
import type { Session } from "../transport/session.ts";
import { order, requirePortal, write } from "./acknowledge.ts";
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

/**
 * The possible actions at a node of a simulated device. @throws ClientError `NOT_IN_LOCAL_MODE`, `REFUSED` for a real
 * one
 */
export async function actions(session: Session, address: string): Promise<readonly string[]> {
  requirePortal(session, "Acting at a simulated device");
  const path = `/api/nodes/${segment(address)}/act`;
  const data = readEnvelope(await session.get(path), path);
  const listed = isObject(data) && Array.isArray(data.actions) ? data.actions : [];
  return listed.map((action) => textOf(action));
}

/** Acts like a person at a simulated device, such as pressing its button. */
export async function act(session: Session, address: string, control: string, value?: number): Promise<void> {
  requirePortal(session, "Acting at a simulated device");
  await write(
    session,
    "POST",
    `/api/nodes/${segment(address)}/act`,
    value === undefined ? { control } : { control, value },
  );
}

/** @param address null: every node */
export function query(session: Session, address: string | null): Promise<void> {
  return order(session, address === null ? "/rest/query" : `/rest/query/${segment(address)}`);
}
