/** Credentials of the simulations' clients. */

import { LOCAL } from "../support/controller.ts";

export function basicHeader(): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}` };
}
