/** Settings, input and answers as people write them: NAME=VALUE. */

import type { IntegrationSetting, IntegrationSettings } from "@domovoi/client";
import { askPassword } from "../connection/ask-password.ts";
import { usageFailure } from "../outcome.ts";
import { readNamedFile } from "../unreadable-file.ts";

/** A line of help. */
export function settingLine({ name, isRequired, isSecret, description }: IntegrationSetting): string {
  const marks = [isRequired ? "required" : "", isSecret ? "secret" : ""].filter((mark) => mark !== "");
  return `  ${name}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}: ${description}`;
}

/**
 * The controller checks the values; here only their kind is made of the text. Nothing behind the equals sign is null.
 * @param whose begins a sentence.
 * @throws CommandFailure usage
 */
export async function readMembers(
  whose: string,
  settings: readonly IntegrationSetting[],
  written: readonly string[],
): Promise<IntegrationSettings> {
  const members: Record<string, unknown> = {};
  for (const each of written) {
    const [, name = each, equals, text = ""] = /^([^=]*)(=)([\s\S]*)$/.exec(each) ?? [];
    const known = settings.find((setting) => setting.name === name);
    if (!known) {
      const names = settings.map((setting) => setting.name).join(", ");
      throw usageFailure(`${whose} has no setting "${name}".${names === "" ? "" : ` It has ${names}.`}`);
    }
    if (equals === undefined) {
      if (!known.isSecret) throw usageFailure(`The setting ${name} is written ${name}=VALUE.`);
      members[name] = await askPassword(`${known.title}: `);
    } else members[name] = text === "" ? null : valueFrom(known.type, name, fileOrText(text));
  }
  return members;
}

export function fileOrText(text: string): string {
  return text.startsWith("@") ? readNamedFile(text.slice(1)).trimEnd() : text;
}

function valueFrom(kind: string, name: string, text: string): unknown {
  if (kind === "string") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const wanted = kind === "integer" || kind === "number" ? "a number" : "JSON";
    throw usageFailure(`The setting ${name} is ${wanted}, not ${text}.`, cause);
  }
}
