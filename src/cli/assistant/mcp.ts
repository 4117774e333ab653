/** `domovoi mcp`: the tools of assistants on standard input and output. */

import { serveStdio } from "../../assistant/server.ts";
import { productVersion } from "../../version.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { findAccess } from "../connection/find-access.ts";
import { loginOf, withSession } from "../connection/with-home.ts";
import { usageFailure } from "../outcome.ts";

export async function serveAssistant(options: ConnectionOptions): Promise<void> {
  const access = await findAccess(options);
  if (access.mode === "local") throw usageFailure("An assistant needs an account of the portal, an e-mail address.");
  // A wrong password or certificate is found here, where a person sees the sentence.
  await withSession(options, async () => undefined);
  await serveStdio({ access: loginOf(access), now: Date.now, version: productVersion });
}
