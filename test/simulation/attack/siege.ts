/** A siege in rounds: in each, every attacker has its turn, beside others that chance chooses. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { type Randomness, seededRandomness } from "../../../src/util/randomness.ts";
import { residentMegabytes } from "../crowd.ts";
import { readDocuments } from "../documents.ts";
import { ACTOR_NAMES, type ActorName } from "./actors.ts";
import type { Deeds, Order } from "./attackers.ts";
import { BesiegedHome } from "./besieged-home.ts";
import type { HonestClient, Wait } from "./honest-client.ts";
import type { Targets } from "./scene.ts";

type SiegeOptions = {
  readonly seed: number;
  readonly seconds: number;
  /** Times what the short run does. */
  readonly strength: number;
  /** Default: all of them. */
  readonly actors?: readonly ActorName[];
};

export type SiegeReport = {
  readonly waits: readonly Wait[];
  /** In their order. */
  readonly episodes: readonly Episode[];
  /** How the service ended by itself, with the last lines of its log; null: it did not. */
  readonly death: string | null;
  /** Longest time that the honest client's own process did not run: the machine's doing. */
  readonly machineMs: number;
  readonly refused: readonly string[];
  /** Documents, stream and restart against what the honest client did. */
  readonly contradictions: readonly string[];
  /** Errors in the service's log other than those that the attacks must lead to. */
  readonly complaints: readonly string[];
  readonly deeds: Deeds;
  /** null where the system does not say. */
  readonly memory: { readonly beforeMb: number; readonly peakMb: number; readonly afterMb: number } | null;
  readonly acknowledged: number;
  readonly loginStatus: number;
};

export type Episode = {
  readonly actors: readonly ActorName[];
  /** Seconds since the siege began. */
  readonly endS: number;
  /** The service's figures at its end; null on systems that do not report them. */
  readonly memoryMb: number | null;
};

const WARM_MS = 1000;
const EPISODE_MS = 1300;
const TOGETHER = 5;
const REST_MS = 300;
const MEMORY_MS = 50;
const LAST_LINES = 30;
/** Time for memory to be released after the last attack. */
const AFTER_MS = 1000;
/** Four times as many at full strength. */
const PROGRAMS = { breadth: 10, repeating: 25 };

export async function besiege({ seed, seconds, strength, actors = ACTOR_NAMES }: SiegeOptions): Promise<SiegeReport> {
  const home = await BesiegedHome.start();
  const attackers = fork(fileURLToPath(new URL("attackers.ts", import.meta.url)), { stdio: "inherit" });
  const loop = monitorEventLoopDelay({ resolution: 5 });
  try {
    if ((await home.login()) !== 200) throw new Error("The owner cannot log in.");
    const factor = Math.max(1, strength);
    const { breadth, repeating } = PROGRAMS;
    const targets = await home.targets({ breadth: Math.round(breadth * factor), repeating: repeating * factor });
    const honest = await home.honestClient();
    const memory = watchMemory(home.process.pid);
    honest.start();
    await pause(WARM_MS);
    memory.begin();
    loop.enable();
    const deeds: Record<string, number> = {};
    const episodes: Episode[] = [];
    const beginMs = performance.now();
    for (const order of orders({ seed, seconds, strength, actors }, targets)) {
      if (!home.process.isRunning) break;
      announce(honest, order.actors);
      attackers.send(order);
      const [done] = (await once(attackers, "message")) as [Deeds];
      for (const [what, count] of Object.entries(done)) deeds[what] = (deeds[what] ?? 0) + count;
      await (order.actors.includes("disk-stalls") ? honest.untilDiskWrites() : pause(REST_MS));
      const endS = Math.round((performance.now() - beginMs) / 1000);
      episodes.push({ actors: order.actors, endS, memoryMb: residentMegabytes(home.process.pid) });
    }
    honest.during = "nobody, afterwards";
    honest.isDiskSound = true;
    await pause(AFTER_MS);
    loop.disable();
    const figures = memory.end();
    const verdict = home.process.isRunning ? await judge(home, honest) : await unjudged(home, honest);
    return {
      waits: honest.waits,
      episodes,
      machineMs: loop.max / 1e6,
      refused: honest.refused,
      deeds,
      memory: figures,
      acknowledged: honest.acknowledged,
      ...verdict,
    };
  } finally {
    attackers.disconnect();
    await home.end();
  }
}

