/**
 * The driver of Insteon devices behind a PowerLinc modem. A command succeeds when the device answered it; presses arrive as
 * controls, with the status that follows from them.
 *
 * @see docs/insteon.md
 */

import { invariant } from "../../errors.ts";
import { RAMP_RATE_SECONDS } from "../../profile/builtin/uom-table.ts";
import type { Timer } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import type { DriverCommand, FailureReason, Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import { nodeCommand } from "./commands.ts";
import { type Device, DeviceBook, type Occasion } from "./device-book.ts";
import { Discovery } from "./discovery.ts";
import type { DeviceMessage, ModemMessage } from "./messages.ts";
import { type DeviceAnswer, Modem } from "./modem.ts";
import type { ModemPort } from "./modem-port.ts";
import { effectOf } from "./press-effects.ts";
import { PressFilter } from "./presses.ts";
import type { DeviceNode } from "./products.ts";
import { isSettings, type StatusQuery, settingsQuery, statusQuery } from "./status.ts";

type InsteonDriverOptions = {
  readonly name: string;
  /** @param onLost called once when the line breaks */
  readonly openPort: (signal: AbortSignal, onLost: (detail: string) => void) => Promise<ModemPort>;
};

type Running = {
  readonly host: DriverHost;
  readonly book: DeviceBook;
  readonly modem: Modem;
  readonly presses: PressFilter;
  readonly discovery: Discovery;
  readonly stopping: AbortController;
  readonly timers: Set<Timer>;
};

/** The modem queries thermostats, and devices that did not answer, so often. */
const RECHECK_MS = 600_000;
/** A device has addressed its responders by then, and moved to its level if its ramp is short. */
const AFTER_PRESS_MS = 2000;
const LINK_DELETED = 0xff;
const PING = 0x0f;
const UNKNOWN_SENDER = 0xff;

const REFUSALS: Readonly<Record<number, string>> = {
  [UNKNOWN_SENDER]: "The device does not know this modem. Link them again with their SET buttons.",
  254: "The device finds no load.",
  251: "The device does not know this command.",
};
const NOT_READY = failed("not-ready", "The driver is not running.", true);
const LATE = failed("timeout", "The device did not answer in time.", true);

export class InsteonDriver implements Driver {
  readonly name: string;
  readonly #options: InsteonDriverOptions;
  #running: Running | null = null;

  constructor(options: InsteonDriverOptions) {
    this.name = options.name;
    this.#options = options;
  }

  restore(host: DriverHost): void {
    new DeviceBook(host).declareStored();
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    signal.throwIfAborted();
    const lose = (detail: string) => this.#lose(this.#running, detail);
    const port = await this.#options.openPort(signal, lose);
    const book = new DeviceBook(host);
    const stopping = new AbortController();
    const onMessage = (message: ModemMessage) => this.#receive(running, message);
    const modem = new Modem({ port, clock: host.clock, onMessage, onLost: lose });
    const discovery = new Discovery({
      modem,
      book,
      log: host.log,
      signal: stopping.signal,
      onDevice: (device) => refresh(running, device),
    });
    const presses = new PressFilter(host.clock);
    const running: Running = { host, book, modem, presses, discovery, stopping, timers: new Set() };
    book.declareStored();
    this.#running = running;
    await modem.identify();
    host.status("ready", "");
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
    const known = (property: string) => running.book.known(address, property);
    const message = nodeCommand(node, command, { parameters, known });
    if (!message) return failed("unsupported", "The controller cannot send this command to the device.");
    if (message.data && device.product.engine === "i1") {
      return failed("unsupported", "The device is of the first generation and does not know this command.");
    }
    const { effect, ...sent } = message;
    const answer = await running.modem.send({ ...sent, device: device.id, isBackground: false, signal });
    const outcome = this.#outcomeOf(running, device, answer);
    const occasion: Occasion = { cause: "ack", commandId: id };
    if (outcome.kind === "acked" && effect !== "query") running.book.report(node, effect, occasion);
    else if (outcome.kind === "acked") void queryNode(running, device, node, occasion);
    // Some devices refuse a command and carry it out.
    else if (answer.kind === "nak" && answer.reason !== UNKNOWN_SENDER) void queryNode(running, device, node, CHANGES);
    return outcome;
  }

  async query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node } = found;
    const query = statusQuery(node);
    const answer = query
      ? await ask(running, device, query, { cause: "query", commandId }, signal)
      : await running.modem.send({ device: device.id, cmd1: PING, cmd2: 0, isBackground: false, signal });
    return this.#outcomeOf(running, device, answer);
  }

  setEnabled(address: string, enabled: boolean): void {
    const running = this.#running;
    const found = running?.book.find(address);
    if (!running || !found || running.book.isDisabled(address) !== enabled) return;
    running.book.setEnabled(address, enabled);
    if (enabled) void queryNode(running, found.device, found.node, { cause: "query" });
  }

  #reachable(address: string, signal: AbortSignal) {
    const running = this.#running;
    if (!running) return NOT_READY;
    const found = running.book.find(address);
    if (!found) return failed("unreachable", "There is no such device.");
    if (signal.aborted) return LATE;
    if (running.book.isDisabled(address)) return failed("rejected", "The device is disabled.");
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
    } else if (message.kind === "linked" && message.code !== LINK_DELETED && !running.book.device(message.device)) {
      void running.discovery.identify(message.device);
    }
  }

  async #readDevices(running: Running): Promise<void> {
    try {
      await running.discovery.run();
      for (const device of running.book.devices()) await refresh(running, device);
    } catch (error) {
      this.#lose(running, messageOf(error));
    }
    if (this.#running === running) recheckLater(running);
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

const CHANGES: Occasion = { cause: "query", changesOnly: true };

function receiveFromDevice(running: Running, message: DeviceMessage): void {
  const { book, discovery, presses } = running;
  discovery.heard(message.from);
  const device = book.device(message.from);
  if (!device) return;
  book.reached(device);
  const press = presses.take(message, device.isOnBattery);
  if (!press) return;
  const onLevel = ({ address }: DeviceNode) => book.known(address, "OL");
  const { controls, levels, query } = effectOf(device, press, onLevel);
  for (const { node, control } of controls) book.control(node, control);
  for (const { node, level } of levels) book.report(node, { ST: level }, { cause: "report" });
  if (query) queryAfterPress(running, device, query);
}

/** The device has finished what the press began by then. */
function queryAfterPress(running: Running, device: Device, node: DeviceNode): void {
  const ramp = running.book.known(node.address, "RR");
  const rampMs = ramp === null ? 0 : (RAMP_RATE_SECONDS[ramp] ?? 0) * 1000;
  later(running, Math.max(AFTER_PRESS_MS, rampMs), () => void queryNode(running, device, node, CHANGES));
}

function recheckLater(running: Running): void {
  later(running, RECHECK_MS, () => void recheck(running).finally(() => recheckLater(running)));
}

async function recheck(running: Running): Promise<void> {
  const { book } = running;
  const isDue = ({ id, nodes }: Device) => book.isUnreachable(id) || nodes.some(({ role }) => role === "thermostat");
  for (const device of book.devices().filter(isDue)) await refresh(running, device);
}

function later({ host, timers, stopping }: Running, delayMs: number, act: () => void): void {
  if (stopping.signal.aborted) return;
  const timer = host.clock.setTimer(() => {
    timers.delete(timer);
    act();
  }, delayMs);
  timers.add(timer);
}

/** Reads everything that a device says of itself. Devices on batteries are never asked. */
async function refresh(running: Running, device: Device): Promise<void> {
  if (device.isOnBattery) return;
  const queries = new Set(device.nodes.map(statusQuery).filter((query) => query !== null));
  for (const query of queries) {
    const answer = await ask(running, device, query, CHANGES);
    if (answer.kind !== "ack") return;
  }
  if (device.product.engine === "i1") return;
  for (const node of device.nodes.filter(({ properties }) => properties.has("OL"))) {
    await ask(running, device, settingsQuery(node), CHANGES, undefined, [node]);
  }
}

async function queryNode(running: Running, device: Device, node: DeviceNode, occasion: Occasion): Promise<void> {
  const query = statusQuery(node);
  if (query) await ask(running, device, query, occasion);
}

/** Without a signal it is background work. The answer tells of all nodes that the query is for. */
async function ask(
  running: Running,
  device: Device,
  query: StatusQuery,
  occasion: Occasion,
  signal?: AbortSignal,
  nodes: readonly DeviceNode[] = device.nodes.filter((node) => statusQuery(node) === query),
): Promise<DeviceAnswer> {
  const { modem, book, stopping } = running;
  const { hasReply, read, ...message } = query;
  const answer = await modem.send({
    ...message,
    device: device.id,
    isBackground: signal === undefined,
    signal: signal ?? stopping.signal,
    ...(hasReply ? { reply: isSettings } : {}),
  });
  if (stopping.signal.aborted) return { kind: "closed" };
  if (answer.kind === "silent") book.unreached(device);
  if (answer.kind !== "ack") return answer;
  book.reached(device);
  const data = answer.reply?.data;
  if (hasReply && !data) return { kind: "silent" };
  for (const node of nodes) book.report(node, read(node, answer.cmd2, data ?? new Uint8Array()), occasion);
  return answer;
}

function failed(reason: FailureReason, detail: string, retryable = false): Extract<Outcome, { kind: "failed" }> {
  return { kind: "failed", reason, detail, retryable };
}
