/**
 * The driver of a Z-Wave adapter: its life, and the port's rules. How devices look to the core is in `plan/`, what goes out
 * to them in `sending/`; everything that works on the network itself takes the `Radio`.
 *
 * @see docs/drivers.md
 */

import { type Config, SETTINGS } from "../../config.ts";
import { ControllerError, invariant } from "../../errors.ts";
import { type DriverCommand, failed, type Outcome, requireAccepted } from "../command.ts";
import type { Commissioning } from "../commissioning.ts";
import type {
  DeviceParameter,
  DeviceParameters,
  Driver,
  DriverHost,
  Groupcast,
  KnownParameter,
  Links,
  Simulation,
  UserCodes,
} from "../driver.ts";
import type { Network } from "../network.ts";
import type { NetworkQueues } from "../network-facts.ts";
import { type QueuedRequest, type SleepingCommand, SleepingCommands } from "../sleeping-commands.ts";
import { parseAddress, type ZWaveFamily } from "./addresses.ts";
import { DeviceLinks, followLinkEvents } from "./device-links.ts";
import { Devices, type FoundNode } from "./devices.ts";
import { followDevices, followSleepers } from "./events.ts";
import { loadLibrary, type ZWaveDevice } from "./library.ts";
import { createRadioNetwork } from "./network/radio-network.ts";
import { Troubles } from "./network/troubles.ts";
import { detectRefusals, endParameterAlarms, keepProducts, takeEveryScale } from "./patches.ts";
import { CC } from "./plan/command-class-table.ts";
import type { RadioLimits, RunningRadio } from "./radio.ts";
import { Bus } from "./sending/bus.ts";
import { actOf, fulfil, UNKNOWN_COMMAND } from "./sending/fulfil.ts";
import { groupcast } from "./sending/groupcast.ts";
import { ACKED, GIVEN_UP, NOT_READY, outcomeOfError, outcomeOfSupervision } from "./sending/outcome.ts";
import { knownParameters, readParameter } from "./sending/parameters.ts";
import { isSafeToRepeat } from "./sending/perform.ts";
import { endStack, type StackOptions, startStack } from "./stack.ts";
import { Shapes } from "./stored-shapes.ts";

type AdapterLimits = Pick<Config, "zwaveDevicesAtOnce" | "zwaveSleeperQueueMax" | "zwaveSleeperKeepMs"> & RadioLimits;

const DEFAULT_LIMITS: AdapterLimits = {
  zwaveDevicesAtOnce: SETTINGS.zwaveDevicesAtOnce.fallback,
  zwaveSleeperQueueMax: SETTINGS.zwaveSleeperQueueMax.fallback,
  zwaveInclusionWaitMs: SETTINGS.zwaveInclusionWaitMs.fallback,
  zwaveDeadPingMaxMs: SETTINGS.zwaveDeadPingMaxMs.fallback,
  zwaveSleeperKeepMs: SETTINGS.zwaveSleeperKeepMs.fallback,
};

type ZWaveOptions = Omit<StackOptions, "port"> & {
  /** Name of the driver in the registry: `zwave` for the first adapter, `zwave2` for the second. */
  readonly name: string;
  readonly family: ZWaveFamily;
  /** Asked at every start, also at the one after the adapter was lost. */
  readonly openPort: () => StackOptions["port"];
  readonly limits?: AdapterLimits;
  /** For a simulated network: actions of a person at an endpoint of a device. */
  readonly simulation?: {
    actions(nodeId: number, endpoint: number): readonly string[];
    act(nodeId: number, endpoint: number, action: string, value: number): void;
  };
  /** Listeners for every adapter that has become ready, before any of its devices is declared. */
  readonly onReady?: readonly ((radio: RunningRadio) => void)[];
};

export type ZWaveDriver = Driver & {
  /** @throws ControllerError DRIVER_UNAVAILABLE while the adapter is not running. */
  running(): RunningRadio;
};

export function createZWaveDriver(options: ZWaveOptions): ZWaveDriver {
  return new AdapterDriver(options);
}

type Running = {
  readonly radio: RunningRadio;
  readonly end: AbortController;
  readonly devices: Devices;
  readonly bus: Bus;
  readonly sleepers: SleepingCommands;
  readonly links: DeviceLinks;
};

