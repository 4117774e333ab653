/** Tools for a draft of a program: it is verified and replayed on the home's own past before anybody sees it. */

import type { Replay, ReplayResult } from "@domovoi/client";
import { DAY_MS } from "../util/clock.ts";
import { findingOf } from "./looking.ts";
import { cut, numberIn, type Tool, type ToolContext, ToolFailure, type ToolInput, textIn } from "./tool.ts";

const DIFFERENCES_MAX = 30;
/** The controller waits a second at each look. */
const LOOKS_MAX = 12;

const text = { type: "string", description: "The text of a program, as read shows the text of others." } as const;

export const draftingTools: readonly Tool[] = [
  {
    name: "verify",
    about: "Looks for mistakes in the text of a program, without saving it. Returns findings with their proof.",
    members: { text },
    required: ["text"],
    run: async ({ home }, input) => {
      const findings = await home.programs.verify({ text: textIn(input, "text") ?? "" });
      return cut("findings", findings.map(findingOf), DIFFERENCES_MAX);
    },
  },
  {
    name: "replay",
    about:
      "Replays the recorded past of the home with the text of a changed or new program, and lists what it would have done otherwise. Nothing is sent or saved. A long replay answers with its id: ask again with `id`.",
    members: {
      text,
      days: { type: "number", exclusiveMinimum: 0, maximum: 31, description: "How far back. Default: 7." },
      id: { type: "string", description: "Of a replay that was still running, in place of the others." },
    },
    run: replay,
  },
];

async function replay({ home, now }: ToolContext, input: ToolInput): Promise<object> {
  const [id, draft] = [textIn(input, "id"), textIn(input, "text")];
  if (id === null && draft === null) throw new ToolFailure("replay needs the text of a program.");
  const from = new Date(now() - numberIn(input, "days", 7) * DAY_MS);
  let job: Replay =
    id === null ? await home.replays.begin({ from, changes: [{ text: draft ?? "" }] }) : await home.replays.follow(id);
  for (let look = 0; job.state === "running" && look < LOOKS_MAX; look++) job = await home.replays.follow(job.id);
  if (job.state === "running") return { id: job.id, state: job.state, progress: job.progress };
  await home.replays.remove(job.id);
  if (!job.result) throw new ToolFailure(job.failure ?? "The replay failed.");
  return summaryOf(job.result);
}

function summaryOf(result: ReplayResult): object {
  const { zone, entries, faithful, programs, differences, differencesTotal } = result;
  const lines = differences.map(({ kind, localTime, localWas, program, text: statement, certain }) => ({
    ...{ kind, time: localTime, program: program.name, statement },
    ...(localWas !== null && { was: localWas }),
    ...(certain ? {} : { certain }),
  }));
  return {
    ...{ zone, entries, faithful },
    programs: programs.filter(({ changed }) => changed),
    ...{ ...cut("differences", lines, DIFFERENCES_MAX), total: differencesTotal },
  };
}
