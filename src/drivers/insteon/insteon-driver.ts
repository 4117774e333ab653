/**
 * The driver of Insteon devices behind a PowerLinc modem. A command succeeds when the device answered it; presses arrive as
 * controls, with the status that follows from them.
 *
 * @see docs/insteon.md
 */

import { ControllerError, invariant } from "../../errors.ts";
import { messageOf } from "../../util/message-of.ts";
import { type DriverCommand, failed, failureOf, type Outcome, requireAccepted } from "../command.ts";
import type {
  DeviceParameter,
  DeviceParameters,
  Driver,
  DriverHost,
  Groupcast,
  KnownParameter,
  Links,
  Simulation,
} from "../driver.ts";
import { nodeCommand } from "./devices/commands.ts";
import { type Device, DeviceBook, type Occasion } from "./devices/device-book.ts";
import { parametersOf, readParameter, Unanswered, writeParameter } from "./devices/parameters.ts";
import type { DeviceNode } from "./devices/products.ts";
import { statusQuery } from "./devices/status.ts";
import { receiveX10, sendX10 } from "./devices/x10.ts";
import type { ModemMessage } from "./line/messages.ts";
import { type DeviceAnswer, Modem, ModemLost } from "./line/modem.ts";
import type { ModemPort } from "./line/modem-port.ts";
import { linkedRecord } from "./links/link-records.ts";
import { EXCHANGED } from "./links/scene-links.ts";
import { InsteonCommissioning } from "./operations/commissioning.ts";
import { labelOf } from "./operations/inclusion.ts";
import {
  ask,
  CHANGES,
  checkReset,
  createRunning,
  followRelay,
  greet,
  queryNightly,
  queryNode,
  type Running,
  receiveFromDevice,
  recheckLater,
  tellState,
} from "./running.ts";

type InsteonDriverOptions = {
  readonly name: string;
  /** @param onLost called once when the line breaks */
  readonly openPort: (signal: AbortSignal, onLost: (detail: string) => void) => Promise<ModemPort>;
  /** The devices are simulated. */
  readonly simulation?: Simulation;
};

const LINK_DELETED = 0xff;
const PING = 0x0f;
const UNKNOWN_SENDER = 0xff;

const REFUSALS: Readonly<Record<number, string>> = {
  [UNKNOWN_SENDER]: 'The device does not know this modem. The operation "repair-links" links them again.',
  254: "The device finds no load.",
  251: "The device does not know this command.",
};
/** Settings that links without values of their own follow. */
const LINKED: ReadonlySet<string> = new Set(["OL", "RR"]);
const WRITE_CHANGES = "WDU";
const WRITING: Outcome = { kind: "sent", detail: "The links of scenes that wait for the device are being written." };
/** With the group of its scene. */
const TAKEN: DeviceAnswer = { kind: "ack", cmd1: 0, cmd2: 0, reply: null };
const NOT_READY = failed("not-ready", "The driver is not running.", true);
const LATE = failed("timeout", "The device did not answer in time.", true);

