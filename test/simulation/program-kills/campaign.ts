/**
 * One home full of programs, many lives: the test requests runs, kills the service at a random instant, within
 * milliseconds after a request, or when a driver gets a command, and starts it again. Two witnesses outside of the
 * process observe the programs: a file with every command that a driver got (witness.ts), and a listener that counts
 * network resources.
 */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { TraceRecord } from "../../../src/programs/trace-record.ts";
import { type Randomness, seededRandomness } from "../../../src/util/randomness.ts";
import { createHttpsClient, type HttpsClient } from "../../support/https-client.ts";
import { basicHeader } from "../clients.ts";
import { CREDENTIALS, DomovoiProcess, serveArguments, untilReady } from "../service-process.ts";
import { FireCounter } from "./fire-counter.ts";
import { type Counts, Ledger, type Uncertain } from "./ledger.ts";
import { type Moment, momentOf } from "./moments.ts";
import type { Plan } from "./plans.ts";
import { DEMO, makeHome } from "./program-home.ts";

type ProgramKillReport = {
  readonly kills: number;
  readonly programs: number;
  /** Acknowledged requests for runs; commands that drivers got; statements that the trace marks as uncertain. */
  readonly acknowledged: number;
  readonly commands: number;
  readonly uncertain: number;
  readonly halfBegun: number;
  /** From spawning the process to a right answer, of every start after a kill. */
  readonly usableMs: readonly number[];
  /** Statements done twice, or not at all, in words. */
  readonly wrong: readonly string[];
  readonly troubles: readonly string[];
};

/** The witness changes classes of the sources, which the bundled service does not load. */
const SOURCES = join(import.meta.dirname, "../../../src/cli/domovoi.ts");

const SETTINGS = {
  nodeReportsPerSecond: 10_000,
  // A command is under way for a while, so that ends come in between.
  virtualLatencyMs: 10,
  networkTargets: ["127.0.0.1"],
  // The machine may be busy; what is held here does not depend on how fast it is.
  commandDeadlineMs: 120_000,
  networkTimeoutMs: 120_000,
  programIntentWaitMs: 10_000,
  programStartWaitMs: 10_000,
  traceRecordsMax: 10_000_000,
};
const LIFE_MS_MAX = 300;
const STARTING_MS_MAX = 400;
/** Longest time from a request to a kill. */
const AIMED_MS_MAX = 12;
/** A life that waits for its moment is no longer than this. */
const END_MS_MAX = 4000;
/**
 * How lives end: at any time, soon after a request, during the start, or when a driver gets a command. The next start
 * then ends when something is on disk.
 */
const WAYS = ["once-only", "any time", "once-only", "asked", "command", "starting"] as const;
type Way = (typeof WAYS)[number];
const LOOK_MS = 40;
const SETTLE_MS_MAX = 120_000;
/** On a busy machine the database takes longer than the short lease of this campaign. */
const SLOW_DATABASE = "The database does not answer.";

/**
 * @param data a new directory. @param wanted number of programs.
 * @param shared a new database, and the directory of another machine: every life is the other one's then
 */
export async function killPrograms(
  data: string,
  kills: number,
  seed: number,
  wanted: number,
  shared: Shared | null = null,
): Promise<ProgramKillReport> {
  await using fires = await FireCounter.open();
  const randomness = seededRandomness(seed);
  const plans = await makeHome(data, randomness, wanted, fires.port);
  const campaign = new Campaign(data, plans, fires, randomness, shared);
  for (let life = 1; campaign.kills < kills; life += 1) await campaign.live(life);
  return await campaign.finish();
}

type Shared = { readonly storeUrl: string; readonly other: string };

class Campaign {
  readonly #machines: readonly string[];
  #lives = 0;
  readonly #plans: readonly Plan[];
  readonly #fires: FireCounter;
  readonly #randomness: Randomness;
  readonly #ledger: Ledger;
  readonly #args: readonly string[];
  readonly #witness: string;
  readonly #usableMs: number[] = [];
  readonly #troubles = new Set<string>();
  #witnessedBytes = 0;
  kills = 0;