type Verdict = Pick<SiegeReport, "contradictions" | "complaints" | "loginStatus" | "death">;

/** A service that ended by itself answers no questions; its figures until then are reported all the same. */
async function unjudged(home: BesiegedHome, honest: HonestClient): Promise<Verdict> {
  honest.leave();
  await honest.stop();
  const { code, signal, stderr } = await home.process.ended;
  const lastLines = stderr.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  const death = `The service ended with ${signal ?? `the code ${code}`}. Its log ends with:\n${lastLines}`;
  return { contradictions: [], complaints: complaintsIn(stderr), loginStatus: 0, death };
}

/** Documents and stream beside what the client did, then once more after a loss of power. */
async function judge(home: BesiegedHome, honest: HonestClient): Promise<Verdict> {
  await honest.stop();
  await honest.streamSettled();
  const streamed = honest.streamContradictions();
  honest.leave();
  const loginStatus = await home.login();
  const before = honest.contradictions(await readDocuments(home.portal));
  const complaints = complaintsIn(home.process.stderr);
  await home.crash();
  const isLoginLost = (await home.portal.get("/api/nodes")).status === 401;
  if (isLoginLost) await home.login();
  const after = honest.contradictions(await readDocuments(home.portal));
  const lost = isLoginLost ? ["the login before it is not accepted."] : [];
  const restarted = [...lost, ...after].map((sentence) => `After kill -9: ${sentence}`);
  return { contradictions: [...streamed, ...before, ...restarted], complaints, loginStatus, death: null };
}

/** Required consequences of the attacks: the log names the disk and the runaway programs. */
const EXPECTED_ERRORS = ["The disk refuses writes", "Programs were stopped and disabled."];

function complaintsIn(log: string): readonly string[] {
  const errors = log.split("\n").filter((line) => line.includes('"level":"error"'));
  return errors.filter((line) => !EXPECTED_ERRORS.some((expected) => line.includes(expected)));
}

function announce(honest: HonestClient, actors: readonly ActorName[]): void {
  honest.during = actors.join(" + ");
  honest.isDiskSound = !actors.includes("disk-stalls");
}

function* orders({ seed, seconds, strength, actors = [] }: SiegeOptions, targets: Targets): Iterable<Order> {
  const randomness = seededRandomness(seed);
  const endMs = performance.now() + seconds * 1000;
  do {
    const waiting = shuffled(actors, randomness);
    while (waiting.length > 0) {
      const together = waiting.splice(0, TOGETHER);
      const orderSeed = Math.floor(randomness.next() * 2 ** 32);
      yield { targets, actors: together, seed: orderSeed, strength, ms: EPISODE_MS };
    }
  } while (performance.now() < endMs);
}

function shuffled<T>(things: readonly T[], randomness: Randomness): T[] {
  const ranked = things.map((thing) => ({ thing, rank: randomness.next() }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ thing }) => thing);
}

function watchMemory(pid: number) {
  let beforeMb: number | null = null;
  let peakMb = 0;
  const look = () => {
    peakMb = Math.max(peakMb, residentMegabytes(pid) ?? 0);
  };
  const timer = setInterval(look, MEMORY_MS);
  return {
    begin() {
      beforeMb = residentMegabytes(pid);
      peakMb = 0;
    },
    end() {
      clearInterval(timer);
      return beforeMb === null ? null : { beforeMb, peakMb, afterMb: residentMegabytes(pid) ?? 0 };
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
