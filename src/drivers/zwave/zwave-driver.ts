/**
 * The driver of a Z-Wave stick: its life, and the port's rules. How devices look to the house is in `plan/`, what goes out
 * to them in `sending/`; everything that works on the network itself takes the `Radio`.
 *
 * @see docs/drivers.md
 */

import { type Config, SETTINGS } from "../../config.ts";
import { ControllerError, type ErrorCode, invariant } from "../../errors.ts";
import type { DeviceParameter, Driver, DriverCommand, DriverHost, FailureReason, Outcome } from "../driver.ts";
import type { RadioQueues } from "../radio-facts.ts";
import type { RadioFamily } from "./addresses.ts";
import { Devices, type FoundNode } from "./devices.ts";
import { followDevices } from "./events.ts";
import { Shapes } from "./kept-shapes.ts";
import { loadLibrary } from "./library.ts";
import { createRadioNetwork } from "./network/radio-network.ts";
import { hearRefusals } from "./network/refusals.ts";
import { Troubles } from "./network/troubles.ts";
import { keyText } from "./plan/device-view.ts";
import type { Radio } from "./radio.ts";
import { Bus } from "./sending/bus.ts";
import { groupcast } from "./sending/groupcast.ts";
import { ACKED, failed, GIVEN_UP, NOT_READY, outcomeOfError } from "./sending/outcome.ts";
import { readParameter, writeParameter } from "./sending/parameters.ts";
import { effectOf, perform } from "./sending/perform.ts";
import { queryNode } from "./sending/query.ts";
import { Sleepers } from "./sending/sleepers.ts";
import { codeSlots, writeCode } from "./sending/user-codes.ts";
import { endStack, type StackOptions, startStack } from "./stack.ts";

type StickLimits = Pick<Config, "zwaveDevicesAtOnce" | "zwaveSleeperQueueMax">;

const DEFAULT_LIMITS: StickLimits = {
  zwaveDevicesAtOnce: SETTINGS.zwaveDevicesAtOnce.fallback,
  zwaveSleeperQueueMax: SETTINGS.zwaveSleeperQueueMax.fallback,
};

