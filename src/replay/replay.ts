/**
 * Runs a recording through the engine, once with the programs as they were and once with changed ones, and compares what they
 * did. No command is sent, and nothing is written to the data directory.
 */

import type { Config } from "../config.ts";
import type { Home } from "../home/home.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { Profile } from "../profile/profile.ts";
import type { Log } from "../util/log.ts";
import { type Difference, differences } from "./compare.ts";
import type { Did } from "./did.ts";
import { RecordedCommands } from "./recorded-commands.ts";
import type { Recording, Unknown } from "./recording.ts";
import { ReplayedHome, type ReplayedHomePorts } from "./replayed-home.ts";

export type Replay = {
  readonly fromMs: number;
  readonly toMs: number;
  /** When the journal ends: what is later than that follows from the clock alone. */
  readonly endsAtMs: number;
  /** Entries that were replayed, and how many are missing between them. */
  readonly entries: number;
  readonly missing: number;
  readonly unknown: Unknown;
  /** Actions of the unchanged programs in the replay. */
  readonly did: readonly Did[];
  /** How that fits what was really commanded: commands in the recording, and those of them that the replay gave too. */
  readonly recordedCommands: number;
  readonly replayedCommands: number;
  /** null without changed programs. */
  readonly differences: readonly Difference[] | null;
  readonly changed: readonly ProgramDefinition[];
  /** How often each program ran, by its id: as it was, and with the changed programs. */
  readonly runsBefore: ReadonlyMap<number, number>;
  readonly runsAfter: ReadonlyMap<number, number>;
  /** The home as it is now, for names. */
  readonly home: Home;
};

type ReplayPorts = {
  readonly profile: Profile;
  readonly config: Config;
  readonly log: Log;
  /** Called with every recorded entry: how far the replay is, 0 … 1. */
  readonly onProgress?: (progress: number) => void;
};

/** @param revise gives the changed programs for the home at the beginning and the one of now; null: none are changed. */
export function replay(
  { profile, config, log, onProgress }: ReplayPorts,
  recording: Recording,
  revise: ((home: Home, present: Home) => readonly ProgramDefinition[]) | null,
): Replay {
  const { fromMs, toMs, endsAtMs, unknown } = recording;
  const recorded = new RecordedCommands(recording.commands(), fromMs);
  const ports: Omit<ReplayedHomePorts, "home" | "asItWas"> = { profile, config, log, fromMs, recorded };
  const home = recording.present();
  const asItWas = new ReplayedHome({ ...ports, home: recording.home(), asItWas: null });
  const revised = revise && new ReplayedHome({ ...ports, home: recording.home(), asItWas });
  const changed = revise?.(recording.home(), home) ?? [];
  for (const program of changed) revised?.revise(program);
  let entries = 0;
  let missing = 0;
  for (const item of recording.entries()) {
    if ("dropped" in item) {
      missing += item.dropped;
      continue;
    }
    entries += 1;
    asItWas.take(item);
    revised?.take(item);
    onProgress?.((item.atMs - fromMs) / (toMs - fromMs));
  }
  asItWas.moveTo(toMs);
  revised?.moveTo(toMs);
  return {
    fromMs,
    toMs,
    endsAtMs,
    entries,
    missing,
    unknown,
    did: asItWas.did,
    recordedCommands: recorded.all.filter(({ atMs }) => atMs <= toMs).length,
    replayedCommands: asItWas.claimed.size,
    differences: revised && differences(asItWas.did, revised.did, revised.doubtful),
    changed,
    runsBefore: asItWas.runs,
    runsAfter: (revised ?? asItWas).runs,
    home,
  };
}
