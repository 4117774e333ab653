/** `domovoi programs`: programs and how they stand. Their texts are the matter of `domovoi program`. */

import type { Home, Program } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import type { Column, Paint } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import { programNamed } from "./find.ts";
import { homeZone } from "./home-zone.ts";
import { printList, sortedBy, sortKey } from "./list.ts";
import { folderPathOf } from "./property.ts";

type ProgramsOptions = ConnectionOptions & {
  readonly folder?: string;
  readonly folders?: boolean;
  readonly sort: string;
};

const columnsIn = (timeZone: string | undefined): readonly Column<Program>[] => [
  { title: "PROGRAM", text: ({ name, isFolder }) => (isFolder ? `${name}/` : name) },
  { title: "FOLDER", text: folderPathOf },
  { title: "STATE", text: stateOf, paint: paintOfState },
  { title: "LAST RUN", text: ({ lastRunTime }) => readableTime(lastRunTime, timeZone) },
  { title: "NEXT RUN", text: ({ nextScheduledRunTime }) => readableTime(nextScheduledRunTime, timeZone) },
  { title: "ID", text: ({ id }) => id },
];
const SORT_KEYS: Readonly<Record<string, (program: Program) => string>> = {
  path: ({ path }) => path,
  name: ({ name }) => name,
  id: ({ id }) => id,
  state: stateOf,
  last: ({ lastRunTime }) => lastRunTime ?? "",
  next: ({ nextScheduledRunTime }) => nextScheduledRunTime ?? "~",
};

export async function listPrograms(home: Home, options: ProgramsOptions): Promise<void> {
  const key = sortKey(options.sort, SORT_KEYS);
  const folder = options.folder === undefined ? null : programNamed(home, options.folder);
  if (folder && !folder.isFolder) throw usageFailure(`"${options.folder}" is a program, not a folder.`);
  const programs = [...home.programs].filter(
    ({ isFolder, path, id }) =>
      (options.folders || !isFolder) && (folder === null || (id !== folder.id && isWithin(path, folder.path))),
  );
  const sorted = sortedBy(
    programs,
    key,
    ({ path }) => path,
    ({ id }) => id,
  );
  printList(sorted, options, "There are no programs here.", columnsIn(await homeZone(home, options)), programJson);
}

/** The path of the root folder is empty: everything is within. */
function isWithin(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

function stateOf({ isFolder, enabled, running, status }: Program): string {
  if (isFolder) return String(status);
  if (!enabled) return "disabled";
  return running === null || running === "idle" ? String(status) : running;
}

function paintOfState(program: Program): Paint | null {
  if (!program.isFolder && !program.enabled) return "gray";
  if ((program.running ?? "idle") !== "idle") return "yellow";
  return program.status ? "green" : null;
}

function programJson(program: Program): object {
  const { id, name, path, parentId, isFolder, status, enabled, running, runAtStartup } = program;
  const { lastRunTime, lastFinishTime, nextScheduledRunTime } = program;
  const state = { id, name, path, parentId, isFolder, status, enabled, running, runAtStartup };
  return { ...state, lastRunTime, lastFinishTime, nextScheduledRunTime };
}
