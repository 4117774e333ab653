/** A home that is attacked: the service as a process, an owner who is logged in, guests, a user, and programs that misbehave. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER } from "../../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../../support/https-client.ts";
import { temporaryDirectory } from "../../support/test-store.ts";
import { basicHeader } from "../clients.ts";
import { readDocuments } from "../documents.ts";
import { type Service, startService } from "../service-process.ts";
import { isLamp } from "../writables.ts";
import { HonestClient } from "./honest-client.ts";
import type { AttackPrograms, Targets } from "./scene.ts";
import { PLACES } from "./streams.ts";

const GUEST = { kind: "portal", login: "guest@example.org", role: "guest", password: "only for the weekend" } as const;
const LOCAL_GUEST = { kind: "local", login: "visitor", role: "guest", password: "only for the weekend" } as const;
const LOCAL_USER = { kind: "local", login: "lodger", role: "user", password: "a key under the mat" } as const;

/** A token must outlive the longest run; all places of streams must be within reach of one attacker. */
const SETTINGS = { accessTokenLifetimeS: 86_400, streamClientsMax: PLACES };
const DEMO = ["--demo", "--still", "--demo-nodes", "100", "--log-level", "warn"];
const VARIABLES = 4;

type ProgramCounts = { readonly breadth: number; readonly repeating: number };

export class BesiegedHome {
  readonly data: string;
  readonly #args: readonly string[];
  #service: Service;
  readonly portal: HttpsClient;
  readonly local: HttpsClient;
  #authorization = "";

  private constructor(data: string, args: readonly string[], service: Service) {
    this.data = data;
    this.#args = args;
    this.#service = service;
    this.portal = createHttpsClient(
      () => this.#service.portalUrl,
      () => (this.#authorization === "" ? {} : { Authorization: this.#authorization }),
    );
    this.local = createHttpsClient(() => this.#service.localUrl, basicHeader);
  }

  static async start(): Promise<BesiegedHome> {
    const data = temporaryDirectory();
    const settings = join(temporaryDirectory(), "settings.json");
    writeFileSync(settings, JSON.stringify(SETTINGS));
    const args = [...DEMO, "--config", settings];
    return new BesiegedHome(data, args, await startService(data, args));
  }

  get process() {
    return this.#service.process;
  }

  /** Logs the owner in. @returns the status. */
  async login(): Promise<number> {
    const { status, json } = await this.portal.request("POST", "/api/login", {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(OWNER),
    });
    if (status === 200) this.#authorization = `Bearer ${json<TokenAnswer>().data.accessToken}`;
    return status;
  }

  async honestClient(): Promise<HonestClient> {
    const variables: string[] = [];
    for (let index = 0; index < VARIABLES; index += 1) {
      const made = await this.#done(this.portal.put("/api/variables/2", { name: `Honest ${index}` }));
      variables.push(`2/${made.json<{ data: { id: string } }>().data.id}`);
    }
    const [lamp = ""] = await this.#lamps();
    const { portal, local } = this;
    const ports = { portal, local, authorization: this.#authorization, variables, lamp };
    return new HonestClient(ports, await readDocuments(portal));
  }

  /** Accounts and programs for the attackers, and where they find everything. */
  async targets(counts: ProgramCounts): Promise<Targets> {
    for (const account of [GUEST, LOCAL_GUEST, LOCAL_USER])
      await this.#done(this.portal.post("/api/accounts", account));
    const login = await this.#done(this.portal.post("/api/login", { username: GUEST.login, password: GUEST.password }));
    const [, ...lamps] = await this.#lamps();
    const [own = "", ...others] = lamps;
    return {
      portalUrl: this.#service.portalUrl,
      localUrl: this.#service.localUrl,
      guestToken: login.json<TokenAnswer>().data.accessToken,
      guestBasic: basic(LOCAL_GUEST),
      userBasic: basic(LOCAL_USER),
      ownerLogin: OWNER.username,
      lamps: others,
      programs: await this.#makePrograms(counts, own),
      databaseFile: join(this.data, "domovoi.sqlite"),
    };
  }

  /** Ends the service as a loss of power would, and starts it again. */
  async crash(): Promise<void> {
    this.portal.close();
    this.local.close();
    await this.process.kill();
    this.#service = await startService(this.data, this.#args);
  }

  async end(): Promise<void> {
    this.portal.close();
    this.local.close();
    await this.process.kill();
  }

  /** Addresses of the lamps of the home. */
  async #lamps(): Promise<readonly string[]> {
    const documents = await readDocuments(this.portal);
    return [...documents.nodes.keys()].filter((address) => isLamp(documents, address));
  }

  async #makePrograms({ breadth, repeating }: ProgramCounts, lamp: string): Promise<AttackPrograms> {
    const made = await this.#done(this.portal.post("/api/programs", { name: "Attack", folder: true }));
    const folder = made.json<{ data: { id: string } }>().data.id;
    const apply = async (name: string, lines: readonly string[]): Promise<string> => {
      const text = [`Program '${name}'`, "Folder 'Attack'", ...lines].join("\n");
      const answer = await this.#done(this.portal.post("/api/programs/text", { text }));
      return answer.json<{ data: { id: string } }>().data.id;
    };
    const names = Array.from({ length: breadth }, (_, index) => `Broad ${index}`);
    const broad: string[] = [];
    for (const name of names) broad.push(await apply(name, ["Then", "  Wait 1 second"]));
    const calls = names.map((name) => `  Run program '${name}' (Then path)`);
    for (const name of names) await apply(name, ["Then", ...calls]);
    const repeats: string[] = [];
    for (let index = 0; index < repeating; index += 1) {
      const counter = await this.#done(this.portal.put("/api/variables/1", { name: `Counter ${index}` }));
      const { id } = counter.json<{ data: { id: string } }>().data;
      const lines = ["Then", "  Repeat every 1 second", `  Integer variable [${id}] += 1`];
      repeats.push(await apply(`Repeat ${index}`, lines));
    }
    const light = [
      "If",
      `  Status [${lamp}] [ST] > 0%`,
      "Then",
      `  Set [${lamp}] [DOF]`,
      "Else",
      `  Set [${lamp}] [DON]`,
    ];
    return { folder, breadth: broad, repeating: repeats, looping: [await apply("Own lamp", light)] };
  }

  async #done<A extends { readonly status: number; readonly text: string }>(answer: Promise<A>): Promise<A> {
    const { status, text } = await answer;
    if (status !== 200 && status !== 201) throw new Error(`The home was not prepared: ${status} ${text}`);
    return answer;
  }
}

type TokenAnswer = { readonly data: { readonly accessToken: string } };

function basic({ login, password }: { readonly login: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
}
