/**
 * Commands that wait for sleeping devices. Such a command is reported as pending, is on disk before it is answered,
 * is sent in its order when the device wakes, and its end is reported, also by the next run of the service. A command
 * that must not be repeated is marked on disk before it is sent; when the service ended over it, its outcome is
 * reported as unknown.
 */

import type { Config } from "../../../config.ts";
import type { Outcome } from "../../command.ts";
import type { DriverHost } from "../../driver.ts";
import { parseAddress } from "../addresses.ts";
import type { RunningRadio } from "../radio.ts";
import { failed } from "./outcome.ts";
import { commandOf, parseWaiting, type Waiting } from "./waiting.ts";

export type SleeperLimits = Pick<Config, "zwaveSleeperQueueMax" | "zwaveSleeperKeepMs">;

type SleeperPorts = {
  readonly host: Pick<DriverHost, "clock" | "log" | "settled" | "store" | "writes">;
  /** Home id of the network of its devices. */
  readonly homeId: number;
  readonly limits: SleeperLimits;
  /** Does it now, in its turn at the device. Never rejects. */
  readonly perform: (waiting: Waiting) => Promise<Outcome>;
};

type Entry = { waiting: Waiting; isGoing: boolean };

/** Longer than a disk takes that is well, shorter than anybody waits for an answer. */
const DISK_MS = 2000;
const QUEUED = "The device is asleep. The command is sent when it wakes.";
const NOT_ON_DISK = `${QUEUED} The disk rejects writes, so it is lost if the service ends first.`;
const UNCERTAIN = failed("internal", "The service ended while sending it. Whether the device received it is unknown.");
const TOO_OLD = failed("timeout", "The device did not wake in time (zwaveSleeperKeepMs).");
const REMOVED = failed("unreachable", "The device was removed.");

export class Sleepers {
  readonly #ports: SleeperPorts;
  readonly #entries = new Map<string, readonly Entry[]>();

  constructor(ports: SleeperPorts) {
    this.#ports = ports;
  }

  /** How much waits, by node. */
  get load(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#entries].map(([address, entries]) => [address, entries.length]));
  }

