/** `domovoi radio interview`, `rebuild-routes`, `firmware`, `cancel`: care of devices. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { unreadableFile } from "../unreadable-file.ts";
import { carryOut, follow } from "./carry-out.ts";
import { beginOn, findDevice, type RadioOptions, withNetwork } from "./network.ts";

export function interview(key: string, options: RadioOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const address = await findDevice(chosen, key);
    await carryOut(chosen, () => beginOn(chosen, "interview", { address }), options);
  });
}

/** @param key one device; with `all` none */
export function rebuildRoutes(
  key: string | undefined,
  options: RadioOptions & { readonly all?: boolean },
): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    if ((key === undefined) !== (options.all ?? false)) throw usageFailure("Either a device, or --all of them.");
    const input = key === undefined ? {} : { address: await findDevice(chosen, key) };
    await carryOut(chosen, () => beginOn(chosen, "rebuild-routes", input), options);
  });
}

export function updateFirmware(key: string, file: string, options: RadioOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const bytes = readWhole(file);
    const address = await findDevice(chosen, key);
    await carryOut(chosen, () => chosen.network.updateFirmware(address, bytes, basename(file)), options);
  });
}

/** Cancels the operation under way, whichever client started it, and prints its outcome. */
export function cancel(options: RadioOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const { stage, detail } = await follow(chosen, () => chosen.home.integrations.cancel(chosen.network.name), options);
    if (stage !== "done" && !options.json) process.stdout.write(`${plain(detail)}\n`);
  });
}

/** @throws CommandFailure usage for a file that cannot be read, or is empty. */
export function readWhole(file: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = Uint8Array.from(readFileSync(file));
    if (bytes.length > 0) return bytes;
  } catch (cause) {
    throw usageFailure(unreadableFile(file, cause), cause);
  }
  throw usageFailure(`The file ${file} is empty.`);
}
