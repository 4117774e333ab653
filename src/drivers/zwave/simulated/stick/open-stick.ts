/** Puts the simulated stick on its serial line. */

import { createMockStick } from "../mocks.ts";
import { Stick, type StickOptions } from "./stick.ts";
import { hearRequest, SUPPORTED_FUNCTIONS } from "./stick-requests.ts";

const START = 0x01;
const ACK = 0x06;
const NAK = 0x15;
const SOFT_RESET = 0x08;

export async function openStick(options: StickOptions): Promise<Stick> {
  let stick: Stick | null = null;
  const { controller, line } = await createMockStick(
    {
      homeId: options.homeId,
      ownNodeId: 1,
      securityKeys: options.keys,
      capabilities: {
        supportedFunctionTypes: [...SUPPORTED_FUNCTIONS],
        libraryVersion: "Z-Wave 7.18",
        firmwareVersion: "7.18",
      },
    },
    (frame) => stick !== null && hear(stick, frame),
  );
  stick = new Stick(controller, line, options);
  return stick;
}

/** @returns true when the frame is dealt with, false for the library's mock to answer. */
function hear(stick: Stick, frame: Uint8Array): boolean {
  if (frame[0] !== START) return false;
  if (stick.refusedFrames > 0) {
    stick.refusedFrames -= 1;
    stick.tell(NAK);
    return true;
  }
  stick.note(frame[3] ?? 0);
  if (frame[3] === SOFT_RESET) stick.mode = { kind: "idle" };
  const work = hearRequest(stick, frame[3] ?? 0, Buffer.from(frame.subarray(4, -1)));
  if (!work) return false;
  stick.tell(ACK);
  // A host that goes away in the middle leaves the rest unsaid.
  void work().catch(() => {});
  return true;
}
