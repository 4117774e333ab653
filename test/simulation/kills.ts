/**
 * One home, many lives: the service is started, written to by many at once, ended by force at a random instant, and
 * started again on what it left. After every start the home is compared with what was acknowledged.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { OWNER } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { type Documents, readDocuments } from "./documents.ts";
import { Ledger, Load, type LoadTargets } from "./load.ts";
import { Sequence } from "./register.ts";
import { DomovoiProcess, type Service, serveArguments, startService } from "./service-process.ts";
import { isLamp, writablesOf } from "./writables.ts";

type KillReport = {
  readonly kills: number;
  readonly acknowledged: number;
  readonly commands: number;
  /** From spawning the process to its ready line, and to a right `/api/config`, of every start after a kill. */
  readonly readyMs: readonly number[];
  readonly usableMs: readonly number[];
  /** Things that hold what they cannot hold, in words. */
  readonly wrong: readonly string[];
  /** Failures of requests while the service was up, and errors in its log. */
  readonly troubles: readonly string[];
};

const DEMO = ["--demo", "--still"];
/** So few lamps are commanded so often that the guard against floods would otherwise speak up. */
const SETTINGS = { nodeReportsPerSecond: 10_000 };
const LIFE_MS_MAX = 400;
const STARTING_MS_MAX = 300;
const VARIABLES_OF_A_TYPE = 8;
/** Every so manieth life is cut off by a kill while the next one starts. */
const STARTING_EVERY = 4;
/** Every so manieth life ends in order, which must lose nothing either. */
const GENTLE_EVERY = 5;

/**
 * Ends the service at least `kills` times by `kill -9`; it is down when this settles.
 * @param machines a new directory, or two of which each life is the other one's. @param settings beside the campaign's
 */
export async function killOften(
  machines: readonly string[],
  kills: number,
  seed: number,
  settings: Partial<Config> = {},
): Promise<KillReport> {
  const campaign = new Campaign(machines, seed, settings);
  await campaign.begin();
  for (let life = 1; campaign.kills < kills; life += 1) await campaign.live(life);
  return campaign.report();
}

/** Ends the first start of a new home at a random instant. */
export async function killFirstStart(data: string, spanMs: number): Promise<void> {
  await using first = new DomovoiProcess(serveArguments(data, DEMO));
  await pause(spanMs);
  await first.kill();
}

class Campaign {
  readonly #machines: readonly string[];
  readonly #args: readonly string[];
  readonly #randomness;
  #starts = 0;
  readonly #readyMs: number[] = [];
  readonly #usableMs: number[] = [];
  readonly #wrong: string[] = [];
  readonly #troubles = new Set<string>();
  kills = 0;
  #token = "";
  #uuid = "";
  #ledger: Ledger | null = null;
  #targets: LoadTargets = { writables: [], lamps: [], groups: [], programs: [] };

  constructor(machines: readonly string[], seed: number, settings: Partial<Config>) {
    this.#machines = machines;
    this.#args = [...DEMO, "--config", settingsFile(settings)];
    this.#randomness = seededRandomness(seed);
  }

