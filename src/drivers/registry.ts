/**
 * The drivers by name. Starts and stops them when the controller starts and while it runs, and restarts a failed
 * driver with back-off. The controller keeps running while a driver is down. The driver host receives every state
 * first and marks the nodes.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Fence } from "../home/durability.ts";
import { type Clock, deadlineIn, type Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { messageOf } from "../util/message-of.ts";
import { rejectOnAbort } from "../util/reject-on-abort.ts";
import type { Driver, DriverHost, NodeSpec } from "./driver.ts";
import { FailedInputs } from "./failed-input.ts";
import type { Runner } from "./integration-type.ts";
import type { Service, ServiceState } from "./service.ts";

/** Longest pause between two starts of a driver that fails. */
export const RESTART_MAX_MS = 300_000;
/** A driver that ran this long has recovered: its next failure is a first one again. */
const RECOVERED_MS = 60_000;
/** Starts in a row after which input broke the driver: it then stays stopped until its owner starts it. */
const CRASHES_MAX = 5;

type DriverLimits = Pick<Config, "driverRestartMs" | "driverStartMs" | "driverStopMs">;

type Registered = Runner & { readonly name: string; readonly state: ServiceState; readonly detail: string };

/** `lose` marks the driver's nodes unreachable; after `close` nothing that the driver still reports is taken. */
type SlotHost = DriverHost & { readonly declared: ReadonlyMap<string, NodeSpec>; lose(): void; close(): void };

type Slot = {
  readonly runner: Runner;
  readonly service: Service<DriverHost>;
  readonly host: SlotHost;
  /** Aborted when the driver is halted, and when the controller stops. */
  readonly abort: AbortController;
  /** Over when a start behind open listeners has succeeded or failed; null for drivers that the listeners wait for. */
  firstStart: PromiseWithResolvers<void> | null;
  /** It shows the known state of its devices, and is not started with the others. */
  isHeld: boolean;
  state: ServiceState;
  detail: string;
  /** Reported as down, and not yet as up again. */
  isLost: boolean;
  restartMs: number;
  readyAtMs: number;
  timer: Timer | null;
  crashes: number;
  /** Input broke it. What it still says of itself does not count until it is started again. */
  isCrashed: boolean;
  /** Its stop after that. */
  stopping: Promise<void>;
  /** Aborted when input breaks the driver while it starts. */
  crash: AbortController;
};

type StateListener = (name: string, state: ServiceState) => void;

export class DriverRegistry {
  readonly #slots = new Map<string, Slot>();
  readonly #listeners: StateListener[] = [];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: DriverLimits;
  readonly #mayAct: (fence: Fence) => boolean;
  /** Of all drivers, channels and bridges, also of those that are made again. */
  readonly failedInputs = new FailedInputs();

  /** @param mayAct see Durability. */
  constructor(clock: Clock, log: Log, limits: DriverLimits, mayAct: (fence: Fence) => boolean = () => true) {
    this.#clock = clock;
    this.#log = log;
    this.#limits = limits;
    this.#mayAct = mayAct;
  }

  /** Called after a driver, channel or bridge has said its state, also the same one again: then something else of it has changed. */
  onState(listener: StateListener): void {
    this.#listeners.push(listener);
  }

  /** @param isHeld see Slot; `run` starts it. */
  add(runner: Runner, host: SlotHost, isHeld = false): void {
    const service = runner.driver ?? runner.channel ?? runner.bridge;
    const slot: Slot = {
      runner,
      service,
      host,
      abort: new AbortController(),
      firstStart: runner.driver?.restore === undefined || isHeld ? null : Promise.withResolvers(),
      isHeld,
      state: "stopped",
      detail: "",
      isLost: false,
      restartMs: this.#limits.driverRestartMs,
      readyAtMs: 0,
      timer: null,
      crashes: 0,
      isCrashed: false,
      stopping: Promise.resolve(),
      crash: new AbortController(),
    };
    this.#slots.set(service.name, slot);
  }

