/**
 * Compares the two sides of every link, and writes the half that is missing. A half that is there is never deleted: which of the
 * two sides was wanted, only a person knows.
 */

import { Cancelled } from "../../operations.ts";
import type { Device } from "../devices/device-book.ts";
import { isX10 } from "../devices/products.ts";
import type { DeviceId, LinkRecord } from "../line/messages.ts";
import { type HeldRecord, MODEM } from "../links/link-plan.ts";
import { isLink, linkRecord, roleOf } from "../links/link-records.ts";
import { type LinkTurn, linkByAddress, linkMode, readLinks } from "../links/linking.ts";
import { FORGOTTEN } from "../links/table-access.ts";
import { type Running, tellState } from "../running.ts";

/** A responder without a known level goes to full, in half a second. */
const RESPONDER_DATA: readonly number[] = [255, 0x1c, 1];
const MODEM_DATA: readonly number[] = [0, 0, 0];
const RETRIES = 3;

export async function repairLinks(turn: LinkTurn): Promise<string> {
  const { running } = turn;
  turn.tell({ stage: "working", percent: 0, detail: "Reading the links of the modem." });
  await running.modemLinks.read();
  const unread = await readAllLinks(turn);
  const missing = missingHalves(running);
  let repaired = 0;
  const failures: string[] = [];
  for (const [at, held] of missing.entries()) {
    if (turn.signal.aborted) throw new Cancelled(`Canceled. ${links(repaired)} repaired; the others are as before.`);
    turn.tell({
      percent: Math.round((100 * at) / missing.length),
      detail: `Writing link ${at + 1} of ${missing.length}.`,
    });
    const failure = await running.writer.write(held);
    if (failure) failures.push(failure.detail);
    else repaired += 1;
  }
  await running.writer.settle();
  running.links.refresh();
  running.modemLinks.repaired();
  tellState(running);
  turn.tell({ result: { repaired, failed: failures.length, unread: unread.length }, percent: 100 });
  return ending(repaired, failures, unread);
}

function ending(repaired: number, failures: readonly string[], unread: readonly Device[]): string {
  const sentences = [
    repaired === 0 && failures.length === 0 ? "No half of a link is missing." : `${links(repaired)} repaired.`,
  ];
  if (failures.length > 0) sentences.push(`${failures.length} could not be repaired. The first reason: ${failures[0]}`);
  if (unread.length > 0) {
    const names = unread.slice(0, 3).map(({ id }) => id.replaceAll(" ", "."));
    sentences.push(`${unread.length} devices were not compared, for example ${names.join(", ")}.`);
  }
  return sentences.join(" ");
}

function links(count: number): string {
  return count === 1 ? "1 link was" : `${count} links were`;
}

/** Links devices again that forgot the modem. @returns those whose links are not known */
async function readAllLinks(turn: LinkTurn): Promise<readonly Device[]> {
  const { running } = turn;
  const devices = running.book.devices().filter(({ product }) => !isX10(product));
  const unread: Device[] = [];
  for (const [at, device] of devices.entries()) {
    if (turn.signal.aborted) throw new Cancelled("Canceled. No link was changed.");
    const detail = `Reading the links of device ${at + 1} of ${devices.length}.`;
    turn.tell({ percent: Math.round((100 * at) / devices.length), detail });
    if (!(await isReadOrLinkedAgain(turn, device))) unread.push(device);
  }
  return unread;
}

export async function isReadOrLinkedAgain(turn: LinkTurn, device: Device): Promise<boolean> {
  const { running } = turn;
  if (device.isOnBattery && !running.keeper.isAwake(device)) return running.tables.links(device.id) !== null;
  const failure = await readLinks(running, device);
  if (failure?.detail !== FORGOTTEN) return failure === null;
  try {
    await linkByAddress(turn, device.id, linkMode.link);
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return false;
  }
  return (await readLinks(running, device)) === null;
}

/** Responders first: a controller's record without one makes its device wait for an answer. */
function missingHalves({ modemLinks, tables, book }: Running): readonly HeldRecord[] {
  const modem = modemLinks.id;
  const held = new Map<DeviceId, readonly LinkRecord[]>([[modem, (modemLinks.records() ?? []).filter(isLink)]]);
  for (const { id } of book.devices()) {
    const known = tables.links(id);
    if (known) held.set(id, known);
  }
  const missing = [...held].flatMap(([owner, records]) =>
    records
      .filter((record) => {
        const other = held.get(record.device);
        return other?.some((each) => isOtherHalf(each, owner, record)) === false;
      })
      .map((record): HeldRecord => {
        const holder = record.device === modem ? MODEM : record.device;
        return { holder, record: otherHalf(record, owner, holder) };
      }),
  );
  const isResponder = ({ record }: HeldRecord) => roleOf(record) === "responder";
  return [...missing.filter(isResponder), ...missing.filter((each) => !isResponder(each))];
}

function isOtherHalf(each: LinkRecord, owner: DeviceId, record: LinkRecord): boolean {
  return each.group === record.group && each.device === owner && roleOf(each) !== roleOf(record);
}

function otherHalf(record: LinkRecord, owner: DeviceId, holder: HeldRecord["holder"]): LinkRecord {
  const role = roleOf(record) === "controller" ? "responder" : "controller";
  const ofDevice = role === "responder" ? RESPONDER_DATA : [RETRIES, 0, record.group];
  return linkRecord(role, record.group, owner, holder === MODEM ? MODEM_DATA : ofDevice);
}
