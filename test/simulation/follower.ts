/**
 * A client that reads names and switches once when it connects and then believes only its stream, on either surface:
 * values, variables and programs come from the replay and from what happens after it.
 */

import type { TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";
import { child, children, readXml, textOf } from "../support/read-xml.ts";
import {
  FACT,
  type Facts,
  type ProgramFacts,
  programText,
  readDefinitions,
  readProgramFolders,
  readTree,
} from "./facts.ts";

const RUNNING: Readonly<Record<string, string>> = { 1: "idle", 2: "then", 3: "else" };
/** Things of which the streams announce only a change, and their documents. */
const LISTS: readonly string[] = ["1", "2", "programs"];
const NEVER: ProgramFacts = {
  enabled: "",
  runAtStartup: "",
  running: "idle",
  status: "false",
  lastRun: "",
  lastFinish: "",
};

export class Follower {
  /** Events in the wrong order, in words. */
  readonly disorder: string[] = [];
  connections = 0;
  /** Commands that devices sent: each is published once and is in no replay. */
  commandsHeard = 0;
  readonly #controller: TestController;
  readonly #surface: "rest" | "api";
  #facts: Facts = new Map();
  #programs = new Map<string, ProgramFacts>();
  #variables = new Map<string, { value: string; init: string; written: string }>();
  /** Lists that are others than those read last: variables of a type, programs. */
  #stale = new Set<string>();
  #stream: FrameStream | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #read = 0;
  #nextSeqnum = 0;

  constructor(controller: TestController, surface: "rest" | "api") {
    this.#controller = controller;
    this.#surface = surface;
  }

  /** Drops the connection it has, wherever that is, and opens another. Settles when that has happened. */
  connect(): Promise<void> {
    this.#connecting = this.#connecting.then(() => this.#open());
    return this.#connecting;
  }

  /** Takes everything until the frame that fits. */
  async catchUp(fits: (frame: Frame) => boolean): Promise<void> {
    await this.#connecting;
    await this.#stream?.next(fits);
    for (const frame of this.#stream?.frames.slice(this.#read) ?? []) this.#take(frame);
    this.#read = this.#stream?.frames.length ?? 0;
    for (const list of this.#stale) await this.#readList(list);
    this.#stale.clear();
  }

  get facts(): Facts {
    const programs = Array.from(this.#programs, ([id, program]): [string, string] => [
      FACT.program(id),
      programText(program),
    ]);
    const variables = Array.from(this.#variables, ([key, { value, init, written }]): [string, string] => [
      key,
      `${value} from ${init}, ${written}`,
    ]);
    return new Map([...this.#facts, ...programs, ...variables]);
  }

  async close(): Promise<void> {
    await this.#connecting;
    this.#stream?.socket.terminate();
  }

  async #open(): Promise<void> {
    this.#stream?.socket.terminate();
    this.#stream = await this.#controller.subscribe(this.#surface);
    this.connections += 1;
    this.#read = this.#nextSeqnum = 0;
    this.#programs = new Map();
    this.#variables = new Map();
    this.#facts = await readTree(this.#controller.local);
    for (const list of LISTS) await this.#readList(list);
  }

  async #readList(list: string): Promise<void> {
    const { local } = this.#controller;
    const facts = list === "programs" ? await readProgramFolders(local) : await readDefinitions(local, list);
    for (const [key, text] of facts) this.#facts.set(key, text);
  }

  #take(frame: Frame): void {
    if (frame.type === "replayed") {
      const { seqnum } = JSON.parse(frame.text) as { seqnum: number };
      if (seqnum !== this.#nextSeqnum - 1) this.disorder.push(`The replay ended at ${seqnum}.`);
    }
    if (frame.seqnum === null) return;
    if (frame.seqnum !== this.#nextSeqnum) this.disorder.push(`${frame.seqnum} came for ${this.#nextSeqnum}.`);
    this.#nextSeqnum = frame.seqnum + 1;
    if (frame.control === "_3") this.#takeLifecycle(frame);
    else if (frame.control === "_1") this.#takeProgramOrVariable(frame);
    else if (!frame.control.startsWith("_")) this.#takeValue(frame);
  }

  /** A command that the device sent has no unit and is no state; only the error flag is a bare number too. */
  #takeValue({ control, action, uom, prec, node, text }: Frame): void {
    if (uom === null && control !== "ERR") {
      this.commandsHeard += 1;
      return;
    }
    const key = FACT.value(node, control);
    if (action === "") this.#facts.delete(key);
    else if (uom === null) this.#facts.set(key, action);
    else this.#facts.set(key, `${action} ${uom} ${prec} ${described(text)}`);
  }

  #takeLifecycle({ action, node, eventInfo }: Frame): void {
    const info = readXml(`<info>${eventInfo}</info>`);
    if (action === "ND" || action === "RV") {
      const element = child(info, "node");
      this.#facts.set(FACT.name("node", node), textOf(element, "name"));
      this.#facts.set(FACT.enabled(node), textOf(element, "enabled"));
    } else if (action === "NR") {
      for (const key of [...this.#facts.keys()]) if (key.startsWith(`node|${node}|`)) this.#facts.delete(key);
    } else if (action === "EN") {
      this.#facts.set(FACT.enabled(node), textOf(info, "enabled"));
    } else {
      const kind = ({ NN: "node", GN: "group", FN: "folder" } as const)[action];
      if (kind) this.#facts.set(FACT.name(kind, node), textOf(info, "newName"));
    }
  }

  #takeProgramOrVariable({ action, eventInfo }: Frame): void {
    const info = readXml(`<info>${eventInfo}</info>`);
    if (action === "0") this.#takeProgram(info);
    if (action === "1") this.#stale.add("programs");
    if (!["6", "7", "9"].includes(action)) return;
    const { attributes, children: parts } = child(info, "var");
    const { type = "", id = "" } = attributes;
    if (action === "9") this.#stale.add(type);
    else {
      const key = FACT.variable(type, id);
      const told = Object.fromEntries(parts.map(({ name, text }) => [name, text.trim()]));
      const { value = "", init = "", written = "" } = this.#variables.get(key) ?? {};
      this.#variables.set(key, { value: told.val ?? value, init: told.init ?? init, written: told.ts ?? written });
    }
  }

  #takeProgram(info: ReturnType<typeof readXml>): void {
    const texts = new Map(info.children.map(({ name, text }) => [name, text]));
    const id = (texts.get("id") ?? "").padStart(4, "0");
    const known = this.#programs.get(id) ?? NEVER;
    const [truth = "", running = ""] = texts.get("s") ?? "";
    this.#programs.set(id, {
      enabled: texts.has("on") ? "true" : texts.has("off") ? "false" : known.enabled,
      runAtStartup: texts.has("rr") ? "true" : texts.has("nr") ? "false" : known.runAtStartup,
      running: RUNNING[running] ?? known.running,
      status: truth === "" ? known.status : String(truth === "2"),
      lastRun: longTime(texts.get("r")) ?? known.lastRun,
      lastFinish: longTime(texts.get("f")) ?? known.lastFinish,
    });
  }
}

/** The formatted value, and the property's label; "" without one. */
function described(document: string): string {
  const event = readXml(document);
  const label = children(event, "fmtName")[0]?.text ?? "";
  return `${textOf(event, "fmtAct")} ${label}`;
}

/** `310203 16:05:06 ` as documents spell it: `2031/02/03 04:05:06 PM`. */
function longTime(frameTime: string | undefined): string | null {
  const [, year, month, day, hour = "", rest] = /^(\d\d)(\d\d)(\d\d) (\d\d)(:\d\d:\d\d) $/.exec(frameTime ?? "") ?? [];
  if (!year) return null;
  const half = Number(hour) < 12 ? "AM" : "PM";
  return `20${year}/${month}/${day} ${String(Number(hour) % 12 || 12).padStart(2, "0")}${rest} ${half}`;
}