export class InsteonDriver implements Driver {
  readonly name: string;
  readonly links: Links = {
    refresh: () => this.#running?.links.refresh(),
    state: (link) => this.#running?.links.state(link) ?? null,
    carries: (link, command) => this.#running?.links.carries(link, command) ?? false,
    retry: (scene) => this.#running?.links.retry(scene),
  };
  readonly parameters: DeviceParameters = {
    known: (address) => this.#knownParameters(address),
    get: (address, number, signal) => this.#getParameter(address, number, signal),
    set: (address, parameter, signal) => this.#setParameter(address, parameter, signal),
  };
  readonly commissioning: InsteonCommissioning = new InsteonCommissioning(() => this.#running);
  readonly adapterAddress = () => this.#running && labelOf(this.#running.modemLinks.id);
  readonly simulation?: Simulation;
  readonly #options: InsteonDriverOptions;
  #running: Running | null = null;

  constructor(options: InsteonDriverOptions) {
    this.name = options.name;
    if (options.simulation) this.simulation = options.simulation;
    this.#options = options;
  }

  restore(host: DriverHost): void {
    new DeviceBook(host).declareStored();
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    signal.throwIfAborted();
    const lose = (detail: string) =>
      void host.guard({ from: "the modem's connection" }, () => this.#lose(this.#running, detail));
    const port = await this.#options.openPort(signal, lose);
    const book = new DeviceBook(host);
    const stopping = new AbortController();
    const onMessage = (message: ModemMessage) =>
      void host.guard({ from: `modem message ${message.kind}`, content: message }, () =>
        this.#receive(running, message),
      );
    const listen = (onBytes: (bytes: Uint8Array) => void) =>
      port.listen((bytes) => void host.guard({ from: "the modem" }, () => onBytes(bytes)));
    const guarded: ModemPort = { write: (bytes) => port.write(bytes), listen, close: () => port.close() };
    const modem = new Modem({ port: guarded, clock: host.clock, onMessage, onLost: lose });
    const running = createRunning({ host, book, modem, stopping });
    book.declareStored();
    this.#running = running;
    await running.modemLinks.identify();
    if (running.modemLinks.formerModems().length > 0) host.log.warn(EXCHANGED);
    tellState(running);
    void this.#readDevices(running);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#end(running);
    running.host.status("stopped", "");
  }

  async send({ address, command, parameters, id, signal }: DriverCommand): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node } = found;
    if (node.role === "x10") return sendX10(running.modem, device, command).catch(notReady);
    if (command === WRITE_CHANGES) return running.links.writeDevice(device.id) ? WRITING : { kind: "acked" };
    const known = (property: string) => running.book.known(address, property);
    const message = nodeCommand(node, command, { parameters, known });
    if (!message) return failed("unsupported", "The controller cannot send this command to the device.");
    if (message.data && device.product.engine === "i1") {
      return failed("unsupported", "The device is of the first generation and does not know this command.");
    }
    const { effect, ...sent } = message;
    const isTaken = await running.sending.take({ address, command, parameters });
    const answer = isTaken
      ? TAKEN
      : await running.modem.send({ ...sent, device: device.id, isBackground: false, signal });
    const outcome = this.#outcomeOf(running, device, answer);
    const occasion: Occasion = { cause: "ack", commandId: id };
    if (outcome.kind === "acked" && effect !== "query") {
      running.book.report(node, effect, occasion);
      if (LINKED.has(command)) running.links.refresh();
    }
    if (outcome.kind === "acked" && command === "DON") void followRelay(running, device, node);
    if (outcome.kind === "acked" && effect === "query") void queryNode(running, device, node, occasion);
    // Some devices refuse a command and carry it out.
    else if (answer.kind === "nak" && answer.reason !== UNKNOWN_SENDER) void queryNode(running, device, node, CHANGES);
    return outcome;
  }

  groupcast(commands: Parameters<Groupcast>[0]): void {
    this.#running?.sending.groupcast(commands);
  }

