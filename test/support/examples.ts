/**
 * The examples of docs/interface as fixtures: each `http` block is a request, followed by the block of its answer. In
 * an answer "…" matches anything: a value, the rest of an array, a stretch of XML or text.
 */

import type { TestController } from "./controller.ts";
import type { Answer } from "./https-client.ts";

type Example = {
  /** Line of the request in the page, from 1. */
  readonly line: number;
  readonly method: string;
  readonly target: string;
  readonly body: string | null;
  readonly language: string;
  readonly status: number;
  readonly answer: string;
};

const PAIR = /```http\n([\s\S]*?)\n```\n+```(json|xml|text)(?: (\d{3}))?\n([\s\S]*?)\n```/g;
const ANYTHING = "…";

export function readExamples(text: string): readonly Example[] {
  return [...text.matchAll(PAIR)].map((match) => {
    const [head = "", ...rest] = (match[1] ?? "").split("\n");
    const [method = "", target = ""] = head.split(" ");
    const body = rest.join("\n").trim();
    return {
      line: text.slice(0, match.index).split("\n").length + 1,
      method,
      target,
      body: body === "" ? null : body,
      language: match[2] ?? "",
      status: Number(match[3] ?? 200),
      answer: match[4] ?? "",
    };
  });
}

/** JSON paths are requested at the portal, the others at the local listener. */
export function askExample(controller: TestController, { method, target, body }: Example): Promise<Answer> {
  const [listener, credentials] = target.startsWith("/api/")
    ? [controller.portal, controller.bearer()]
    : [controller.local, controller.basic()];
  if (body === null) return listener.request(method, target, { headers: credentials });
  return listener.request(method, target, { headers: { ...credentials, "Content-Type": "application/json" }, body });
}

/** True when what came is what the page shows. */
export function answers(example: Example, came: string): boolean {
  if (example.language !== "json") return inOrder(squeeze(example.answer), squeeze(came));
  return fits(JSON.parse(example.answer), JSON.parse(came));
}

function fits(shown: unknown, came: unknown): boolean {
  if (shown === ANYTHING) return true;
  if (Array.isArray(shown)) {
    if (!Array.isArray(came)) return false;
    const open = shown.at(-1) === ANYTHING;
    const items = open ? shown.slice(0, -1) : shown;
    return (
      (open ? came.length >= items.length : came.length === items.length) &&
      items.every((item, at) => fits(item, came[at]))
    );
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof came !== "object" || came === null) return false;
    const members = came as Record<string, unknown>;
    const open = ANYTHING in shown;
    const names = Object.keys(shown).filter((name) => name !== ANYTHING);
    return (
      (open || names.length === Object.keys(members).length) &&
      names.every((name) => name in members && fits(Reflect.get(shown, name), members[name]))
    );
  }
  return shown === came;
}

/** Line breaks between elements are for the reader of the page. */
function squeeze(text: string): string {
  return text
    .replace(/>\s+</g, "><")
    .replace(/>\s*…\s*</g, ">…<")
    .trim();
}

function inOrder(shown: string, came: string): boolean {
  const pieces = shown.split(ANYTHING);
  const [first = "", ...others] = pieces;
  if (!came.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = came.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pieces.length > 1 ? came.endsWith(pieces.at(-1) ?? "") : at === came.length;
}
