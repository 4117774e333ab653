/** The kinds of notification channels, each an integration type: e-mail, ntfy, Pushover, Telegram and web hooks. */

import type { Urgency } from "../drivers/alert-port.ts";
import { answerPage, type NotificationMessage } from "../drivers/channel.ts";
import type { IntegrationSettings, IntegrationType } from "../drivers/integration-type.ts";
import type { SettingSchema } from "../drivers/settings-schema.ts";
import { type ChannelSettings, createChannel, type Deliver } from "./channel.ts";
import { readMailServer, UNREADABLE_SERVER } from "./mail-server.ts";
import { unreachable } from "./unreachable.ts";

const RECIPIENT_MAX = 255;
const CONTENT_CHARS_MAX = 4000;

const QUIET_FORM = "^(([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d)?$";

const COMMON = {
  recipient: {
    type: "integer",
    title: "Recipient number",
    description:
      "The number by which programs name this channel. 0: it receives the messages whose number no other channel has.",
    default: 0,
    minimum: 0,
    maximum: RECIPIENT_MAX,
  },
  alarms: {
    type: "boolean",
    title: "Alarms",
    description: "Sends the controller's own alarms too, such as a full disk or a lost adapter.",
    default: true,
  },
  alerts: {
    type: "boolean",
    title: "Alerts",
    description: "Gets alerts that are for all, such as water or smoke.",
    default: true,
  },
  quiet: {
    type: "string",
    title: "Quiet hours",
    description: "Notifications make no sound then, such as 22:00-07:00. Alerts do.",
    pattern: QUIET_FORM,
  },
  contents: {
    type: "object",
    title: "Contents",
    description: `Texts of programs by their content number, such as {"1":"Motion: \${Hall Motion.ST}"}.`,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

const address = (title: string, description: string): SettingSchema => ({
  type: "string",
  title,
  description,
  minLength: 1,
  maxLength: 2000,
});
const secret = (title: string, description: string): SettingSchema => ({
  ...address(title, description),
  writeOnly: true,
});
const url = (title: string, description: string): SettingSchema => ({
  ...address(title, description),
  pattern: "^https?://[^\\s]+$",
});

/** An address by which anyone who has it can send. */
const secretUrl = (title: string, description: string): SettingSchema => ({
  ...url(title, description),
  writeOnly: true,
});

type Kind = {
  readonly type: string;
  readonly name: string;
  readonly about: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, SettingSchema>>;
  readonly deliverBy: (settings: Readonly<Record<string, string>>) => Deliver;
  readonly mayAlarm?: (settings: Readonly<Record<string, string>>) => boolean;
  /** What is wrong with settings that fit the schema, without repeating them. */
  readonly violation?: (settings: Readonly<Record<string, string>>) => string | null;
};

const KINDS: readonly Kind[] = [
  {
    type: "email",
    name: "E-mail",
    about: "Sends notifications by a mail server (SMTP).",
    required: ["server", "to"],
    properties: {
      server: {
        ...secret("Mail server", "smtps://USER:PASSWORD@mail.example.org, or smtp://HOST:25 for one in the home."),
        pattern: "^smtps?://[^\\s]+$",
      },
      to: address("To", "Addresses that get the mail, separated by commas."),
      from: address("From", "Address of the sender. Default: the first of the recipients."),
    },
    violation: ({ server = "" }) => (readMailServer(server) ? null : UNREADABLE_SERVER),
    deliverBy: (settings) => async (message, signal) =>
      (await import("./send-email.ts")).sendEmail(settings, { ...message, text: withLink(message) }, signal),
  },
  {
    type: "ntfy",
    name: "ntfy",
    about: "Sends notifications to phones by ntfy.sh or an ntfy server of your own.",
    required: ["url"],
    properties: {
      url: secretUrl("Topic", "Address of the topic, such as https://ntfy.sh/my-home-7hq2."),
      token: secret("Access token", "For topics that need one."),
    },
    deliverBy: (settings) => {
      const topic = new URL(settings.url ?? "");
      const name = decodeURIComponent(topic.pathname.slice(1));
      return (message, signal) => {
        const { subject: title, text } = message;
        const about = { topic: name, title, message: text, ...ntfyExtras(message) };
        return postJson(topic.origin, about, signal, authorization(settings.token));
      };
    },
  },
  {
    type: "pushover",
    name: "Pushover",
    about: "Sends notifications to phones by Pushover.",
    required: ["token", "user"],
    properties: {
      token: secret("API token", "Token of the application, from pushover.net."),
      user: secret("User key", "Key of the user or group."),
      url: url("Server", "Only for tests. Default: Pushover's own."),
    },
    deliverBy:
      ({ token, user, url: server = "https://api.pushover.net/1/messages.json" }) =>
      (message, signal) => {
        const { subject: title, text } = message;
        const link = answerPage(message);
        const priority = PUSHOVER[levelOf(message)];
        const about = { ...(priority !== 0 && { priority }), ...(link !== "" && { url: link, url_title: ANSWER }) };
        return postJson(server, { token, user, title, message: text, ...about }, signal);
      },
  },
  {
    type: "telegram",
    name: "Telegram",
    about: "Sends notifications to a Telegram chat by a bot.",
    required: ["token", "chat"],
    properties: {
      token: secret("Bot token", "From @BotFather."),
      chat: address("Chat id", "Number of the chat, or @channel."),
      url: url("Server", "Only for a bot server of your own. Default: Telegram's."),
    },
    deliverBy:
      ({ token, chat, url: server = "https://api.telegram.org" }) =>
      (message, signal) => {
        const isSilent = levelOf(message) === "low";
        const about = {
          text: `${message.subject}\n${withLink(message)}`,
          ...(isSilent && { disable_notification: true }),
        };
        return postJson(`${server}/bot${token}/sendMessage`, { chat_id: chat, ...about }, signal);
      },
  },
  {
    type: "webhook",
    name: "Web hook",
    about: "Posts notifications as JSON to an address of yours: subject, text and time.",
    required: ["url"],
    properties: {
      url: secretUrl("Address", "Gets a POST with subject, text and time."),
      token: secret("Bearer token", "Sent as Authorization header, if the receiver requires one."),
    },
    deliverBy:
      ({ url: target = "", token }) =>
      (message, signal) => {
        const { subject, text, atMs, alert, isSilent } = message;
        const link = answerPage(message);
        const about = {
          ...(alert && { alert: alert.tag, urgency: alert.urgency }),
          ...(link !== "" && { link }),
          ...(isSilent && { silent: true }),
        };
        const body = { subject, text, time: new Date(atMs).toISOString(), ...about };
        return postJson(target, body, signal, authorization(token));
      },
  },
];

const ANSWER = "Answer";
const NTFY: Readonly<Record<Urgency, number>> = { low: 2, normal: 3, high: 4, critical: 5 };
/** Its emergency priority repeats by itself until it is confirmed there, which this controller would not know. */
const PUSHOVER: Readonly<Record<Urgency, number>> = { low: -1, normal: 0, high: 1, critical: 1 };

function levelOf({ alert, isSilent }: NotificationMessage): Urgency {
  return isSilent ? "low" : (alert?.urgency ?? "normal");
}

/** Its app sends the answer itself, so the controller needs a certificate that the phone trusts. */
function ntfyExtras(message: NotificationMessage) {
  const { alert } = message;
  const level = levelOf(message);
  const link = answerPage(message);
  const labels = ["Confirm", ...(alert?.buttons ?? [])].slice(0, NTFY_ACTIONS_MAX);
  const actions = labels.map((label, button) => ({
    ...{ action: "http", label, url: `${alert?.pageUrl}/api/alert-answer`, method: "POST", clear: true },
    ...{ headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: alert?.token, button }) },
  }));
  return { ...(level !== "normal" && { priority: NTFY[level] }), ...(link !== "" && { click: link, actions }) };
}

