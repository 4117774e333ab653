/** Valid names of accounts: an e-mail address for portal accounts, a user name for local ones. */

import { badValue } from "../errors.ts";
import type { Account } from "./records.ts";

/** Portal accounts log in with an e-mail address. Only its shape is checked; nothing is ever sent there. */
export const EMAIL_PATTERN = "^[^\\s@\\u0000-\\u001f\\u007f]{1,64}@[^\\s@\\u0000-\\u001f\\u007f]{1,189}$";

const EMAIL = new RegExp(EMAIL_PATTERN, "u");
/** A colon ends the user name in basic authentication. */
const LOCAL_USER = /^[^:\u0000-\u001f\u007f]{1,200}$/u;

/** @throws ControllerError BAD_VALUE */
export function checkNewLogin(kind: Account["kind"], login: string): void {
  if (kind === "portal" && !EMAIL.test(login)) throw badValue("The login of a portal account is an e-mail address.");
  if (kind === "local" && !(LOCAL_USER.test(login) && login.isWellFormed())) {
    throw badValue("The local user name has 1 to 200 characters and no colon.");
  }
}
