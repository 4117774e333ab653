/** The session that a command about a running controller has for itself. */

import { ControllerError } from "../errors.ts";
import { askPassword } from "./ask-password.ts";
import { complain } from "./complain.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { ControllerClient } from "./controller-client.ts";

/** Logs in, lets the command do its work, logs out; what goes wrong is told. */
export async function withController(
  options: ConnectionOptions,
  use: (client: ControllerClient) => Promise<void>,
): Promise<void> {
  try {
    const { user = process.env.DOMOVOI_USER, url, ca, insecure = false } = options;
    if (!user) throw new ControllerError("BAD_VALUE", { sentence: "Whose account? --user or DOMOVOI_USER says it." });
    const password = process.env.DOMOVOI_PASSWORD || (await askPassword(`Password of ${user} at ${url}: `));
    const client = await ControllerClient.connect({ url, user, password, ca, insecure });
    try {
      await use(client);
    } finally {
      await client.close();
    }
  } catch (error) {
    complain(error);
  }
}
