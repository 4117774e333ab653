/**
 * The drivers by name. Starts and stops them, and starts a failed one again with back-off: the service stays up while a
 * driver is down. What that means for its nodes is the driver host's work, which hears every state first.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Driver, DriverHost, DriverState } from "./driver.ts";

const RESTART_MAX_MS = 300_000;
/** A driver that ran this long has recovered: its next failure is a first one again. */
const RECOVERED_MS = 60_000;

type DriverLimits = Pick<Config, "driverRestartMs" | "driverStartMs" | "driverStopMs">;

export type RegisteredDriver = { readonly driver: Driver; readonly state: DriverState; readonly detail: string };

type Slot = {
  readonly driver: Driver;
  readonly host: DriverHost;
  /** Ends with the controller. */
  readonly abort: AbortController;
  /** Over when a start behind open doors has succeeded or failed; null for drivers that the doors wait for. */
  readonly firstStart: PromiseWithResolvers<void> | null;
  state: DriverState;
  detail: string;
  /** Said to be down, and not yet said to be back. */
  isLost: boolean;
  restartMs: number;
  readyAtMs: number;
  timer: Timer | null;
};

export class DriverRegistry {
  readonly #slots = new Map<string, Slot>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: DriverLimits;

  constructor(clock: Clock, log: Log, limits: DriverLimits) {
    this.#clock = clock;
    this.#log = log;
    this.#limits = limits;
  }

  add(driver: Driver, host: DriverHost): void {
    const slot: Slot = {
      driver,
      host,
      abort: new AbortController(),
      firstStart: isAwaited(driver) ? null : Promise.withResolvers(),
      state: "stopped",
      detail: "",
      isLost: false,
      restartMs: this.#limits.driverRestartMs,
      readyAtMs: 0,
      timer: null,
    };
    this.#slots.set(driver.name, slot);
  }

  /**
   * Starts the drivers that the doors wait for; the others tell what they keep of their devices. One that fails does not
   * keep the others or the service from starting.
   */
  async start(): Promise<void> {
    for (const slot of this.#slots.values()) this.#restore(slot);
    const awaited = [...this.#slots.values()].filter(({ firstStart }) => firstStart === null);
    await Promise.all(awaited.map((slot) => this.#startOne(slot)));
  }

  /** Starts the others, once the doors are open. Resolves when each of them is up or has failed for the first time. */
  async startBehindListeners(): Promise<void> {
    await Promise.all(
      [...this.#slots.values()].map(async (slot) => {
        if (!slot.firstStart) return;
        await this.#startOne(slot);
        slot.firstStart.resolve();
      }),
    );
  }

  /** Resolves when a start behind open doors is over, or at once when none is to come. @throws the signal's reason */
  async started(name: string, signal: AbortSignal): Promise<void> {
    const start = this.#slots.get(name)?.firstStart;
    if (start) await Promise.race([start.promise, abortion(signal)]);
  }

  async stop(): Promise<void> {
    for (const slot of this.#slots.values()) {
      slot.timer?.cancel();
      slot.abort.abort(new Error("The controller stops."));
    }
    await Promise.all([...this.#slots.values()].map((slot) => this.#stopOne(slot)));
    for (const slot of this.#slots.values()) slot.state = "stopped";
  }

  /** Called by the driver's host alone, for what the driver says of itself and for what starting it showed. */
  setStatus(name: string, state: DriverState, detail: string): void {
    const slot = this.#slots.get(name);
    if (!slot || slot.state === state || slot.abort.signal.aborted) return;
    slot.state = state;
    slot.detail = detail;
    if (state === "failed") {
      if (!slot.isLost)
        this.#log.error("A driver is down; its devices keep their last values.", { driver: name, detail });
      slot.isLost = true;
      this.#restartLater(slot);
    } else if (state === "ready") {
      slot.readyAtMs = this.#clock.now();
      slot.timer?.cancel();
      if (slot.isLost) this.#log.info("A driver is back.", { driver: name });
      slot.isLost = false;
    }
  }

  /** @throws ControllerError DRIVER_UNAVAILABLE when the driver is unknown or not running. */
  of(name: string): Driver {
    const slot = this.#slots.get(name);
    if (!slot || slot.state === "failed" || slot.state === "stopped") throw new ControllerError("DRIVER_UNAVAILABLE");
    return slot.driver;
  }

  list(): readonly RegisteredDriver[] {
    return [...this.#slots.values()].map(({ driver, state, detail }) => ({ driver, state, detail }));
  }

  #restore(slot: Slot): void {
    slot.state = "starting";
    try {
      slot.driver.restore?.(slot.host);
    } catch (error) {
      this.#log.error("What a driver keeps of its devices cannot be read.", { driver: slot.driver.name, error });
    }
  }

  async #startOne(slot: Slot): Promise<void> {
    if (slot.abort.signal.aborted) return;
    slot.state = "starting";
    const { driverStartMs } = this.#limits;
    const attempt = new AbortController();
    const signal = AbortSignal.any([slot.abort.signal, attempt.signal]);
    const late = new Error(`It did not start within ${driverStartMs} ms.`);
    const timer = this.#clock.setTimer(() => attempt.abort(late), driverStartMs);
    try {
      await Promise.race([slot.driver.start(slot.host, signal), abortion(signal)]);
      slot.host.status("ready", "");
    } catch (error) {
      slot.host.status("failed", error instanceof Error ? error.message : String(error));
    } finally {
      timer.cancel();
    }
  }

  /** A driver that cannot be stopped is left behind: neither the controller's end nor a new start waits for it for ever. */
  async #stopOne({ driver }: Slot): Promise<void> {
    const { driverStopMs } = this.#limits;
    const deadline = new AbortController();
    const late = new Error(`It did not stop within ${driverStopMs} ms.`);
    const timer = this.#clock.setTimer(() => deadline.abort(late), driverStopMs);
    try {
      await Promise.race([driver.stop(), abortion(deadline.signal)]);
    } catch (error) {
      this.#log.warn("A driver could not be stopped.", { driver: driver.name, error });
    } finally {
      timer.cancel();
    }
  }

  #restartLater(slot: Slot): void {
    const ranMs = slot.readyAtMs === 0 ? 0 : this.#clock.now() - slot.readyAtMs;
    slot.readyAtMs = 0;
    if (ranMs >= RECOVERED_MS) slot.restartMs = this.#limits.driverRestartMs;
    slot.timer?.cancel();
    slot.timer = this.#clock.setTimer(() => void this.#restart(slot), slot.restartMs);
    slot.restartMs = Math.min(slot.restartMs * 2, RESTART_MAX_MS);
  }

  async #restart(slot: Slot): Promise<void> {
    await this.#stopOne(slot);
    if (!slot.abort.signal.aborted) await this.#startOne(slot);
  }
}

function isAwaited({ restore }: Driver): boolean {
  return restore === undefined;
}

/** Never resolves; rejects with the signal's reason. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
