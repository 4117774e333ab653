/**
 * The one function that every surface asks before it does anything.
 * Owner: everything. User: lives in the home, does not rebuild it. Guest: looks, and works what is in a room.
 */

import { ControllerError } from "../errors.ts";
import type { Principal, Role } from "./principal.ts";

export type Action =
  | "read"
  | "subscribe"
  | "command-node"
  | "command-group"
  | "operate-lock"
  | "run-program"
  | "write-variable"
  | "fire-resource"
  | "rename"
  | "edit-home"
  | "enable-node"
  | "edit-variables"
  | "enable-program"
  | "edit-program"
  | "configure-device"
  | "manage-locks"
  | "manage-radio"
  | "administer";

const GUEST: ReadonlySet<Action> = new Set(["read", "subscribe", "command-node", "command-group"]);
const USER: ReadonlySet<Action> = new Set([
  ...GUEST,
  "operate-lock",
  "run-program",
  "write-variable",
  "fire-resource",
] as const);

/** True when an account of this role may do this. Exhaustive over roles. */
export function roleAllows(role: Role, action: Action): boolean {
  switch (role) {
    case "owner":
      return true;
    case "user":
      return USER.has(action);
    case "guest":
      return GUEST.has(action);
  }
}

/** @throws ControllerError UNAUTHENTICATED without a principal, FORBIDDEN when its role does not allow the action. */
export function authorize(principal: Principal | null, action: Action): void {
  if (!principal) throw new ControllerError("UNAUTHENTICATED");
  if (!roleAllows(principal.role, action)) throw new ControllerError("FORBIDDEN");
}
