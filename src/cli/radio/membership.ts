/** `domovoi radio include`, `exclude`, `remove-failed`: devices come and go. */

import type { OperationStep } from "@domovoi/client";
import { usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { carryOut } from "./carry-out.ts";
import { beginOn, type Chosen, findDevice, nameOf, type RadioOptions, withNetwork } from "./network.ts";
import { type AnswerOptions, answerFrom, checkAnswers } from "./questions.ts";

type IncludeOptions = RadioOptions & AnswerOptions & { readonly security: string; readonly replace?: string };

type Security = "s2" | "s0" | "none";
const SECURITY: Readonly<
  Record<Security, { readonly include: "best" | "S0" | "insecure"; readonly replace: "S2" | "S0" | "insecure" }>
> = {
  s2: { include: "best", replace: "S2" },
  s0: { include: "S0", replace: "S0" },
  none: { include: "insecure", replace: "insecure" },
};
const WARNINGS: Readonly<Record<Security, string | null>> = {
  s2: null,
  s0: "With S0, a listener during the key exchange can decrypt the device's later messages.",
  none: "Without encryption, the messages of the device can be read and forged.",
};

/** @param code of a device that has one; its kind of network says which. */
export function include(code: string | undefined, options: IncludeOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const security = readChoice(options.security);
    checkAnswers(options, hasKeys(chosen) && security === "s2");
    if (code !== undefined && hasKeys(chosen))
      throw usageFailure(`Devices of ${chosen.network.name} have no such code.`);
    const [kind, input] =
      code === undefined ? await requestOf(chosen, security, options.replace) : ["include", { code }];
    if (hasKeys(chosen)) warn(WARNINGS[security]);
    const how = { json: options.json ?? false, answer: answerFrom(options) };
    await printDevice(chosen, await carryOut(chosen, () => beginOn(chosen, kind, input), how), options);
  });
}

type ExcludeOptions = RadioOptions & { readonly force?: true };

/** @param key the device, for networks that exclude by name; Z-Wave excludes the device whose button is pressed */
export function exclude(key: string | undefined, { force, ...options }: ExcludeOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const node = key === undefined ? {} : { address: await findDevice(chosen, key) };
    const input = { ...node, ...(force ? { force } : {}) };
    const { address } = await carryOut(chosen, () => beginOn(chosen, "exclude", input), options);
    // A device of another network has none here.
    if (address !== null && !options.json) process.stdout.write(`It was ${called(chosen, address)}.\n`);
  });
}

export function removeFailed(key: string, options: RadioOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const address = await findDevice(chosen, key);
    await carryOut(chosen, () => beginOn(chosen, "remove-failed", { address }), options);
  });
}

/** The kind of operation and its input. */
async function requestOf(
  chosen: Chosen,
  security: Security,
  replaced: string | undefined,
): Promise<readonly [string, object]> {
  if (replaced === undefined) return ["include", hasKeys(chosen) ? { security: SECURITY[security].include } : {}];
  return ["replace", { address: await findDevice(chosen, replaced), security: SECURITY[security].replace }];
}

/** Only a network with a home id has keys to choose. One that has not started yet does not say. */
function hasKeys({ state: { about, protocol } }: Chosen): boolean {
  return about ? about.homeId !== null : protocol === "Z-Wave";
}

function readChoice(written: string): Security {
  const choice = (["s2", "s0", "none"] as const).find((each) => each === written.toLowerCase());
  if (choice) return choice;
  throw usageFailure("--security is s2, s0 or none.");
}

/** Prints the address of the new device, and whether it is encrypted. */
async function printDevice(chosen: Chosen, { address, result }: OperationStep, { json }: RadioOptions): Promise<void> {
  if (address === null) return;
  const { security } = result;
  await chosen.home.refresh();
  if (!json)
    process.stdout.write(
      hasKeys(chosen)
        ? `It is ${called(chosen, address)}, security ${plain(String(security ?? "not known"))}.\n`
        : `It is ${called(chosen, address)}.\n`,
    );
  if (security === "none") warn("It is not encrypted: its messages can be read and forged.");
}

function called({ home }: Chosen, address: string): string {
  const name = nameOf(home, address);
  return plain(name === "" ? address : `${name} (${address})`);
}

/** Printed to standard error, so that the output for programs stays clean. */
function warn(sentence: string | null): void {
  if (sentence !== null) process.stderr.write(`Warning: ${sentence}\n`);
}
