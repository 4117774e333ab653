/** A home that lives on the virtual clock, and its recording replayed. */

import { parseConfig } from "../../src/config.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Home } from "../../src/home/home.ts";
import type { ProgramDefinition } from "../../src/home/programs.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { Profile } from "../../src/profile/profile.ts";
import { type Replay, replay } from "../../src/replay/replay.ts";
import { openRecording } from "../../src/store/recording/open-recording.ts";
import { createLog } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import type { TestController } from "../support/controller.ts";

export const HOUR_MS = 3_600_000;
const REPORT: Cause = { kind: "report", id: "virtual", by: "virtual" };

/** Devices report at random, a few times a minute; people write variables and order programs once in a while. */
export async function liveOn({ clock, services }: TestController, hours: number, seed: number): Promise<void> {
  const { home, feed, programs, durability } = services;
  const { next } = seededRandomness(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const nodes = [...home.nodes.values()].filter(({ properties }) => properties.size > 0);
  for (let minute = 0; minute < hours * 60; minute += 1) {
    await clock.advance(60_000);
    for (let count = 0; count < 5; count += 1) {
      const node = pick(nodes);
      const property = node && pick([...node.properties.values()]);
      if (!node || !property) continue;
      const changed = { ...property, value: Math.floor(next() * 256), changedAtMs: clock.now() };
      feed.commit({ type: "property-changed", address: node.address, property: changed }, REPORT);
      const control = next() < 0.5 ? "DON" : "DOF";
      if (next() < 0.2) feed.commit({ type: "control-sent", address: node.address, control, value: 0 }, REPORT);
      // Everything that this started is worked off before the next thing happens, as it is recorded.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const cause: Cause = { kind: "request", id: `r${seed}-${minute}`, by: "owner" };
    const variable = pick([...home.variables[2].values()]);
    if (variable && next() < 0.1) {
      const { type: variableType, id, value: before } = variable;
      const value = Math.floor(next() * 3);
      feed.commit({ type: "variable-written", variableType, id, value, before, writtenAtMs: clock.now() }, cause);
    }
    const program = pick([...home.programs.values()]);
    const verb = pick(["run", "runThen", "runElse", "stop", "enable"] as const);
    if (program?.kind === "program" && verb && next() < 0.05) programs.order(program.id, verb, cause);
    await new Promise<void>((resolve) => setImmediate(resolve));
    await durability.committed(feed.lastSeq);
  }
}

/** @param revise gives the changed programs. */
export function replayed(
  data: string,
  fromMs: number,
  toMs: number,
  revise: ((home: Home, present: Home) => readonly ProgramDefinition[]) | null = null,
): Replay {
  const recording = openRecording(data, fromMs, toMs);
  try {
    const profile = new Profile();
    declareBuiltinProfile(profile);
    return replay({ profile, config: parseConfig({}), log: createLog("silent") }, recording, revise);
  } finally {
    recording[Symbol.dispose]();
  }
}
