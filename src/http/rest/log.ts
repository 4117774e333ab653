/** `/rest/log` and `/rest/log/error`: the journal as lines of text. @see docs/interface/history.md */

import { type NodeEvent, nodeEvents } from "../../history/node-events.ts";
import { createZone, usableZone } from "../../util/zone.ts";
import { legacyProgramTime } from "../../wire/times.ts";
import { inquiryOf } from "../api/why.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { TEXT_TYPE } from "./rest-reply.ts";

const LINES_MAX = 1000;

/** What a line is about. */
const TYPE_CODES = { value: 1, command: 2, sent: 3, failed: -1, unreachable: -2 } as const;

/** The latest values, commands and presses, the oldest first. */
export async function getLog(request: HttpRequest, services: Services): Promise<Reply> {
  const query = { address: null, untilMs: Number.MAX_SAFE_INTEGER, sinceMs: null, before: null, limit: LINES_MAX };
  const { events } = await nodeEvents(inquiryOf(request, services), query);
  return lines(services, events.map(eventLine));
}

/** Commands that failed and devices that did not answer, the oldest first. */
export async function getErrorLog(request: HttpRequest, services: Services): Promise<Reply> {
  const { words, past } = inquiryOf(request, services);
  const { nodes } = words.home;
  const { entries } = await past.latest({
    types: ["command-moved", "node-link-changed"],
    holding: "",
    untilMs: Number.MAX_SAFE_INTEGER,
    sinceMs: null,
    limit: LINES_MAX,
    matches: ({ change }) =>
      (change.type === "command-moved" && change.state === "failed" && nodes.has(change.address)) ||
      (change.type === "node-link-changed" && change.link === "unreachable" && nodes.has(change.address)),
  });
  return lines(
    services,
    entries.flatMap(({ change, atMs }): readonly Line[] => {
      if (change.type === "command-moved")
        return [line("failed", atMs, `${words.name(change.address)}: ${change.command} failed. ${change.detail}`)];
      if (change.type !== "node-link-changed") return [];
      return [line("unreachable", atMs, `${words.name(change.address)} does not answer.`)];
    }),
  );

  function line(type: keyof typeof TYPE_CODES, atMs: number, text: string): Line {
    return { type, atMs, user: "System", address: "", text };
  }
}

type Line = {
  readonly type: keyof typeof TYPE_CODES;
  readonly atMs: number;
  readonly user: string;
  readonly address: string;
  readonly text: string;
};

function eventLine({ address, atMs, kind, name, value, state, detail, by }: NodeEvent): Line {
  const user = by.name ?? { program: "Program", account: "Web", device: "Device", controller: "System" }[by.kind];
  const text = [name, value ?? state ?? "", detail].filter((part) => part !== "").join(" ");
  return { type: kind, atMs, user, address, text };
}

/** The journal gives the newest first. */
function lines({ home }: Services, newest: readonly Line[]): Reply {
  const zone = createZone(usableZone(home.controller.timeZone));
  const text = newest.toReversed().map(({ type, atMs, user, address, text }) => {
    const name = home.nodes.get(address)?.name;
    const fields = [String(TYPE_CODES[type]), legacyProgramTime(atMs, zone), user, name ? `${name}: ${text}` : text];
    return `${fields.map(oneField).join("\t")}\r\n`;
  });
  return { status: 200, contentType: TEXT_TYPE, body: text.join("") };
}

/** A name cannot end a field or a line, steer a terminal, or be taken for markup by a program that guesses the type. */
function oneField(text: string): string {
  return text
    .replace(/[\p{Cc}]/gu, " ")
    .replace(/</g, "‹")
    .trim();
}