  constructor(data: string, plans: readonly Plan[], fires: FireCounter, randomness: Randomness, shared: Shared | null) {
    this.#machines = shared ? [data, shared.other] : [data];
    this.#plans = plans;
    this.#fires = fires;
    this.#randomness = randomness;
    this.#ledger = new Ledger(plans);
    const settings = join(data, "settings.json");
    writeFileSync(
      settings,
      JSON.stringify({ ...SETTINGS, ...(shared && { storeUrl: shared.storeUrl, leaseMs: 500 }) }),
    );
    this.#args = [...DEMO, "--config", settings];
    this.#witness = join(data, "witness.txt");
  }

  async live(life: number): Promise<void> {
    const name = `Life ${life}`;
    const way = WAYS[life % WAYS.length] ?? "any time";
    if (way === "starting") await this.#killWhileStarting(name, null);
    const moment = way === "once-only" || way === "command" ? momentOf(way, this.#randomness) : null;
    await using process = this.#spawn(moment);
    try {
      await this.#lead(name, process, way);
    } catch (error) {
      // It ended during a request, or before it was ready.
      await Promise.race([process.ended, pause(END_MS_MAX)]);
      if (moment === null || process.isRunning) throw error;
    }
    await this.#end(process, name);
    // Work under way at the end is the next start's work.
    if (moment !== null) await this.#killWhileStarting(`${name}, again`, momentOf("commit", this.#randomness));
  }

  async #lead(name: string, process: DomovoiProcess, way: Way): Promise<void> {
    const { localUrl } = await untilReady(process);
    const client = createHttpsClient(() => localUrl, basicHeader);
    try {
      const counts = await readCounts(client);
      this.#usableMs.push(process.ageMs);
      this.#ledger.compare(name, counts);
      await this.#runSome(client, way);
    } finally {
      client.close();
    }
  }