class AdapterDriver implements ZWaveDriver {
  readonly name: string;
  readonly parameters: DeviceParameters = {
    known: (address) => this.#knownParameters(address),
    get: (address, number, signal) => this.#getParameter(address, number, signal),
    set: (address, parameter, signal, commandId = "") =>
      this.#request(address, commandId, { kind: "parameter", parameter }, signal),
  };
  readonly codes: UserCodes = {
    slots: (address) => {
      const found = this.#running?.devices.find(address);
      return found && found.plan.part === 0 && found.plan.endpoint === 0 ? codeSlots(found.device) : 0;
    },
    set: (address, slot, code, signal) =>
      this.#work(address, signal, ({ radio }, { device }) => writeCode(radio, device, slot, code)),
    clear: (address, slot, signal) =>
      this.#work(address, signal, ({ radio }, { device }) => writeCode(radio, device, slot, null)),
  };
  readonly links: Links = {
    refresh: () => this.#running?.links.refresh(),
    state: (link) => (this.#running ? this.#running.links.state(link) : NO_ADAPTER),
    carries: (link, command) => this.#running?.links.carries(link, command) === true,
    retry: (controller) => this.#running?.links.retry(controller),
  };
  readonly network: Network;
  readonly simulation?: Simulation;
  readonly commissioning: Commissioning;
  readonly #options: ZWaveOptions;
  readonly #troubles = new Troubles();
  #running: Running | null = null;
  #shapes: Shapes | null = null;
  /** A start that is under way. */
  #starting: Promise<void> | null = null;

  constructor(options: ZWaveOptions) {
    this.name = options.name;
    this.#options = options;
    const { simulation, family } = options;
    if (simulation) {
      this.simulation = {
        actions: (address) => {
          const place = parseAddress(family, address);
          return place ? simulation.actions(place.nodeId, place.endpoint) : [];
        },
        act: (address, action, value) => {
          const place = parseAddress(family, address);
          if (place) simulation.act(place.nodeId, place.endpoint, action, value ?? 1);
          return place !== null;
        },
      };
    }
    const ports = createRadioNetwork({
      family: options.family,
      running: () => this.running(),
      queues: () => this.#queues(),
      troubles: this.#troubles,
    });
    this.network = ports.network;
    this.commissioning = ports.commissioning;
  }

  restore(host: DriverHost): void {
    this.#shapes = new Shapes(host, this.#options.family);
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running && !this.#starting, "A driver is stopped before it is started again.");
    this.#starting = this.#open(host, signal).finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #open(host: DriverHost, signal: AbortSignal): Promise<void> {
    const { family, openPort, onReady = [], limits = DEFAULT_LIMITS } = this.#options;
    const library = await loadLibrary();
    const stack = await startStack(library, host, { ...this.#options, port: openPort() }, signal);
    const end = new AbortController();
    const radio: RunningRadio = { family, host, library, stack, limits, signal: end.signal };
    detectRefusals(radio);
    const patch = (device: ZWaveDevice) => {
      endParameterAlarms(library, device);
      takeEveryScale(library, device);
    };
    stack.controller.nodes.forEach(patch);
    stack.controller.on("node added", patch);
    this.#shapes ??= new Shapes(host, family);
    const devices: Devices = new Devices(radio, this.#shapes, (address, control) => links.pressed(address, control));
    const bus = new Bus(end.signal, limits.zwaveDevicesAtOnce);
    const links = new DeviceLinks({ radio, devices, bus });
    const sleepers = new SleepingCommands({
      host,
      stored: `waiting ${(stack.controller.homeId ?? 0).toString(16)} `,
      max: limits.zwaveSleeperQueueMax,
      keepMs: limits.zwaveSleeperKeepMs,
      perform: (waiting) => this.#perform(running, waiting),
    });
    const running: Running = { radio, end, devices, bus, sleepers, links };
    this.#running = running;
    this.#troubles.follow(radio);
    stack.on("error", (error) => this.#lose(error));
    for (const tell of onReady) tell(radio);
    devices.declareAll();
    keepProducts(host.store, stack.controller.nodes.values());
    followSleepers(radio, sleepers);
    followDevices(radio, devices);
    followLinkEvents(radio, links);
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    // Its signal was aborted before; what it still does must not come after this end.
    await this.#starting?.catch(() => {});
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.end.abort();
    running.devices.stop();
    running.sleepers.stop();
    await endStack(running.radio.stack);
    running.radio.host.status("stopped", "");
  }

  #queues(): NetworkQueues | null {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return null;
    return { ...running.bus.load, asleep: running.sleepers.load };
  }

  running(): RunningRadio {
    if (!this.#running) throw new ControllerError("DRIVER_UNAVAILABLE");
    return this.#running.radio;
  }

  async send({ address, command, parameters, id, signal }: DriverCommand): Promise<Outcome> {
    return this.#request(address, id, { kind: "command", command, parameters }, signal);
  }

  async query(address: string, signal: AbortSignal, commandId = ""): Promise<Outcome> {
    return this.#request(address, commandId, { kind: "query" }, signal);
  }

  groupcast(commands: Parameters<Groupcast>[0]): void {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return;
    const { radio, devices } = running;
    const members = commands.flatMap(({ address, command, parameters }) => {
      const found = devices.find(address);
      const planned = found?.plan.commands.find(({ id }) => id === command);
      if (!found || !planned) return [];
      const { device } = found;
      return [{ device, act: planned.act({ parameters, current: (value) => device.getValue(value) }) }];
    });
    groupcast(radio, devices.attribution, members);
  }

  #knownParameters(address: string): readonly KnownParameter[] {
    const found = this.#running?.devices.find(address);
    return found ? knownParameters(found.device) : [];
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
    requireAccepted(outcome);
    throw new ControllerError("DEVICE_FAILED");
  }

  /** Commands that can wait for a sleeping device. */
  #request(address: string, id: string, request: QueuedRequest, signal: AbortSignal): Promise<Outcome> {
    const work = (running: Running, found: FoundNode) => fulfil(running, found, id, request, () => !signal.aborted);
    return this.#work(address, signal, work, { id, request });
  }

  /** SleepingCommand commands are sent. */
  async #perform(running: Running, { address, id, request }: SleepingCommand): Promise<Outcome> {
    const { devices, bus, radio } = running;
    const found = devices.find(address);
    if (!found) return failed("unreachable", "There is no such device.");
    const { signal } = radio;
    return bus.run(found.device.id, signal, () => fulfil(running, found, id, request, () => !signal.aborted));
  }

  /**
   * The way of everything that goes out to a device: its turn, its deadline, and what becomes of it while it sleeps.
   *
   * @param waits what waits then; null: it does not wait, because it holds a secret or an answer is wanted.
   */
  async #work(
    address: string,
    signal: AbortSignal,
    work: (running: Running, found: FoundNode) => Promise<Outcome>,
    waits: Pick<SleepingCommand, "id" | "request"> | null = null,
  ): Promise<Outcome> {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return NOT_READY;
    if (signal.aborted) return GIVEN_UP;
    const { devices, bus, radio } = running;
    const found = devices.find(address);
    if (!found) return failed("unreachable", "There is no such device.");
    const isAsleep = () => found.device.status === radio.library.NodeStatus.Asleep;
    if (isAsleep()) return waits ? putOff(running, found, waits) : ASLEEP;
    let going: Promise<Outcome> | undefined;
    const outcome = await bus.run(found.device.id, signal, () => {
      going = work(running, found);
      return going;
    });
    // It fell asleep over it; what the radio has taken it keeps until the device wakes.
    return outcome === GIVEN_UP && isAsleep() && waits ? putOff(running, found, waits, going) : outcome;
  }

  /** The library has given the adapter up; the registry starts the driver again. */
  #lose({ message }: Error): void {
    const running = this.#running;
    if (!running || running.end.signal.aborted) return;
    running.end.abort();
    running.radio.host.status("failed", message);
  }
}

