/** `domovoi replay`: a span of the journal through the programs once more, as they were and changed. Writes nothing. */

import { readFileSync } from "node:fs";
import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { Profile } from "../profile/profile.ts";
import { replay } from "../replay/replay.ts";
import { replayJson, replayText } from "../replay/replay-text.ts";
import { revisedProgram } from "../replay/revision.ts";
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
    const text = file === undefined ? null : readText(file);
    const recording = openRecording(config.data, instant("from", from), instant("to", to));
    try {
      const profile = new Profile();
      declareBuiltinProfile(profile);
      const revise =
        text === null ? null : (home: Home, present: Home) => [revisedProgram(home, present, profile, text)];
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

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw bad(`The program file ${file} cannot be read.`, cause);
  }
}

function bad(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_VALUE", { sentence, cause });
}
