/** What the account may send, so that what it may not do is not offered. The controller checks every command by itself. */

import { SECURED_COMMANDS } from "@domovoi/client";
import { allowedCommands, hasOwnerRights, hasUserRights } from "../session/role.ts";

const ASKING: ReadonlySet<string> = new Set(["QUERY", "BEEP"]);
/** It writes into a device. */
const CONFIGURING = /^CONFIG$|^V[0-9A-F]{2}_/;

export function maySend({ isSecured }: { readonly isSecured: boolean }, command: string): boolean {
  const commands = allowedCommands();
  if (commands && !commands.some((each) => each.toUpperCase() === command.toUpperCase())) return false;
  if (CONFIGURING.test(command)) return hasOwnerRights();
  if (SECURED_COMMANDS.has(command) || (isSecured && !ASKING.has(command))) return hasUserRights();
  return true;
}