  /** Lets everything come to its end. */
  async finish(): Promise<ProgramKillReport> {
    await using process = this.#spawn(null);
    const { localUrl } = await untilReady(process);
    const client = createHttpsClient(() => localUrl, basicHeader);
    this.#ledger.compare("The last life", await readCounts(client));
    for (const { id, isEndless } of this.#plans) {
      if (isEndless) await client.get(`/rest/programs/${id.toString(16)}/stop`);
    }
    const counts = await this.#settled(client);
    client.close();
    process.signal("SIGTERM");
    this.#hear((await process.ended).stderr);
    this.#ledger.live("The last life", this.#witnessed());
    const uncertain = new Map<number, number>();
    for (const machine of this.#machines) {
      for (const [id, marked] of uncertainIn(join(machine, "trace.sqlite")))
        uncertain.set(id, (uncertain.get(id) ?? 0) + marked);
    }
    this.#ledger.close(counts, this.#fires, uncertain);
    const { wrong, acknowledged, commands, halfBegun } = this.#ledger;
    return {
      kills: this.kills,
      programs: this.#plans.length,
      acknowledged,
      commands,
      uncertain: [...uncertain.values()].reduce((sum, marked) => sum + marked, 0),
      halfBegun,
      usableMs: this.#usableMs,
      wrong,
      troubles: [...this.#troubles],
    };
  }

  /** @param moment at which it ends by itself, or null. */
  #spawn(moment: Moment | null): DomovoiProcess {
    const witness = pathToFileURL(join(import.meta.dirname, "witness.ts")).href;
    const end = moment ? { DOMOVOI_END: `${moment.kind} ${moment.times}` } : {};
    const env = { ...CREDENTIALS, NODE_OPTIONS: `--import=${witness}`, DOMOVOI_WITNESS: this.#witness, ...end };
    const machine = this.#machines[this.#lives++ % this.#machines.length] ?? "";
    return new DomovoiProcess(serveArguments(machine, this.#args), { env, command: SOURCES });
  }

  /** @param moment null: at any time. */
  async #killWhileStarting(name: string, moment: Moment | null): Promise<void> {
    await using starting = this.#spawn(moment);
    if (moment === null) await pause(this.#randomness.next() * STARTING_MS_MAX);
    else await Promise.race([starting.ended, pause(END_MS_MAX)]);
    await this.#end(starting, `Before ${name.toLowerCase()}`);
  }

  async #end(process: DomovoiProcess, name: string): Promise<void> {
    this.#hear((await process.kill()).stderr);
    this.kills += 1;
    this.#ledger.live(name, this.#witnessed());
  }

  /** Asks idle programs to run until the life is over. */
  async #runSome(client: HttpsClient, way: Way): Promise<void> {
    const isAwaited = way === "once-only" || way === "command";
    const endMs = performance.now() + (isAwaited ? END_MS_MAX : this.#randomness.next() * LIFE_MS_MAX);
    for (;;) {
      const asked = this.#ask(client, await readCounts(client));
      if (performance.now() >= endMs) {
        // Nobody waits for the answers: the process is about to end.
        if (way === "asked") await pause(this.#randomness.next() * AIMED_MS_MAX);
        else await asked;
        return;
      }
      await asked;
      await pause(Math.min(LOOK_MS, endMs - performance.now()));
    }
  }

  #ask(client: HttpsClient, counts: Counts): Promise<unknown> {
    const chosen = this.#ledger.idle(counts).filter(() => this.#randomness.next() < 0.5);
    return Promise.all(
      chosen.map(async (plan) => {
        const acknowledge = this.#ledger.ask(plan, counts);
        try {
          const { status } = await client.get(this.#pathOf(plan, counts));
          // A command that a device accepted may have no report on disk yet.
          if (status === 200 && plan.start.kind === "variable") acknowledge();
        } catch {
          // The process has ended; what it did is seen by its traces.
        }
      }),
    );
  }

  #pathOf({ start, begun }: Plan, counts: Counts): string {
    switch (start.kind) {
      case "variable":
        return `/rest/vars/set/2/${start.id}/${(counts.get(begun) ?? 0) + 1}`;
      case "report": {
        const level = 1 + Math.floor(100 * this.#randomness.next());
        return `/rest/nodes/${encodeURIComponent(start.node)}/cmd/DON/${level}`;
      }
      case "call":
        throw new Error("What is called is not asked for.");
    }
  }

  async #settled(client: HttpsClient): Promise<Counts> {
    const untilMs = performance.now() + SETTLE_MS_MAX;
    const finite = this.#plans.filter(({ isEndless }) => !isEndless);
    for (;;) {
      const counts = await readCounts(client);
      const isDone = finite.every(({ begun, ended }) => counts.get(begun) === counts.get(ended));
      if (isDone || performance.now() > untilMs) return counts;
      await pause(LOOK_MS);
    }
  }

  /** Commands that drivers got since the last check, by address. */
  #witnessed(): ReadonlyMap<string, readonly string[]> {
    if (!existsSync(this.#witness)) return new Map();
    const text = readFileSync(this.#witness).subarray(this.#witnessedBytes).toString();
    this.#witnessedBytes = statSync(this.#witness).size;
    const seen = new Map<string, string[]>();
    for (const line of text.split("\n").slice(0, -1)) {
      const [address = "", words = ""] = line.split("\t");
      const list = seen.get(address);
      if (list) list.push(words);
      else seen.set(address, [words]);
    }
    return seen;
  }

  #hear(stderr: string): void {
    for (const line of stderr.split("\n"))
      if (line.includes('"level":"error"') && !line.includes(SLOW_DATABASE)) this.#troubles.add(line);
  }
}

async function readCounts(client: HttpsClient): Promise<Counts> {
  const answer = await client.get("/api/variables/1");
  if (answer.status !== 200) throw new Error(`The variables are answered ${answer.status}: ${answer.text}`);
  const { data } = answer.json<{ data: readonly { readonly id: string | number; readonly val: number }[] }>();
  return new Map(data.map(({ id, val }) => [Number(id), Number(val)]));
}

/** Statements that the trace marks, by program; one that is marked again by a later start counts once. */
function uncertainIn(path: string): Uncertain {
  const marked = new Map<number, Set<string>>();
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    for (const { body } of db.prepare("SELECT body FROM records").iterate() as Iterable<{ body: string }>) {
      const record = JSON.parse(body) as TraceRecord; // Made by the service, whose type it is.
      if (record.kind !== "outcome" || record.outcome !== "uncertain") continue;
      const ids = marked.get(record.programId) ?? new Set();
      marked.set(record.programId, ids.add(record.statementId));
    }
  } finally {
    db.close();
  }
  return new Map([...marked].map(([id, statements]) => [id, statements.size]));
}

function pause(spanMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, spanMs)));
}
