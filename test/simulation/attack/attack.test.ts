import { expect, test } from "vitest";
import { ATTACK_ACTORS, ATTACK_SECONDS, ATTACK_STRENGTH, SEED } from "../effort.ts";
import { ACTOR_NAMES } from "./actors.ts";
import type { Wait } from "./honest-client.ts";
import { besiege, type Episode, type SiegeReport } from "./siege.ts";

/** Generous, because other tests run beside; the bench holds the promise of 100 ms. */
const WAIT_MS_MAX = 1000;
/** On a machine that is busy with other things, so many times what the client waits, or is held up itself, without an attack. */
const MACHINE_FACTOR = 3;
/** More than before a short attack. Freed memory that the C library keeps is in it; how much depends on how many attack at once. */
const MEMORY_MB_MAX = 130 + 20 * ATTACK_STRENGTH;
/** After a short attack. */
const KEPT_MB_MAX = 100;
/** Of the whole service in a long attack, which frees and takes memory so often that the C library keeps more. */
const LONG_MEMORY_MB_MAX = 512;
/** After the first quarter of a long attack, only memory that is never freed grows. */
const GROWTH_MB_MAX = 30;
const LONG_S = 600;
/** Start, last judgement and a restart. */
const AROUND_S = 60;

test(
  `nothing that strangers, guests, programs, devices and the disk do stops the home, ${ATTACK_SECONDS} s with seed ${SEED}`,
  async () => {
    const chosen: readonly string[] = ATTACK_ACTORS.length === 0 ? ACTOR_NAMES : ATTACK_ACTORS;
    const actors = ACTOR_NAMES.filter((name) => chosen.includes(name));
    const report = await besiege({ seed: SEED, seconds: ATTACK_SECONDS, strength: ATTACK_STRENGTH, actors });
    console.info(described(report));
    expect(report.death).toBeNull();
    expect(report.contradictions).toEqual([]);
    expect(report.complaints).toEqual([]);
    expect(report.refused).toEqual([]);
    expect(report.loginStatus).toBe(200);
    expect(report.acknowledged).toBeGreaterThan(ATTACK_SECONDS);
    const undisturbed = worst(report.waits.filter(({ during }) => during === "nobody"));
    const machineMs = Math.max(undisturbed, report.machineMs);
    expect(worst(report.waits)).toBeLessThan(WAIT_MS_MAX + MACHINE_FACTOR * machineMs);
    const { beforeMb = 0, peakMb = 0, afterMb = 0 } = report.memory ?? {};
    if (ATTACK_SECONDS < LONG_S) {
      expect(peakMb - beforeMb).toBeLessThan(MEMORY_MB_MAX);
      expect(afterMb - beforeMb).toBeLessThan(KEPT_MB_MAX);
    } else {
      expect(peakMb).toBeLessThan(LONG_MEMORY_MB_MAX);
      expect(growthMb(report.episodes)).toBeLessThan(GROWTH_MB_MAX);
    }
  },
  (3 * ATTACK_SECONDS + AROUND_S) * 1000,
);

function worst(waits: readonly Wait[]): number {
  return waits.reduce((longest, { ms }) => Math.max(longest, ms), 0);
}

/** From the second quarter of the attack to its last. */
function growthMb(episodes: readonly Episode[]): number {
  const quarter = Math.floor(episodes.length / 4);
  const most = (some: readonly Episode[]) => Math.max(...some.map(({ memoryMb }) => memoryMb ?? 0));
  return most(episodes.slice(-quarter)) - most(episodes.slice(quarter, 2 * quarter));
}

/** Longest waits that are named one by one. */
const NAMED_WAITS = 5;
/** Some minutes. */
const LAST_EPISODES = 60;

function described(report: SiegeReport): string {
  const { waits, episodes, machineMs, memory, deeds, acknowledged, refused, death } = report;
  const ms = (value: number) => `${Math.round(value)} ms`;
  const mb = (value: number | null) => `${Math.round(value ?? 0)} MB`;
  const of = (chosen: readonly Wait[]) => {
    const sorted = chosen.toSorted((one, other) => one.ms - other.ms);
    const at = (share: number) => ms(sorted[Math.floor(share * (sorted.length - 1))]?.ms ?? 0);
    return `${sorted.length} × p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}`;
  };
  const slowest = waits.toSorted((one, other) => other.ms - one.ms).slice(0, NAMED_WAITS);
  const deedCounts = Object.entries(deeds).map(([what, count]) => `${count} ${what}`);
  const { beforeMb = 0, peakMb = 0, afterMb = 0 } = memory ?? {};
  return [
    `Attack (seed ${SEED}): the honest client waited ${of(waits)}; the machine's own worst pause ${ms(machineMs)}`,
    ...[...Map.groupBy(waits, ({ during }) => during)].map(([during, chosen]) => `  ${during}: ${of(chosen)}`),
    "  slowest:",
    ...slowest.map(
      (wait) => `    ${wait.what} ${ms(wait.ms)} on ${wait.isNew ? "a new" : "an open"} connection, ${wait.during}`,
    ),
    "  memory at the end of the last episodes:",
    ...episodes
      .slice(-LAST_EPISODES)
      .map((each) => `    ${each.endS} s ${mb(each.memoryMb)} ${each.actors.join(" + ")}`),
    `  memory ${mb(beforeMb)} before, ${mb(peakMb)} at most, ${mb(afterMb)} afterwards`,
    `  ${acknowledged} writes acknowledged, ${refused.length} refused; ${deedCounts.join(", ")}`,
    ...(death === null ? [] : [death]),
  ].join("\n");
}
