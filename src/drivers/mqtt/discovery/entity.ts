/** What an announced entity is: what it exposes, where its values come from, and what a command publishes. */

import { readForeignJson } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";
import { asNumber, type Expose } from "../../exposed/expose.ts";
import type { Message } from "../../exposed/feature.ts";
import type { EntityConfig } from "./entity-config.ts";
import { Refusal } from "./entity-config.ts";
import type { Scope, Template } from "./template.ts";

export type Publication = { readonly topic: string; readonly payload: string; readonly isRetained: boolean };

type Source = {
  readonly topic: string;
  /** What a message says, by the properties of the expose; what it does not say is left out. */
  read(scope: Scope): Message;
};

export type Made = {
  readonly expose: Expose;
  readonly sources: readonly Source[];
  /** null: it does not take this. */
  readonly encode: (message: Message) => readonly Publication[] | null;
};

/** @param convert undefined: the message says nothing of it; null: there is no value */
export function source(
  topic: string | null,
  template: Template | null,
  property: string,
  convert: (text: string) => unknown,
): readonly Source[] {
  if (topic === null) return [];
  return [
    {
      topic,
      read(scope) {
        const text = template ? template(scope) : String(scope.value);
        if (text === undefined) return {};
        const value = text === "None" || text === "" ? null : convert(text);
        return value === undefined ? {} : { [property]: value };
      },
    },
  ];
}

export function scopeOf(payload: Buffer): Scope {
  const value = payload.toString();
  const json = readForeignJson(value);
  return json === undefined ? { value } : { value, value_json: json };
}

/** undefined: it is no number, such as "unavailable". */
export function asMeasured(text: string): number | undefined {
  return asNumber(text) ?? undefined;
}

/** One of two words; undefined: another one. */
export function asState(on: string, off: string): (text: string) => boolean | undefined {
  return (text) => (text === on ? true : text === off ? false : undefined);
}

type Output = (value: string | number) => readonly Publication[] | null;

/** What publishes a value; null: it takes none. @throws Refusal */
export function output(config: EntityConfig, topicKey: string, templateKey: string): Output | null {
  const topic = config.topic(topicKey);
  if (topic === null) return null;
  const template = config.template(templateKey);
  const isRetained = config.isTrue("retain");
  return (value) => {
    // Covers call it their position. Locks may want a code, and get none.
    const payload = template ? template({ value, position: value, code: "" }) : String(value);
    return payload === undefined ? null : [{ topic, payload, isRetained }];
  };
}

/** @throws Refusal without one */
export function requiredOutput(config: EntityConfig): Output {
  const found = output(config, "command_topic", "command_template");
  if (!found) throw new Refusal("It has no topic for commands.");
  return found;
}

/** Encodes each value of a message by the output of its property; null where one has none. */
export function encoder(outputs: Readonly<Record<string, ((value: unknown) => readonly Publication[] | null) | null>>) {
  return (message: Message): readonly Publication[] | null => {
    const all: Publication[] = [];
    for (const [property, value] of Object.entries(message)) {
      const made = Object.hasOwn(outputs, property) ? (outputs[property]?.(value) ?? null) : null;
      if (made === null) return null;
      all.push(...made);
    }
    return all;
  };
}

export function memberNumber(value: unknown, key: string): number | null {
  const member = isRecord(value) ? value[key] : null;
  return typeof member === "number" && Number.isFinite(member) ? member : null;
}
