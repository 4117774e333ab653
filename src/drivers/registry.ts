/**
 * The drivers by name. Starts and stops them, and starts a failed one again with back-off (law 9): the service stays up,
 * the nodes keep their last values and are marked unreachable.
 */

import { ControllerError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Driver, DriverHost, DriverState } from "./driver.ts";

const RESTART_MAX_MS = 300_000;

export type RegisteredDriver = { readonly driver: Driver; readonly state: DriverState; readonly detail: string };

type Slot = {
  readonly driver: Driver;
  readonly host: DriverHost;
  readonly abort: AbortController;
  state: DriverState;
  detail: string;
  restartMs: number;
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
      restartMs: this.#restartMs,
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
  }

  /** A driver says how it is. */
  setStatus(name: string, state: DriverState, detail: string): void {
    const slot = this.#slots.get(name);
    if (!slot || slot.state === state) return;
    const wasDown = slot.state === "failed" || slot.state === "degraded";
    slot.state = state;
    slot.detail = detail;
    if (state === "failed") this.#log.error("A driver is down; its devices keep their last values.", { driver: name, detail });
    else if (wasDown && state === "ready") this.#log.info("A driver is back.", { driver: name });
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
      slot.restartMs = this.#restartMs;
      this.setStatus(slot.driver.name, "ready", "");
    } catch (error) {
      if (slot.abort.signal.aborted) return;
      this.setStatus(slot.driver.name, "failed", error instanceof Error ? error.message : String(error));
      slot.timer = this.#clock.setTimer(() => void this.#startOne(slot), slot.restartMs);
      slot.restartMs = Math.min(slot.restartMs * 2, RESTART_MAX_MS);
    }
  }
}
