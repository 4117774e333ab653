/** The modern client's reading of one frame of the stream. It ignores unknown frames. */

import { children, readXml, type XmlElement } from "../../support/read-xml.ts";
import { type Program, readProperty } from "./home.ts";
import type { Loaded } from "./load.ts";
import { isObject, parseJson } from "./session.ts";

export type Told =
  | { readonly kind: "property"; readonly address: string; readonly id: string }
  | { readonly kind: "program"; readonly program: Program; readonly run: "IDLE" | "THEN" | "ELSE" | null }
  | { readonly kind: "variable"; readonly type: 1 | 2; readonly id: string }
  | { readonly kind: "variable-table"; readonly type: 1 | 2 }
  | { readonly kind: "lifecycle"; readonly verb: string; readonly address: string; readonly requiresReload: boolean };

/** Verbs after which the home has to be loaded again. */
const RELOADS: ReadonlySet<string> = new Set([
  ...["ND", "NR", "NN", "EN", "RV", "NI", "AA", "SC", "RG", "FD", "FR", "FN", "GD", "GR", "GN"],
]);

export type Event = {
  readonly seqnum: number;
  readonly control: string;
  readonly action: string;
  readonly actionAttributes: Readonly<Record<string, string>>;
  readonly node: string;
  readonly info: XmlElement | null;
  readonly formatted: string;
  readonly name: string;
};

/** Null for what it drops: other roots, a namespace, something before the document. */
export function readEvent(message: string): Event | null {
  const envelope = message.startsWith("{") ? parseJson(message) : null;
  const text = isObject(envelope) && envelope.type === "event" ? String(envelope.data) : message;
  if (!text.startsWith("<")) return null;
  const root = readXml(text);
  if (root.name !== "Event" || "xmlns" in root.attributes) return null;
  const part = (name: string) => children(root, name)[0] ?? null;
  const action = part("action");
  return {
    seqnum: Number(root.attributes.seqnum) || 0,
    control: part("control")?.text ?? "",
    action: action?.text ?? "",
    actionAttributes: action?.attributes ?? {},
    node: part("node")?.text ?? "",
    info: part("eventInfo"),
    formatted: part("fmtAct")?.text ?? "",
    name: part("fmtName")?.text ?? "",
  };
}

/** Changes the client's copy of the home. @returns the calls of its listeners; none for frames that it only logs. */
export function takeEvent(home: Loaded, event: Event): readonly Told[] {
  if (event.control === "_1") return takeTrigger(home, event);
  if (event.control === "_3") return takeLifecycle(home, event);
  if (event.control.startsWith("_")) return [];
  const node = home.nodes.get(event.node);
  if (!node) return [];
  const { action: value, formatted, name, actionAttributes } = event;
  node.properties.set(event.control, readProperty({ ...actionAttributes, value, formatted, name }));
  const scenes = [...home.groups.values()].filter(({ members }) => members.includes(event.node));
  return [
    { kind: "property", address: event.node, id: event.control },
    ...scenes.map(({ address }) => ({ kind: "property", address, id: "ST" }) as const),
  ];
}

function takeTrigger(home: Loaded, { action, info }: Event): readonly Told[] {
  if (!info) return [];
  if (action === "0") return takeProgram(home, info);
  const variable = children(info, "var")[0];
  const type = variable?.attributes.type === "2" ? 2 : 1;
  if (action === "9") return [{ kind: "variable-table", type }];
  const known = home.variables[type].get(variable?.attributes.id ?? "");
  if (!variable || !known || (action !== "6" && action !== "7")) return [];
  const text = (name: string) => children(variable, name)[0]?.text;
  if (action === "6") {
    known.value = Number(text("val"));
    known.ts = text("ts") ?? known.ts;
  } else {
    known.init = Number(text("init") ?? text("val"));
  }
  return [{ kind: "variable", type, id: known.id }];
}

const RUNS: Readonly<Record<string, "IDLE" | "THEN" | "ELSE">> = { 1: "IDLE", 2: "THEN", 3: "ELSE" };

function takeProgram(home: Loaded, info: XmlElement): readonly Told[] {
  const first = (name: string) => children(info, name)[0] ?? null;
  const program = home.programs.get((first("id")?.text ?? "").toUpperCase().padStart(4, "0"));
  if (!program) return [];
  if (first("on") || first("off")) program.enabled = first("on") !== null;
  if (first("rr") || first("nr")) program.runAtStartup = first("rr") !== null;
  program.lastRun = first("r")?.text ?? program.lastRun;
  program.lastFinish = first("f")?.text ?? program.lastFinish;
  program.nextRun = first("nsr")?.text ?? program.nextRun;
  const status = first("s")?.text;
  if (status === undefined) return [{ kind: "program", program, run: null }];
  const [high = "", low = ""] = status.padStart(2, "0");
  if (high === "2" || high === "3") program.status = high === "2";
  program.running = status;
  return [{ kind: "program", program, run: RUNS[low] ?? null }];
}

function takeLifecycle(home: Loaded, { action: verb, node: address, info }: Event): readonly Told[] {
  const enabled = info && children(info, "enabled")[0]?.text;
  const node = home.nodes.get(address);
  if (verb === "EN" && node && enabled !== undefined) node.enabled = enabled === "true" || enabled === "1";
  return [{ kind: "lifecycle", verb, address, requiresReload: RELOADS.has(verb) }];
}
