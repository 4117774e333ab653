/** `domovoi replay`: of a controller over its API, or of a data directory in this process. Writes nothing. */

import { ClientError, type ControllerSession, type ReplayResult } from "@domovoi/client";
import { replayText } from "../replay/replay-text.ts";
import { readChanges } from "../replay/revision.ts";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { withSession } from "./connection/with-home.ts";
import { printJson } from "./home/list.ts";
import { timeOf } from "./home/why.ts";
import { usageFailure } from "./outcome.ts";
import { textRefusal } from "./program.ts";
import { readSettings } from "./read-settings.ts";
import { plain } from "./show/plain.ts";
import { readTime } from "./time-input.ts";
import { readNamedFile } from "./unreadable-file.ts";

type ReplayOptions = ConnectionOptions & {
  readonly from: string;
  readonly until?: string;
  readonly with?: readonly string[];
  readonly data?: string;
  readonly config?: string;
  readonly json?: boolean;
};

type Texts = readonly { readonly file: string; readonly text: string }[];

/** Differences that are printed of a data directory, which no controller limits. */
const ROWS_MAX = 100_000;

export async function runReplayCommand(options: ReplayOptions): Promise<void> {
  const { data, config } = options;
  if (data !== undefined || config !== undefined) return replayDirectory(options);
  return withSession(options, async (session) => print(await replayController(session, options), options));
}

async function replayController(session: ControllerSession, options: ReplayOptions): Promise<ReplayResult> {
  const texts = readTexts(options.with ?? []);
  const time = async (written: string, option: string) => new Date(await timeOf(session, written, option));
  const from = await time(options.from, "--from");
  // Without one the controller takes its own time, which may differ from that of this machine.
  const until = options.until === undefined ? {} : { until: await time(options.until, "--until") };
  if (until.until) checkSpan(from, until.until);
  try {
    return await session.replays.run({ from, ...until, changes: texts.map(({ text }) => ({ text })) });
  } catch (error) {
    const [only] = texts;
    if (!(error instanceof ClientError) || !only || texts.length > 1) throw error;
    throw textRefusal(only.file, only.text, error) ?? error;
  }
}

async function replayDirectory({
  from,
  until = "now",
  with: files = [],
  json,
  ...given
}: ReplayOptions): Promise<void> {
  const { data, config: file } = given;
  const config = readSettings({ ...(data !== undefined && { data }), ...(file !== undefined && { config: file }) });
  const texts = readTexts(files).map(({ text }) => ({ program: null, text }));
  const [{ recordedZone }, { runReplay }] = await Promise.all([
    import("../store/recording/open-recording.ts"),
    import("../replays/run-replay.ts"),
  ]);
  const zone = recordedZone(config.data);
  const fromMs = readTime(from, "--from", zone, Date.now());
  const untilMs = readTime(until, "--until", zone, Date.now());
  checkSpan(new Date(fromMs), new Date(untilMs));
  const result = await runReplay({
    config,
    fromMs,
    untilMs,
    changes: (present, profile) => (texts.length === 0 ? null : readChanges(present, profile, texts)),
    rowsMax: ROWS_MAX,
  });
  print(result, { json });
}

function print(result: ReplayResult, { json = false }: { readonly json?: boolean | undefined }): void {
  if (json) printJson(result);
  else process.stdout.write(`${replayText(result).trimEnd().split("\n").map(plain).join("\n")}\n`);
}

function checkSpan(from: Date, until: Date): void {
  if (from >= until) throw usageFailure("--from is later than --until, or the same time.");
}

function readTexts(files: readonly string[]): Texts {
  return files.map((file) => ({ file, text: readNamedFile(file, "program file") }));
}
