/** `domovoi integration`: what connects the controller with devices and services. */

import type { Integration, Integrations, IntegrationType } from "@domovoi/client";
import { ask } from "../connection/ask-password.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withSession } from "../connection/with-home.ts";
import { printJson, printList } from "../home/list.ts";
import { say } from "../edit/edit-output.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { readMembers, settingLine } from "./setting-text.ts";

type WriteOptions = ConnectionOptions & { readonly wait?: boolean };
type AddOptions = WriteOptions & { readonly name?: string; readonly id?: string };
type RemoveOptions = ConnectionOptions & { readonly nodes?: "remove" | "keep" };

/** How long a command waits until the integration has started, and how often it looks. */
const START_WAIT_MS = 60_000;
const LOOK_MS = 250;

export function listIntegrations(options: ConnectionOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => {
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
  });
}

export function listTypes(options: ConnectionOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => {
    const types = await integrations.types();
    if (options.json) printJson(types);
    else process.stdout.write(types.map(typeText).join("\n"));
  });
}

export function addIntegration(type: string, settings: readonly string[], options: AddOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => {
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
    await report(integrations, await integrations.add(wanted), options);
  });
}

export function setIntegration(id: string, settings: readonly string[], options: AddOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => {
    const { name } = options;
    if (settings.length === 0 && name === undefined) throw usageFailure("Name a setting, or --name.");
    const { type } = await integrations.get(id);
    const known = (await integrations.types()).find((each) => each.type === type);
    const changed =
      known && settings.length > 0 ? { settings: await readMembers(`The type ${type}`, known.settings, settings) } : {};
    await report(integrations, await integrations.change(id, { ...changed, ...(name && { name }) }), options);
  });
}

export function startIntegration(id: string, options: WriteOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => report(integrations, await integrations.start(id), options));
}

export function restartIntegration(id: string, options: WriteOptions): Promise<void> {
  return withIntegrations(options, async (integrations) =>
    report(integrations, await integrations.restart(id), options),
  );
}

export function stopIntegration(id: string, options: ConnectionOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => show(await integrations.stop(id), options));
}

export function removeIntegration(id: string, options: RemoveOptions): Promise<void> {
  return withIntegrations(options, async (integrations) => {
    const { nodes, setting } = await integrations.get(id);
    const fate = nodes > 0 && setting === null ? (options.nodes ?? (await askFate(id, nodes))) : options.nodes;
    await integrations.remove(id, fate);
    const note = nodes > 0 ? `; its nodes are ${fate === "keep" ? "kept" : "removed"}` : "";
    say(options, `${id} is removed${note}.`, { id, nodes: fate ?? null });
  });
}

function withIntegrations(
  options: ConnectionOptions,
  use: (integrations: Integrations) => Promise<void>,
): Promise<void> {
  return withSession(options, ({ integrations }) => use(integrations));
}

async function askFate(id: string, nodes: number): Promise<"remove" | "keep"> {
  const said = await ask(
    `${id} has ${nodes} nodes. Remove or keep them? [remove/keep] `,
    `${id} has ${nodes} nodes. Remove or keep them with --nodes remove or --nodes keep.`,
  );
  if (said === "remove" || said === "keep") return said;
  throw usageFailure("Nothing was removed: the answer is neither remove nor keep.");
}

/** The integration once it has started, or as it is. @throws CommandFailure failed when it did not start */
async function report(integrations: Integrations, begun: Integration, options: WriteOptions): Promise<void> {
  let now = begun;
  const endMs = Date.now() + START_WAIT_MS;
  while (options.wait !== false && now.state === "starting" && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await integrations.get(begun.id);
  }
  show(now, options);
  if (now.state === "failed") {
    throw new CommandFailure("failed", `${now.id} did not start: ${now.reason} It is tried again.`);
  }
}

function show(integration: Integration, options: ConnectionOptions): void {
  say(options, `${integration.id}   ${integration.state}`, integration);
}

function typeText({ type, name, about, settings }: IntegrationType): string {
  return `${plain(type)}   ${plain(name)}. ${plain(about)}\n${settings.map(settingLine).join("")}`;
}
