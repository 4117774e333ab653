/** Twins for tests: made of saved documents, started in this process. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.ts";
import { newController } from "../../src/demo/new-controller.ts";
import { makeTwin } from "../../src/twin/make-twin.ts";
import type { Original } from "../../src/twin/original.ts";
import { readOriginal } from "../../src/twin/original-files.ts";
import { planTwin, type TwinPlan } from "../../src/twin/plan-twin.ts";
import { createLog } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "./controller.ts";

const HOMES = join(import.meta.dirname, "../fixtures/homes/");

/** The saved homes. */
export const HOME_NAMES = ["odd", "plugins", "radio", "sparse", "wired"] as const;
export type HomeName = (typeof HOME_NAMES)[number];

export function homeDirectory(name: string): string {
  return join(HOMES, name);
}

/** Files of a saved home by name. */
export function savedFiles(name: HomeName): ReadonlyMap<string, string> {
  const directory = homeDirectory(name);
  return new Map(readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]));
}

export function planOf(original: Original): TwinPlan {
  const config = parseConfig({ timeZone: "Europe/Berlin" });
  return planTwin(original, { controller: newController(config, seededRandomness(5)), nowMs: START_MS });
}

export type RunningTwin = AsyncDisposable & { readonly twin: TestController; readonly plan: TwinPlan };

/** A twin of the documents, made and started; its directory is removed in the end. */
export async function startTwin(original: Original, { isMirror = false } = {}): Promise<RunningTwin> {
  const data = mkdtempSync(join(tmpdir(), "domovoi-twin-"));
  const config = parseConfig({ data, commitIntervalMs: 0 });
  const clock = new VirtualClock(START_MS);
  const plan = planOf(original);
  await makeTwin(plan, { config, clock, log: createLog("silent") });
  const twin = await startTestController({ demo: false }, { clock, data, isMirror });
  await twin.login();
  return {
    twin,
    plan,
    async [Symbol.asyncDispose]() {
      await twin[Symbol.asyncDispose]();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export function startTwinOf(name: HomeName): Promise<RunningTwin> {
  return startTwin(readOriginal(homeDirectory(name)));
}
