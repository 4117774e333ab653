/** Marks a copy of a home as a move: its programs wait until the owner finishes the move. */

import type { EditPorts } from "../commands/edit-home.ts";
import { holdPrograms } from "../commands/move-in.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";

/** Does nothing when they wait already. @throws ControllerError STORE_UNAVAILABLE */
export async function beginMoveIn(ports: EditPorts): Promise<void> {
  await holdPrograms(ports, SYSTEM_CAUSE);
}
