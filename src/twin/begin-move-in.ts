/** What makes a copy of a home the beginning of a move: its programs wait until the owner finishes it. */

import type { EditPorts } from "../commands/edit-home.ts";
import { holdPrograms } from "../commands/move-in.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";

/** Does nothing where they wait already. @throws ControllerError STORE_UNAVAILABLE */
export async function beginMoveIn(ports: EditPorts): Promise<void> {
  await holdPrograms(ports, SYSTEM_CAUSE);
}
