/** `domovoi events`: what a node reported and was sent, the newest last. */

import type { Home, NodeEvent } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import { readableTime } from "../show/time.ts";
import { nodeNamed } from "./find.ts";
import { type ListOptions, printList } from "./list.ts";
import { timeOf } from "./why.ts";

type EventsOptions = ConnectionOptions & ListOptions & { readonly limit?: string; readonly until?: string };

const EVENTS_SHOWN = 50;
const EVENTS_MAX = 200;

export async function showNodeEvents(home: Home, key: string, options: EventsOptions): Promise<void> {
  const limit = Number(options.limit ?? EVENTS_SHOWN);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > EVENTS_MAX)
    throw usageFailure(`--limit is 1 to ${EVENTS_MAX}.`);
  const { address, name } = nodeNamed(home, key);
  const { until } = options;
  const before = until === undefined ? {} : { until: new Date(await timeOf(home, until, "--until")) };
  const events = await home.nodeEvents(address, { limit, ...before });
  const { timeZone } = await home.edits.place();
  printList(events.toReversed(), options, `The journal holds no events of "${name}".`, {
    TIME: ({ time }) => readableTime(time, timeZone),
    WHAT: whatOf,
    BY: ({ by }) => by.name ?? by.kind,
    OUTCOME: ({ state, detail }) => [state ?? "", detail].filter((part) => part !== "").join(": "),
  });
}

function whatOf({ kind, name, value }: NodeEvent): string {
  if (kind === "value") return `${name}: ${value ?? "unknown"}`;
  return kind === "command" ? `${[name, value].join(" ").trim()} was commanded` : `${name} was sent by the device`;
}
