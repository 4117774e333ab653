/** A replay of a data directory, from the recording to the result; the service may run meanwhile. */

import type { Config } from "../config.ts";
import type { Home } from "../home/home.ts";
import type { Profile } from "../profile/profile.ts";
import { replay } from "../replay/replay.ts";
import { type ReplayResult, replayResult } from "../replay/replay-result.ts";
import { type ProgramChange, revisedProgram } from "../replay/revision.ts";
import { openRecording } from "../store/recording/open-recording.ts";
import { createLog } from "../util/log.ts";
import { storedProfile } from "./stored-profile.ts";

export type ReplayOfDirectory = {
  readonly config: Config;
  readonly fromMs: number;
  readonly untilMs: number;
  /** @param present the home as it is now. @returns null: the programs as they were. */
  readonly changes: (present: Home, profile: Profile) => readonly ProgramChange[] | null;
  readonly rowsMax: number;
  readonly onProgress?: (progress: number) => void;
};

/** @throws ControllerError BAD_VALUE when there is no home or no journal of that time; what `changes` throws. */
export async function runReplay(order: ReplayOfDirectory): Promise<ReplayResult> {
  const { config, fromMs, untilMs, changes, rowsMax, onProgress } = order;
  const recording = openRecording(config.data, fromMs, untilMs);
  try {
    const log = createLog("silent");
    const present = recording.present();
    const profile = await storedProfile(present, { ...recording, data: config.data, log });
    const changed = changes(present, profile);
    const revise = changed && ((home: Home) => changed.map((change) => revisedProgram(home, change)));
    const ports = { profile, config, log, ...(onProgress && { onProgress }) };
    return replayResult(replay(ports, recording, revise), profile, rowsMax);
  } finally {
    recording.close();
  }
}
