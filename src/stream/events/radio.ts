/**
 * `_21` and `_25`: what happens on a radio network while somebody works on it; and the same as a line of text, `_7`. Clients
 * of this interface know the groups of these actions, not their numbers: those are ours.
 *
 * @see docs/interface/radio-network.md
 */

import { familyOf } from "../../families.ts";
import type { Change } from "../../home/change.ts";
import type { RadioOperationKind, RadioQuestion, RadioStage } from "../../home/radio.ts";
import { escapeXml } from "../../util/xml.ts";
import { eventBody, progressBody, textElement } from "./event.ts";

type RadioMoved = Extract<Change, { readonly type: "radio-moved" }>;

/** Discovery 2, general 3, firmware 6, memory 7, interview 8. */
const GROUP_OF_KIND: Readonly<Record<RadioOperationKind, number>> = {
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
const ERROR = 4;
const SECURITY = 5;

/** From 2 on: 1 is what a radio tells of its own settings. */
const NUMBER_OF_STAGE: Readonly<Record<RadioStage, number>> = {
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

export function radioBodies(timestamp: string, { family, operation }: RadioMoved): readonly string[] {
  const { kind, stage, address, detail } = operation;
  const { name, radio } = familyOf(family);
  const control = radio?.eventControl ?? "";
  const action = `${groupOf(kind, stage)}.${NUMBER_OF_STAGE[stage]}`;
  const node = address ?? "";
  return [
    eventBody({ timestamp, control, action, node, info: operationElement(operation) }),
    progressBody(timestamp, `${name}: ${detail}`, node),
  ];
}

function groupOf(kind: RadioOperationKind, stage: RadioStage): number {
  if (stage === "failed") return ERROR;
  return stage === "asking" || stage === "securing" ? SECURITY : GROUP_OF_KIND[kind];
}

function operationElement({ id, kind, stage, percent, security, question, detail }: RadioMoved["operation"]): string {
  const attributes = [
    `id="${escapeXml(id)}" kind="${kind}" stage="${stage}"`,
    ...(percent === null ? [] : [`percent="${percent}"`]),
    ...(security === null ? [] : [`security="${security}"`]),
  ];
  return `<operation ${attributes.join(" ")}>${question ? questionElement(question) : ""}${textElement("detail", detail)}</operation>`;
}

function questionElement(question: RadioQuestion): string {
  switch (question.kind) {
    case "grant":
      return `<grant>${question.requested.map((name) => textElement("security", name)).join("")}</grant>`;
    case "pin":
      return `<pin dskRest="${escapeXml(question.dskRest)}" />`;
  }
}