  /** The first life: an owner logs in and makes variables of their own. The session must outlive everything. */
  async begin(): Promise<void> {
    const { process, portalUrl } = await startService(this.#nextMachine(), this.#args);
    await using _ending = process;
    const portal = this.#clientOf(portalUrl);
    const login = await portal.post("/api/login", OWNER);
    this.#token = login.json<{ data: { accessToken: string } }>().data.accessToken;
    this.#uuid = await uuidOf(portal);
    const variables = await makeVariables(portal);
    const documents = await readDocuments(portal);
    const writables = writablesOf(documents, variables);
    const groups = [...documents.groups.keys()].filter((address) => address !== this.#uuid);
    this.#targets = { writables, lamps: lampsOf(documents), groups, programs: programsOf(documents) };
    this.#ledger = new Ledger(new Sequence(), writables, documents);
    portal.close();
  }

  /** A start, a comparison, some hundred milliseconds of writing, and the end. */
  async live(life: number): Promise<void> {
    if (life % STARTING_EVERY === 0) await this.#killWhileStarting();
    const { process, portalUrl, readyMs } = await startService(this.#nextMachine(), this.#args);
    await using _ending = process;
    const portal = this.#clientOf(portalUrl);
    if ((await uuidOf(portal)) !== this.#uuid) this.#wrong.push(`Life ${life}: another controller answers.`);
    this.#readyMs.push(readyMs);
    this.#usableMs.push(process.ageMs);
    await this.#compare(portal, `Life ${life}`);
    await this.#writeUntilEnded(process, portal, life % GENTLE_EVERY === 0 ? "SIGTERM" : "SIGKILL");
    portal.close();
  }

  report(): KillReport {
    return {
      kills: this.kills,
      acknowledged: this.#ledger?.acknowledged ?? 0,
      commands: this.#ledger?.commands ?? 0,
      readyMs: this.#readyMs,
      usableMs: this.#usableMs,
      wrong: this.#wrong,
      troubles: [...this.#troubles],
    };
  }

  #nextMachine(): string {
    return this.#machines[this.#starts++ % this.#machines.length] ?? "";
  }

  async #killWhileStarting(): Promise<void> {
    await using starting = new DomovoiProcess(serveArguments(this.#nextMachine(), this.#args));
    await pause(this.#randomness.next() * STARTING_MS_MAX);
    await starting.kill();
    this.kills += 1;
  }

  async #writeUntilEnded(process: Service["process"], portal: HttpsClient, signal: NodeJS.Signals): Promise<void> {
    if (!this.#ledger) throw new Error("begin() comes first.");
    const load = new Load(portal, this.#targets, this.#ledger, this.#randomness);
    load.start();
    await pause(this.#randomness.next() * LIFE_MS_MAX);
    load.over();
    process.signal(signal);
    const { code, stderr } = await process.ended;
    if (signal === "SIGKILL") this.kills += 1;
    else if (code !== 0) this.#troubles.add(`It ended with status ${code}.`);
    await load.settled();
    const complaints = stderr.split("\n").filter((line) => line.includes('"level":"error"'));
    for (const trouble of [...load.troubles, ...complaints]) this.#troubles.add(trouble);
  }

  async #compare(portal: HttpsClient, life: string): Promise<void> {
    const documents = await readDocuments(portal);
    for (const [writable, register] of this.#ledger?.registers ?? []) {
      const seen = writable.seen(documents) ?? "gone";
      if (!register.allows(seen)) {
        this.#wrong.push(`${life}: ${writable.key} is ${seen}, not one of ${register.possible.join(", ")}.`);
      }
      register.settle(seen);
    }
    this.#compareMade(documents, life);
  }

  #compareMade({ variables }: Documents, life: string): void {
    const listed = [...variables.values()].map(({ name = "" }) => name).filter((name) => name.startsWith("made "));
    const names = new Set(listed);
    if (names.size < listed.length) this.#wrong.push(`${life}: a variable was made twice.`);
    for (const [name, register] of this.#ledger?.made ?? []) {
      const seen = names.delete(name) ? "there" : "absent";
      if (!register.allows(seen)) this.#wrong.push(`${life}: variable "${name}" is ${seen}.`);
      register.settle(seen);
    }
    for (const name of names) this.#wrong.push(`${life}: nobody made "${name}".`);
  }

  #clientOf(url: string): HttpsClient {
    return createHttpsClient(
      () => url,
      () => (this.#token === "" ? {} : { Authorization: `Bearer ${this.#token}` }),
    );
  }
}

function settingsFile(settings: Partial<Config>): string {
  const file = join(temporaryDirectory(), "settings.json");
  writeFileSync(file, JSON.stringify({ ...SETTINGS, ...settings }));
  return file;
}

async function uuidOf(portal: HttpsClient): Promise<string> {
  const answer = await portal.get("/api/config");
  if (answer.status !== 200) throw new Error(`/api/config is answered ${answer.status}.`);
  return answer.json<{ data: { uuid: string } }>().data.uuid;
}

/** Programs of the demo do not know them. @returns "type/id" of each. */
async function makeVariables(portal: HttpsClient): Promise<readonly string[]> {
  const made: string[] = [];
  for (const type of [1, 2]) {
    for (let index = 0; index < VARIABLES_OF_A_TYPE; index += 1) {
      const answer = await portal.put(`/api/variables/${type}`, { name: `Own ${index}` });
      made.push(`${type}/${answer.json<{ data: { id: string } }>().data.id}`);
    }
  }
  return made;
}

function lampsOf(documents: Documents): readonly string[] {
  return [...documents.nodes.keys()].filter((address) => isLamp(documents, address));
}

function programsOf({ programs }: Documents): readonly string[] {
  return [...programs.values()].filter(({ folder }) => folder === "false").map(({ id = "" }) => id);
}

function pause(spanMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, spanMs));
}
