/** Operations that bring a device to the modem, and take one away. */

import { ControllerError } from "../../../errors.ts";
import { Cancelled } from "../../operations.ts";
import type { Device } from "../devices/device-book.ts";
import { isX10 } from "../devices/products.ts";
import type { DeviceId } from "../line/messages.ts";
import { type HeldRecord, MODEM } from "../links/link-plan.ts";
import { isLink } from "../links/link-records.ts";
import {
  hearingRecords,
  type LinkTurn,
  linkByAddress,
  linkByButton,
  linkMode,
  readLinks,
  writeMissing,
} from "../links/linking.ts";
import type { Running } from "../running.ts";

/** @param address of the device's label; null: its button is pressed */
export async function include(turn: LinkTurn, address: string | null): Promise<string> {
  const id = address === null ? await linkByButton(turn, linkMode.link) : idOfLabel(address);
  if (address !== null) await linkByAddress(turn, id, linkMode.link);
  const device = await identified(turn, id);
  const failure = await makeHeard(turn, device);
  if (turn.signal.aborted)
    throw new Cancelled("Canceled. The device is linked, and the modem may not hear all of its buttons.");
  return failure ?? "The device is linked in both directions.";
}

/** What the device is. @throws ControllerError DEVICE_TIMEOUT */
export async function identified({ running, tell }: LinkTurn, id: DeviceId): Promise<Device> {
  tell({ stage: "interviewing", detail: "Asking the device what it is." });
  await running.discovery.identify(id);
  const device = running.book.device(id);
  if (!device) {
    throw new ControllerError("DEVICE_TIMEOUT", "The device is linked, but does not say what it is. Press its button.");
  }
  tell({ address: device.nodes[0]?.address ?? null });
  return device;
}

/** One link of a linking goes one way; the others are written. @returns what is left to do, or null */
async function makeHeard(turn: LinkTurn, device: Device): Promise<string | null> {
  const wanted = hearingRecords(device, turn.running.modemLinks.id);
  if (wanted.length === 0) return null;
  turn.tell({ stage: "working", detail: "Linking the buttons of the device with the modem." });
  const failure = (await readLinks(turn.running, device)) ?? (await writeMissing(turn, wanted));
  return failure && `The device is linked, but the modem does not hear all of its buttons. ${failure.detail}`;
}

/**
 * @param address a node of the device; null: its button is pressed
 * @param isForced also when the device does not answer
 */
export async function exclude(turn: LinkTurn, address: string | null, isForced: boolean): Promise<string> {
  if (address === null) {
    const id = await linkByButton(turn, linkMode.unlink);
    return `The device was removed.${await removeEverywhere(turn, id)}`;
  }
  const device = deviceOf(turn.running, address);
  const failure = await unlinkDevice(turn, device);
  if (failure !== null && !isForced) {
    throw new ControllerError("DEVICE_TIMEOUT", `${failure} To remove it all the same, start again with force.`);
  }
  const left = await removeEverywhere(turn, device.id);
  return `The device was removed.${failure === null ? "" : " Reset it before you use it again."}${left}`;
}

/** @throws ControllerError NODE_NOT_FOUND */
export function deviceOf({ book }: Running, address: string): Device {
  const found = book.find(address);
  if (!found) throw new ControllerError("NODE_NOT_FOUND", `There is no Insteon device with the address "${address}".`);
  return found.device;
}

/** Deletes its links with the modem and with devices of this home; those with the modem last, because it hears no stranger. */
async function unlinkDevice(turn: LinkTurn, device: Device): Promise<string | null> {
  const { running, signal } = turn;
  if (isX10(device.product)) return null;
  turn.tell({ stage: "working", detail: "Deleting the links in the device." });
  const failure = await readLinks(running, device);
  if (failure) return failure.detail;
  const modem = running.modemLinks.id;
  const own = (running.tables.links(device.id) ?? []).filter(
    (link) => link.device === modem || running.book.device(link.device),
  );
  for (const record of [
    ...own.filter((link) => link.device !== modem),
    ...own.filter((link) => link.device === modem),
  ]) {
    signal.throwIfAborted();
    const refusal = await running.writer.remove({ holder: device.id, record });
    if (refusal) return refusal.detail;
  }
  return null;
}

/** In the modem, in all other devices, and in the home. @returns what is left, as a further sentence */
async function removeEverywhere(turn: LinkTurn, id: DeviceId): Promise<string> {
  const { running, tell } = turn;
  tell({ stage: "working", detail: "Deleting the links in the modem and in the other devices." });
  let left = 0;
  for (const held of linksWith(running, id)) if (await running.writer.remove(held)) left += 1;
  await running.writer.settle();
  running.tables.forget(id);
  running.written.rename((held) => (held.holder === id || held.record.device === id ? null : held));
  running.book.remove(id);
  running.links.refresh();
  return left === 0 ? "" : ` ${left} links with it could not be deleted, because their devices do not answer.`;
}

/** Records of the device that the modem and other devices hold. */
export function linksWith({ modemLinks, tables, book }: Running, id: DeviceId): readonly HeldRecord[] {
  const held = (holder: HeldRecord["holder"], records: readonly HeldRecord["record"][]) =>
    records.filter((record) => isLink(record) && record.device === id).map((record) => ({ holder, record }));
  const others = book.devices().filter((device) => device.id !== id);
  return [
    ...others.flatMap((device) => held(device.id, tables.links(device.id) ?? [])),
    ...held(MODEM, modemLinks.records() ?? []),
  ];
}

/** "1a.2b.3c", as the label of a device has it. @throws ControllerError BAD_VALUE */
/** `1A.02.3C`, as it is printed on a device. */
export function labelOf(id: DeviceId): string {
  return id
    .split(" ")
    .map((byte) => byte.padStart(2, "0"))
    .join(".");
}

export function idOfLabel(label: string): DeviceId {
  const parts = label.toUpperCase().match(/[0-9A-F]{1,2}/g) ?? [];
  return parts.map((part) => Number.parseInt(part, 16).toString(16).toUpperCase()).join(" ");
}
