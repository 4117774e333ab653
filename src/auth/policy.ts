/**
 * The one function that every surface calls before it does anything: who, what, and at which thing.
 * Owner: everything. User: lives in the home, does not rebuild it. Guest: looks, and works devices.
 */

import { ControllerError, type ErrorCode } from "../errors.ts";
import type { Thing } from "../home/limits.ts";
import type { Principal, Role } from "./principal.ts";

export type Right =
  | "read"
  | "subscribe"
  | "command-node"
  | "command-group"
  | "operate-lock"
  | "run-program"
  | "write-variable"
  | "fire-resource"
  | "draft"
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

const GUEST: ReadonlySet<Right> = new Set(["read", "subscribe", "command-node", "command-group"]);
const USER: ReadonlySet<Right> = new Set([
  ...GUEST,
  "operate-lock",
  "run-program",
  "write-variable",
  "fire-resource",
  "draft",
] as const);
/** Of these an assistant has those that its account has. Everything else it proposes, and a person decides. */
const ASSISTANT: ReadonlySet<Right> = new Set([...GUEST, "draft"] as const);
const NOT_FOR_ASSISTANTS = "An assistant may not do this. It can propose it, and a person decides.";

/** True when an account of this role may do this. Exhaustive over roles. */
export function roleAllows(role: Role, action: Right): boolean {
  switch (role) {
    case "owner":
      return true;
    case "user":
      return USER.has(action);
    case "guest":
      return GUEST.has(action);
  }
}

/** A forbidden thing is answered like a missing one, so that its existence is not revealed. */
const ABSENT: Readonly<Record<Thing["kind"], ErrorCode>> = {
  node: "NODE_NOT_FOUND",
  program: "PROGRAM_NOT_FOUND",
  variable: "VARIABLE_NOT_FOUND",
  resource: "RESOURCE_NOT_FOUND",
};

/**
 * @param thing that the action is about; left out where it is about none, or about all that the account reaches.
 * @throws ControllerError UNAUTHENTICATED without a principal; FORBIDDEN when its role does not allow the action, or its limits
 * not this command; for a thing that it does not reach, the error of a thing that does not exist.
 */
export function authorize(principal: Principal | null, action: Right, thing: Thing | null = null): void {
  if (!principal) throw new ControllerError("UNAUTHENTICATED");
  if (!roleAllows(principal.role, action)) throw new ControllerError("FORBIDDEN");
  if (principal.isAssistant && !ASSISTANT.has(action)) throw new ControllerError("FORBIDDEN", NOT_FOR_ASSISTANTS);
  const { view } = principal;
  if (!thing || !view) return;
  if (!view.includes(thing)) throw new ControllerError(ABSENT[thing.kind]);
  if (thing.kind === "node" && thing.command !== undefined && !view.allowsCommand(thing.command))
    throw new ControllerError("FORBIDDEN", "Your account may not send this command.");
}
