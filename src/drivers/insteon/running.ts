/** A driver at work: its parts, and what they do together when a device is asked or speaks. */

import { RAMP_RATE_SECONDS } from "../../profile/builtin/uom-table.ts";
import type { Timer } from "../../util/clock.ts";
import type { DriverHost } from "../driver.ts";
import { climateReport } from "./devices/climate-reports.ts";
import type { Device, DeviceBook, Occasion } from "./devices/device-book.ts";
import { relayOnMs, Unanswered } from "./devices/parameters.ts";
import { effectOf } from "./devices/press-effects.ts";
import { type Press, PressFilter } from "./devices/presses.ts";
import type { DeviceNode } from "./devices/products.ts";
import { isSettings, type StatusQuery, settingsQuery, statusQuery } from "./devices/status.ts";
import { X10 } from "./devices/x10.ts";
import type { DeviceMessage } from "./line/messages.ts";
import type { DeviceAnswer, Modem } from "./line/modem.ts";
import { DeviceTables } from "./links/device-tables.ts";
import { HeldRecords } from "./links/held-records.ts";
import { LinkKeeper } from "./links/link-keeper.ts";
import { nodeOfButton } from "./links/link-plan.ts";
import { roleOf } from "./links/link-records.ts";
import { ModemLinks } from "./links/modem-links.ts";
import { RecordWriter } from "./links/record-writer.ts";
import { SceneGroups } from "./links/scene-groups.ts";
import { SceneLinks } from "./links/scene-links.ts";
import { SceneSending } from "./links/scene-sending.ts";
import { WrittenLinks } from "./links/written-links.ts";
import { Discovery } from "./operations/discovery.ts";

type Ground = {
  readonly host: DriverHost;
  readonly book: DeviceBook;
  readonly modem: Modem;
  readonly stopping: AbortController;
};

export type Running = Ground & {
  readonly presses: PressFilter;
  readonly discovery: Discovery;
  readonly modemLinks: ModemLinks;
  readonly tables: DeviceTables;
  readonly keeper: LinkKeeper;
  readonly records: HeldRecords;
  readonly writer: RecordWriter;
  readonly groups: SceneGroups;
  readonly written: WrittenLinks;
  readonly links: SceneLinks;
  readonly sending: SceneSending;
  readonly x10: X10;
  readonly timers: Set<Timer>;
};

/** The modem queries thermostats, and devices that did not answer, so often. */
const RECHECK_MS = 600_000;
/** A device has addressed its responders by then, and moved to its level if its ramp is short. */
const AFTER_PRESS_MS = 2000;
/** Of the machine's own time. */
const NIGHT_HOUR = 3;
/** A momentary relay is off so long after its time. */
const FALL_MS = 500;
/** An input has no ramp; the messages about a change of it are over by then. */
const AFTER_SENSE_MS = 700;
const STATUS = 0x19;
/** A thermostat sends its values by itself from then on. */
const SEND_CLIMATE = { cmd1: 0x2e, cmd2: 0, data: [0, 8] } as const;

export function createRunning({ host, book, modem, stopping }: Ground): Running {
  const { signal } = stopping;
  const { log, store, clock } = host;
  const modemLinks = new ModemLinks({ modem, host, signal });
  const tables = new DeviceTables(store);
  const keeper = new LinkKeeper({ modem, book, tables, log, clock, signal, onRead: () => links.continue() });
  const records = new HeldRecords(modemLinks, tables);
  const writer = new RecordWriter({ modem, book, tables, modemLinks, records, keeper, signal });
  const groups = new SceneGroups(store);
  const written = new WrittenLinks(store);
  const links = new SceneLinks({ host, book, modemLinks, records, keeper, writer, groups, written, signal });
  const sending = new SceneSending({ modem, book, links, host });
  const onDevice = async (device: Device) => {
    links.refresh();
    await greet(running, device);
    keeper.heard(device);
    if (!device.isOnBattery) keeper.readAll();
  };
  const discovery = new Discovery({ modem, modemLinks, book, log, signal, onDevice });
  const presses = new PressFilter(clock);
  const known = { modemLinks, tables, records, groups, written };
  const parts = { presses, discovery, keeper, writer, links, sending, ...known };
  const running: Running = { host, book, modem, stopping, ...parts, x10: new X10(), timers: new Set() };
  return running;
}

const WAS_RESET = 'The modem was reset and has forgotten its links. The operation "repair-links" writes them again.';

/** Of the integration, with what its owner has to do. */
export function tellState({ host, modemLinks }: Pick<Running, "host" | "modemLinks">): void {
  host.status(modemLinks.wasReset ? "degraded" : "ready", modemLinks.wasReset ? WAS_RESET : "");
}

/** The modem says that it was reset. Noise on the line can say the same, so its links are read. */
export async function checkReset(running: Running): Promise<void> {
  const { host, modemLinks } = running;
  if (modemLinks.wasReset || !(await modemLinks.isEmptied()) || modemLinks.wasReset) return;
  host.log.error(WAS_RESET);
  modemLinks.reset();
  tellState(running);
}

export const CHANGES: Occasion = { cause: "query", changesOnly: true };

