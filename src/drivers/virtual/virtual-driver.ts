/**
 * The driver of simulated devices: the demo home, the test bench, the reference for the port. A model (`devices/`)
 * has the behavior of a device. This file has the rules of the port: one end for every command, facts only as
 * reports, nothing lost over a restart.
 *
 * `act` plays a person at the device: the actions of every model, and UNPLUG and PLUG for all.
 *
 * @see docs/drivers.md
 */

import { invariant } from "../../errors.ts";
import { delay } from "../../util/clock.ts";
import { rejectOnAbort } from "../../util/reject-on-abort.ts";
import { type DriverCommand, type FailureReason, failed, type Outcome, requireAccepted } from "../command.ts";
import type {
  DeviceParameter,
  DeviceParameters,
  Driver,
  DriverHost,
  MirroredFact,
  Simulation,
  UserCodes,
} from "../driver.ts";
import type { PropertyReport } from "../report.ts";
import { BY_ITSELF } from "./device-model.ts";
import {
  hasSlot,
  isSlotInUse,
  isUserCode,
  knownParameters,
  markSlot,
  storedParameter,
  storeParameter,
} from "./device-settings.ts";
import { LOCK_ALARM } from "./devices/radio-lock.ts";
import { Movements } from "./movements.ts";
import { noEffect } from "./played-commands.ts";
import type { PlayedDevice } from "./played-device.ts";
import { Script } from "./script.ts";
import { buildUnits, declareDefinitions, type Unit, type UnitsByAddress } from "./units.ts";
import type { VirtualDevice } from "./virtual-device.ts";
import type { VirtualNode } from "./virtual-node.ts";

/** Why a command fails although the device could do it; "silence" is no answer at all. */
export type Fault = FailureReason | "silence";

type VirtualDriverOptions = {
  /** Name of the driver; default virtual. */
  readonly name?: string;
  readonly devices: readonly VirtualDevice[];
  /** Devices that are known by their nodedef alone. */
  readonly played?: readonly PlayedDevice[];
  /** A device added since the start; null when there is none. */
  readonly findPlayed?: (address: string) => PlayedDevice | null;
  /** Devices do nothing by themselves. */
  readonly still: boolean;
  /** Milliseconds that a device takes to answer; 0 = at once, still asynchronously. */
  readonly latencyMs: number;
  /** IANA zone of the home. */
  readonly timeZone: string;
  /** For tests: what goes wrong with this command, or null. */
  readonly faults?: (address: string, command: string) => Fault | null;
};

export function createVirtualDriver(options: VirtualDriverOptions): Driver {
  return new VirtualDriver(options);
}

/** Such commands are logged once per nodedef, at most this many. */
const COMPLAINTS_MAX = 1000;
const ACKED: Outcome = { kind: "acked" };

type Running = {
  readonly host: DriverHost;
  readonly units: UnitsByAddress;
  /** Units of devices that came to be played since the start. */
  readonly late: Map<string, UnitsByAddress>;
  readonly movements: Movements;
  readonly script: Script | null;
  readonly stopping: AbortController;
};

