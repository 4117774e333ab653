/** The questions of an inclusion: the security keys to grant, and the digits that are printed on the device. */

import type { Integrations, OperationStep } from "@domovoi/client";
import { ask } from "../connection/ask-password.ts";
import { usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";

export type AskedQuestion = NonNullable<OperationStep["question"]>;
export type GivenAnswer = Parameters<Integrations["answer"]>[1];

export type AnswerOptions = {
  /** `all`, `none`, or names with commas between. */
  readonly grant?: string;
  readonly pin?: string;
  /** Confirms. */
  readonly yes?: true;
};

const SECURITY_NAMES = ["S2-access-control", "S2-authenticated", "S2-unauthenticated", "S0"] as const;
/** For these the device shows its key, and a person types what it leaves out. */
const WITH_PIN: ReadonlySet<string> = new Set(["S2-access-control", "S2-authenticated"]);
const PIN = /^\d{5}$/;
const REFUSE: GivenAnswer = { kind: "refuse" };

/** Looks at the options before anything is begun. @throws CommandFailure usage */
export function checkAnswers({ grant, pin }: AnswerOptions, isSecure: boolean): void {
  if (pin !== undefined && !PIN.test(pin))
    throw usageFailure("--pin takes the five digits that are printed on the device.");
  const granted = grant === undefined ? null : grantedBy(grant, SECURITY_NAMES);
  if (process.stdin.isTTY || !isSecure) return;
  if (granted === null)
    throw usageFailure(
      "Not a terminal, so the device's questions cannot be shown. Answer them with --grant and --pin.",
    );
  if (pin === undefined && granted.some((name) => WITH_PIN.has(name))) {
    throw usageFailure(
      "Not a terminal, so the PIN cannot be entered. Give it with --pin: the five digits printed on the device.",
    );
  }
}

/** Answers from the options, or else interactively. */
export function answerFrom(
  options: AnswerOptions,
): (question: AskedQuestion, signal: AbortSignal) => Promise<GivenAnswer> {
  return async ({ kind, data: { security, dskRest, findings } }, signal) => {
    if (kind === "confirm") return confirmAnswer(options.yes ?? (await askConfirmation(findings, signal)));
    if (kind !== "grant") return pinAnswer(options.pin ?? (await askPin(String(dskRest), signal)));
    const requested = Array.isArray(security) ? security.map(String) : [];
    return grantAnswer(options.grant ?? (await askGrant(requested, signal)), requested);
  };
}

function grantAnswer(written: string, requested: readonly string[]): GivenAnswer {
  const security = grantedBy(written, requested).filter((name) => requested.includes(name));
  return security.length === 0 ? REFUSE : { kind: "grant", security };
}

function confirmAnswer(isConfirmed: boolean): GivenAnswer {
  return isConfirmed ? { kind: "confirm" } : REFUSE;
}

async function askConfirmation(findings: unknown, signal: AbortSignal): Promise<boolean> {
  const list = Array.isArray(findings) ? findings.map((each) => `  ${plain(String(each))}\n`).join("") : "";
  process.stderr.write(`The certificates of the device show:\n${list}`);
  const written = await ask("Add it? [y/N] ", NOT_A_TERMINAL_YES, signal);
  return /^y(es)?$/i.test(written);
}

function pinAnswer(pin: string): GivenAnswer {
  return pin === "" ? REFUSE : { kind: "pin", pin };
}

/** @throws CommandFailure usage for a name that is none. */
function grantedBy(written: string, all: readonly string[]): readonly string[] {
  if (written === "all") return all;
  if (written === "none") return [];
  return readSecurity(written, "--grant takes all, none, or names");
}

/** Names with commas between. @throws CommandFailure usage */
export function readSecurity(written: string, what: string): readonly string[] {
  return written.split(",").map((text) => {
    const name = SECURITY_NAMES.find((each) => each.toLowerCase() === text.trim().toLowerCase());
    if (name) return name;
    throw usageFailure(`${what}: ${SECURITY_NAMES.join(", ")}.`);
  });
}

/** @returns what `--grant` takes. */
async function askGrant(requested: readonly string[], signal: AbortSignal): Promise<string> {
  const list = requested.map((name, at) => `  ${at + 1}  ${plain(name)}\n`).join("");
  process.stderr.write(`The device requests these keys, the strongest first:\n${list}`);
  for (;;) {
    const written = await ask('Grant which? Enter for all, numbers (1,2), or "none": ', NOT_A_TERMINAL, signal);
    if (written === "") return "all";
    if (written.toLowerCase() === "none") return "none";
    const names = written.split(/[\s,]+/).map((number) => requested[Number(number) - 1]);
    if (names.every((name) => name !== undefined)) return names.join(",");
    process.stderr.write(`Write numbers from 1 to ${requested.length}.\n`);
  }
}

/** @returns empty when the person has none. */
async function askPin(dskRest: string, signal: AbortSignal): Promise<string> {
  process.stderr.write(`The device's key is _____${plain(dskRest)}\n`);
  for (;;) {
    const pin = await ask(
      "PIN, the first five digits of the key printed on it (Enter refuses): ",
      NOT_A_TERMINAL,
      signal,
    );
    if (pin === "" || PIN.test(pin)) return pin;
    process.stderr.write("The PIN has five digits.\n");
  }
}

const NOT_A_TERMINAL = "Not a terminal, so the question cannot be shown.";
const NOT_A_TERMINAL_YES = `${NOT_A_TERMINAL} To add the device whatever its certificates show, use --yes.`;
