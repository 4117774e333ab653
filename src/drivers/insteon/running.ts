/** A driver at work: its parts, and what they do together when a device is asked or speaks. */

import { RAMP_RATE_SECONDS } from "../../profile/builtin/uom-table.ts";
import type { Timer } from "../../util/clock.ts";
import type { DriverHost } from "../driver.ts";
import type { Device, DeviceBook, Occasion } from "./device-book.ts";
import { DeviceTables } from "./device-tables.ts";
import { Discovery } from "./discovery.ts";
import { LinkKeeper } from "./link-keeper.ts";
import type { DeviceMessage } from "./messages.ts";
import type { DeviceAnswer, Modem } from "./modem.ts";
import { ModemLinks } from "./modem-links.ts";
import { effectOf } from "./press-effects.ts";
import { PressFilter } from "./presses.ts";
import type { DeviceNode } from "./products.ts";
import { isSettings, type StatusQuery, settingsQuery, statusQuery } from "./status.ts";

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
  readonly keeper: LinkKeeper;
  readonly timers: Set<Timer>;
};

/** The modem queries thermostats, and devices that did not answer, so often. */
const RECHECK_MS = 600_000;
/** A device has addressed its responders by then, and moved to its level if its ramp is short. */
const AFTER_PRESS_MS = 2000;
const STATUS = 0x19;

export function createRunning({ host, book, modem, stopping }: Ground): Running {
  const { signal } = stopping;
  const { log, store } = host;
  const modemLinks = new ModemLinks({ modem, host, signal });
  const tables = new DeviceTables(store);
  const keeper = new LinkKeeper({ modem, book, tables, log, signal });
  const onDevice = async (device: Device) => {
    await refresh(running, device);
    keeper.heard(device);
  };
  const discovery = new Discovery({ modem, modemLinks, book, log, signal, onDevice });
  const presses = new PressFilter(host.clock);
  const running: Running = { host, book, modem, stopping, presses, discovery, modemLinks, keeper, timers: new Set() };
  return running;
}

export const CHANGES: Occasion = { cause: "query", changesOnly: true };

export function receiveFromDevice(running: Running, message: DeviceMessage): void {
  const { book, discovery, presses, keeper } = running;
  discovery.heard(message.from);
  const device = book.device(message.from);
  if (!device) return;
  book.reached(device);
  keeper.heard(device);
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

export function recheckLater(running: Running): void {
  later(running, RECHECK_MS, () => void recheck(running).finally(() => recheckLater(running)));
}

async function recheck(running: Running): Promise<void> {
  const { book } = running;
  const isDue = ({ id, nodes }: Device) => book.isUnreachable(id) || nodes.some(({ role }) => role === "thermostat");
  for (const device of book.devices().filter(isDue)) await refresh(running, device);
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

/** Reads everything that a device says of itself. Devices on batteries are never asked. */
export async function refresh(running: Running, device: Device): Promise<void> {
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
