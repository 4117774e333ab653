/** Commands that wait for devices which sleep long. They are on disk, and are sent when their device wakes. */

import { isRecord } from "../../util/is-record.ts";
import type { Outcome } from "../command.ts";
import type { DriverHost } from "../driver.ts";
import type { ClusterAction } from "./controller-messages.ts";

type SleepingCommand = {
  readonly id: string;
  readonly address: string;
  readonly command: string;
  readonly identity: string;
  readonly endpoint: number;
  readonly actions: readonly ClusterAction[];
  readonly atMs: number;
};

const KEY = "waiting";
const PER_DEVICE_MAX = 20;
const KEPT_MS = 7 * 86_400_000;
const QUEUED: Outcome = { kind: "queued", detail: "The device is asleep. The command is sent when it wakes." };
const FULL: Outcome = {
  ...{ kind: "failed", reason: "rejected", retryable: true },
  detail: `The device is asleep, and ${PER_DEVICE_MAX} commands wait for it already.`,
};
const OLD: Outcome = {
  kind: "failed",
  reason: "timeout",
  detail: "The device did not wake for a week.",
  retryable: true,
};

export class SleeperQueue {
  readonly #host: DriverHost;
  #waiting: readonly SleepingCommand[];

  constructor(host: DriverHost) {
    this.#host = host;
    const stored = host.store.get(KEY);
    // Written by this class.
    this.#waiting = Array.isArray(stored) ? stored.filter(isRecord).map((each) => each as SleepingCommand) : [];
  }

  add(command: SleepingCommand): Outcome {
    if (this.#waiting.filter(({ identity }) => identity === command.identity).length >= PER_DEVICE_MAX) return FULL;
    this.#keep([...this.#waiting, command]);
    return QUEUED;
  }

  /** The commands for a device that is awake, the oldest first; they do not wait any more. */
  take(identity: string): readonly SleepingCommand[] {
    const taken = this.#waiting.filter((each) => each.identity === identity);
    if (taken.length > 0) this.#keep(this.#waiting.filter((each) => each.identity !== identity));
    const oldest = this.#host.clock.now() - KEPT_MS;
    for (const late of taken.filter(({ atMs }) => atMs < oldest)) this.#host.settled(late, OLD);
    return taken.filter(({ atMs }) => atMs >= oldest);
  }

  /** By the node that they are for. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { address } of this.#waiting) counts[address] = (counts[address] ?? 0) + 1;
    return counts;
  }

  #keep(waiting: readonly SleepingCommand[]): void {
    this.#waiting = waiting;
    this.#host.store.set(KEY, waiting);
  }
}
