/**
 * The drivers by name. Starts and stops them, and starts a failed one again with back-off: the service stays up while a
 * driver is down. What that means for its nodes is the driver host's work, which hears every state first.
 */

import { ControllerError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Driver, DriverHost, DriverState } from "./driver.ts";

const RESTART_MAX_MS = 300_000;
/** A driver that ran this long has recovered: its next failure is a first one again. */
const RECOVERED_MS = 60_000;

export type RegisteredDriver = { readonly driver: Driver; readonly state: DriverState; readonly detail: string };

type Slot = {
  readonly driver: Driver;
  readonly host: DriverHost;
  readonly abort: AbortController;
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
  readonly #restartMs: number;

  constructor(clock: Clock, log: Log, restartMs: number) {
    this.#clock = clock;
    this.#log = log;
    this.#restartMs = restartMs;
  }

  add(driver: Driver, host: DriverHost): void {
    const slot: Slot = {
      driver,
      host,
      abort: new AbortController(),
      state: "stopped",
      detail: "",
      isLost: false,
      restartMs: this.#restartMs,
      readyAtMs: 0,
      timer: null,
    };
    this.#slots.set(driver.name, slot);
  }

  /** Starts every driver; one that fails does not keep the others or the service from starting. */
  async start(): Promise<void> {
    await Promise.all([...this.#slots.values()].map((slot) => this.#startOne(slot)));
  }

  async stop(): Promise<void> {
    for (const slot of this.#slots.values()) {
      slot.timer?.cancel();
      slot.abort.abort(new Error("The controller stops."));
    }
    await Promise.allSettled([...this.#slots.values()].map((slot) => slot.driver.stop()));
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

  async #startOne(slot: Slot): Promise<void> {
    slot.state = "starting";
    try {
      await slot.driver.start(slot.host, slot.abort.signal);
      slot.host.status("ready", "");
    } catch (error) {
      slot.host.status("failed", error instanceof Error ? error.message : String(error));
    }
  }

  #restartLater(slot: Slot): void {
    const ranMs = slot.readyAtMs === 0 ? 0 : this.#clock.now() - slot.readyAtMs;
    slot.readyAtMs = 0;
    if (ranMs >= RECOVERED_MS) slot.restartMs = this.#restartMs;
    slot.timer?.cancel();
    slot.timer = this.#clock.setTimer(() => void this.#restart(slot), slot.restartMs);
    slot.restartMs = Math.min(slot.restartMs * 2, RESTART_MAX_MS);
  }

  async #restart(slot: Slot): Promise<void> {
    try {
      await slot.driver.stop();
    } catch (error) {
      this.#log.warn("A driver that was down could not be stopped.", { driver: slot.driver.name, error });
    }
    if (!slot.abort.signal.aborted) await this.#startOne(slot);
  }
}
