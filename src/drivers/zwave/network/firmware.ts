/** A device gets new firmware out of its maker's file. */

import { badValue } from "../../../errors.ts";
import { Cancelled } from "../../operations.ts";
import type { ZWaveDevice, ZWaveLibrary } from "../library.ts";
import type { RadioTurn } from "../radio.ts";

type Firmware = Awaited<ReturnType<ZWaveLibrary["extractFirmware"]>>;
type Progress = { readonly progress: number };

/** @throws ControllerError BAD_VALUE for a file that holds no firmware. */
export async function readFirmware(library: ZWaveLibrary, file: Uint8Array, fileName: string): Promise<Firmware> {
  const raw = Uint8Array.from(file);
  try {
    const unpacked = fileName.toLowerCase().endsWith(".zip") ? library.tryUnzipFirmwareFile(raw) : undefined;
    const { filename, rawData } = unpacked ?? { filename: fileName, rawData: raw };
    const format = unpacked?.format ?? library.guessFirmwareFileFormat(filename, rawData);
    return await library.extractFirmware(rawData, format);
  } catch (cause) {
    throw badValue("The file is not a readable firmware file.", cause);
  }
}

export async function updateDeviceFirmware(turn: RadioTurn, device: ZWaveDevice, firmware: Firmware): Promise<string> {
  let percent = 0;
  const tell = (_device: unknown, { progress }: Progress) => {
    const now = Math.floor(progress);
    // The library sends some of it late.
    if (now <= percent) return;
    percent = now;
    turn.tell({ stage: "working", percent, detail: `Updating the firmware: ${percent} %.` });
  };
  const stop = () => void device.abortFirmwareUpdate().catch(() => {}); // It was through already.
  turn.tell({ stage: "working", percent, detail: "Requesting the firmware update." });
  device.on("firmware update progress", tell);
  turn.signal.addEventListener("abort", stop, { once: true });
  try {
    const result = await device.updateFirmware([firmware]);
    if (turn.signal.aborted) throw new Cancelled("Canceled. The device keeps its old firmware.");
    if (!result.success) throw new Error(`The device refused the firmware: ${statusOf(turn, result.status)}.`);
    turn.tell({ percent: 100, detail: "The firmware was transferred." });
    return result.reInterview
      ? "The device has new firmware and is interviewed again."
      : "The device has new firmware.";
  } finally {
    device.off("firmware update progress", tell);
    turn.signal.removeEventListener("abort", stop);
  }
}

/** "Error_InsufficientMemory" → "insufficient memory". */
function statusOf({ radio }: RadioTurn, status: number): string {
  const name = radio.library.FirmwareUpdateStatus[status] ?? `status ${status}`;
  return name
    .replace(/^Error_/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