const NTFY_ACTIONS_MAX = 3;

function withLink(message: NotificationMessage): string {
  const link = answerPage(message);
  return link === "" ? message.text : `${message.text}\n${ANSWER}: ${link}`;
}

export const channelTypes: readonly IntegrationType[] = KINDS.map(channelType);

export function channelType({
  type,
  name,
  about,
  required,
  properties,
  deliverBy,
  mayAlarm,
  violation,
}: Kind): IntegrationType {
  return {
    type,
    name,
    about,
    families: [],
    instancesMax: 20,
    notifies: true,
    settings: {
      type: "object",
      required,
      properties: { ...properties, ...COMMON },
      additionalProperties: false,
    },
    check: (settings) => contentsViolation(settings) ?? violation?.(textsOf(settings)) ?? null,
    create: async ({ id, settings }) => {
      const texts = textsOf(settings);
      return { channel: createChannel(id, commonOf(settings), deliverBy(texts), () => mayAlarm?.(texts) ?? true) };
    },
  };
}

function commonOf({ recipient, alarms, alerts, quiet = "", contents }: IntegrationSettings): ChannelSettings {
  return {
    recipient: typeof recipient === "number" ? recipient : 0,
    alarms: alarms !== false,
    alerts: alerts !== false,
    quiet: String(quiet),
    contents: (contents ?? {}) as Readonly<Record<string, string>>,
  };
}

function textsOf(settings: IntegrationSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function contentsViolation({ contents = {} }: IntegrationSettings): string | null {
  const fits = Object.entries(contents as object).every(
    ([number, text]) => /^\d{1,3}$/.test(number) && typeof text === "string" && text.length <= CONTENT_CHARS_MAX,
  );
  return fits ? null : `contents has numbers from 0 to 999 with texts of up to ${CONTENT_CHARS_MAX} characters.`;
}

function authorization(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** @throws Error with a sentence that holds neither the address nor the body: both may be secret */
async function postJson(
  url: string,
  body: object,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The receiver answered with status ${answer.status}.`);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
  if (error instanceof Error && error.name === "AbortError") return "The receiver did not answer in time.";
  return unreachable("The receiver", typeof code === "string" ? code : null);
}
