/** The Insteon driver on a simulated modem, on a clock that moves only when the test moves it. */

import type { DevicePlan, SimulatedDevice } from "../../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../../simulators/insteon/simulated-modem.ts";
import type { DriverCommand, Outcome } from "../../../src/drivers/command.ts";
import { InsteonDriver } from "../../../src/drivers/insteon/insteon-driver.ts";
import type { ModemPort } from "../../../src/drivers/insteon/line/modem-port.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { isOver, type Operation } from "../../../src/home/operation.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

const NOON = Date.parse("2026-06-01T12:00:00Z");
const STEP_MS = 50;
const DISCOVERY_MS = 120_000;

export class SimulatedInsteonHome {
  readonly clock: VirtualClock;
  readonly modem: SimulatedModem;
  readonly driver: InsteonDriver;
  readonly host: RecordingHost;

  /** @param before whose modem and devices are used again */
  constructor(
    plans: readonly DevicePlan[],
    store: ServiceStore = memoryStore(),
    before?: Pick<SimulatedInsteonHome, "clock" | "modem">,
  ) {
    this.clock = before?.clock ?? new VirtualClock(NOON);
    this.modem = before?.modem ?? new SimulatedModem(this.clock, plans);
    this.host = new RecordingHost(this.clock, store);
    this.driver = new InsteonDriver({
      name: "insteon",
      openPort: async (_signal, onLost) => portOf(this.modem, onLost),
    });
  }

  /** A home whose devices are identified. */
  static async discovered(plans: readonly DevicePlan[], store?: ServiceStore): Promise<SimulatedInsteonHome> {
    const home = new SimulatedInsteonHome(plans, store);
    await home.start();
    await home.pass(DISCOVERY_MS);
    return home;
  }

  start(): Promise<void> {
    return this.settle(this.driver.start(this.host, new AbortController().signal));
  }

  device(plan: DevicePlan): SimulatedDevice {
    return this.modem.device(plan.id);
  }

  /** Lets time go by until the promise has settled. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    promise.then(settled, settled);
    for (let waitedMs = 0; !isSettled && waitedMs < 60_000; waitedMs += STEP_MS) await this.pass(STEP_MS);
    return promise;
  }

  /** In steps: what a message causes needs turns of the event loop. */
  async pass(spanMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < spanMs; passedMs += STEP_MS) {
      await this.clock.advance(Math.min(STEP_MS, spanMs - passedMs));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** In long steps, in which nothing is waited for. */
  async passDays(days: number): Promise<void> {
    const STEP = 60_000;
    for (let passedMs = 0; passedMs < days * 86_400_000; passedMs += STEP) {
      await this.clock.advance(STEP);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  send(
    address: string,
    command: string,
    ...values: readonly (readonly [value: number, uom: number])[]
  ): Promise<Outcome> {
    const parameters = values.map(([value, uom]) => ({ id: "", value, uom, prec: 0 }));
    return this.settle(this.driver.send(commandTo(address, command, parameters)));
  }

  /** Begins an operation, lets a person act while it waits, and returns its end. */
  async operate(kind: string, input: Readonly<Record<string, unknown>> = {}, act: () => void = () => {}) {
    this.driver.commissioning.begin(kind, input);
    await this.pass(1000);
    act();
    return this.ended();
  }

  /** The operation, when it is over. */
  async ended(waitMs = 600_000): Promise<Operation | null> {
    const current = () => this.driver.commissioning.operation();
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += STEP_MS) {
      const operation = current();
      if (operation && isOver(operation)) break;
      await this.pass(STEP_MS);
    }
    return current();
  }

  query(address: string): Promise<Outcome> {
    return this.settle(this.driver.query(address, new AbortController().signal));
  }
}

function commandTo(address: string, command: string, parameters: DriverCommand["parameters"]): DriverCommand {
  return { id: `test-${command}`, address, command, parameters, signal: new AbortController().signal };
}

function portOf(modem: SimulatedModem, onLost: (detail: string) => void): ModemPort {
  let isOpen = true;
  let onBytes: (bytes: Uint8Array) => void = () => {};
  const line = modem.open({
    hear: (bytes) => onBytes(bytes),
    cut: () => {
      if (isOpen) onLost("The modem was unplugged.");
      isOpen = false;
    },
  });
  return {
    write: (bytes) => line.write(bytes),
    listen: (listener) => {
      onBytes = listener;
    },
    close: () => {
      isOpen = false;
      line.close();
    },
  };
}
