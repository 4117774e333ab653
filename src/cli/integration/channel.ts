/** `domovoi channel`: notification channels, which are integrations that notify. */

import type { ControllerSession, Integration, IntegrationSettings, Integrations } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { fileOrText } from "./setting-text.ts";

type ChannelOptions = ConnectionOptions & {
  readonly smtp?: string;
  readonly ntfy?: string;
  readonly webhook?: string;
  readonly pushover?: string;
  readonly telegram?: string;
  readonly to?: string;
  readonly from?: string;
  readonly token?: string;
  readonly recipient?: string;
  readonly alarms?: boolean;
  readonly text?: string;
};

/** By option: the type of the integration, the setting that the option gives, and the one that `--to` gives. */
const KINDS = [
  { option: "smtp", type: "email", setting: "server", to: "to" },
  { option: "ntfy", type: "ntfy", setting: "url", to: null },
  { option: "webhook", type: "webhook", setting: "url", to: null },
  { option: "pushover", type: "pushover", setting: "token", to: "user" },
  { option: "telegram", type: "telegram", setting: "token", to: "chat" },
] as const;

export async function listChannels({ integrations }: ControllerSession, options: ConnectionOptions): Promise<void> {
  printList(await channelsOf(integrations), options, 'There are no channels. Add one with "domovoi channel add".', {
    NAME: ({ name }) => name,
    BY: ({ type }) => type,
    RECIPIENT: ({ settings }) => String(settings.recipient ?? 0),
    STATE: ({ state }) => state,
    REASON: ({ reason }) => reason,
  });
}

export async function addChannel(
  { integrations }: ControllerSession,
  name: string,
  options: ChannelOptions,
): Promise<Done> {
  if ((await channelsOf(integrations)).some((channel) => channel.name === name))
    throw new CommandFailure("failed", `There is a channel "${name}" already. Choose another name.`);
  const added = await integrations.add({ ...wantedOf(options), name });
  return done(`Added ${name}. Try it: domovoi channel test ${name}`, added);
}

export async function testChannel(
  { integrations }: ControllerSession,
  name: string,
  options: ChannelOptions,
): Promise<Done> {
  const { id } = await findChannel(integrations, name);
  await integrations.testChannel(id, options.text === undefined ? {} : { text: options.text });
  return done(`Delivered by ${name}.`, { name, delivered: true });
}

export async function removeChannel({ integrations }: ControllerSession, name: string): Promise<Done> {
  const { id } = await findChannel(integrations, name);
  await integrations.remove(id);
  return done(`Removed ${name}.`, { name });
}

function wantedOf(options: ChannelOptions): { readonly type: string; readonly settings: IntegrationSettings } {
  const kinds = KINDS.filter(({ option }) => options[option] !== undefined);
  const [kind, ...others] = kinds;
  if (!kind || others.length > 0)
    throw usageFailure(`Name exactly one of ${KINDS.map(({ option }) => `--${option}`).join(", ")}.`);
  if (kind.to !== null && options.to === undefined) throw usageFailure(`--${kind.option} needs --to.`);
  const { from, to, token, recipient, alarms = true } = options;
  const number = recipient === undefined ? 0 : Number(recipient);
  if (!Number.isInteger(number)) throw usageFailure("--recipient is a whole number.");
  return {
    type: kind.type,
    settings: {
      [kind.setting]: fileOrText(options[kind.option] ?? ""),
      ...(kind.to !== null && { [kind.to]: to }),
      ...(from !== undefined && { from }),
      ...(token !== undefined && { token: fileOrText(token) }),
      ...(number !== 0 && { recipient: number }),
      ...(!alarms && { alarms }),
    },
  };
}

async function channelsOf(integrations: Integrations): Promise<readonly Integration[]> {
  const [all, types] = await Promise.all([integrations.list(), integrations.types()]);
  const notifying = new Set(types.filter(({ notifies }) => notifies).map(({ type }) => type));
  return all.filter(({ type }) => notifying.has(type));
}

/** @throws CommandFailure notFound */
async function findChannel(integrations: Integrations, name: string): Promise<Integration> {
  const found = (await channelsOf(integrations)).find((channel) => channel.name === name || channel.id === name);
  if (found) return found;
  throw new CommandFailure("notFound", `There is no channel "${name}". "domovoi channel list" shows them all.`);
}
