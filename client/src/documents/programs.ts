/** `/api/programs` and `/rest/programs?subfolders=true`: programs and their folders, flat. @see docs/interface/programs.md */

import { isoFromLocal, type Zone } from "../model/local-time.ts";
import type { ProgramRecord } from "../model/records.ts";
import { booleanOf, objectsOf, textOf, textOrNull } from "./json.ts";
import { childText, parseXml } from "./xml.ts";

export function readProgramsJson(data: unknown): Map<string, ProgramRecord> {
  const entries = objectsOf(Array.isArray(data) ? data : null).map((entry) => ({
    id: programId(entry.id),
    name: textOf(entry.name),
    parentId: entry.parentId === 0 ? null : programId(entry.parentId) || null,
    isFolder: booleanOf(entry.folder, false),
    status: booleanOf(entry.status, false),
    enabled: booleanOf(entry.enabled, true),
    runAtStartup: booleanOf(entry.runAtStartup, false),
    running: textOf(entry.running, "idle"),
    lastRunTime: textOrNull(entry.lastRunTime),
    lastFinishTime: textOrNull(entry.lastFinishTime),
    nextScheduledRunTime: textOrNull(entry.nextScheduledRunTime),
  }));
  return withPaths(entries);
}

/** @throws ClientError `BAD_DOCUMENT` */
export function readProgramsXml(document: string, zone: Zone | null): Map<string, ProgramRecord> {
  const entries = parseXml(document).children.filter(({ name }) => name === "program");
  return withPaths(
    entries.map((element) => {
      const { id, parentId, folder, status, enabled, runAtStartup, running } = element.attributes;
      const time = (name: string) => isoFromLocal(childText(element, name), zone);
      return {
        id: programId(id),
        name: childText(element, "name"),
        parentId: programId(parentId) || null,
        isFolder: folder === "true",
        status: status === "true",
        enabled: enabled !== "false",
        runAtStartup: runAtStartup === "true",
        running: runningWords(running ?? ""),
        lastRunTime: time("lastRunTime"),
        lastFinishTime: time("lastFinishTime"),
        nextScheduledRunTime: time("nextScheduledRunTime"),
      };
    }),
  );
}

/** Four upper-case hex digits, of digits as text or of a number; empty for what is none. */
export function programId(id: unknown): string {
  if (typeof id === "number") return Number.isInteger(id) && id > 0 ? hexId(id.toString(16)) : "";
  return typeof id === "string" ? hexId(id.trim()) : "";
}

type Entry = Omit<ProgramRecord, "path">;

function hexId(digits: string): string {
  return digits === "" ? "" : digits.toUpperCase().padStart(4, "0");
}

const NOT_OF_FOLDERS = {
  ...{ enabled: null, runAtStartup: null, running: null },
  ...{ lastRunTime: null, lastFinishTime: null, nextScheduledRunTime: null },
};

function withPaths(entries: readonly Entry[]): Map<string, ProgramRecord> {
  const byId = new Map(entries.filter(({ id }) => id !== "").map((entry) => [entry.id, entry]));
  return new Map(
    Array.from(byId, ([id, entry]) => {
      const path = pathOf(entry, byId);
      return [id, entry.isFolder ? { ...entry, ...NOT_OF_FOLDERS, path } : { ...entry, path }];
    }),
  );
}

/** Names of the folders below the root folder, top down. A circle of parents ends where it closes. */
function pathOf(entry: Entry, byId: ReadonlyMap<string, Entry>): string {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at: Entry | undefined = entry; at && !seen.has(at.id); at = byId.get(at.parentId ?? "")) {
    seen.add(at.id);
    const isRoot = at.isFolder && !byId.has(at.parentId ?? "");
    if (!isRoot) names.unshift(at.name);
  }
  return names.join("/");
}

/** Some write only the clause. */
function runningWords(running: string): string {
  return running === "then" || running === "else" ? `running ${running}` : running || "idle";
}
