/**
 * Commands that wait for sleeping devices. Such a command is reported as pending, is on disk before it is answered,
 * is sent in its order when the device wakes, and its end is reported once, also by the next run of the service. A command
 * that must not be repeated is marked on disk before it is sent; when the service ended over it, its outcome is
 * reported as unknown. The store has the command as it was given: what it does at the device, which can hold a secret, is made
 * when the device is awake.
 */

import type { Timer } from "../util/clock.ts";
import { isRecord } from "../util/is-record.ts";
import { type CommandParameterValue, failed, type Outcome } from "./command.ts";
import type { DeviceParameter, DriverHost } from "./driver.ts";

/** Plain data: it is carried out after a restart too. */
export type QueuedRequest =
  | { readonly kind: "command"; readonly command: string; readonly parameters: readonly CommandParameterValue[] }
  | { readonly kind: "query" }
  | { readonly kind: "parameter"; readonly parameter: DeviceParameter };

export type SleepingCommand = {
  /** The command that ends with it; empty: none. */
  readonly id: string;
  readonly address: string;
  readonly request: QueuedRequest;
  readonly atMs: number;
  /** Doing it twice is the same as doing it once. */
  readonly isRepeatable: boolean;
  /** The device has been awake since: it may have gone out. */
  readonly mayBeOut: boolean;
};

type SleepingPorts = {
  readonly host: Pick<DriverHost, "clock" | "log" | "seen" | "settled" | "store" | "writes">;
  /** What its keys in the store begin with. */
  readonly stored: string;
  /** Commands that wait for one node; more would keep it awake until its battery is empty. */
  readonly max: number;
  readonly keepMs: number;
  /** Does it now, in its turn at the device. Never rejects. Not ready: it goes on waiting for the start after this one. */
  readonly perform: (waiting: SleepingCommand) => Promise<Outcome>;
};

type Entry = { waiting: SleepingCommand; isGoing: boolean };

/** Longer than a disk takes that is well, shorter than anybody waits for an answer. */
const DISK_MS = 2000;
const QUEUED = "The device is asleep. The command is sent when it wakes.";
const NOT_ON_DISK = `${QUEUED} The disk rejects writes, so it is lost if the service ends first.`;
const UNCERTAIN = failed("internal", "The service ended while sending it. Whether the device received it is unknown.");
const TOO_OLD = failed("timeout", "The device did not wake in time.");
/** Longest wait of a timer; what is due later is looked at again. */
const LOOK_MS = 86_400_000;
const DISABLED = failed("rejected", "The device is disabled.");
const REMOVED = failed("unreachable", "The device was removed.");

export class SleepingCommands {
  readonly #ports: SleepingPorts;
  readonly #entries = new Map<string, readonly Entry[]>();
  #timer: Timer | null = null;

  constructor(ports: SleepingPorts) {
    this.#ports = ports;
  }

  /** How much waits, by node. */
  get load(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#entries].map(([address, entries]) => [address, entries.length]));
  }

