/** `domovoi replay`: a span of the journal through the programs once more, as they were and changed. Writes nothing. */

import { readFileSync } from "node:fs";
import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import { type Program, type ProgramDefinition, ROOT_PROGRAM_ID } from "../home/programs.ts";
import { Placed } from "../http/api/placed.ts";
import { parseTree } from "../http/api/trigger-parse.ts";
import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { Profile } from "../profile/profile.ts";
import { replay } from "../replay/replay.ts";
import { replayJson, replayText } from "../replay/replay-text.ts";
import { openRecording } from "../store/recording/open-recording.ts";
import { createLog } from "../util/log.ts";
import { complain } from "./complain.ts";
import { readSettings } from "./read-settings.ts";

export type ReplayOptions = {
  readonly data?: string;
  readonly config?: string;
  readonly from: string;
  readonly to: string;
  readonly with?: string;
  readonly json?: boolean;
};

export function runReplay({ from, to, with: file, json = false, ...settings }: ReplayOptions): void {
  try {
    const config = readSettings(settings);
    const revise = file === undefined ? null : readRevision(file);
    const recording = openRecording(config.data, instant("from", from), instant("to", to));
    try {
      const profile = new Profile();
      declareBuiltinProfile(profile);
      const result = replay({ profile, config, log: createLog("silent") }, recording, revise);
      process.stdout.write(json ? `${JSON.stringify(replayJson(result))}\n` : replayText(result));
    } finally {
      recording.close();
    }
  } catch (error) {
    complain(error);
  }
}

function instant(name: string, text: string): number {
  const atMs = Date.parse(text);
  if (Number.isFinite(atMs)) return atMs;
  throw bad(`--${name} is a time in ISO 8601, such as 2026-05-02T12:00:00Z.`);
}

/** A tree of docs/interface/triggers.md, or several; an `id` that is not there is a new program. */
function readRevision(file: string): (home: Home) => readonly ProgramDefinition[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw bad(`The program file ${file} cannot be read as JSON.`, cause);
  }
  const trees = (Array.isArray(content) ? content : [content]).map((item: unknown) =>
    new Placed(item, "").object((members) => {
      const { id, name } = members.takeAll();
      return { id, name, tree: parseTree(members) };
    }),
  );
  return (home) => trees.map(({ id, name, tree }) => revised(home, Number(id), String(name ?? id), tree));
}

function revised(home: Home, id: number, name: string, tree: Program["tree"]): ProgramDefinition {
  const before = home.programs.get(id);
  if (before?.kind === "program") return { ...before, name, tree };
  if (before || !(id > ROOT_PROGRAM_ID && id <= 65_535))
    throw bad(`The program has no id that a program can have: ${id}.`);
  const idle = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null, running: "idle" } as const;
  const flags = { enabled: true, runAtStartup: false, invalid: null, comment: "" } as const;
  return { kind: "program", id, name, parentId: ROOT_PROGRAM_ID, ...flags, ...idle, tree };
}

function bad(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_VALUE", { sentence, cause });
}
