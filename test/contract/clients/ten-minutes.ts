/** Ten minutes of the controller's time at once: heartbeats that a client receives, pings that it answers. */

import type { TestController } from "../../support/controller.ts";

/** @param heartbeat settles with the client's next heartbeat. */
export async function tenMinutes(controller: TestController, heartbeat: () => Promise<unknown>): Promise<void> {
  for (let beat = 0; beat < 30; beat += 1) {
    const heard = heartbeat();
    await controller.clock.advance(20_000);
    await heard;
    // The client's answer to a ping is on its way before this request, so it is read before this answer.
    await controller.local.get("/rest/ping");
  }
}
