/**
 * `_21`, `_25`, `_27`, `_28`: the steps of an operation, on the control of its radio; and the same as a line of text, `_7`, for
 * every family. Clients of this interface know the groups of these actions, not their numbers: those are ours.
 *
 * @see docs/interface/radio-network.md
 */

import { familyOf } from "../../families.ts";
import type { Change } from "../../home/change.ts";
import type { OperationQuestion, OperationStage } from "../../home/operation.ts";
import { escapeXml } from "../../util/xml.ts";
import { eventBody, progressBody, textElement } from "./event.ts";

type OperationMoved = Extract<Change, { readonly type: "operation-moved" }>;

/** Discovery 2, general 3, firmware 6, memory 7, interview 8. */
const GROUP_OF_KIND: Readonly<Record<string, number>> = {
  include: 2,
  exclude: 2,
  replace: 2,
  "remove-failed": 2,
  "rebuild-routes": 3,
  reset: 3,
  "update-firmware": 6,
  backup: 7,
  restore: 7,
  interview: 8,
};
const GENERAL = 3;
/** Events of linking devices in networks without a control of their own. */
const LINKER = "_20";
const ERROR = 4;
const SECURITY = 5;

/** Starts at 2, because 1 reports a radio's own settings. */
const NUMBER_OF_STAGE: Readonly<Record<OperationStage, number>> = {
  starting: 2,
  waiting: 3,
  found: 4,
  asking: 5,
  securing: 6,
  interviewing: 7,
  working: 8,
  done: 9,
  cancelled: 10,
  failed: 11,
};

export function operationBodies(timestamp: string, { family, operation }: OperationMoved): readonly string[] {
  const { kind, stage, address, detail } = operation;
  const { name, radio } = familyOf(family);
  const line = progressBody(timestamp, name === "" ? detail : `${name}: ${detail}`, address ?? "");
  const action = `${groupOf(kind, stage)}.${NUMBER_OF_STAGE[stage]}`;
  const info = operationElement(operation);
  return [eventBody({ timestamp, control: radio?.eventControl ?? LINKER, action, node: address ?? "", info }), line];
}

function groupOf(kind: string, stage: OperationStage): number {
  if (stage === "failed") return ERROR;
  return stage === "asking" || stage === "securing" ? SECURITY : (GROUP_OF_KIND[kind] ?? GENERAL);
}

function operationElement({ id, kind, stage, percent, result, question, detail }: OperationMoved["operation"]): string {
  const attributes = [
    `id="${escapeXml(id)}" kind="${escapeXml(kind)}" stage="${stage}"`,
    ...(percent === null ? [] : [`percent="${percent}"`]),
    ...attributesOf(result),
  ];
  return `<operation ${attributes.join(" ")}>${question ? questionElement(question) : ""}${textElement("detail", detail)}</operation>`;
}

/** An element of the question's kind: single values as attributes, each value of a list as an element. */
function questionElement({ kind, data }: OperationQuestion): string {
  const lists = Object.entries(data).flatMap(([name, value]) =>
    typeof value === "object" && isXmlName(name) ? value.map((item) => textElement(name, item)) : [],
  );
  const tag = isXmlName(kind) ? kind : "question";
  const attributes = attributesOf(data).map((attribute) => ` ${attribute}`);
  const start = `<${tag}${attributes.join("")}`;
  return lists.length === 0 ? `${start} />` : `${start}>${lists.join("")}</${tag}>`;
}

function attributesOf(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === "object" || !isXmlName(name) ? [] : [`${name}="${escapeXml(String(value))}"`],
  );
}

/** Names come from drivers. */
function isXmlName(name: string): boolean {
  return /^[A-Za-z_][\w-]{0,39}$/.test(name);
}
