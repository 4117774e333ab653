/**
 * `npm run mutate -- [--sample N] [--seed N] [--named] [--only TEXT] [--json FILE] [module …]`: makes the source wrong in one
 * place at a time and runs the tests that are to notice. Tells the share that was noticed of each module, and every mutant
 * that was not. Ends with 1 when a module is below its goal, or a named mutant lives.
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
import { EQUIVALENTS, NAMED_MUTANTS } from "./mutation/named-mutants-table.ts";
import { type TestRun, Workspace } from "./mutation/workspace.ts";

/** Share of the mutants that the tests are to notice. */
const GOAL = 0.85;
const SAMPLE = 30;
/** A run that takes so many times what it takes without a mutant hangs. */
const TIMEOUT_FACTOR = 4;
const TIMEOUT_MIN_MS = 60_000;
const BASELINE_MS_MAX = 900_000;

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
    named: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string" },
  },
  allowPositionals: true,
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const chosen = positionals.length === 0 ? MODULES : MODULES.filter(({ name }) => positionals.includes(name));
if (chosen.length === 0)
  throw new Error(`There is no such module. These are: ${MODULES.map(({ name }) => name).join(" ")}`);
say(`seed ${values.seed}, ${values.named ? "named mutants" : `${values.sample} mutants of each module`}`);
using workspace = new Workspace();
const scores: Score[] = [];
for (const module of chosen) scores.push(await scoreOf(module));
if (values.json) writeFileSync(values.json, `${JSON.stringify({ seed: Number(values.seed), scores }, null, 2)}\n`);
process.exitCode = report(scores) ? 0 : 1;

async function scoreOf(module: MutatedModule): Promise<Score> {
  const trials = values.named ? namedTrials(module) : sampledTrials(module);
  const timeouts = await baseline(module);
  const verdicts: Verdict[] = [];
  for (const trial of trials) {
    const verdict = await verdictOn(trial, module, timeouts);
    verdicts.push(verdict);
    say(
      `${module.name} ${verdicts.length}/${trials.length} ${verdict.isKilled ? `killed by ${verdict.by}` : "LIVES"}: ${trial.name}`,
    );
  }
  const survivors = verdicts.filter(({ isKilled }) => !isKilled).map(({ name }) => name);
  return { module: module.name, killed: verdicts.length - survivors.length, tried: verdicts.length, survivors };
}

function namedTrials({ name: module }: MutatedModule): readonly Trial[] {
  const named = NAMED_MUTANTS.filter((mutant) => mutant.module === module && mutant.file.includes(values.only));
  return named.map(({ file, what, from, to }) => {
    const text = workspace.read(file);
    const isThere = text.split(from).length === 2;
    // A mutant whose line is another by now lives, until the table is brought up to date.
    return {
      name: `${file}: ${what}${isThere ? "" : " (NOT FOUND)"}`,
      file,
      text: isThere ? text.replace(from, () => to) : text,
    };
  });
}

function sampledTrials({ name, sources }: MutatedModule): readonly Trial[] {
  const all = sources
    .flatMap(filesIn)
    .filter((file) => file.includes(values.only))
    .flatMap(trialsOf);
  const randomness = seededRandomness(Number(values.seed));
  const drawn = all.map((trial) => ({ trial, rank: randomness.next() })).sort((one, other) => one.rank - other.rank);
  say(`${name}: ${all.length} mutants`);
  return drawn.slice(0, Number(values.sample)).map(({ trial }) => trial);
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
  return mutantsOf(file, text).flatMap((mutant: Mutant): Trial[] => {
    const line = mutatedLine(text, mutant);
    if (EQUIVALENTS.some((known) => known.file === file && known.line === line)) return [];
    const name = `${file}:${mutant.line} ${mutant.operator}: ${lines[mutant.line - 1]?.trim()}  →  ${line}`;
    return [{ name, file, text: applyMutant(text, mutant) }];
  });
}

type Timeouts = { readonly nearMs: number; readonly farMs: number };

/** @throws Error when the tests fail without a mutant: then nothing that they say of one counts. */
async function baseline({ name, near, far }: MutatedModule): Promise<Timeouts> {
  const timeoutOf = async (files: readonly string[]) => {
    const run = await workspace.test(files, BASELINE_MS_MAX);
    if (run.outcome !== "passed") throw new Error(`The tests of ${name} fail without a mutant: ${run.failed}`);
    say(`${name}: ${files.join(" ")} take ${Math.round(run.ms / 1000)} s`);
    return Math.max(TIMEOUT_MIN_MS, TIMEOUT_FACTOR * run.ms);
  };
  return { nearMs: await timeoutOf(near), farMs: await timeoutOf(far) };
}

async function verdictOn(trial: Trial, { near, far }: MutatedModule, { nearMs, farMs }: Timeouts): Promise<Verdict> {
  const { file } = trial;
  const right = workspace.read(file);
  workspace.write(file, trial.text);
  try {
    const namesakes = workspace.namesakes(file);
    // The nearest ones first: most mutants need no others.
    const stages = [
      ...(namesakes.length > 0 ? [[namesakes, nearMs] as const] : []),
      [near, nearMs],
      [far, farMs],
    ] as const;
    for (const [files, timeoutMs] of stages) {
      const run = await stage(files, timeoutMs);
      if (run.outcome !== "passed") return { ...trial, isKilled: true, by: killer(run) };
    }
    return { ...trial, isKilled: false, by: "" };
  } finally {
    workspace.write(file, right);
  }
}

/** A test that was too slow is given a second chance. */
async function stage(files: readonly string[], timeoutMs: number): Promise<TestRun> {
  const run = await workspace.test(files, timeoutMs);
  return run.isSlow ? workspace.test(files, timeoutMs) : run;
}

function killer({ outcome, failed }: TestRun): string {
  return outcome === "timed out" ? "the clock" : `"${failed || "a file that does not load"}"`;
}

/** @returns whether all goals are reached. */
function report(all: readonly Score[]): boolean {
  for (const { module, killed, tried, survivors } of all) {
    const share = tried === 0 ? 1 : killed / tried;
    say(`\n${module}: ${killed} of ${tried} killed (${Math.round(100 * share)} %)`);
    for (const survivor of survivors) say(`  lives: ${survivor}`);
  }
  const goal = values.named ? 1 : GOAL;
  return all.every(({ killed, tried }) => killed >= goal * tried);
}