class VirtualDriver implements Driver {
  readonly name: string;
  readonly parameters: DeviceParameters = {
    known: (address) => knownParameters(this.#running?.units.get(address)?.unit ?? null),
    get: (address, number, signal) => this.#getParameter(address, number, signal),
    set: (address, parameter, signal) => this.#setParameter(address, parameter, signal),
  };
  readonly simulation: Simulation = {
    actions: (address) => this.#actions(address),
    act: (address, control, value) => this.#act(address, control, value),
    mirror: (fact) => this.#mirror(fact),
  };
  readonly codes: UserCodes = {
    slots: (address) => this.#running?.units.get(address)?.unit.model.codeSlots ?? 0,
    set: (address, slot, code, signal) => this.#setCode(address, slot, code, signal),
    clear: (address, slot, signal) => this.#setCode(address, slot, null, signal),
  };
  readonly #options: VirtualDriverOptions;
  #running: Running | null = null;
  /** Commands without effect that have been logged. */
  readonly #withoutEffect = new Set<string>();

  constructor(options: VirtualDriverOptions) {
    this.name = options.name ?? "virtual";
    this.#options = options;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    signal.throwIfAborted();
    const { devices, played = [], still, timeZone } = this.#options;
    const movements = new Movements(host.clock);
    const units = buildUnits(devices, played, { host, movements, still });
    const script = still ? null : new Script(nodesOf(units), host.clock, timeZone);
    this.#running = { host, units, late: new Map(), movements, script, stopping: new AbortController() };
    introduce(units, host);
    script?.start();
    host.status("ready", "");
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.script?.stop();
    running.movements.stop();
    running.stopping.abort();
    running.host.status("stopped", "");
  }

  send({ address, command, parameters, id, signal }: DriverCommand): Promise<Outcome> {
    return this.#attempt(address, command, signal, (node, unit, host) => {
      const received = { parameters, occasion: { cause: "ack", commandId: id } } as const;
      if (command === "CONFIG" && unit.model.parameters) return configure(host, unit, received.parameters);
      const { commands, otherwise } = node.model;
      const reaction = (Object.hasOwn(commands, command) ? commands[command] : null) ?? otherwise?.(command);
      if (!reaction) return failed("unsupported", "The device has no such command.");
      // It answers, so it can be reached.
      if (unit.isPlayed) host.link(address, "online");
      if (reaction === noEffect) this.#sayNoEffect(host, node.model.nodeDefId, command);
      reaction(node, received);
      return ACKED;
    });
  }

  query(address: string, signal: AbortSignal): Promise<Outcome> {
    return this.#attempt(address, "QUERY", signal, (node, unit, host) => {
      if (unit.isPlayed) host.link(address, "online");
      node.tell({ cause: "query" });
      return ACKED;
    });
  }

  #actions(address: string): readonly string[] {
    const found = this.#running?.units.get(address);
    return found ? [...Object.keys(found.node.model.actions ?? {}), ...POWER] : [];
  }

  #act(address: string, control: string, value: number | null): boolean {
    const running = this.#running;
    const found = running?.units.get(address);
    if (!running || !found) return false;
    const { node, unit } = found;
    if (control === "UNPLUG") return plug(running.host, unit, false);
    if (control === "PLUG") return plug(running.host, unit, true);
    const { actions = {} } = node.model;
    const action = Object.hasOwn(actions, control) ? actions[control] : null;
    if (!action || !node.plugged) return false;
    if (control === "CODE" && !isSlotInUse(running.host.store, unit, value ?? 0)) return false;
    action(node, value ?? 0);
    return true;
  }

  #mirror(fact: MirroredFact): void {
    const running = this.#running;
    if (!running) return;
    const { host, units } = running;
    if (fact.kind === "control") host.control(fact.address, fact.control, fact.value);
    else if (fact.kind === "link") host.link(fact.address, fact.link);
    else {
      units.get(fact.report.address)?.node.adopt(fact.report.id, fact.report.value);
      host.report([fact.report]);
    }
  }

  #sayNoEffect(host: DriverHost, nodedef: string, command: string): void {
    const what = `${nodedef} ${command}`;
    if (this.#withoutEffect.has(what) || this.#withoutEffect.size >= COMPLAINTS_MAX) return;
    this.#withoutEffect.add(what);
    host.log.info("Its nodedef does not describe the effect of this command: it is accepted and changes nothing.", {
      nodedef,
      command,
    });
  }

  async #getParameter(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null> {
    let answer: DeviceParameter | null = null;
    const outcome = await this.#attempt(address, "CONFIG", signal, (_node, unit, host) => {
      answer = storedParameter(host.store, unit, number);
      return ACKED;
    });
    requireAccepted(outcome);
    return answer;
  }

  #setParameter(address: string, parameter: DeviceParameter, signal: AbortSignal): Promise<Outcome> {
    return this.#attempt(address, "CONFIG", signal, (_node, unit, host) => {
      return stored(host, unit, parameter);
    });
  }

  #setCode(address: string, slot: number, code: string | null, signal: AbortSignal): Promise<Outcome> {
    return this.#attempt(address, "CODE", signal, (node, unit, host) => {
      if (!hasSlot(unit, slot)) return failed("bad-parameter", "The lock has no such slot.");
      if (code !== null && !isUserCode(code)) return failed("bad-parameter", "A user code has 4 to 10 digits.");
      markSlot(host.store, unit, slot, code !== null);
      const alarm = code === null ? LOCK_ALARM.userDeleted : LOCK_ALARM.userAdded;
      node.change(ofModel(node, { USRNUM: slot, ALARM: alarm }), { cause: "ack" });
      return ACKED;
    });
  }

  /** Every request to a device goes this way: after its latency it has its effect, or a fault prevents it. */
  async #attempt(
    address: string,
    command: string,
    signal: AbortSignal,
    act: (node: VirtualNode, unit: Unit, host: DriverHost) => Outcome,
  ): Promise<Outcome> {
    const running = this.#running;
    if (!running) return NOT_READY;
    const found = this.#find(running, address);
    const fault = this.#options.faults?.(address, command) ?? null;
    await this.#answerTime(running, signal, fault);
    if (running.stopping.signal.aborted) return NOT_READY;
    if (signal.aborted) return failed("timeout", "The device did not answer in time.", true);
    if (!found) return failed("unreachable", "There is no such device.");
    const { node, unit } = found;
    if (!node.plugged) return noAnswer(running.host, unit);
    if (fault !== null && fault !== "silence") return failed(fault, "A fault was injected.", true);
    return act(node, unit, running.host);
  }

  #find(running: Running, address: string): ReturnType<UnitsByAddress["get"]> {
    const known = running.units.get(address) ?? running.late.get(address)?.get(address);
    if (known) return known;
    const device = this.#options.findPlayed?.(address);
    if (!device) return undefined;
    const units = buildUnits([], [device], { ...running, still: this.#options.still });
    running.late.set(address, units);
    return units.get(address);
  }

  /** Ends early when the command is given up or the driver stops. */
  async #answerTime({ host, stopping }: Running, signal: AbortSignal, fault: Fault | null): Promise<void> {
    const { latencyMs } = this.#options;
    if (fault !== "silence" && latencyMs === 0) return;
    const giveUp = AbortSignal.any([signal, stopping.signal]);
    if (fault === "silence") await rejectOnAbort(giveUp).catch(() => {});
    else await delay(host.clock, latencyMs, giveUp).catch(() => {});
  }
}

