/**
 * The attackers, in a process of their own so that their work is not the honest client's wait. An order says against whom,
 * who, for how long; this process answers when the time is over, and ends with the one that started it.
 */

import { seededRandomness } from "../../../src/util/randomness.ts";
import { ACTORS, type ActorName } from "./actors.ts";
import type { Targets } from "./scene.ts";

export type Order = {
  readonly targets: Targets;
  readonly actors: readonly ActorName[];
  readonly seed: number;
  readonly strength: number;
  readonly ms: number;
};

/** How often the attackers did what. */
export type Deeds = Readonly<Record<string, number>>;

async function attack({ targets, actors, seed, strength, ms }: Order): Promise<Deeds> {
  const deeds: Record<string, number> = {};
  const count = (what: string) => {
    deeds[what] = (deeds[what] ?? 0) + 1;
  };
  const signal = AbortSignal.timeout(ms);
  const scenes = actors.map((_, index) => ({
    targets,
    strength,
    signal,
    count,
    randomness: seededRandomness(seed + index),
  }));
  await Promise.all(actors.map((name, index) => scenes[index] && ACTORS[name](scenes[index])));
  return deeds;
}

process.on("message", (order: Order) => {
  void attack(order).then((deeds) => process.send?.(deeds));
});
process.once("disconnect", () => process.exit());
