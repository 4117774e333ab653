/**
 * A home with random edits, one after another, by a service that is killed at random instants. The disk is read after
 * every kill: it has every acknowledged edit, and no partial edit. Regularly all edits are undone, also with kills,
 * and the home must be the one before.
 */

import { isDeepStrictEqual } from "node:util";
import type { Home } from "../../src/home/home.ts";
import { type Randomness, seededRandomness } from "../../src/util/randomness.ts";
import { OWNER } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { configurationOf, type EditRequest, randomEdit } from "../support/random-edits.ts";
import { type Service, startService } from "./service-process.ts";
import { readStoredHome } from "./stored-home.ts";

type EditKillReport = {
  readonly kills: number;
  /** Edits that were on disk. */
  readonly edits: number;
  /** Times that all edits were taken back. */
  readonly returns: number;
  /** Things that hold what they cannot hold, in words. */
  readonly wrong: readonly string[];
};

/** Begins with the first edits, however long a busy machine takes for them. */
const LIFE_MS_MAX = 500;
const EDITS_A_LIFE_MIN = 2;
/** Lives in which the home is edited before all of it is taken back. */
const EDITED_LIVES = 8;
const NUMBERS = 500;

/**
 * The service is down when this settles, with all edits taken back.
 * @param machines a new directory, or two of which each life is the other one's. @param args beside those of the campaign
 */
export async function killEdits(
  machines: readonly string[],
  kills: number,
  seed: number,
  args: readonly string[] = [],
): Promise<EditKillReport> {
  const campaign = new EditCampaign(machines, seed, args);
  await campaign.begin();
  while (campaign.kills < kills) {
    for (let life = 0; life < EDITED_LIVES && campaign.kills < kills; life += 1) await campaign.live("edit");
    await campaign.returnHome();
  }
  return campaign;
}

class EditCampaign implements EditKillReport {
  readonly #machines: readonly string[];
  readonly #args: readonly string[];
  readonly #randomness: Randomness;
  /** The one whose life it is. */
  #machine = "";
  #starts = 0;
  readonly wrong: string[] = [];
  kills = 0;
  edits = 0;
  returns = 0;
  #token = "";
  #home: Home | null = null;
  #first: unknown = null;
  /** Numbers of the edits that are on disk. */
  #known = new Set<number>();

  constructor(machines: readonly string[], seed: number, args: readonly string[]) {
    this.#machines = machines;
    this.#args = ["--demo", "--still", ...args];
    this.#randomness = seededRandomness(seed);
  }

  async begin(): Promise<void> {
    const { process, portalUrl } = await this.#start();
    const portal = this.#clientOf(portalUrl);
    const login = await portal.post("/api/login", OWNER);
    this.#token = login.json<{ data: { accessToken: string } }>().data.accessToken;
    portal.close();
    process.signal("SIGTERM");
    await process.ended;
    await this.#readDisk({ edits: [], others: 0 });
    this.#first = this.#configuration();
  }

  /** A start, some hundred milliseconds of edits, and the end. @returns whether nothing is left to be taken back */
  async live(kind: "edit" | "undo"): Promise<boolean> {
    const { process, portalUrl } = await this.#start();
    await using _ending = process;
    const portal = this.#clientOf(portalUrl);
    const answered: Answered = { edits: [], others: 0 };
    const begun = Promise.withResolvers<void>();
    let isHome = false;
    const editing = (async () => {
      while (process.isRunning && !isHome) {
        const { method, path, body }: EditRequest = kind === "edit" ? this.#nextEdit() : UNDO_LAST;
        const answer = await portal.request(method, path, body ? jsonBody(body) : {}).catch(() => null);
        if (answer === null) return;
        const { code, data } = answer.json<{ code?: string; data?: { edit?: number | null } }>();
        if (answer.status >= 500) this.wrong.push(`${method} ${path} was answered ${answer.status} ${code}.`);
        if (answer.status === 200) note(answered, data?.edit);
        if (answered.edits.length >= EDITS_A_LIFE_MIN) begun.resolve();
        isHome = kind === "undo" && code === "EDIT_NOT_FOUND";
        if (kind === "undo" && answer.status !== 200 && !isHome) this.wrong.push(`An undo was refused: ${code}.`);
      }
    })();
    const lifeMs = this.#randomness.next() * LIFE_MS_MAX;
    const life = begun.promise.then(() => new Promise((resolve) => setTimeout(resolve, lifeMs)));
    await Promise.race([life, editing]);
    await process.kill();
    await editing;
    portal.close();
    this.kills += 1;
    await this.#readDisk(answered);
    return isHome;
  }