  /** @param going what the radio has taken already, and keeps until the device wakes; absent: it goes out then. */
  async queue(waiting: SleepingCommand, going?: Promise<Outcome>): Promise<Outcome> {
    const others = this.#entries.get(waiting.address) ?? [];
    const ahead = others.length;
    const isAsked = waiting.id === "" && others.some((other) => isQuery(other.waiting) && !other.isGoing);
    if (isAsked && isQuery(waiting)) return queued();
    if (!going && ahead >= this.#ports.max)
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
    for (const key of host.store.keys().filter((each) => each.startsWith(this.#ports.stored))) {
      const kept = parseWaiting(host.store.get(key));
      const certain = kept.filter(({ isRepeatable, mayBeOut }) => isRepeatable || !mayBeOut);
      this.#put(
        key.slice(this.#ports.stored.length),
        certain.map((waiting) => ({ waiting, isGoing: false })),
      );
      for (const waiting of kept) this.#tell(waiting, certain.includes(waiting) ? queued() : UNCERTAIN);
    }
  }

  /** The device with these nodes has left, or another one has taken its place. */
  removed(isOfDevice: (address: string) => boolean): void {
    for (const entry of this.#ofDevice(isOfDevice)) this.#end(entry, REMOVED);
  }

  /** Nothing ends any more; what waits is for the start after this one. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#entries.clear();
  }

  #ofDevice(isOfDevice: (address: string) => boolean): readonly Entry[] {
    return [...this.#entries].flatMap(([address, entries]) => (isOfDevice(address) ? entries : []));
  }

  async #go(entry: Entry): Promise<void> {
    const isDisabled = this.#ports.host.seen(entry.waiting.address)?.enabled === false;
    const refusal = this.#isTooOld(entry) ? TOO_OLD : isDisabled ? DISABLED : null;
    this.#end(entry, refusal ?? (await this.#ports.perform(entry.waiting)));
  }

  #isTooOld({ waiting }: Entry): boolean {
    const { host, keepMs } = this.#ports;
    return host.clock.now() - waiting.atMs >= keepMs;
  }

  /** A device that never wakes: its commands end all the same. */
  #watch(): void {
    const { host, keepMs } = this.#ports;
    this.#timer?.cancel();
    this.#timer = null;
    const waiting = [...this.#entries.values()].flat().filter(({ isGoing }) => !isGoing);
    if (waiting.length === 0) return;
    const dueMs = Math.min(...waiting.map((entry) => entry.waiting.atMs)) + keepMs;
    const delayMs = Math.min(Math.max(dueMs - host.clock.now(), 0), LOOK_MS);
    this.#timer = host.clock.setTimer(() => {
      for (const entry of waiting) if (!entry.isGoing && this.#isTooOld(entry)) this.#end(entry, TOO_OLD);
      this.#watch();
    }, delayMs);
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

  #tell({ id, address, request }: SleepingCommand, outcome: Outcome): void {
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
    this.#watch();
  }

  #keep(address: string): void {
    const { store } = this.#ports.host;
    const kept = (this.#entries.get(address) ?? []).map(({ waiting }) => waiting);
    if (kept.length === 0) store.delete(this.#ports.stored + address);
    else store.set(this.#ports.stored + address, kept);
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

function isQuery({ request }: SleepingCommand): boolean {
  return request.kind === "query";
}

function queued(): Outcome {
  return { kind: "queued", detail: QUEUED };
}

/** Its name in the states of commands. */
function commandOf(request: QueuedRequest): string {
  if (request.kind === "command") return request.command;
  return request.kind === "query" ? "QUERY" : "CONFIG";
}

/** The stored commands, as far as they are readable; others are left out. */
export function parseWaiting(kept: unknown): readonly SleepingCommand[] {
  return Array.isArray(kept) ? kept.map(withRequest).filter(isWaiting) : [];
}

/** Homes of earlier versions store the request under the name `wish`. */
function withRequest(stored: unknown): unknown {
  return isRecord(stored) && "wish" in stored ? { ...stored, request: stored.wish } : stored;
}

function isWaiting(value: unknown): value is SleepingCommand {
  if (!isRecord(value)) return false;
  const { id, address, request, atMs, isRepeatable, mayBeOut } = value;
  const isPlain = typeof id === "string" && typeof address === "string" && Number.isFinite(atMs);
  return isPlain && typeof isRepeatable === "boolean" && typeof mayBeOut === "boolean" && isRequest(request);
}

function isRequest(value: unknown): value is QueuedRequest {
  if (!isRecord(value)) return false;
  const { kind, command, parameters, parameter } = value;
  if (kind === "query") return true;
  if (kind === "parameter") return isRecord(parameter) && areIntegers(parameter, "number", "size", "value");
  const isCommand = kind === "command" && typeof command === "string" && Array.isArray(parameters);
  return isCommand && parameters.every(isParameter);
}

function isParameter(value: unknown): boolean {
  return isRecord(value) && typeof value.id === "string" && areIntegers(value, "value", "uom", "prec");
}

function areIntegers(record: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean {
  return names.every((name) => Number.isSafeInteger(record[name]));
}
