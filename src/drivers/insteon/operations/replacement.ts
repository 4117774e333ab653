/** Another modem takes over the links of the former one, and another device those of a broken one. */

import { ControllerError } from "../../../errors.ts";
import { Cancelled } from "../../operations.ts";
import type { Device } from "../devices/device-book.ts";
import { isX10 } from "../devices/products.ts";
import type { DeviceId, LinkRecord } from "../line/messages.ts";
import { type HeldRecord, MODEM } from "../links/link-plan.ts";
import {
  hearingRecords,
  type LinkTurn,
  linkByAddress,
  linkByButton,
  linkMode,
  readLinks,
  writeMissing,
} from "../links/linking.ts";
import { deviceOf, identified, idOfLabel, linksWith } from "./inclusion.ts";
import { isReadOrLinkedAgain } from "./repair.ts";

/** The links of the former modem are known, because they were stored while it was there. */
export async function replaceModem(turn: LinkTurn): Promise<string> {
  const { running } = turn;
  const [former] = running.modemLinks.formerModems();
  if (former === undefined) {
    throw new ControllerError("NOT_SUPPORTED", "The modem is the same as before. Connect the new one first.");
  }
  await writeToModem(turn, running.modemLinks.recordsOf(former));
  const devices = running.book.devices().filter(({ product }) => !isX10(product));
  const failed: Device[] = [];
  const plugged = devices.filter(({ isOnBattery }) => !isOnBattery);
  for (const [at, device] of plugged.entries()) {
    stopIfCancelled(turn);
    const detail = `Writing the new modem into device ${at + 1} of ${plugged.length}.`;
    turn.tell({ percent: Math.round((100 * at) / plugged.length), detail });
    if (!(await replaceInDevice(turn, device, former))) failed.push(device);
  }
  await replaceInSleepers(
    turn,
    devices.filter(({ isOnBattery }) => isOnBattery),
    former,
  );
  if (failed.length > 0) {
    const names = failed.slice(0, 3).map(({ id }) => id.replaceAll(" ", "."));
    throw new ControllerError(
      "DEVICE_TIMEOUT",
      `${failed.length} devices still know the former modem only, for example ${names.join(", ")}. Start again when they answer.`,
    );
  }
  running.written.rename((held) => ({ ...held, record: renamed(held.record, former, running.modemLinks.id) }));
  running.modemLinks.forget(former);
  running.links.refresh();
  return "The new modem has all links of the former one.";
}

async function writeToModem(turn: LinkTurn, records: readonly LinkRecord[]): Promise<void> {
  for (const [at, record] of records.entries()) {
    stopIfCancelled(turn);
    turn.tell({ stage: "working", detail: `Writing link ${at + 1} of ${records.length} into the modem.` });
    const failure = await writeMissing(turn, [{ holder: MODEM, record }]);
    if (failure) throw new ControllerError("DEVICE_FAILED", failure.detail);
  }
}

/** A device of the third generation has to know the modem before its links can be written. */
async function replaceInDevice(turn: LinkTurn, device: Device, former: DeviceId): Promise<boolean> {
  const { running } = turn;
  if (!(await isReadOrLinkedAgain(turn, device))) return false;
  const old = (running.tables.links(device.id) ?? []).filter((link) => link.device === former);
  for (const record of old) {
    const wanted = { holder: device.id, record: renamed(record, former, running.modemLinks.id) };
    if (await writeMissing(turn, [wanted])) return false;
    if (await running.writer.remove({ holder: device.id, record })) return false;
  }
  await running.writer.settle();
  return true;
}

/** Waits until each of them is woken by a person. */
async function replaceInSleepers(turn: LinkTurn, devices: readonly Device[], former: DeviceId): Promise<void> {
  const { running } = turn;
  const isOld = ({ id }: Device) => running.tables.links(id)?.some((link) => link.device === former) ?? true;
  for (let left = devices.filter(isOld); left.length > 0; left = left.filter(isOld)) {
    stopIfCancelled(turn);
    const names = left.map(({ nodes: [first] }) => (first && running.host.seen(first.address)?.name) ?? "").join(", ");
    turn.tell({ stage: "waiting", detail: `Press a button of each of these devices, which sleep: ${names}.` });
    const device = await running.keeper.nextHeard(left, turn.signal);
    await linkByAddress(turn, device.id, linkMode.link).catch((error: unknown) => {
      if (turn.signal.aborted) throw error;
    });
    if (!(await readLinks(running, device))) await replaceInDevice(turn, device, former);
  }
}

/**
 * @param address a node of the broken device
 * @param by the label of the new one; null: its button is pressed
 */
export async function replaceDevice(turn: LinkTurn, address: string, by: string | null): Promise<string> {
  const { running } = turn;
  const old = deviceOf(running, address);
  const id = by === null ? await linkByButton(turn, linkMode.link) : idOfLabel(by);
  if (by !== null && !running.book.device(id)) await linkByAddress(turn, id, linkMode.link);
  const device = running.book.device(id) ?? (await identified(turn, id));
  requireSameKind(old, device);
  const failure = await readLinks(running, device);
  if (failure) throw new ControllerError("DEVICE_FAILED", failure.detail);
  const own = (running.tables.links(old.id) ?? []).map((record): HeldRecord => ({ holder: id, record }));
  const others = linksWith(running, old.id).map(({ holder, record }) => ({
    holder,
    record: { ...record, device: id },
  }));
  const wanted = [...hearingRecords(device, running.modemLinks.id), ...own, ...others];
  for (const [at, held] of wanted.entries()) {
    stopIfCancelled(turn);
    const detail = `Writing link ${at + 1} of ${wanted.length}.`;
    turn.tell({ stage: "working", percent: Math.round((100 * at) / wanted.length), detail });
    const refused = await writeMissing(turn, [held]);
    if (refused) throw new ControllerError("DEVICE_FAILED", `${refused.detail} Start again to go on.`);
  }
  return "The new device has the links of the old one. Now replace the node in scenes and programs, then remove the old device.";
}

function requireSameKind(old: Device, by: Device): void {
  const kindsOf = ({ nodes }: Device) => nodes.map(({ suffix, role }) => `${suffix} ${role}`).join();
  if (kindsOf(old) === kindsOf(by)) return;
  throw new ControllerError(
    "NOT_SUPPORTED",
    "The new device is of another kind than the old one, with other buttons or loads.",
  );
}

function renamed(record: LinkRecord, former: DeviceId, modem: DeviceId): LinkRecord {
  return record.device === former ? { ...record, device: modem } : record;
}

function stopIfCancelled({ signal }: LinkTurn): void {
  if (signal.aborted) throw new Cancelled("Canceled. What was written stays; start again to go on.");
}