  /** @param going what the radio has taken already, and keeps until the device wakes; absent: it goes out then. */
  async queue(waiting: Waiting, going?: Promise<Outcome>): Promise<Outcome> {
    const { limits } = this.#ports;
    const tooOld = this.#entries.get(waiting.address)?.filter((entry) => !entry.isGoing && this.#isTooOld(entry));
    for (const entry of tooOld ?? []) this.#end(entry, TOO_OLD);
    const others = this.#entries.get(waiting.address) ?? [];
    const ahead = others.length;
    const isAsked = waiting.id === "" && others.some((other) => isQuery(other.waiting) && !other.isGoing);
    if (isAsked && isQuery(waiting)) return queued();
    // More would keep it awake until its battery is empty.
    if (!going && ahead >= limits.zwaveSleeperQueueMax)
      return failed("rejected", `The device is asleep, and ${ahead} commands already wait for it.`);
    const entry: Entry = { waiting: { ...waiting, mayBeOut: going !== undefined }, isGoing: going !== undefined };
    this.#put(waiting.address, [...others, entry]);
    void going?.then((outcome) => this.#end(entry, outcome));
    const isKept = await this.#isSaved();
    return { kind: "queued", detail: isKept ? QUEUED : NOT_ON_DISK };
  }

  /** The device with these nodes is awake. */
  async awake(isOfDevice: (address: string) => boolean): Promise<void> {
    const due = this.#ofDevice(isOfDevice).filter(({ isGoing }) => !isGoing);
    for (const entry of due) entry.isGoing = true;
    const onlyOnce = due.filter(({ waiting }) => !waiting.isRepeatable);
    for (const entry of onlyOnce) entry.waiting = { ...entry.waiting, mayBeOut: true };
    for (const address of new Set(onlyOnce.map(({ waiting }) => waiting.address))) this.#keep(address);
    if (onlyOnce.length > 0) await this.#isSaved();
    for (const entry of due) void this.#go(entry);
  }

  /** Takes up what waited before the service began. */
  restore(): void {
    const { host } = this.#ports;
    for (const key of host.store.keys().filter((each) => each.startsWith(this.#prefix))) {
      const kept = parseWaiting(host.store.get(key));
      const certain = kept.filter(({ isRepeatable, mayBeOut }) => isRepeatable || !mayBeOut);
      this.#put(
        key.slice(this.#prefix.length),
        certain.map((waiting) => ({ waiting, isGoing: false })),
      );
      for (const waiting of kept) this.#tell(waiting, certain.includes(waiting) ? queued() : UNCERTAIN);
    }
  }

  /** The device with these nodes has left, or another one has taken its place. */
  removed(isOfDevice: (address: string) => boolean): void {
    for (const entry of this.#ofDevice(isOfDevice)) this.#end(entry, REMOVED);
  }

  get #prefix(): string {
    return `waiting ${this.#ports.homeId.toString(16)} `;
  }

  #ofDevice(isOfDevice: (address: string) => boolean): readonly Entry[] {
    return [...this.#entries].flatMap(([address, entries]) => (isOfDevice(address) ? entries : []));
  }

  async #go(entry: Entry): Promise<void> {
    this.#end(entry, this.#isTooOld(entry) ? TOO_OLD : await this.#ports.perform(entry.waiting));
  }

  #isTooOld({ waiting }: Entry): boolean {
    const { host, limits } = this.#ports;
    return host.clock.now() - waiting.atMs > limits.zwaveSleeperKeepMs;
  }

  #end(entry: Entry, outcome: Outcome): void {
    const { address } = entry.waiting;
    const entries = this.#entries.get(address) ?? [];
    // Without a radio it waits on, for the start after this one.
    if (!entries.includes(entry) || (outcome.kind === "failed" && outcome.reason === "not-ready")) return;
    this.#put(
      address,
      entries.filter((other) => other !== entry),
    );
    this.#tell(entry.waiting, outcome);
  }

  #tell({ id, address, request }: Waiting, outcome: Outcome): void {
    const { host } = this.#ports;
    if (id !== "") host.settled({ id, address, command: commandOf(request) }, outcome);
    if (outcome.kind !== "failed") return;
    host.log.warn("A command that waited for a sleeping device failed.", { node: address, detail: outcome.detail });
  }

  #put(address: string, entries: readonly Entry[]): void {
    const before = this.#entries.get(address)?.length ?? 0;
    if (entries.length === 0) this.#entries.delete(address);
    else this.#entries.set(address, entries);
    this.#keep(address);
    const isPending = entries.length > 0;
    if (isPending !== before > 0) this.#ports.host.writes(address, "pending", isPending);
  }

  #keep(address: string): void {
    const { store } = this.#ports.host;
    const kept = (this.#entries.get(address) ?? []).map(({ waiting }) => waiting);
    if (kept.length === 0) store.delete(this.#prefix + address);
    else store.set(this.#prefix + address, kept);
  }

  /** @returns false when the disk did not take it, or not in time; the device gets it all the same. */
  #isSaved(): Promise<boolean> {
    const { clock, store } = this.#ports.host;
    return new Promise((resolve) => {
      const late = clock.setTimer(() => resolve(false), DISK_MS);
      const settle = (isSaved: boolean) => {
        late.cancel();
        resolve(isSaved);
      };
      store.saved().then(
        () => settle(true),
        () => settle(false),
      );
    });
  }
}

/** Lets what waits go out when its device wakes, and end when it leaves. */
export function followSleepers({ family, library, stack }: RunningRadio, sleepers: Sleepers): void {
  const of = (nodeId: number) => (address: string) => parseAddress(family, address)?.nodeId === nodeId;
  stack.on("node wake up", ({ id }) => void sleepers.awake(of(id)));
  stack.controller.on("node removed", ({ id }) => sleepers.removed(of(id)));
  sleepers.restore();
  for (const device of stack.controller.nodes.values()) {
    if (device.status === library.NodeStatus.Awake || device.status === library.NodeStatus.Alive) {
      void sleepers.awake(of(device.id));
    }
  }
}

function isQuery({ request }: Waiting): boolean {
  return request.kind === "query";
}

function queued(): Outcome {
  return { kind: "queued", detail: QUEUED };
}
