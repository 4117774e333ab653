/** `/rest/log` and `/rest/log/error`: the journal as lines of text. @see docs/interface/history.md */

import { type NodeEvent, nodeEvents } from "../../history/node-events.ts";
import { createZone, usableZone } from "../../util/zone.ts";
import { logTime } from "../../wire/times.ts";
import { inquiryOf } from "../api/why.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { TEXT_TYPE } from "./rest-reply.ts";

const LINES_MAX = 1000;

/** Numbers of the originals for who did it. */
const USERS: Readonly<Record<NodeEvent["by"]["kind"], number>> = { controller: 0, device: 1, account: 2, program: 4 };
const LOG = 5;
const NO_VALUE = "-";
const FAILED = -1;
const UNREACHABLE = -2;

type Line = { readonly atMs: number; fields(time: string): readonly (string | number)[] };

/** The latest values, commands and presses, the oldest first; with `reset=true` only those from now on, for this account. */
export async function getLog(request: HttpRequest, services: Services): Promise<Reply> {
  const sinceMs = beginOf(request, services);
  const query = { address: null, untilMs: Number.MAX_SAFE_INTEGER, sinceMs, before: null, limit: LINES_MAX };
  const { events } = await nodeEvents(inquiryOf(request, services), query);
  return lines(
    services,
    events.map(({ atMs, address, control, value, state, by }) => ({
      atMs,
      fields: (time) => [address, control, value ?? state ?? NO_VALUE, time, USERS[by.kind], LOG],
    })),
  );
}

/** Commands that failed and devices that did not answer, the oldest first. */
export async function getErrorLog(request: HttpRequest, services: Services): Promise<Reply> {
  const { words, past } = inquiryOf(request, services);
  const { nodes } = words.home;
  const sinceMs = beginOf(request, services);
  const { entries } = await past.latest({
    types: ["command-moved", "node-link-changed"],
    holding: "",
    untilMs: Number.MAX_SAFE_INTEGER,
    sinceMs,
    limit: LINES_MAX,
    matches: ({ change, atMs }) =>
      atMs >= (sinceMs ?? 0) &&
      ((change.type === "command-moved" && change.state === "failed" && nodes.has(change.address)) ||
        (change.type === "node-link-changed" && change.link === "unreachable" && nodes.has(change.address))),
  });
  return lines(
    services,
    entries.flatMap(({ change, atMs }): readonly Line[] => {
      if (change.type === "command-moved")
        return [line(FAILED, atMs, `${words.name(change.address)}: ${change.command} failed. ${change.detail}`)];
      if (change.type !== "node-link-changed") return [];
      return [line(UNREACHABLE, atMs, `${words.name(change.address)} does not answer.`)];
    }),
  );

  function line(code: number, atMs: number, text: string): Line {
    return { atMs, fields: (time) => [time, USERS.controller, code, text] };
  }
}

/** Where the log begins for the account. The journal keeps everything. */
function beginOf({ query, principal }: HttpRequest, { logBegins, clock }: Services): number | null {
  const account = principal?.accountId ?? "";
  if (query.get("reset") === "true") logBegins.set(account, clock.now());
  return logBegins.get(account) ?? null;
}

/** The journal gives the newest first. */
function lines({ home }: Services, newest: readonly Line[]): Reply {
  const zone = createZone(usableZone(home.controller.timeZone));
  const text = newest.toReversed().map(
    ({ atMs, fields }) =>
      `${fields(logTime(atMs, zone))
        .map((field) => oneField(String(field)))
        .join("\t")}\r\n`,
  );
  return { status: 200, contentType: TEXT_TYPE, body: text.join("") };
}

/** A name cannot end a field or a line, steer a terminal, or be taken for markup by a program that guesses the type. */
function oneField(text: string): string {
  return text
    .replace(/[\p{Cc}]/gu, " ")
    .replace(/</g, "‹")
    .trim();
}
