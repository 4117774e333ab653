/** Links devices with the modem, and unlinks them: with the SET button of the device, or by its address. */

import { ControllerError } from "../../../errors.ts";
import { deadlineIn } from "../../../util/clock.ts";
import type { Turn } from "../../operations.ts";
import { CLIMATE_GROUP } from "../devices/climate-reports.ts";
import type { Device } from "../devices/device-book.ts";
import { groupOfNode } from "../devices/products.ts";
import type { DeviceId } from "../line/messages.ts";
import type { Running } from "../running.ts";
import { type HeldRecord, MODEM } from "./link-plan.ts";
import { linkRecord } from "./link-records.ts";
import type { TableFailure } from "./table-access.ts";

export type LinkTurn = Turn & { readonly running: Running };

const LINK_MODE = 0x64;
const END_LINK_MODE = 0x65;
const AS_CONTROLLER = 0x01;
const DELETE = 0xff;
const COMMANDS_GROUP = 0;
const REMOTE = { [AS_CONTROLLER]: 0x09, [DELETE]: 0x0a } as const;
/** The modem's own limit. */
const BUTTON_WAIT_MS = 240_000;
const REMOTE_WAIT_MS = 15_000;
const RETRIES = 3;

/** @returns the device that was linked. @throws ControllerError DEVICE_TIMEOUT */
export async function linkByButton(turn: LinkTurn, code: typeof AS_CONTROLLER | typeof DELETE): Promise<DeviceId> {
  const detail = "Hold the SET button of the device until it beeps or blinks; of a switch, its paddle.";
  turn.tell({ stage: "waiting", detail });
  return inLinkMode(turn, code, BUTTON_WAIT_MS, async () => {});
}

export const linkMode = { link: AS_CONTROLLER, unlink: DELETE } as const;

/**
 * For devices of the third generation, which need no button.
 *
 * @throws ControllerError DEVICE_FAILED, DEVICE_TIMEOUT
 */
export async function linkByAddress(
  turn: LinkTurn,
  device: DeviceId,
  code: typeof AS_CONTROLLER | typeof DELETE,
): Promise<void> {
  await inLinkMode(turn, code, REMOTE_WAIT_MS, async () => {
    const command = { device, cmd1: REMOTE[code], cmd2: COMMANDS_GROUP, data: [] };
    const answer = await turn.running.modem.send({ ...command, isBackground: false, signal: turn.signal });
    if (answer.kind === "ack") return;
    const reason = answer.kind === "nak" ? "refuses to be linked by its address" : "does not answer";
    throw new ControllerError("DEVICE_FAILED", `The device ${reason}. Link it with its SET button.`);
  });
}

async function inLinkMode(turn: LinkTurn, code: number, waitMs: number, begin: () => Promise<void>): Promise<DeviceId> {
  const { modem, modemLinks, host } = turn.running;
  using late = deadlineIn(host.clock, waitMs);
  const ended = new AbortController();
  const linked = modemLinks.nextLink(AbortSignal.any([turn.signal, late.signal, ended.signal]));
  linked.catch(() => {}); // Reported below, unless the beginning already failed.
  await modem.command({ bytes: [LINK_MODE, code, COMMANDS_GROUP], isBackground: false });
  try {
    await begin();
    return (await linked).device;
  } catch (error) {
    ended.abort();
    if (!turn.running.stopping.signal.aborted) await modem.command({ bytes: [END_LINK_MODE], isBackground: false });
    if (late.signal.aborted && !turn.signal.aborted) {
      throw new ControllerError("DEVICE_TIMEOUT", "No device was linked in time.");
    }
    throw error;
  }
}

/** The records that let the modem hear the buttons of a device. */
export function hearingRecords(device: Device, modem: DeviceId): readonly HeldRecord[] {
  const buttons = device.nodes.filter(({ sends }) => sends.has("DON"));
  const groups = buttons.map((node) => groupOfNode(device.product, node));
  const isThermostat = device.nodes[0]?.role === "thermostat";
  return [...groups, ...(isThermostat ? [CLIMATE_GROUP] : [])].flatMap((group) => [
    { holder: MODEM, record: linkRecord("responder", group, device.id, [0, 0, 0]) },
    { holder: device.id, record: linkRecord("controller", group, modem, [RETRIES, 0, group]) },
  ]);
}

/** Writes those of the records that are missing. @returns the first failure, or null */
export async function writeMissing(
  { running }: Pick<LinkTurn, "running">,
  wanted: readonly HeldRecord[],
): Promise<TableFailure | null> {
  const { records, writer } = running;
  for (const held of wanted) {
    const failure = records.isKnown(held.holder) && records.has(held) ? null : await writer.write(held);
    if (failure) return failure;
  }
  await writer.settle();
  return null;
}

/** Reads the links of the device, whether it was changed or not. */
export function readLinks({ keeper }: Running, device: Device): Promise<TableFailure | null> {
  return keeper.exclusive(() => keeper.fresh(device), true);
}
