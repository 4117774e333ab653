/** Puts the simulated adapter on its serial line. */

import { createMockAdapter } from "../mocks.ts";
import { Adapter, type AdapterOptions } from "./adapter.ts";
import { handleRequest, SUPPORTED_FUNCTIONS } from "./adapter-requests.ts";

const START = 0x01;
const ACK = 0x06;
const NAK = 0x15;
const SOFT_RESET = 0x08;

export async function openAdapter(options: AdapterOptions): Promise<Adapter> {
  let adapter: Adapter | null = null;
  const { controller, line } = await createMockAdapter(
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
    (frame) => adapter !== null && hear(adapter, frame),
  );
  adapter = new Adapter(controller, line, options);
  return adapter;
}

/** @returns true when the frame is dealt with, false for the library's mock to answer. */
function hear(adapter: Adapter, frame: Uint8Array): boolean {
  if (frame[0] !== START) return false;
  if (adapter.refusedFrames > 0) {
    adapter.refusedFrames -= 1;
    adapter.tell(NAK);
    return true;
  }
  adapter.note(frame[3] ?? 0);
  if (frame[3] === SOFT_RESET) adapter.mode = { kind: "idle" };
  const work = handleRequest(adapter, frame[3] ?? 0, Buffer.from(frame.subarray(4, -1)));
  if (!work) return false;
  adapter.tell(ACK);
  // When a host disconnects, the rest is not sent.
  void work().catch(() => {});
  return true;
}
