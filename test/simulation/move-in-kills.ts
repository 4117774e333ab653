/**
 * A move from another controller with a kill at a random instant of every step: the copy, the hand-over, the end, and
 * the undo of each. The disk is read after every kill: the home is the one before or after the step.
 */

import { rmSync } from "node:fs";
import type { Home } from "../../src/home/home.ts";
import { type Randomness, seededRandomness } from "../../src/util/randomness.ts";
import { OWNER, type Tokens } from "../support/controller.ts";
import { type Answer, createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { CREDENTIALS, DomovoiProcess, type RunOptions, runDomovoi, startService } from "./service-process.ts";
import { readStoredHome } from "./stored-home.ts";

type Move = {
  /** A directory that does not exist yet. */
  readonly data: string;
  /** `move-in …` without where to. */
  readonly copy: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that were enabled at the other controller. */
  readonly enabled: number;
  /** Its devices take the nodes over; null: the nodes stay simulated. */
  readonly adapter: { readonly port: string; readonly nodes: number } | null;
  /** Times that each step is ended by force. */
  readonly kills: number;
  readonly seed: number;
};

export type MoveReport = {
  readonly kills: number;
  /** Steps that were on disk after the kill. */
  readonly done: number;
  /** Steps that were not, and were taken again. */
  readonly repeated: number;
  readonly tables: { readonly copied: Table; readonly taken: Table; readonly finished: Table };
  /** Faults, in words. */
  readonly wrong: readonly string[];
};

/** Every node, scene and program, a line each. */
type Table = {
  readonly nodes: readonly string[];
  readonly scenes: readonly string[];
  readonly programs: readonly string[];
};

/** From the request to the kill, at most; eight times as long in every further life of the same step. */
const STEP_MS_MAX = 25;
const LIVES_MAX = 5;
const POLL_MS = 50;
const POLLS_MAX = 1200;
/** A request that may be cut short. */
type Step = (portal: HttpsClient) => Promise<Answer>;

export async function killMoves(move: Move): Promise<MoveReport> {
  const campaign = new MoveCampaign(move);
  await campaign.copy();
  const { copied } = campaign.tables;
  for (let round = 0; round < move.kills; round += 1) {
    if (move.adapter)
      await campaign.step("take", take, (table) => isTaken(table) && withoutDrivers(table) === withoutDrivers(copied));
    campaign.tables.taken = campaign.read();
    await campaign.step("finish", finish, (table) => enabledOf(table) === move.enabled);
    campaign.tables.finished = campaign.read();
    await campaign.step("undo of finish", undo, isSame(campaign.tables.taken));
    if (move.adapter) await campaign.step("undo of take", undo, isSame(copied));
  }
  return campaign;
}

class MoveCampaign implements MoveReport {
  readonly #move: Move;
  readonly #randomness: Randomness;
  readonly wrong: string[] = [];
  readonly tables = { copied: EMPTY, taken: EMPTY, finished: EMPTY };
  #refusal = "";
  kills = 0;
  done = 0;
  repeated = 0;

  constructor(move: Move) {
    this.#move = move;
    this.#randomness = seededRandomness(move.seed);
  }

  read(): Table {
    const { loaded, home, replayed } = readStoredHome(this.#move.data);
    if (JSON.stringify(home) !== JSON.stringify(replayed)) this.wrong.push("The tables are not the journal's.");
    return tableOf(loaded);
  }

  /** Once to its end, then once more for each kill, from an empty directory. */
  async copy(): Promise<void> {
    const beganMs = performance.now();
    await this.#copyToTheEnd();
    const tookMs = performance.now() - beganMs;
    this.tables.copied = this.read();
    for (let kill = 0; kill < this.#move.kills; kill += 1) {
      rmSync(this.#move.data, { recursive: true });
      const copying = new DomovoiProcess(this.#copyArguments(), this.#options());
      const pause = new Promise((resolve) => setTimeout(resolve, this.#randomness.next() * tookMs));
      await Promise.race([pause, copying.ended]);
      await copying.kill();
      this.kills += 1;
      await this.#copyToTheEnd();
      if (!isSame(this.tables.copied)(this.read())) this.wrong.push(`Kill ${this.kills}: the copy differs.`);
    }
  }

  /** As docs/moving-in.md says: the same command again, in an emptied directory if required. */
  async #copyToTheEnd(): Promise<void> {
    const first = await runDomovoi(this.#copyArguments(), this.#options());
    if (first.code === 0) return;
    if (!first.stderr.includes("is not empty")) this.wrong.push(`Kill ${this.kills}: ${first.stderr}`);
    rmSync(this.#move.data, { recursive: true, force: true });
    const { code, stderr } = await runDomovoi(this.#copyArguments(), this.#options());
    if (code !== 0) throw new Error(`The copy failed: ${stderr}`);
  }

  #options(): RunOptions {
    return { env: { ...CREDENTIALS, ...this.#move.env } };
  }

  #copyArguments(): readonly string[] {
    return [...this.#move.copy, "--data", this.#move.data, "--yes"];
  }

  /** Until it is done: a life of the service each, which ends in the midst of the step or just after it. */
  async step(name: string, act: Step, isDone: (table: Table) => boolean): Promise<void> {
    const before = this.read();
    for (let life = 0; life < LIVES_MAX; life += 1) {
      const isAcknowledged = await this.#live(act, STEP_MS_MAX * 8 ** life);
      this.kills += 1;
      const table = this.read();
      if (isDone(table)) {
        this.done += 1;
        return;
      }
      this.repeated += 1;
      if (isAcknowledged) this.wrong.push(`Kill ${this.kills}: ${name} was acknowledged and is lost.`);
      if (!isSame(before)(table)) {
        this.wrong.push(`Kill ${this.kills}: ${name} is half done.`);
        return;
      }
    }
    throw new Error(`${name} did not come about in ${LIVES_MAX} lives: ${this.#refusal}`);
  }

  async #live(act: Step, maxMs: number): Promise<boolean> {
    const { adapter, data } = this.#move;
    const { process, portalUrl } = await startService(data, adapter ? ["--zwave-port", adapter.port] : []);
    await using _ending = process;
    let token = "";
    const portal = createHttpsClient(
      () => portalUrl,
      () => (token === "" ? {} : { Authorization: `Bearer ${token}` }),
    );
    token = (await portal.post("/api/login", OWNER)).json<{ data: Tokens }>().data.accessToken;
    if (adapter) await knowsDevices(portal, adapter.nodes);
    let isAcknowledged = false;
    const acting = act(portal)
      .then(({ status, text }) => {
        isAcknowledged = status === 200;
        if (!isAcknowledged) this.#refusal = text;
      })
      .catch(() => {});
    const pause = new Promise((resolve) => setTimeout(resolve, this.#randomness.next() * maxMs));
    await Promise.race([pause, acting]);
    const wasAcknowledged = isAcknowledged;
    await process.kill();
    await acting;
    portal.close();
    return wasAcknowledged;
  }
}

type Status = {
  readonly integrations: readonly { readonly id: string; readonly nodes: number; readonly offers: number }[];
  readonly steps: readonly { readonly edit: number }[];
};

async function statusOf(portal: HttpsClient): Promise<Status> {
  return (await portal.get("/api/move-in")).json<{ data: Status }>().data;
}

/** Until its devices are interviewed, whether it has their nodes already or not. */
async function knowsDevices(portal: HttpsClient, nodes: number): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const zwave = (await statusOf(portal)).integrations.find(({ id }) => id === "zwave");
    if (zwave && zwave.nodes + zwave.offers === nodes) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("The adapter does not offer its nodes.");
}

const take: Step = (portal) => portal.post("/api/move-in/take/zwave");
const finish: Step = (portal) => portal.post("/api/move-in/finish");
const undo: Step = async (portal) => {
  const last = (await statusOf(portal)).steps.at(-1);
  return portal.post(`/api/edits/${last?.edit}/undo`);
};

const EMPTY: Table = { nodes: [], scenes: [], programs: [] };
const DRIVER = /"driver":"[^"]*"/g;

export function tableOf({ nodes, groups, programs }: Home): Table {
  const lines = (things: Iterable<object>) => Array.from(things, (each) => JSON.stringify(each)).toSorted();
  return {
    nodes: lines(
      [...nodes.values()].map(({ address, name, parent, primary, enabled, driver }) => {
        return { address, name, parent, primary, enabled, driver };
      }),
    ),
    scenes: lines(
      [...groups.values()].map(({ address, name, parent, members }) => ({ address, name, parent, members })),
    ),
    programs: lines(
      [...programs.values()].map((entry) => {
        const { id, name, parentId, kind } = entry;
        if (kind === "folder") return { kind, id, name, parentId, conditions: entry.conditions };
        return { kind, id, name, parentId, enabled: entry.enabled, comment: entry.comment, tree: entry.tree };
      }),
    ),
  };
}

const isSame = (wanted: Table) => (table: Table) => JSON.stringify(wanted) === JSON.stringify(table);
const isTaken = ({ nodes }: Table) => nodes.every((node) => node.includes('"driver":"zwave"'));
const enabledOf = ({ programs }: Table) =>
  programs.filter((line) => line.includes('"kind":"program"') && line.includes('"enabled":true')).length;
export const withoutDrivers = (table: Table) => JSON.stringify(table).replaceAll('\\"', '"').replaceAll(DRIVER, "");