export function receiveFromDevice(running: Running, message: DeviceMessage): void {
  const { book, discovery, presses, keeper, links } = running;
  discovery.heard(message.from);
  const device = book.device(message.from);
  if (!device) return;
  const isBack = book.isUnreachable(device.id);
  book.reached(device);
  keeper.heard(device);
  void links.heard(device);
  if (isBack) links.continue();
  const [first] = device.nodes;
  const climate = first?.role === "thermostat" ? climateReport(first, message) : null;
  if (first && climate) book.report(first, climate, { cause: "report", changesOnly: true });
  const press = presses.take(message, device.isOnBattery);
  if (!press) return;
  const onLevel = ({ address }: DeviceNode) => book.known(address, "OL");
  const { controls, levels, queries } = effectOf(device, press, onLevel);
  for (const { node, control } of controls) book.control(node, control);
  for (const { node, level } of levels) book.report(node, { ST: level }, { cause: "report" });
  for (const node of queries) queryAfterPress(running, device, node);
  for (const follower of followersOf(running, press)) {
    const { level } = follower;
    if (level === null) queryAfterPress(running, follower.device, follower.node);
    else book.report(follower.node, { ST: level }, { cause: "report" });
  }
}

/** The device has finished what the press began by then. */
function queryAfterPress(running: Running, device: Device, node: DeviceNode): void {
  const ramp = running.book.known(node.address, "RR");
  const rampMs = ramp === null ? 0 : (RAMP_RATE_SECONDS[ramp] ?? 0) * 1000;
  const waitMs = node.role === "input" ? AFTER_SENSE_MS : AFTER_PRESS_MS;
  later(running, Math.max(waitMs, rampMs), () => void queryNode(running, device, node, CHANGES));
}

/** A momentary relay falls back by itself, and does not say so. */
export async function followRelay(running: Running, device: Device, node: DeviceNode): Promise<void> {
  if (node.role !== "relay" || !device.nodes.some(({ role }) => role === "input")) return;
  const { modem, stopping } = running;
  try {
    const onMs = await relayOnMs({ modem, device, node, signal: stopping.signal });
    if (onMs !== null) later(running, onMs + FALL_MS, () => void queryNode(running, device, node, CHANGES));
  } catch (error) {
    // The command has shown already whether the device answers.
    if (!(error instanceof Unanswered)) throw error;
  }
}

export function recheckLater(running: Running): void {
  later(running, RECHECK_MS, () => void recheck(running).finally(() => recheckLater(running)));
}

/** Reads all devices with a plug every night: what a lost message left wrong does not stay so. */
export function queryNightly(running: Running): void {
  const now = new Date(running.host.clock.now());
  const night = new Date(now);
  night.setHours(NIGHT_HOUR, 0, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  later(running, night.getTime() - now.getTime(), () => void queryAll(running).finally(() => queryNightly(running)));
}

async function queryAll(running: Running): Promise<void> {
  for (const device of running.book.devices()) await refresh(running, device);
}

async function recheck(running: Running): Promise<void> {
  const { book } = running;
  const isDue = ({ id, nodes }: Device) => book.isUnreachable(id) || nodes.some(({ role }) => role === "thermostat");
  for (const device of book.devices().filter(isDue)) await refresh(running, device);
  book.markMissing();
  running.keeper.readAll();
}

function later({ host, timers, stopping }: Running, delayMs: number, act: () => void): void {
  if (stopping.signal.aborted) return;
  const timer = host.clock.setTimer(() => {
    timers.delete(timer);
    act();
  }, delayMs);
  timers.add(timer);
}

/** At the start, and when the device is new. */
export async function greet(running: Running, device: Device): Promise<void> {
  await refresh(running, device);
  if (device.nodes[0]?.role !== "thermostat" || device.product.engine === "i1" || device.isOnBattery) return;
  const { modem, stopping } = running;
  await modem.send({ ...SEND_CLIMATE, device: device.id, isBackground: true, signal: stopping.signal });
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

export async function queryNode(running: Running, device: Device, node: DeviceNode, occasion: Occasion): Promise<void> {
  const query = statusQuery(node);
  if (query) await ask(running, device, query, occasion);
}

/** Without a signal it is background work. The answer tells of all nodes that the query is for. */
export async function ask(
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
  if (query.cmd1 === STATUS) running.keeper.saw(device, answer.cmd1);
  const data = answer.reply?.data;
  if (hasReply && !data) return { kind: "silent" };
  for (const node of nodes) book.report(node, read(node, answer.cmd2, data ?? new Uint8Array()), occasion);
  return answer;
}

/** `level` null: it does not follow from the press. */
type Follower = { readonly device: Device; readonly node: DeviceNode; readonly level: number | null };

const ON: ReadonlySet<number> = new Set([0x11, 0x12]);
const OFF: ReadonlySet<number> = new Set([0x13, 0x14]);
const UNKNOWN_LEVEL: ReadonlySet<number> = new Set([0x15, 0x16, 0x18, 0x34, 0x35]);

/** What a button does to the devices that are linked with it, as their own records say: they do not report it themselves. */
function followersOf(
  { book, tables }: { readonly book: DeviceBook; readonly tables: DeviceTables },
  { device: from, group, cmd1 }: Press,
): readonly Follower[] {
  if (!ON.has(cmd1) && !OFF.has(cmd1) && !UNKNOWN_LEVEL.has(cmd1)) return [];
  return tables.ids().flatMap((id) => {
    const device = book.device(id);
    const links = (tables.links(id) ?? []).filter(
      (link) => link.device === from && link.group === group && roleOf(link) === "responder",
    );
    return links.flatMap(({ data }) => {
      const node = device && nodeOfButton(device, data);
      if (!device || !node) return [];
      const [onLevel = 0] = data;
      return [{ device, node, level: ON.has(cmd1) ? onLevel : OFF.has(cmd1) ? 0 : null }];
    });
  });
}
