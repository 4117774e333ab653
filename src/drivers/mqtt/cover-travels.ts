/**
 * Covers on their way: bridges publish the target of a command as the position at once. While a cover moves, a jump waits for the next
 * report, or until the cover must have arrived.
 */

import type { Clock, Timer } from "../../util/clock.ts";
import { foreignText } from "../../util/foreign-value.ts";
import type { Message } from "../exposed/feature.ts";
import type { NumberedDevice } from "../exposed/numbered-devices.ts";
import type { ReportCause } from "../report.ts";

type Held = { readonly position: number; readonly timer: Timer };
type CoverPorts = {
  readonly clock: Clock;
  /** The latest position of a node; null: not known. */
  positionOf(address: string): number | null;
  /** Called with a position that was held back and is now believed. */
  arrive(device: NumberedDevice, message: Message): void;
};

/** No cover is that fast between a command and its answer. */
const JUMP = 10;
/** The slowest ones need about a minute for their whole way. */
const TRAVEL_MS = 60_000;
const MOVING = /^(up|down|open|close|opening|closing)$/i;
const STANDING = /^(stop|stopped|idle|pause|paused)$/i;

export class CoverTravels {
  readonly #ports: CoverPorts;
  readonly #held = new Map<string, Held>();

  constructor(ports: CoverPorts) {
    this.#ports = ports;
  }

  /** @returns the message without positions that the covers cannot have yet. The answer to a query is returned unchanged. */
  without(device: NumberedDevice, message: Message, cause: ReportCause): Message {
    const early = device.nodes.flatMap(({ address, plan: { positionKey } }) =>
      positionKey !== null && this.#isEarly(device, address, positionKey, message, cause) ? [positionKey] : [],
    );
    if (early.length === 0) return message;
    return Object.fromEntries(Object.entries(message).filter(([key]) => !early.includes(key)));
  }

  stop(): void {
    for (const { timer } of this.#held.values()) timer.cancel();
    this.#held.clear();
  }

  #isEarly(device: NumberedDevice, address: string, key: string, message: Message, cause: ReportCause): boolean {
    const position = message[key];
    if (typeof position !== "number") return false;
    const isOfCommand = cause === "ack";
    // With the answer to a command comes how it moved before.
    const motion = isOfCommand ? "" : foreignText(message.moving ?? message.motor_state, 20);
    const held = this.#held.get(address);
    if (held && position === held.position && cause === "report" && !STANDING.test(motion)) return true;
    this.#drop(address);
    const before = this.#ports.positionOf(address);
    const isMoving = isOfCommand || (cause === "report" && MOVING.test(motion) && !held);
    if (!isMoving || before === null || Math.abs(position - before) <= JUMP) return false;
    const arrive = () => {
      this.#held.delete(address);
      this.#ports.arrive(device, { [key]: position });
    };
    this.#held.set(address, { position, timer: this.#ports.clock.setTimer(arrive, TRAVEL_MS) });
    return true;
  }

  #drop(address: string): void {
    this.#held.get(address)?.timer.cancel();
    this.#held.delete(address);
  }
}