  /** Takes everything back, over as many lives as it takes. */
  async returnHome(): Promise<void> {
    const settled = this.wrong.length;
    while (!(await this.live("undo"))) if (this.wrong.length > settled) return;
    this.returns += 1;
    if (!isDeepStrictEqual(this.#configuration(), this.#first)) this.wrong.push("Undo led to another home.");
  }

  #nextEdit(): EditRequest {
    const number = () => Math.floor(this.#randomness.next() * NUMBERS);
    if (this.#home === null) throw new Error("begin() comes first.");
    // Sometimes the latest edit is taken back among the others.
    const isUndo = number() % 10 === 0;
    return isUndo ? UNDO_LAST : randomEdit(this.#home, { what: number(), a: number(), b: number() });
  }

  async #readDisk(answered: Answered): Promise<void> {
    if (this.#machines.length > 1) await this.#takeOver();
    const { loaded, home, replayed } = readStoredHome(this.#machine);
    if (!isDeepStrictEqual(home, replayed)) this.wrong.push(`Kill ${this.kills}: the tables are not the journal's.`);
    const known = new Set(loaded.edits.keys());
    for (const edit of [...this.#known, ...answered.edits]) {
      if (!known.has(edit)) this.wrong.push(`Kill ${this.kills}: the edit ${edit} is lost.`);
    }
    const others = [...known].filter((edit) => !this.#known.has(edit) && !answered.edits.includes(edit));
    // One more may be on disk whose answer the end was too early for.
    if (others.length > answered.others + 1) {
      this.wrong.push(`Kill ${this.kills}: edits that nobody made are among ${others.join(", ")}.`);
    }
    this.edits += known.size - this.#known.size;
    this.#known = known;
    this.#home = loaded;
  }

  /** Without values, which reports and programs move. */
  #configuration(): unknown {
    if (this.#home === null) return null;
    const { nodes, variables, ...others } = configurationOf(this.#home);
    return {
      ...others,
      nodes: nodes.map(({ properties: _properties, ...node }) => node),
      variables: variables.map(({ value: _value, writtenAtMs: _writtenAtMs, ...variable }) => variable),
    };
  }

  #start(): Promise<Service> {
    this.#machine = this.#machines[this.#starts++ % this.#machines.length] ?? "";
    return startService(this.#machine, this.#args);
  }

  /** The other machine gets what the home's database has. */
  async #takeOver(): Promise<void> {
    const { process } = await this.#start();
    process.signal("SIGTERM");
    await process.ended;
  }

  #clientOf(url: string): HttpsClient {
    return createHttpsClient(
      () => url,
      () => (this.#token === "" ? {} : { Authorization: `Bearer ${this.#token}` }),
    );
  }
}

/** Answers of one life: edits by number, and answers without a number, which may belong to an edit. */
type Answered = { readonly edits: number[]; others: number };

function note(answered: Answered, edit: number | null | undefined): void {
  if (typeof edit === "number") answered.edits.push(edit);
  else if (edit === undefined) answered.others += 1;
}

const UNDO_LAST: EditRequest = { method: "POST", path: "/api/edits/last/undo" };

function jsonBody(body: object) {
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