const ASLEEP = {
  kind: "failed",
  reason: "unreachable",
  detail: "The device is asleep. Wake it up, then try again.",
  retryable: true,
} as const satisfies Outcome;
const NO_ADAPTER = { state: "pending", detail: "The adapter is not running." } as const;

/** An impossible command is refused now, not when the device wakes. */
async function putOff(
  { sleepers, radio }: Running,
  found: FoundNode,
  { id, request }: Pick<SleepingCommand, "id" | "request">,
  going?: Promise<Outcome>,
): Promise<Outcome> {
  const act = request.kind === "command" ? actOf(found, request) : null;
  if (request.kind === "command" && !act) return UNKNOWN_COMMAND;
  if (act?.kind === "refuse") return failed("bad-parameter", act.detail);
  // Queries and settings of parameters have the same effect once or twice; of commands only some.
  const isRepeatable = request.kind !== "command" || act === null || isSafeToRepeat(request.command, act);
  const { address } = found;
  const atMs = radio.host.clock.now();
  return sleepers.queue({ id, address, request, atMs, isRepeatable, mayBeOut: false }, going);
}

/** Number of slots; 0 when the device has no codes. */
function codeSlots(device: ZWaveDevice): number {
  const slots = device.getValue({ commandClass: CC.userCode, endpoint: 0, property: "supportedUsers" });
  return typeof slots === "number" ? slots : 0;
}

/** @param code null clears the slot. Never rejects. */
async function writeCode(
  { library }: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  slot: number,
  code: string | null,
): Promise<Outcome> {
  if (slot < 1 || slot > codeSlots(device)) return failed("bad-parameter", "The lock has no such slot.");
  if (code !== null && !/^[0-9]{4,10}$/.test(code)) return failed("bad-parameter", "A user code has 4 to 10 digits.");
  const codes = device.commandClasses["User Code"];
  try {
    const result = code === null ? codes.clear(slot) : codes.set(slot, library.UserIDStatus.Enabled, code);
    return outcomeOfSupervision(await result);
  } catch (error) {
    return outcomeOfError(library, error);
  }
}