  /**
   * Starts the drivers that the listeners wait for. The others declare their known devices. A failing driver keeps
   * neither the others nor the service from starting.
   *
   * @param restored called when the devices known before are declared, and before any device reports
   */
  async start(restored: () => void = () => {}): Promise<void> {
    await Promise.all([...this.#slots.values()].map((slot) => this.#restore(slot)));
    restored();
    const awaited = [...this.#slots.values()].filter(({ firstStart, isHeld }) => firstStart === null && !isHeld);
    await Promise.all(awaited.map((slot) => this.#startOne(slot)));
  }

  /** Starts the others, once the listeners are open. Resolves when each of them is up or has failed for the first time. */
  async startBehindListeners(): Promise<void> {
    await Promise.all(
      [...this.#slots.values()].map(async (slot) => {
        const { firstStart } = slot;
        if (!firstStart) return;
        if (slot.state === "starting") await this.#startOne(slot);
        endFirstStart(slot);
      }),
    );
  }

  /** Resolves when a start behind open listeners is over; null: it is, or none is to come. @throws the signal's reason */
  started(name: string, signal: AbortSignal): Promise<void> | null {
    const start = this.#slots.get(name)?.firstStart;
    return start ? Promise.race([start.promise, rejectOnAbort(signal)]) : null;
  }

  /** Starts a driver that was added, held, while the controller runs. Resolves when it is up or has failed once. */
  async run(name: string): Promise<void> {
    const slot = this.#slots.get(name);
    if (!slot?.isHeld || slot.abort.signal.aborted) return;
    slot.isHeld = false;
    slot.firstStart = Promise.withResolvers();
    await this.#restore(slot);
    await this.#startOne(slot);
    endFirstStart(slot);
  }

  /** Stops a driver for good; it stays listed. Its nodes keep their last values and are marked unreachable. */
  async halt(name: string, detail: string): Promise<void> {
    const slot = this.#slots.get(name);
    if (!slot || slot.abort.signal.aborted) return;
    slot.timer?.cancel();
    slot.abort.abort(new Error("The integration was stopped."));
    if (!slot.isHeld) await this.#stopOne(slot);
    endFirstStart(slot);
    slot.detail = detail;
    this.#move(slot, "stopped");
    slot.host.lose();
  }

  /** Its integration is removed: it takes back what it has left in other systems, as far as they can be reached now. */
  async leave(name: string): Promise<void> {
    const slot = this.#slots.get(name);
    if (!slot || slot.isHeld || slot.abort.signal.aborted) return;
    await this.#within(slot, async (service) => service.leave?.());
  }

  /** Halts a driver and forgets it. */
  async drop(name: string): Promise<void> {
    await this.halt(name, "");
    this.#slots.get(name)?.host.close();
    this.#slots.delete(name);
  }

  async stop(): Promise<void> {
    for (const slot of this.#slots.values()) {
      slot.timer?.cancel();
      slot.abort.abort(new Error("The controller stops."));
    }
    await Promise.all([...this.#slots.values()].filter(({ isHeld }) => !isHeld).map((slot) => this.#stopOne(slot)));
    for (const slot of this.#slots.values()) slot.state = "stopped";
  }

  /**
   * Called by the driver's host alone, for what the driver says of itself and for what starting it showed.
   * @returns whether it is another state
   */
  setStatus(name: string, state: ServiceState, detail: string): boolean {
    const slot = this.#slots.get(name);
    if (!slot || slot.isCrashed || slot.abort.signal.aborted) return false;
    const isOther = slot.state !== state;
    slot.detail = detail;
    this.#move(slot, state);
    if (isOther) this.#moved(slot, detail);
    return isOther;
  }

  /**
   * Called by the driver's host alone: input broke the driver. It is stopped at once and started again with back-off; after several such
   * starts in a row it stays stopped.
   * @param detail a sentence
   */
  crash(name: string, detail: string): void {
    const slot = this.#slots.get(name);
    if (!slot || slot.isCrashed || slot.abort.signal.aborted) return;
    slot.crashes = this.#hasRecovered(slot) ? 1 : slot.crashes + 1;
    if (slot.crashes >= CRASHES_MAX) {
      const reason = `${detail} It failed after each of ${CRASHES_MAX} starts and stays stopped.`;
      this.#log.error("An integration fails after each start. It stays stopped until it is started again.", {
        driver: name,
      });
      void this.halt(name, reason);
      return;
    }
    slot.host.status("failed", detail);
    slot.isCrashed = true;
    slot.crash.abort(new Error(detail));
    slot.stopping = this.#stopOne(slot);
  }

  #hasRecovered({ readyAtMs }: Slot): boolean {
    return readyAtMs !== 0 && this.#clock.elapsed() - readyAtMs >= RECOVERED_MS;
  }

  #moved(slot: Slot, detail: string): void {
    const { state } = slot;
    const { name } = slot.service;
    if (state === "failed") {
      if (!slot.isLost)
        this.#log.error("A driver is down; its devices keep their last values.", { driver: name, detail });
      slot.isLost = true;
      this.#restartLater(slot);
    } else if (state === "ready") {
      slot.readyAtMs = this.#clock.elapsed();
      slot.timer?.cancel();
      if (slot.isLost) this.#log.info("A driver is back.", { driver: name });
      slot.isLost = false;
    }
  }

  /** @throws ControllerError DRIVER_UNAVAILABLE when the driver is unknown or not running; WRITER_UNCONFIRMED */
  of(name: string): Driver {
    const driver = this.running(name);
    if (!driver) throw new ControllerError("DRIVER_UNAVAILABLE");
    return driver;
  }

  /** null when the driver is unknown or not running. @throws ControllerError WRITER_UNCONFIRMED when it must not act now. */
  running(name: string): Driver | null {
    const slot = this.#slots.get(name);
    if (!slot || slot.state === "failed" || slot.state === "stopped") return null;
    if (!this.#mayAct(slot.runner.fence ?? "none")) throw new ControllerError("WRITER_UNCONFIRMED");
    return slot.runner.driver ?? null;
  }

  /** null when nothing runs, or is to run, under the name. */
  find(name: string): Registered | null {
    const slot = this.#slots.get(name);
    return slot ? { ...slot.runner, name, state: slot.state, detail: slot.detail } : null;
  }

  /** Nodes by address as the driver declared them, whichever driver has them now; empty for a simulation. */
  declared(name: string): ReadonlyMap<string, NodeSpec> {
    return this.#slots.get(name)?.host.declared ?? new Map();
  }

  list(): readonly Registered[] {
    return [...this.#slots].map(([name, { runner, state, detail }]) => ({ ...runner, name, state, detail }));
  }

  async #restore(slot: Slot): Promise<void> {
    if (!slot.isHeld) slot.state = "starting";
    try {
      await slot.runner.driver?.restore?.(slot.host);
    } catch (error) {
      this.#log.error("The stored devices of a driver cannot be read.", { driver: slot.service.name, error });
    }
  }

  async #startOne(slot: Slot): Promise<void> {
    if (slot.abort.signal.aborted) return;
    slot.isCrashed = false;
    slot.crash = new AbortController();
    this.#move(slot, "starting");
    const { driverStartMs } = this.#limits;
    const late = new Error(`It did not start within ${driverStartMs} ms.`);
    using deadline = deadlineIn(this.#clock, driverStartMs, late);
    const signal = AbortSignal.any([slot.abort.signal, slot.crash.signal, deadline.signal]);
    try {
      await Promise.race([slot.service.start(slot.host, signal), rejectOnAbort(signal)]);
      // A driver that goes on preparing itself has reported that, or has failed meanwhile.
      if (slot.state === "starting") slot.host.status("ready", "");
    } catch (error) {
      slot.host.status("failed", messageOf(error));
    }
  }

  #move(slot: Slot, state: ServiceState): void {
    slot.state = state;
    for (const listener of this.#listeners) listener(slot.service.name, state);
  }

  /** A driver that cannot be stopped is left behind: neither the controller's end nor a new start waits for it for ever. */
  #stopOne(slot: Slot): Promise<void> {
    return this.#within(slot, (service) => service.stop());
  }

  async #within({ service }: Slot, work: (service: Service<DriverHost>) => Promise<void>): Promise<void> {
    const { driverStopMs } = this.#limits;
    const late = new Error(`It did not stop within ${driverStopMs} ms.`);
    using deadline = deadlineIn(this.#clock, driverStopMs, late);
    try {
      await Promise.race([work(service), rejectOnAbort(deadline.signal)]);
    } catch (error) {
      this.#log.warn("A driver could not be stopped.", { driver: service.name, error });
    }
  }

  #restartLater(slot: Slot): void {
    if (this.#hasRecovered(slot)) slot.restartMs = this.#limits.driverRestartMs;
    slot.readyAtMs = 0;
    slot.timer?.cancel();
    slot.timer = this.#clock.setTimer(() => void this.#restart(slot), slot.restartMs);
    slot.restartMs = Math.min(slot.restartMs * 2, slot.service.restartMaxMs ?? RESTART_MAX_MS);
  }

  async #restart(slot: Slot): Promise<void> {
    await slot.stopping;
    await this.#stopOne(slot);
    if (!slot.abort.signal.aborted) await this.#startOne(slot);
  }
}

function endFirstStart(slot: Slot): void {
  slot.firstStart?.resolve();
  slot.firstStart = null;
}
