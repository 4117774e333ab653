/** `/api/programs`: programs and their folders, flat. @see docs/interface/programs.md */

import type { ProgramEntry } from "../../home/programs.ts";
import { runningWords } from "../../wire/program-status.ts";
import { isoTime } from "../../wire/times.ts";
import { programId } from "../../wire/tree.ts";
import { JSON_TYPE } from "../envelope.ts";
import type { House } from "../house.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";

const time: JsonSchema = { type: "string", description: "ISO 8601 in UTC, or empty." };

export const programsData: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "status", "folder", "name", "lastRunTime", "lastFinishTime", "nextScheduledRunTime"],
    properties: {
      id: { type: "string", pattern: "^[0-9A-F]{4}$" },
      parentId: { type: "string", description: "Left out on the root folder only." },
      status: { type: "string", enum: ["true", "false"], description: "Result of the last evaluation." },
      folder: { type: "boolean" },
      enabled: { type: "boolean", description: "Programs only." },
      runAtStartup: { type: "boolean", description: "Programs only." },
      running: { type: "string", enum: ["idle", "running then", "running else"], description: "Programs only." },
      name: { type: "string" },
      lastRunTime: time,
      lastFinishTime: time,
      nextScheduledRunTime: time,
    },
  },
};

/** Folders first, both in the order of their ids. */
export function getPrograms(_request: HttpRequest, { home, documents }: House): Reply {
  return documents.serve("/api/programs", String(home.version("programs")), JSON_TYPE, () => {
    const rank = (entry: ProgramEntry) => (entry.kind === "folder" ? 0 : 1);
    const entries = [...home.programs.values()].sort((a, b) => rank(a) - rank(b) || a.id - b.id);
    return JSON.stringify({ successful: true, data: entries.map(programJson) });
  });
}

function programJson(entry: ProgramEntry): object {
  const program =
    entry.kind === "program"
      ? { enabled: entry.enabled, runAtStartup: entry.runAtStartup, running: runningWords(entry) }
      : {};
  return {
    id: programId(entry.id),
    ...(entry.parentId === null ? {} : { parentId: programId(entry.parentId) }),
    status: String(entry.status === true),
    folder: entry.kind === "folder",
    ...program,
    name: entry.name,
    lastRunTime: isoTime(entry.lastRunAtMs),
    lastFinishTime: isoTime(entry.lastFinishAtMs),
    nextScheduledRunTime: isoTime(entry.nextRunAtMs),
  };
}
