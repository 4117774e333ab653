/**
 * `npm run mutate -- [--sample N] [--seed N] [--from N] [--unchecked] [--only TEXT] [--json FILE] [module …]`: makes the source
 * wrong in one place at a time and runs the tests that are to notice. Reports the share that was noticed of each module, and
 * every mutant that was not. Ends with 1 when a module is below its goal.
 *
 * `--from 10 --sample 5` tries the mutants 10 to 14 of the same seed, so a long sample may run in parts. `--unchecked` leaves
 * out the check that a test that failed passes without the mutant.
 *
 * A mutant is the changed text of the file, not a switch at run time: the store's threads and the services that tests start
 * as processes of their own must run it too.
 */

import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandomness } from "../src/util/randomness.ts";
import { MODULES, type MutatedModule } from "./mutation/modules-table.ts";
import { applyMutant, type Mutant, mutantsOf, mutatedLine } from "./mutation/mutants.ts";
import { type TestRun, Workspace } from "./mutation/workspace.ts";

/** Share of the mutants that the tests are to notice. */
const GOAL = 0.85;
const SAMPLE = 30;

/** It failed for taking too long, which on a busy machine says nothing about the mutant. */
const SLOW = /to be less than|timed out in \d+ms/;

type Trial = { readonly name: string; readonly file: string; readonly text: string };
type Verdict = Trial & { readonly isKilled: boolean; readonly by: string };
type Score = {
  readonly module: string;
  readonly killed: number;
  readonly tried: number;
  readonly survivors: readonly string[];
};

const { values, positionals } = parseArgs({
  options: {
    sample: { type: "string", default: String(SAMPLE) },
    seed: { type: "string", default: String(1 + (Date.now() % 1_000_000_000)) },
    from: { type: "string", default: "0" },
    unchecked: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string" },
  },
  allowPositionals: true,
});
/** Test files that passed without a mutant. */
const passing = new Set<string>();
const say = (line: string) => process.stdout.write(`${line}\n`);

const chosen = positionals.length === 0 ? MODULES : MODULES.filter(({ name }) => positionals.includes(name));
if (chosen.length === 0)
  throw new Error(`There is no such module. These are: ${MODULES.map(({ name }) => name).join(" ")}`);
say(`seed ${values.seed}, ${values.sample} mutants of each module`);
using workspace = new Workspace();
const scores: Score[] = [];
for (const module of chosen) scores.push(await scoreOf(module));
if (values.json) writeFileSync(values.json, `${JSON.stringify({ seed: Number(values.seed), scores }, null, 2)}\n`);
process.exitCode = report(scores) ? 0 : 1;

async function scoreOf(module: MutatedModule): Promise<Score> {
  const trials = sampledTrials(module);
  const verdicts: Verdict[] = [];
  for (const trial of trials) {
    const verdict = await verdictOn(trial, module);
    verdicts.push(verdict);
    say(
      `${module.name} ${verdicts.length}/${trials.length} ${verdict.isKilled ? `killed by ${verdict.by}` : "LIVES"}: ${trial.name}`,
    );
  }
  const survivors = verdicts.filter(({ isKilled }) => !isKilled).map(({ name }) => name);
  return { module: module.name, killed: verdicts.length - survivors.length, tried: verdicts.length, survivors };
}

function sampledTrials({ name, sources }: MutatedModule): readonly Trial[] {
  const all = sources
    .flatMap(filesIn)
    .filter((file) => file.includes(values.only))
    .flatMap(trialsOf);
  const randomness = seededRandomness(Number(values.seed));
  const drawn = all.map((trial) => ({ trial, rank: randomness.next() })).sort((one, other) => one.rank - other.rank);
  say(`${name}: ${all.length} mutants`);
  return drawn.slice(Number(values.from), Number(values.from) + Number(values.sample)).map(({ trial }) => trial);
}

function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names
    .filter((name) => !name.includes("builtin/"))
    .map((name) => join(path, name))
    .sort();
}

function trialsOf(file: string): readonly Trial[] {
  const text = workspace.read(file);
  const lines = text.split("\n");
  return mutantsOf(file, text).map((mutant: Mutant): Trial => {
    const line = mutatedLine(text, mutant);
    const name = `${file}:${mutant.line} ${mutant.operator}: ${lines[mutant.line - 1]?.trim()}  →  ${line}`;
    return { name, file, text: applyMutant(text, mutant) };
  });
}

async function verdictOn(trial: Trial, { near, far }: MutatedModule): Promise<Verdict> {
  const { file } = trial;
  const groups = [workspace.testsOf(file), workspace.testsIn(near), workspace.testsIn(far)];
  const right = workspace.read(file);
  workspace.write(file, trial.text);
  let run = await workspace.test(groups);
  // A test that was too slow is given a second chance.
  if (SLOW.test(run.failure?.message ?? "")) run = await workspace.test(groups);
  workspace.write(file, right);
  if (run.failure?.file) await checkPasses(run.failure.file);
  return { ...trial, isKilled: run.outcome !== "passed", by: killer(run) };
}

/** @throws Error when a test file fails without a mutant: then nothing that it says of one counts. */
async function checkPasses(file: string): Promise<void> {
  if (values.unchecked || passing.has(file)) return;
  const { outcome, failure } = await workspace.test([[file]]);
  if (outcome !== "passed") throw new Error(`${file} fails without a mutant: ${failure?.name ?? outcome}`);
  passing.add(file);
}

function killer({ outcome, failure }: TestRun): string {
  return failure ? `"${failure.name}"` : outcome === "hangs" ? "the clock" : "a run that ended early";
}

/** @returns whether all goals are reached. */
function report(all: readonly Score[]): boolean {
  for (const { module, killed, tried, survivors } of all) {
    const share = tried === 0 ? 1 : killed / tried;
    say(`\n${module}: ${killed} of ${tried} killed (${Math.round(100 * share)} %)`);
    for (const survivor of survivors) say(`  lives: ${survivor}`);
  }
  return all.every(({ killed, tried }) => killed >= GOAL * tried);
}
