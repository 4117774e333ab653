/** `domovoi radio smartstart`: devices that may join by themselves. */

import type { NewProvisioned } from "@domovoi/client";
import { printJson, printList } from "../home/list.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { nameOf, type RadioOptions, withNetwork } from "./network.ts";
import { readSecurity } from "./questions.ts";

type AddOptions = RadioOptions & { readonly security?: string; readonly inactive?: boolean };

const GROUPS = 8;
const GROUP_DIGITS = 5;
const KEY = new RegExp(`^(?:\\d{${GROUP_DIGITS}}-?){${GROUPS}}$`);
/** The code begins with these digits, and is longer than a key. */
const CODE = /^90\d{50,}$/;
/** For a device that is known only by its key; it gets those of them that it requests. */
const USUAL_SECURITY = "S2-access-control,S2-authenticated,S2-unauthenticated";

export function listProvisioned(options: RadioOptions): Promise<void> {
  return withNetwork(options, "off", async ({ home, network }) => {
    printList(await network.provisioned(), options, "No device is listed to join.", {
      KEY: ({ dsk }) => dsk,
      GRANTED: ({ security }) => security.join(", ") || "none",
      STATE: ({ active, address }) => (address !== null ? "joined" : active ? "may join" : "inactive"),
      DEVICE: ({ address }) => (address === null ? "" : nameOf(home, address) || address),
    });
  });
}

/** @param written the key or the digits of the code, as they are printed or scanned */
export function addProvisioned(written: string, options: AddOptions): Promise<void> {
  return withNetwork(options, "off", async ({ network }) => {
    const added = await network.provision(readDevice(written, options));
    if (options.json) return printJson(added);
    const granted = added.security.join(", ") || "no keys";
    process.stdout.write(
      `${plain(added.dsk)} ${added.active ? "may join by itself" : "is known"}, with ${plain(granted)}.\n`,
    );
  });
}

/** @param written the key, or a beginning of it that is unique */
export function removeProvisioned(written: string, options: RadioOptions): Promise<void> {
  return withNetwork(options, "off", async ({ network }) => {
    const wanted = written.replaceAll("-", "");
    const found = (await network.provisioned()).filter(({ dsk }) => dsk.replaceAll("-", "").startsWith(wanted));
    const [first] = found;
    if (!first) throw new CommandFailure("notFound", "The list has no such key.");
    if (found.length > 1) throw usageFailure(`${found.length} keys on the list start like this.`);
    await network.unprovision(first.dsk);
    process.stdout.write(`${plain(first.dsk)} is removed from the list.\n`);
  });
}

function readDevice(written: string, { security, inactive = false }: AddOptions): NewProvisioned {
  const digits = written.replaceAll(/\s/g, "");
  const granted = security === undefined ? null : readSecurity(security, "--security takes names separated by commas");
  const active = !inactive;
  if (CODE.test(digits)) return granted === null ? { qr: digits, active } : { qr: digits, security: granted, active };
  if (!KEY.test(digits))
    throw usageFailure("A key has eight groups of five digits. A code starts with 90 and is longer.");
  const dsk =
    digits
      .replaceAll("-", "")
      .match(new RegExp(`.{${GROUP_DIGITS}}`, "g"))
      ?.join("-") ?? "";
  return { dsk, security: granted ?? USUAL_SECURITY.split(","), active };
}
