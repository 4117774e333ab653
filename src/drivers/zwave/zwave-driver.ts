/**
 * The driver of a Z-Wave stick: its life, and the port's rules. How devices look to the house is in `plan/`, what is sent
 * to them in `commands/`; everything that works on the network itself takes the `Radio`.
 *
 * @see docs/drivers.md
 */

import { ControllerError, invariant } from "../../errors.ts";
import type { Driver, DriverCommand, DriverHost, Outcome } from "../driver.ts";
import type { RadioFamily } from "./addresses.ts";
import { loadLibrary } from "./library.ts";
import type { Radio } from "./radio.ts";
import { endStack, type StackOptions, startStack } from "./stack.ts";

export type ZWaveOptions = Omit<StackOptions, "port"> & {
  /** Name of the driver in the registry: `zwave` for the first stick, `zwave2` for the second. */
  readonly name: string;
  readonly family: RadioFamily;
  /** Asked at every start, also at the one after the stick was lost. */
  readonly openPort: () => StackOptions["port"];
  /** Told of every stick that has become ready, before any of its devices is told to the house. */
  readonly onReady?: readonly ((radio: Radio) => void)[];
};

export type ZWaveDriver = Driver & {
  /** @throws ControllerError DRIVER_UNAVAILABLE while the stick is not running. */
  running(): Radio;
};

export function createZWaveDriver(options: ZWaveOptions): ZWaveDriver {
  return new StickDriver(options);
}

type Running = { readonly radio: Radio; readonly end: AbortController };

class StickDriver implements ZWaveDriver {
  readonly name: string;
  readonly #options: ZWaveOptions;
  #running: Running | null = null;

  constructor(options: ZWaveOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    const { family, openPort } = this.#options;
    const library = await loadLibrary();
    const stack = await startStack(library, host, { ...this.#options, port: openPort() }, signal);
    const end = new AbortController();
    const radio = { family, host, library, stack, signal: end.signal };
    this.#running = { radio, end };
    for (const tell of this.#options.onReady ?? []) tell(radio);
    stack.on("error", (error) => this.#lose(host, error));
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.end.abort();
    await endStack(running.radio.stack);
    running.radio.host.status("stopped", "");
  }

  running(): Radio {
    if (!this.#running) throw new ControllerError("DRIVER_UNAVAILABLE");
    return this.#running.radio;
  }

  async send(_command: DriverCommand): Promise<Outcome> {
    return NOT_READY;
  }

  async query(_address: string, _signal: AbortSignal): Promise<Outcome> {
    return NOT_READY;
  }

  setEnabled(): void {}

  /** The library has given the stick up; the registry starts the driver again. */
  #lose(host: DriverHost, error: Error): void {
    this.#running?.end.abort();
    host.status("failed", error.message);
  }
}

const NOT_READY: Outcome = {
  kind: "failed",
  reason: "not-ready",
  detail: "The driver is not running.",
  retryable: true,
};