export type ZWaveOptions = Omit<StackOptions, "port"> & {
  /** Name of the driver in the registry: `zwave` for the first stick, `zwave2` for the second. */
  readonly name: string;
  readonly family: RadioFamily;
  /** Asked at every start, also at the one after the stick was lost. */
  readonly openPort: () => StackOptions["port"];
  readonly limits?: StickLimits;
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

type Running = {
  readonly radio: Radio;
  readonly end: AbortController;
  readonly devices: Devices;
  readonly bus: Bus;
  readonly sleepers: Sleepers;
};

class StickDriver implements ZWaveDriver {
  readonly name: string;
  readonly parameters: NonNullable<Driver["parameters"]> = {
    get: (address, number, signal) => this.#getParameter(address, number, signal),
    set: (address, parameter, signal) =>
      this.#work(address, signal, ({ radio }, { device }) => writeParameter(radio, device, parameter)),
  };
  readonly codes: NonNullable<Driver["codes"]> = {
    slots: (address) => {
      const found = this.#running?.devices.find(address);
      return found && found.plan.part === 0 && found.plan.endpoint === 0 ? codeSlots(found.device) : 0;
    },
    set: (address, slot, code, signal) =>
      this.#work(address, signal, ({ radio }, { device }) => writeCode(radio, device, slot, code)),
    clear: (address, slot, signal) =>
      this.#work(address, signal, ({ radio }, { device }) => writeCode(radio, device, slot, null)),
  };
  readonly radio: NonNullable<Driver["radio"]>;
  readonly #options: ZWaveOptions;
  readonly #troubles = new Troubles();
  #running: Running | null = null;
  #shapes: Shapes | null = null;
  /** The start with which the service begins: what is asked until its end waits for it. Later, that the stick is gone is said at once. */
  #firstStart: PromiseWithResolvers<void> | null = null;
  /** A start that is under way. */
  #starting: Promise<void> | null = null;

  constructor(options: ZWaveOptions) {
    this.name = options.name;
    this.#options = options;
    this.radio = createRadioNetwork({
      running: () => this.running(),
      queues: () => this.#queues(),
      troubles: this.#troubles,
    });
  }

  restore(host: DriverHost): void {
    this.#shapes = new Shapes(host, this.#options.family);
    this.#firstStart = Promise.withResolvers();
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running && !this.#starting, "A driver is stopped before it is started again.");
    this.#starting = this.#open(host, signal).finally(() => {
      this.#starting = null;
      this.#firstStart?.resolve();
      this.#firstStart = null;
    });
    return this.#starting;
  }

  async #open(host: DriverHost, signal: AbortSignal): Promise<void> {
    const { family, openPort, onReady = [], limits = DEFAULT_LIMITS } = this.#options;
    const library = await loadLibrary();
    const stack = await startStack(library, host, { ...this.#options, port: openPort() }, signal);
    const end = new AbortController();
    const radio = { family, host, library, stack, signal: end.signal };
    hearRefusals(radio);
    this.#shapes ??= new Shapes(host, family);
    const devices = new Devices(radio, this.#shapes);
    const bus = new Bus(end.signal, limits.zwaveDevicesAtOnce);
    const sleepers = new Sleepers(host, limits.zwaveSleeperQueueMax);
    this.#running = { radio, end, devices, bus, sleepers };
    this.#troubles.follow(radio);
    stack.on("error", (error) => this.#lose(error));
    for (const tell of onReady) tell(radio);
    devices.tellAll();
    followDevices(radio, devices);
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    // Its signal was aborted before; what it still does must not come after this end.
    await this.#starting?.catch(() => {});
    this.#firstStart?.resolve();
    this.#firstStart = null;
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.end.abort();
    running.devices.stop();
    await endStack(running.radio.stack);
    running.radio.host.status("stopped", "");
  }

  #queues(): RadioQueues | null {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return null;
    return { ...running.bus.load, asleep: running.sleepers.load };
  }

  running(): Radio {
    if (!this.#running) throw new ControllerError("DRIVER_UNAVAILABLE");
    return this.#running.radio;
  }

  async send({ address, command, parameters, id, signal }: DriverCommand): Promise<Outcome> {
    return this.#work(address, signal, async ({ radio, devices }, { device, plan }) => {
      const planned = plan.commands.find((candidate) => candidate.id === command);
      if (!planned) return failed("unsupported", "The device has no such command.");
      const act = planned.act({ parameters, current: (value) => device.getValue(value) });
      const effect = effectOf(act);
      const key = effect && keyText(effect.value);
      if (key) devices.attribution.expect(device.id, key, id, effect.expected);
      const outcome = await perform(radio, device, act);
      if (key && outcome.kind === "failed") devices.attribution.forget(device.id, key, id);
      return outcome;
    });
  }

  async query(address: string, signal: AbortSignal): Promise<Outcome> {
    return this.#work(address, signal, ({ radio, devices }, { device, plan }) =>
      devices.attribution.asking(device.id, () => queryNode(radio, device, plan, () => !signal.aborted)),
    );
  }

  groupcast(commands: Parameters<NonNullable<Driver["groupcast"]>>[0]): void {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return;
    const { radio, devices } = running;
    const wishes = commands.flatMap(({ address, command, parameters }) => {
      const found = devices.isEnabled(address) ? devices.find(address) : null;
      const planned = found?.plan.commands.find(({ id }) => id === command);
      if (!found || !planned) return [];
      const { device } = found;
      return [{ device, act: planned.act({ parameters, current: (value) => device.getValue(value) }) }];
    });
    groupcast(radio, devices.attribution, wishes);
  }

  setEnabled(address: string, enabled: boolean): void {
    const running = this.#running;
    if (running?.devices.setEnabled(address, enabled) && enabled) {
      void this.query(address, running.radio.signal);
    }
  }

  async #getParameter(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null> {
    let answer: DeviceParameter | null = null;
    const outcome = await this.#work(address, signal, async ({ radio }, { device }) => {
      try {
        answer = await readParameter(radio, device, number);
        return ACKED;
      } catch (error) {
        return outcomeOfError(radio.library, error);
      }
    });
    if (outcome.kind === "acked") return answer;
    if (outcome.kind === "queued") throw new ControllerError("DEVICE_UNREACHABLE", { sentence: ASLEEP });
    throw new ControllerError(outcome.kind === "failed" ? codeOf(outcome.reason) : "DEVICE_FAILED");
  }

  /** The way of everything that goes out to a device: its turn, its deadline, and what becomes of it while it sleeps. */
  async #work(
    address: string,
    signal: AbortSignal,
    work: (running: Running, found: FoundNode) => Promise<Outcome>,
  ): Promise<Outcome> {
    if (this.#firstStart && !signal.aborted) await settledOrAborted(this.#firstStart.promise, signal);
    const running = this.#running;
    if (!running || running.end.signal.aborted) return NOT_READY;
    if (signal.aborted) return GIVEN_UP;
    const { devices, bus, sleepers, radio } = running;
    const found = devices.find(address);
    if (!found) return failed("unreachable", "There is no such device.");
    if (!devices.isEnabled(address)) return failed("rejected", "The device is disabled.");
    const isAsleep = () => found.device.status === radio.library.NodeStatus.Asleep;
    const attempt = () =>
      work(running, found).catch((error: unknown) => {
        radio.host.log.error("The radio failed over a device.", { node: address, error });
        return outcomeOfError(radio.library, error);
      });
    if (isAsleep()) return sleepers.queue(address, attempt);
    const outcome = await bus.run(found.device.id, signal, attempt);
    // It fell asleep over it; the radio keeps what it has taken until it wakes.
    return outcome === GIVEN_UP && isAsleep() ? { kind: "queued", detail: ASLEEP } : outcome;
  }

  /** The library has given the stick up; the registry starts the driver again. */
  #lose({ message }: Error): void {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return;
    running.end.abort();
    running.radio.host.status("failed", message);
  }
}

function settledOrAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    void promise.then(resolve);
  });
}

const ASLEEP = "The device sleeps; it is told when it wakes.";

function codeOf(reason: FailureReason): ErrorCode {
  if (reason === "timeout") return "DEVICE_TIMEOUT";
  if (reason === "not-ready") return "DRIVER_UNAVAILABLE";
  if (reason === "unsupported") return "NOT_SUPPORTED";
  return reason === "no-ack" || reason === "unreachable" ? "DEVICE_UNREACHABLE" : "DEVICE_FAILED";
}
