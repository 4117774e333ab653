/**
 * Runs a recording through the engine, once with the programs as they were and once with changed ones, and tells what
 * would have been different. Nothing is commanded; nothing of the data directory is written.
 */

import type { Config } from "../config.ts";
import type { Home } from "../home/home.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { Profile } from "../profile/profile.ts";
import type { Log } from "../util/log.ts";
import { type Difference, differences } from "./compare.ts";
import type { Did } from "./did.ts";
import { ReplayedHome, type ReplayedHomePorts } from "./replayed-home.ts";
import { RecordedCommands } from "./recorded-commands.ts";
import type { Recording, Unknown } from "./recording.ts";

export type Replay = {
  readonly fromMs: number;
  readonly toMs: number;
  /** When the journal ends: what is later than that follows from the clock alone. */
  readonly endsAtMs: number;
  /** Entries that were replayed, and how many are missing between them. */
  readonly entries: number;
  readonly missing: number;
  readonly unknown: Unknown;
  /** What the programs as they were did in the replay. */
  readonly did: readonly Did[];
  /** How that fits what was really commanded: commands in the recording, and those of them that the replay gave too. */
  readonly recordedCommands: number;
  readonly replayedCommands: number;
  /** null without changed programs. */
  readonly differences: readonly Difference[] | null;
  /** The home as it is now, for names. */
  readonly home: Home;
};

export type ReplayPorts = { readonly profile: Profile; readonly config: Config; readonly log: Log };

/** @param revise gives the changed programs for the home at the beginning and the one of now; null: none are changed. */
export function replay(
  { profile, config, log }: ReplayPorts,
  recording: Recording,
  revise: ((home: Home, present: Home) => readonly ProgramDefinition[]) | null,
): Replay {
  const { fromMs, toMs, endsAtMs, unknown } = recording;
  const recorded = new RecordedCommands(recording.commands(), fromMs);
  const ports: Omit<ReplayedHomePorts, "home" | "asItWas"> = { profile, config, log, fromMs, recorded };
  const home = recording.present();
  const asItWas = new ReplayedHome({ ...ports, home: recording.home(), asItWas: null });
  const changed = revise && new ReplayedHome({ ...ports, home: recording.home(), asItWas });
  for (const program of revise?.(recording.home(), home) ?? []) changed?.revise(program);
  let entries = 0;
  let missing = 0;
  for (const item of recording.entries()) {
    if ("dropped" in item) {
      missing += item.dropped;
      continue;
    }
    entries += 1;
    asItWas.take(item);
    changed?.take(item);
  }
  asItWas.moveTo(toMs);
  changed?.moveTo(toMs);
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
    differences: changed && differences(asItWas.did, changed.did, changed.doubtful),
    home,
  };
}
