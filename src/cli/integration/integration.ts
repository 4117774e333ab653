/** `domovoi integration`: what connects the controller with devices and services. */

import type { ControllerSession, Integration, Integrations, IntegrationType, SavedIntegration } from "@domovoi/client";
import { ask } from "../connection/ask-password.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { printDone } from "../print-outcome.ts";
import { readMembers, settingLine } from "./setting-text.ts";

type WriteOptions = ConnectionOptions & { readonly wait?: boolean };
type AddOptions = WriteOptions & { readonly name?: string; readonly id?: string };
type RemoveOptions = ConnectionOptions & { readonly nodes?: "remove" | "keep" };

/** How long a command waits until the integration has started, and how often it looks. */
const START_WAIT_MS = 60_000;
const LOOK_MS = 250;

export async function listIntegrations({ integrations }: ControllerSession, options: ConnectionOptions): Promise<void> {
  printList(
    await integrations.list(),
    options,
    'There are no integrations. "domovoi integration types" lists what can be added.',
    {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      STATE: ({ state }) => state,
      NODES: ({ nodes }) => String(nodes),
      REASON: ({ reason }) => reason,
    },
  );
}

export async function listTypes({ integrations }: ControllerSession): Promise<Done> {
  const types = await integrations.types();
  return done(types.flatMap(typeLines), types);
}

export async function findIntegrations({ integrations }: ControllerSession, options: ConnectionOptions): Promise<void> {
  printList(
    await integrations.found(),
    options,
    "Nothing was found: no serial port in this machine, no broker and no Z-Wave server in its network that is not connected yet.",
    {
      FOUND: ({ label }) => label,
      "ADD IT WITH": ({ type, settings }) =>
        `domovoi integration add ${type} ${Object.entries(settings)
          .map(([name, value]) => `${name}=${value}`)
          .join(" ")}`,
    },
  );
}

export async function addIntegration(
  { integrations }: ControllerSession,
  type: string,
  settings: readonly string[],
  options: AddOptions,
): Promise<Done> {
  const known = (await integrations.types()).find((each) => each.type === type);
  if (!known)
    throw new CommandFailure("notFound", `There is no type "${type}". "domovoi integration types" lists them.`);
  const { name, id } = options;
  const wanted = {
    type,
    settings: await readMembers(`The type ${type}`, known.settings, settings),
    ...(name && { name }),
    ...(id && { id }),
  };
  return settledWithTexts(integrations, await integrations.add(wanted), options);
}

export async function setIntegration(
  { integrations }: ControllerSession,
  id: string,
  settings: readonly string[],
  options: AddOptions,
): Promise<Done> {
  const { name } = options;
  if (settings.length === 0 && name === undefined) throw usageFailure("Name a setting, or --name.");
  const { type } = await integrations.get(id);
  const known = (await integrations.types()).find((each) => each.type === type);
  const changed =
    known && settings.length > 0 ? { settings: await readMembers(`The type ${type}`, known.settings, settings) } : {};
  return settledWithTexts(integrations, await integrations.change(id, { ...changed, ...(name && { name }) }), options);
}

export async function switchIntegration(
  { integrations }: ControllerSession,
  verb: "start" | "stop" | "restart",
  id: string,
  options: WriteOptions,
): Promise<Done> {
  return settled(integrations, await integrations[verb](id), options);
}

export async function dropIntegration(
  { integrations }: ControllerSession,
  id: string,
  options: RemoveOptions,
): Promise<Done> {
  const { nodes, setting } = await integrations.get(id);
  const fate = nodes > 0 && setting === null ? (options.nodes ?? (await askFate(id, nodes))) : options.nodes;
  await integrations.remove(id, fate);
  const note = nodes > 0 ? `; its nodes are ${fate === "keep" ? "kept" : "removed"}` : "";
  return done(`${id} is removed${note}.`, { id, nodes: fate ?? null });
}

async function askFate(id: string, nodes: number): Promise<"remove" | "keep"> {
  const said = await ask(
    `${id} has ${nodes} nodes. Remove or keep them? [remove/keep] `,
    `${id} has ${nodes} nodes. Remove or keep them with --nodes remove or --nodes keep.`,
  );
  if (said === "remove" || said === "keep") return said;
  throw usageFailure("Nothing was removed: the answer is neither remove nor keep.");
}

/** Also says which values the texts of a channel name in vain. */
async function settledWithTexts(
  integrations: Integrations,
  { unknownValues, ...begun }: SavedIntegration,
  options: WriteOptions,
): Promise<Done> {
  const { lines, json } = await settled(integrations, begun, options);
  return done([...lines, ...unknownValues.map((value) => `There is no value \${${value}}. It is sent as "?".`)], json);
}

/** The integration once it has started, or as it is. @throws CommandFailure failed when it did not start */
async function settled(integrations: Integrations, begun: Integration, options: WriteOptions): Promise<Done> {
  let now = begun;
  const endMs = Date.now() + START_WAIT_MS;
  while (options.wait !== false && now.state === "starting" && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await integrations.get(begun.id);
  }
  const reason = now.state === "failed" || now.reason === "" ? "" : `   ${now.reason}`;
  const shown = done(`${now.id}   ${now.state}${reason}`, now);
  if (now.state !== "failed") return shown;
  printDone(shown, options);
  throw new CommandFailure("failed", `${now.id} did not start: ${now.reason} It is tried again.`);
}

function typeLines({ type, name, about, settings }: IntegrationType, at: number): readonly string[] {
  return [...(at === 0 ? [] : [""]), `${type}   ${name}. ${about}`, ...settings.map(settingLine)];
}
