/** The session that a command about a running controller has for itself. */

import { complain } from "./complain.ts";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { findAccess } from "./connection/find-access.ts";
import { ControllerClient } from "./controller-client.ts";

/** Logs in, lets the command do its work, logs out; what goes wrong is told. */
export async function withController(
  options: ConnectionOptions,
  use: (client: ControllerClient) => Promise<void>,
): Promise<void> {
  try {
    const { url, user, password, ca, insecure } = await findAccess(options);
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
