/** `domovoi send`: a command to a node or a group. Sending is not knowing: --wait waits until a report shows the effect. */

import type { Group, Home, Node, Nodedef } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome } from "../connection/with-home.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { type CommandEffect, groupEffect, nodeEffect } from "./effect.ts";
import { findCommanded } from "./find.ts";
import { readValue } from "./value-input.ts";
import { actAndSee } from "./wait.ts";
import { nodesWithoutDevice } from "./without-device.ts";

type SendOptions = ConnectionOptions & { readonly wait?: string | true };

/** A command that is ready to go. */
type Sending = {
  readonly address: string;
  readonly name: string;
  readonly command: string;
  readonly values: readonly string[];
  readonly send: () => Promise<void>;
  /** The effect that a report will show; null when no report shows this command. */
  readonly effect: CommandEffect | null;
};

type Result = "sent" | "confirmed" | "unconfirmed" | "simulated";

const WAIT_DEFAULT_S = 10;
const WAIT_S_MAX = 3600;
const GROUP_VALUES_MAX = 1;

/** @param values as a person writes them, in the order of the command's parameters */
export function send(key: string, command: string, values: readonly string[], options: SendOptions): Promise<void> {
  const isWaiting = options.wait !== undefined;
  return withHome(options, { stream: isWaiting ? "rest" : "off" }, async (home) => {
    const waitMs = isWaiting ? waitOf(options.wait) : 0;
    const commanded = findCommanded(home, key);
    const sending =
      commanded.kind === "node"
        ? toNode(home, commanded.node, command, values)
        : toGroup(home, commanded.group, command, values);
    const isSimulated = await hasNoDevice(home, commanded);
    const result = isSimulated || !isWaiting ? await sendOnly(sending) : await sendAndWait(home, sending, waitMs);
    tell(sending, isSimulated ? "simulated" : result, options);
  });
}

/** A scene: none of its members has one. */
async function hasNoDevice(home: Home, commanded: ReturnType<typeof findCommanded>): Promise<boolean> {
  const missing = await nodesWithoutDevice(home);
  if (missing.size === 0) return false;
  if (commanded.kind === "node") return missing.has(commanded.node.address);
  return commanded.group.members.length > 0 && commanded.group.members.every((address) => missing.has(address));
}

function toNode(home: Home, node: Node, written: string, texts: readonly string[]): Sending {
  const { nodedef } = node;
  const command = nodedef ? commandCalled(nodedef, node.name, written) : null;
  const id = command?.id ?? written.toUpperCase();
  const parameters = command?.parameters ?? [];
  if (command && texts.length > parameters.length) {
    const takes = ["no value", "one value"][parameters.length] ?? `at most ${parameters.length} values`;
    throw usageFailure(`${id} of ${node.name} takes ${takes}.`);
  }
  const values = texts.map((text, at) => {
    const editor = parameters[at] ? home.profile.editor(parameters[at].editor, node.family, node.instance) : null;
    return readValue(text, editor, `${id} of ${node.name}`);
  });
  return {
    ...{ address: node.address, name: node.name, command: id, values: texts },
    send: () => node.send(id, ...values),
    effect: nodeEffect(node, id, values, parameters[0]),
  };
}

/** Finds a command by its id or its name, case-insensitive. */
function commandCalled({ accepts }: Nodedef, nodeName: string, written: string): Nodedef["accepts"][number] {
  const wanted = written.toLowerCase();
  const found =
    accepts.find(({ id }) => id.toLowerCase() === wanted) ?? accepts.find(({ name }) => name.toLowerCase() === wanted);
  if (found) return found;
  const known = accepts.flatMap(({ id, name }) => [id, name]).filter((each) => each !== "");
  const close = closestTo(written, known);
  const list = accepts.map(({ id, name }) => (name === "" ? id : `${id} (${name})`)).join(", ");
  const hint = close === null ? `It accepts ${list === "" ? "no commands" : list}.` : `Did you mean "${close}"?`;
  throw new CommandFailure("notFound", `${nodeName} does not accept "${written}". ${hint}`);
}

function toGroup(home: Home, group: Group, written: string, texts: readonly string[]): Sending {
  const command = groupCommand(home, group, written);
  if (texts.length > GROUP_VALUES_MAX) throw usageFailure("A group accepts one level: 0 to 100 %.");
  const values = texts.map((text) => {
    const level = Number(text.trim().replace(/%$/, ""));
    if (text.trim() !== "" && level >= 0 && level <= 100) return level;
    throw usageFailure(`${command} of ${group.name} does not take "${text}": a group accepts 0 to 100 %.`);
  });
  return {
    ...{ address: group.address, name: group.name, command, values: texts },
    send: () => group.send(command, ...values),
    effect: groupEffect(group, command),
  };
}

/** The id of a command by its id or its name, as the scene or a member accepts it. */
function groupCommand(home: Home, { nodeDefId, family, instance, members }: Group, written: string): string {
  const nodedefs = [
    home.profile.nodedef(nodeDefId, family, instance),
    ...members.map((each) => home.nodes.find(each)?.nodedef),
  ];
  const accepts = nodedefs.flatMap((nodedef) => nodedef?.accepts ?? []);
  const wanted = written.toLowerCase();
  const isId = accepts.some(({ id }) => id.toLowerCase() === wanted);
  return (isId ? null : accepts.find(({ name }) => name.toLowerCase() === wanted)?.id) ?? written.toUpperCase();
}

async function sendOnly({ send: go }: Sending): Promise<Result> {
  await go();
  return "sent";
}

async function sendAndWait(home: Home, { send: go, effect, command, name }: Sending, waitMs: number): Promise<Result> {
  if (effect === null) {
    await go();
    const sentence = `${name} accepted ${command}. No report shows its effect.`;
    process.stderr.write(`domovoi: ${plain(sentence)}\n`);
    return "sent";
  }
  return (await actAndSee(home, effect, go, waitMs)) ? "confirmed" : "unconfirmed";
}

function tell(
  { address, name, command, values, effect }: Sending,
  result: Result,
  { json = false }: SendOptions,
): void {
  if (json)
    process.stdout.write(`${plainJson({ address, name, command, values, result, state: effect?.state() ?? null })}\n`);
  else if (result === "sent") process.stdout.write(`${plain([command, ...values, "sent to", name].join(" "))}.\n`);
  else if (result === "confirmed") process.stdout.write(`${plain(`${name}: ${effect?.state()}`)}.\n`);
  if (result === "simulated")
    throw new CommandFailure("unconfirmed", `${name} has no device here yet: ${command} was only simulated.`);
  if (result !== "unconfirmed") return;
  throw new CommandFailure("unconfirmed", `${name} took ${command}, and no report showed the effect in time.`);
}

/** @returns milliseconds */
function waitOf(wait: string | true | undefined): number {
  if (typeof wait !== "string") return WAIT_DEFAULT_S * 1000;
  const seconds = Number(wait);
  if (wait.trim() !== "" && seconds > 0 && seconds <= WAIT_S_MAX) return seconds * 1000;
  throw usageFailure(`--wait takes seconds, up to ${WAIT_S_MAX}.`);
}
