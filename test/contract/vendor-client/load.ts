/**
 * The vendor's newest client, a Python program, emulated from its requests and requirements: basic authentication,
 * one new connection for each request, the stream first. A failure of one of the first three documents fails the
 * load.
 *
 * Tests of edits use it in this way: load, edit, `await client.hears("_3")`, `await client.refresh()`, compare
 * `client.home`.
 */

import { request } from "node:https";
import { WebSocket } from "ws";
import { LOCAL } from "../../support/controller.ts";
import { children, readXml } from "../../support/read-xml.ts";
import { type Credentials, isObject } from "../modern-client/session.ts";
import { readVendorTree, type VendorTree } from "./home.ts";
import { list, readVendorProfile, type VendorCommand, type VendorProfile } from "./profile.ts";

type VendorVariable = { readonly id: string; readonly name: string; readonly type: 1 | 2 } & Readonly<
  Record<string, unknown>
>;
/** A program or folder; the lists of trees and of programs are joined by the text of the id, which may find nothing. */
type VendorRoutine = { readonly id: unknown; readonly name: string } & Readonly<Record<string, unknown>>;

type VendorHome = VendorTree & {
  readonly profile: VendorProfile;
  readonly variables: ReadonlyMap<string, VendorVariable>;
  readonly routines: readonly VendorRoutine[];
  /** Silent losses that its user would notice: nodes without nodedef, values without editor, duplicate names. */
  readonly problems: readonly string[];
};

type VendorAnswer = { readonly status: number; readonly text: string };

/** Verbs of `_3` after which the client does not load again. */
const IGNORED_VERBS = new Set(["NX", "PI", "WD", "EN", "WH"]);
/** The client closes its stream at a longer frame. */
const FRAME_BYTES_MAX = 1_048_576;

/** @param url of the portal listener. @throws Error for what fails the client's load. */
export async function loadAsVendorClient(url: string, credentials: Credentials = LOCAL): Promise<VendorClient> {
  const client = new VendorClient(url, credentials);
  await client.subscribe();
  await client.refresh();
  return client;
}

export class VendorClient implements AsyncDisposable {
  /** Set by a frame that makes the client load the tree again. */
  structureChanged = false;
  routinesChanged = false;
  readonly #url: string;
  readonly #authorization: string;
  readonly #waiting = new Set<() => void>();
  #socket: WebSocket | null = null;
  #home: VendorHome | null = null;

  constructor(url: string, { username, password }: Credentials) {
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  }

  get home(): VendorHome {
    if (!this.#home) throw new Error("The client has not loaded.");
    return this.#home;
  }

  async subscribe(): Promise<void> {
    const socket = new WebSocket(`${this.#url.replace("https", "wss")}/rest/subscribe`, {
      headers: { Authorization: this.#authorization },
      rejectUnauthorized: false,
      perMessageDeflate: true,
      maxPayload: FRAME_BYTES_MAX,
    });
    socket.on("message", (data) => this.#take(String(data)));
    await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
    this.#socket = socket;
  }

  /** Loads everything again. */
  async refresh(): Promise<void> {
    this.structureChanged = false;
    this.routinesChanged = false;
    const profile = readVendorProfile(await this.#json("/rest/profiles"));
    const nodes = await this.#ok("/rest/nodes");
    const tree = readVendorTree(nodes, await this.#json("/api/groups/links"), profile);
    const variables = [...(await this.#variables(1)), ...(await this.#variables(2))];
    this.#home = {
      ...tree,
      profile,
      variables: new Map(variables.map((variable) => [`${variable.type}:${variable.id}`, variable])),
      routines: await this.#routines(),
      problems: problemsOf(tree),
    };
  }

  /** Settles when the stream requires the client to load again. */
  async hears(control: "_3" | "_1"): Promise<void> {
    const isPrinted = () => (control === "_3" ? this.structureChanged : this.routinesChanged);
    while (!isPrinted()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** As the client writes: JSON, also with DELETE. */
  send(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<VendorAnswer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: this.#authorization,
      ...(text === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: false, rejectUnauthorized: false };
      const outgoing = request(`${this.#url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
        response.once("end", () => resolve({ status: response.statusCode ?? 0, text: String(Buffer.concat(chunks)) }));
      });
      outgoing.once("error", reject).end(text);
    });
  }

  /** The command of a node that has this name for people; case and blanks do not matter. */
  findCommand(address: string, name: string): VendorCommand | null {
    const wanted = plainName(name);
    return this.home.nodes.get(address)?.nodedef?.accepts.find((each) => plainName(each.name ?? "") === wanted) ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    await new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
      socket.close();
    });
  }

  #take(frame: string): void {
    const root = readXml(frame);
    const [control, node, action] = ["control", "node", "action"].map((name) => children(root, name)[0]?.text);
    if (control === "_3" && node !== undefined && !IGNORED_VERBS.has(action ?? "")) this.structureChanged = true;
    if (control === "_1") this.routinesChanged = true;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Reads take nothing but 200. */
  async #ok(path: string): Promise<string> {
    const { status, text } = await this.send("GET", path);
    if (status !== 200) throw new Error(`${path} was answered ${status}.`);
    return text;
  }

  async #json(path: string): Promise<unknown> {
    return JSON.parse(await this.#ok(path));
  }

  async #variables(type: 1 | 2): Promise<readonly VendorVariable[]> {
    const records = list(await this.#json(`/api/variables/${type}`), "data").filter(({ id }) => id !== undefined);
    return records.map((record) => ({ ...record, id: String(record.id), name: String(record.name), type }));
  }

  async #routines(): Promise<readonly VendorRoutine[]> {
    const trees = list(await this.#json("/api/triggers"), "data").filter(({ id }) => Boolean(id));
    const summaries = list(await this.#json("/api/programs"), "data").filter(({ id }) => id !== undefined);
    const byId = new Map(summaries.map((summary) => [String(summary.id), summary]));
    const joined = trees.map((tree) => ({
      ...byId.get(String(tree.id)),
      ...tree,
      name: String(tree.name),
      id: tree.id,
    }));
    const seen = new Set(trees.map(({ id }) => String(id)));
    const others = summaries.filter(({ id }) => !seen.has(String(id)));
    return [...joined, ...others.map((summary) => ({ ...summary, id: summary.id, name: String(summary.name) }))];
  }
}

function problemsOf({ nodes }: VendorTree): readonly string[] {
  return [...nodes.values()].flatMap(({ address, nodedef, nodeDefId }) => {
    if (!nodedef) return [`${address} has no nodedef ${nodeDefId}.`];
    const parameters = [...nodedef.accepts, ...nodedef.sends].flatMap((command) => command.parameters);
    const withoutEditor = [...nodedef.properties, ...parameters].filter(({ editor }) => !editor);
    const lists = [nodedef.properties, nodedef.accepts, nodedef.sends];
    return [
      ...withoutEditor.map(({ id }) => `${address}: the editor of "${id}" is not found.`),
      ...lists
        .flatMap((each) => twice(each.map(({ name }) => plainName(name ?? ""))))
        .map((n) => `${address}: "${n}" twice.`),
    ];
  });
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

export function failureOf({ text }: VendorAnswer): string {
  const body: unknown = JSON.parse(text);
  return isObject(body) ? `${body.errorCode}: ${body.errorMessage}` : text;
}
