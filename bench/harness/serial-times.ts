/** The serial line of a simulated adapter, watched: when a device's word left it, and when a command for a device came to it. */

import type { SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";

type Line = Pick<SimulatedNetwork, "connect">;

const START = 0x01;
const FUNCTION_AT = 3;
/**
 * Number of the function with which the serial interface passes a device's frame on, and the position of the device's
 * number.
 */
const TOLD = { code: 0x04, nodeAt: 5 } as const;
/** The one that carries a command. */
const COMMAND = { code: 0x13, nodeAt: 4 } as const;

export class SerialTimes implements Line {
  readonly #line: Line;
  readonly #told = new Map<number, number>();
  readonly #heard = new Map<number, number[]>();

  constructor(line: Line) {
    this.#line = line;
  }

  connect(host: Parameters<Line["connect"]>[0]): ReturnType<Line["connect"]> {
    const connection = this.#line.connect({
      hear: (bytes) => {
        const nodeId = nodeOf(bytes, TOLD);
        if (nodeId !== null) this.#told.set(nodeId, performance.now());
        host.hear(bytes);
      },
      cut: () => host.cut(),
    });
    return {
      write: (bytes) => {
        const nodeId = nodeOf(bytes, COMMAND);
        if (nodeId !== null) this.#heard.set(nodeId, [...(this.#heard.get(nodeId) ?? []), performance.now()]);
        connection.write(bytes);
      },
      close: () => connection.close(),
    };
  }

  /** Time at which this device's last frame left the adapter. @throws Error when it never sent one. */
  toldMs(nodeId: number): number {
    return required(this.#told.get(nodeId), nodeId);
  }

  /** When the first command for this device came to the adapter since then. @throws Error when none did. */
  heardMs(nodeId: number, sinceMs: number): number {
    return required(
      this.#heard.get(nodeId)?.find((atMs) => atMs >= sinceMs),
      nodeId,
    );
  }
}

/** @param bytes a whole frame, maybe behind an acknowledgement. */
function nodeOf(bytes: Uint8Array, { code, nodeAt }: typeof TOLD | typeof COMMAND): number | null {
  const frame = bytes.subarray(bytes.indexOf(START));
  return frame[FUNCTION_AT] === code ? (frame[nodeAt] ?? null) : null;
}

function required(atMs: number | undefined, nodeId: number): number {
  if (atMs === undefined) throw new Error(`Nothing of device ${nodeId} was on the serial line.`);
  return atMs;
}
