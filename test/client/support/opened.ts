/** A home opened at a test controller by its owner, without a stream. */

import { connect, type Home } from "@domovoi/client";
import { LOCAL, OWNER, type TestController } from "../../support/controller.ts";

export function openAsOwner(controller: TestController, mode: "portal" | "local"): Promise<Home> {
  const { username: user, password } = mode === "portal" ? OWNER : LOCAL;
  const { url } = controller[mode];
  return connect({ url, mode, user, password, insecure: true, stream: "off", clock: controller.clock });
}
