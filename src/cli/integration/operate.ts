/**
 * `domovoi integration do`: an operation of any integration, from its begin to its end. It knows no kind of device: what can be
 * begun, what it takes and what it asks comes from the controller. Ctrl-C cancels it there.
 */

import {
  type ControllerSession,
  type IntegrationOperation,
  type IntegrationQuestion,
  type IntegrationSetting,
  type Integrations,
  isOver,
} from "@domovoi/client";
import { ask } from "../connection/ask-password.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { onInterrupt } from "../interrupts.ts";
import { CommandFailure, type Done, done } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { readMembers, settingLine } from "./setting-text.ts";

type OperateOptions = ConnectionOptions & { readonly answer?: readonly string[] };

const LOOK_MS = 400;

export async function operate(
  { integrations }: ControllerSession,
  id: string,
  kind: string | undefined,
  input: readonly string[],
  options: OperateOptions,
): Promise<Done | undefined> {
  const kinds = await integrations.operationKinds(id);
  if (kind === undefined) {
    const lines = kinds.flatMap((each) => [`${each.kind}   ${each.about}`, ...each.input.map(settingLine)]);
    return done(lines, kinds);
  }
  const known = kinds.find((each) => each.kind === kind);
  if (!known) {
    const names = kinds.map((each) => each.kind).join(", ");
    throw new CommandFailure("notFound", `${id} has no operation "${kind}".${names === "" ? "" : ` It has ${names}.`}`);
  }
  const members = await readMembers(`The operation ${kind}`, known.input, input);
  await follow(integrations, id, await integrations.begin(id, kind, members), options);
  return undefined;
}

/** Prints every step, asks its questions, until it ends. @throws CommandFailure failed unless it is done */
async function follow(
  integrations: Integrations,
  id: string,
  begun: IntegrationOperation,
  options: OperateOptions,
): Promise<void> {
  const asking = new AbortController();
  const stop = onInterrupt(() => {
    asking.abort();
    process.stderr.write("domovoi: Cancelling.\n");
    // It may have ended meanwhile; the next look shows it.
    void integrations.cancel(id).catch(() => {});
  });
  let shown = "";
  try {
    for (let step: IntegrationOperation | null = begun; step; step = await integrations.operation(id)) {
      if (step.id !== begun.id) break;
      shown = print(step, shown, options);
      if (step.stage === "done") return;
      if (isOver(step)) throw new CommandFailure("failed", step.detail);
      if (step.question && !asking.signal.aborted) await answer(integrations, id, step, step.question, asking, options);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new CommandFailure(
      "failed",
      "The controller was restarted or does something else by now; the outcome is unknown.",
    );
  } finally {
    stop();
  }
}

/** @returns what was printed, so that a step is printed once. */
function print(step: IntegrationOperation, before: string, { json }: OperateOptions): string {
  const percent = step.percent === null ? "" : ` ${step.percent} %`;
  const made = step.stage === "done" && step.address ? ` Its node is ${step.address}.` : "";
  const text = json ? plainJson(step) : plain(`${step.detail}${percent}${made}`);
  // How it failed is printed with the exit status.
  const isNew = text !== before && (json || (step.stage !== "failed" && step.stage !== "cancelled"));
  if (isNew) process.stdout.write(`${text}\n`);
  return text;
}

async function answer(
  integrations: Integrations,
  id: string,
  step: IntegrationOperation,
  question: IntegrationQuestion,
  asking: AbortController,
  options: OperateOptions,
): Promise<void> {
  try {
    const members = await membersOf(question, asking.signal, options);
    await integrations.answer(id, members === null ? { kind: "refuse" } : { ...members, kind: question.kind });
  } catch (error) {
    if (asking.signal.aborted) return;
    const now = await integrations.operation(id);
    // The question was withdrawn meanwhile.
    if (now?.id !== step.id || now.question === null) return;
    await integrations.cancel(id).catch(() => {});
    throw error;
  }
}

/** Answers from --answer, or else interactively. @returns null to refuse */
async function membersOf(
  question: IntegrationQuestion,
  signal: AbortSignal,
  { answer: given = [] }: OperateOptions,
): Promise<Readonly<Record<string, unknown>> | null> {
  const names = new Set(question.answer.map(({ name }) => name));
  const fitting = given.filter((each) => names.has(each.split("=")[0] ?? ""));
  if (fitting.length > 0 || names.size === 0) return readMembers("The answer", question.answer, fitting);
  for (const [name, value] of Object.entries(question.data)) {
    process.stderr.write(`${plain(name)}: ${plain(Array.isArray(value) ? value.join(", ") : String(value))}\n`);
  }
  const members: Record<string, unknown> = {};
  for (const setting of question.answer) {
    const text = await askMember(setting, signal);
    if (text === "") return null;
    Object.assign(
      members,
      await readMembers("The answer", question.answer, [`${setting.name}=${listed(setting, text)}`]),
    );
  }
  return members;
}

function askMember({ title, description, name }: IntegrationSetting, signal: AbortSignal): Promise<string> {
  const elseSentence = `Not a terminal, so the question cannot be shown. Answer it with --answer ${name}=VALUE.`;
  return ask(`${plain(title)}: ${plain(description)} (Enter refuses) `, elseSentence, signal);
}

/** People write lists with commas between. */
function listed({ type }: IntegrationSetting, text: string): string {
  return type === "array" && !text.startsWith("[") ? JSON.stringify(text.split(/[\s,]+/)) : text;
}