  async query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node } = found;
    if (node.role === "x10") return failed("unsupported", "X10 devices cannot be queried.");
    const query = statusQuery(node);
    const answer = query
      ? await ask(running, device, query, { cause: "query", commandId }, signal)
      : await running.modem.send({ device: device.id, cmd1: PING, cmd2: 0, isBackground: false, signal });
    return this.#outcomeOf(running, device, answer);
  }

  #knownParameters(address: string): readonly KnownParameter[] {
    const found = this.#running?.book.find(address);
    if (!found) return [];
    return parametersOf(found.device, found.node).map(({ number, name, max }) => ({
      ...{ number, name, max, size: 1, unit: "", prec: 0, min: 0, choices: [] },
    }));
  }

  async #getParameter(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) throw failureOf(found);
    const { device, node } = found;
    const parameter = parametersOf(device, node).find((each) => each.number === number);
    if (!parameter) return null;
    let value = 0;
    const outcome = await this.#tryParameter(
      found,
      async (target) => {
        value = await readParameter(target, parameter);
      },
      signal,
    );
    requireAccepted(outcome);
    return { number, size: 1, value: Math.min(parameter.max, value) };
  }

  async #setParameter(
    address: string,
    { number, size, value }: DeviceParameter,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { device, node, running } = found;
    const parameter = parametersOf(device, node).find((each) => each.number === number);
    if (!parameter) throw new ControllerError("PARAMETER_NOT_FOUND");
    if (size !== 1) throw new ControllerError("BAD_PARAMETER_SIZE");
    if (value < 0 || value > parameter.max)
      return failed("bad-parameter", `${parameter.name} is 0 to ${parameter.max}.`);
    const outcome = await this.#tryParameter(found, (target) => writeParameter(target, parameter, value), signal);
    if (outcome.kind === "acked" && parameter.access.kind === "button-led")
      void queryNode(running, device, node, CHANGES);
    return outcome;
  }

  async #tryParameter(
    { running, device, node }: { readonly running: Running; readonly device: Device; readonly node: DeviceNode },
    work: (target: Parameters<typeof readParameter>[0]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      await work({ modem: running.modem, device, node, signal });
      return { kind: "acked" };
    } catch (error) {
      if (error instanceof Unanswered) return this.#outcomeOf(running, device, error.answer);
      throw error;
    }
  }

  #reachable(address: string, signal: AbortSignal) {
    const running = this.#running;
    if (!running) return NOT_READY;
    const found = running.book.find(address);
    if (!found) return failed("unreachable", "There is no such device.");
    if (signal.aborted) return LATE;
    return { running, ...found };
  }

  #outcomeOf(running: Running, device: Device, answer: DeviceAnswer): Outcome {
    if (this.#running !== running || answer.kind === "closed") return NOT_READY;
    if (answer.kind === "given-up") return LATE;
    if (answer.kind === "silent") {
      running.book.unreached(device);
      const detail = device.isOnBattery
        ? "The device sleeps. It answers only for seconds after it has sent something."
        : "The device does not answer.";
      return failed("no-ack", detail, true);
    }
    running.book.reached(device);
    if (answer.kind === "ack") return { kind: "acked" };
    return failed("rejected", REFUSALS[answer.reason] ?? "The device refused the command.");
  }

  #receive(running: Running, message: ModemMessage): void {
    if (this.#running !== running) return;
    if (message.kind === "device") {
      receiveFromDevice(running, message);
    } else if (message.kind === "x10") {
      receiveX10(running.book, running.x10, message);
    } else if (message.kind === "reset") {
      void checkReset(running);
    } else if (message.kind === "linked") {
      const { device } = message.record;
      const isDeleted = message.code === LINK_DELETED;
      running.modemLinks.learned(linkedRecord(message.code, message.record), isDeleted);
      if (!isDeleted && !running.book.device(device)) void running.discovery.identify(device);
    }
  }

  async #readDevices(running: Running): Promise<void> {
    try {
      await running.discovery.run();
      running.links.refresh();
      for (const device of running.book.devices()) await greet(running, device);
      running.keeper.readAll();
      if (this.#running === running) this.commissioning.resume(running);
    } catch (error) {
      this.#lose(running, messageOf(error));
    }
    if (this.#running !== running) return;
    recheckLater(running);
    queryNightly(running);
  }

  #lose(running: Running | null, detail: string): void {
    if (!running || this.#running !== running) return;
    this.#end(running);
    running.host.status("failed", detail);
  }

  #end(running: Running): void {
    this.#running = null;
    running.stopping.abort();
    for (const timer of running.timers) timer.cancel();
    running.modem.close();
  }
}

function notReady(error: unknown): Outcome {
  if (error instanceof ModemLost) return NOT_READY;
  throw error;
}
