/** One announced entity's configuration, read key by key. What cannot be read refuses the entity with a sentence for its owner. */

import { foreignText } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";
import type { Plain } from "../../exposed/expose.ts";
import type { Template } from "./template.ts";
import { TemplateError, textOfValue } from "./template-values.ts";
import type { Templates } from "./templates.ts";

/** Why an entity is not shown: a sentence. */
export class Refusal extends Error {}

const TEXT_MAX = 300;
const TEMPLATE_MAX = 1001;
const VALUES_MAX = 64;
const TOPIC_SHOWN_MAX = 100;

export class EntityConfig {
  /** Why parts of it are not read; the entity is shown without them. */
  readonly refusals: string[];
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #context: Context;

  constructor(config: Readonly<Record<string, unknown>>, context: Context) {
    this.#config = config;
    this.#context = context;
    this.refusals = context.refusals;
  }

  has(key: string): boolean {
    return (this.#config[key] ?? null) !== null;
  }

  /** The announcement sets it to null: there is none. Left out, the default of the protocol counts. */
  isNone(key: string): boolean {
    return this.#config[key] === null;
  }

  text(key: string, otherwise = ""): string {
    const value = this.#config[key];
    return typeof value === "string" || typeof value === "number" ? String(value).slice(0, TEXT_MAX) : otherwise;
  }

  /** As its device writes it: `true` stays JSON's. */
  payload(key: string, otherwise: string): string {
    return foreignText(this.#config[key] ?? otherwise, TEXT_MAX);
  }

  /** As a template or message has it: `true` is Python's. */
  word(key: string, otherwise: string): string {
    return textOfValue(this.#config[key] ?? otherwise);
  }

  /** null: it is none; a number in a text is one. */
  number(key: string): number | null {
    const value = this.#config[key];
    if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return null;
    const number = Number(value);
    return Number.isFinite(number) ? number : null;
  }

  isTrue(key: string): boolean {
    return this.#config[key] === true;
  }

  list(key: string): readonly Plain[] {
    const value = this.#config[key];
    const all: readonly unknown[] = Array.isArray(value) ? value.slice(0, VALUES_MAX) : [];
    return all.flatMap((each): Plain[] => {
      if (typeof each === "string") return [each.slice(0, TEXT_MAX)];
      return typeof each === "number" ? [each] : [];
    });
  }

  /** null: none. @throws Refusal, also for a topic of commands that is not the device's own */
  topic(key: string): string | null {
    const value = this.#config[key];
    if (value === undefined || value === null || value === "") return null;
    const topic = checkedTopic(value);
    const isSet = key.endsWith("command_topic") || key.startsWith("set_");
    if (isSet && isPattern(topic)) throw new Refusal(NO_TOPIC);
    if (key.endsWith("command_topic")) this.#requireOwn(topic);
    return topic;
  }

  /** Commands to an announced device must not command others, or the broker. */
  #requireOwn(topic: string): void {
    const isReserved = topic.startsWith("$") || this.#context.reserved.some((each) => isBelow(topic, each));
    if (!isReserved) return;
    throw new Refusal(`Its commands would go to ${topic.slice(0, TOPIC_SHOWN_MAX)}, which is not a topic of its own.`);
  }

  /** null: none. One that is not read gives no values, and is among the refusals. */
  template(key: string): Template | null {
    const value = this.#config[key];
    if (value === undefined || value === null || value === "") return null;
    try {
      if (typeof value === "object") throw new TemplateError("it is no text");
      return this.#context.templates.read(foreignText(value, TEMPLATE_MAX));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.refusals.push(`Its ${key.slice(0, 60)} cannot be read: ${error.message.slice(0, 100)}.`);
      return () => undefined;
    }
  }

  availability(): readonly Availability[] {
    const listed = this.#config.availability;
    const all = (Array.isArray(listed) ? listed.slice(0, VALUES_MAX) : isRecord(listed) ? [listed] : []).filter(
      isRecord,
    );
    const single = this.topic("availability_topic");
    const own = {
      topic: single,
      value_template: this.#config.availability_template,
      payload_available: this.#config.payload_available,
      payload_not_available: this.#config.payload_not_available,
    };
    return [...all, ...(single === null ? [] : [own])].map((each) => {
      const config = new EntityConfig(each, this.#context);
      return {
        topic: checkedTopic(each.topic),
        template: config.template("value_template"),
        available: config.word("payload_available", "online"),
        notAvailable: config.word("payload_not_available", "offline"),
      };
    });
  }
}

/** Of all entities of an announcement. */
type Context = {
  readonly templates: Templates;
  /** Topics below which no command may go. */
  readonly reserved: readonly string[];
  readonly refusals: string[];
};

export type Availability = {
  readonly topic: string;
  readonly template: Template | null;
  readonly available: string;
  readonly notAvailable: string;
};

function isBelow(topic: string, base: string): boolean {
  return topic === base || topic.startsWith(`${base}/`);
}

const NO_TOPIC = "One of its topics is empty, too long or has wildcard characters.";

/** A level that is `+` stands for every level. @throws Refusal for a topic that is none */
function checkedTopic(value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > TEXT_MAX || /[#\0]/.test(value)) {
    throw new Refusal(NO_TOPIC);
  }
  const levels = value.split("/");
  // One that names no level would be all messages of the broker.
  const isReadable = levels.every((level) => level === "+" || !level.includes("+")) && levels.some(isNamed);
  if (!isReadable) throw new Refusal(NO_TOPIC);
  return value;
}

function isNamed(level: string): boolean {
  return level !== "+" && level !== "";
}

export function isPattern(topic: string): boolean {
  return topic.includes("+");
}

/** Whether a message on `topic` is meant by `given`, which may be a pattern. */
export function isMeant(given: string, topic: string): boolean {
  if (!isPattern(given)) return given === topic;
  const [wanted, levels] = [given.split("/"), topic.split("/")];
  return wanted.length === levels.length && wanted.every((level, at) => level === "+" || level === levels[at]);
}