/** Works on every device. */
const POWER = ["UNPLUG", "PLUG"];
const NOT_READY = failed("not-ready", "The driver is not running.", true);

/** The values of properties that the node has. */
function ofModel(node: VirtualNode, values: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const known = new Set(node.model.properties.map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => known.has(id)));
}

function* nodesOf(units: UnitsByAddress): Iterable<VirtualNode> {
  for (const { node } of units.values()) yield node;
}

/** Definitions, then nodes, then in one go what everything is like. */
function introduce(units: UnitsByAddress, host: DriverHost): void {
  declareDefinitions(
    Array.from(units.values(), ({ unit }) => unit),
    host,
  );
  const reports: PropertyReport[] = [];
  for (const { node, unit } of units.values()) {
    host.node(unit.specOf(node));
    if (!unit.isPlayed) host.link(node.address, "online");
    reports.push(...node.reports({ cause: "restore" }));
  }
  if (reports.length > 0) host.report(reports);
}

/** A pulled plug is noticed at the next request; a device that is plugged in again reports itself. */
function plug(host: DriverHost, unit: Unit, plugged: boolean): boolean {
  for (const node of unit.nodes) {
    node.plugged = plugged;
    if (!plugged) continue;
    host.link(node.address, "online");
    node.tell(BY_ITSELF);
  }
  return true;
}

function noAnswer(host: DriverHost, unit: Unit): Outcome {
  for (const { address } of unit.nodes) host.link(address, "unreachable");
  return failed("no-ack", "The device does not answer.", true);
}

function configure(host: DriverHost, unit: Unit, parameters: DriverCommand["parameters"]): Outcome {
  const given = (id: string) => parameters.find((parameter) => parameter.id === id)?.value ?? 0;
  return stored(host, unit, { number: given("NUM"), size: null, value: given("VAL") });
}

function stored(host: DriverHost, unit: Unit, parameter: Parameters<typeof storeParameter>[2]): Outcome {
  const refusal = storeParameter(host.store, unit, parameter);
  return refusal === null ? ACKED : failed("bad-parameter", refusal);
}
