/**
 * Applies one frame of the event stream to the state, and returns its event for listeners. Frames about unknown
 * things are dropped. Nothing is added or removed here: the tree changes by a load, the table of variables by reading
 * it again.
 *
 * @see docs/interface/events.md
 */

import type { EventFrame } from "../documents/frames.ts";
import { readStep } from "../documents/integrations.ts";
import { programId } from "../documents/programs.ts";
import { readVariableFrame, type VariableFrame } from "../documents/variables.ts";
import { childOf, childrenOf, childText, type XmlElement } from "../documents/xml.ts";
import type { HomeEvent } from "../model/events.ts";
import { isoFromLocal, offsetOf, type Zone } from "../model/local-time.ts";
import type { NodeRecord, ProgramRecord, VariableType } from "../model/records.ts";
import type { HomeState } from "../model/state.ts";

type Applied =
  | { readonly kind: "event"; readonly event: HomeEvent }
  /** The table of this type has to be read again. */
  | { readonly kind: "reread"; readonly type: VariableType }
  | { readonly kind: "dropped" };

const DROPPED: Applied = { kind: "dropped" };
/** Verbs of `_3` after which the tree has to be read again. */
const REFRESHES: ReadonlySet<string> = new Set([
  ...["ND", "NR", "NN", "EN", "RV", "NI", "AA", "SC", "PC", "MV", "RG", "LU"],
  ...["FD", "FR", "FN", "GD", "GR", "GN", "WR"],
]);

export function applyFrame(state: HomeState, frame: EventFrame): Applied {
  if (frame.control === "_1") return applyTrigger(state, frame);
  if (frame.control === "_3") return applied(applyLifecycle(state, frame));
  if (frame.control === "_0") return applied({ ...stamp(frame), kind: "heartbeat" });
  if (frame.control.startsWith("_")) return applied(radioEvent(frame) ?? systemEvent(frame));
  const node = state.nodes.get(frame.node);
  if (!node || frame.control === "") return DROPPED;
  return applied(isProperty(state, node, frame) ? applyProperty(node, frame) : controlEvent(frame));
}

/** The variable whose value or init a frame carries; null for other frames. */
export function variableOf(frame: EventFrame): VariableFrame | null {
  const isValue = frame.control === "_1" && (frame.action === "6" || frame.action === "7");
  return isValue && frame.info ? readVariableFrame(frame.info, null) : null;
}

const applied = (event: HomeEvent): Applied => ({ kind: "event", event });
const stamp = ({ timestamp, seqnum }: EventFrame) => ({ at: timestamp, seqnum });

/** A command that the device itself sent has no unit, and no property of its name. */
function isProperty({ profile }: HomeState, node: NodeRecord, { uom, control }: EventFrame): boolean {
  if (uom !== null || control === "ERR" || node.properties.has(control)) return true;
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  return nodedef?.properties.some(({ id }) => id === control) ?? false;
}

function applyProperty(node: NodeRecord, frame: EventFrame): HomeEvent {
  const { control: id, action: value, formatted, prec } = frame;
  const previous = node.properties.get(id) ?? null;
  const name = frame.name ?? previous?.name ?? "";
  const next = { id, value: value.trim(), formatted, uom: frame.uom ?? previous?.uom ?? "", name, prec };
  node.properties.set(id, next);
  return { ...stamp(frame), kind: "property", address: node.address, property: next, previous };
}

function controlEvent(frame: EventFrame): HomeEvent {
  return { ...stamp(frame), kind: "control", address: frame.node, control: frame.control, value: frame.action };
}

function systemEvent(frame: EventFrame): HomeEvent {
  const { control, action, node, info } = frame;
  return { ...stamp(frame), kind: "system", control, action, address: node, info: info?.text ?? "" };
}

const LINK_STATES = ["online", "asleep", "unreachable", "interviewing", "unknown"] as const;

/** Controls of linking and of the radio networks. */
const NETWORKS: ReadonlySet<string> = new Set(["_20", "_21", "_25", "_27", "_28"]);

function radioEvent(frame: EventFrame): HomeEvent | null {
  if (!NETWORKS.has(frame.control)) return null;
  const step = readStep(frame.info, frame.node);
  return step ? { ...stamp(frame), kind: "operation", step } : readParameter(frame);
}

/** The answer of a radio device. */
function readParameter(frame: EventFrame): HomeEvent | null {
  const config = childOf(frame.info, "config");
  if (!config) return null;
  const { node = frame.node, paramNum, size, value } = config.attributes;
  return {
    ...stamp(frame),
    kind: "parameter",
    address: node,
    number: Number(paramNum),
    size: Number(size),
    value: Number(value),
  };
}

function applyLifecycle(state: HomeState, frame: EventFrame): HomeEvent {
  const { action: verb, node: address, info } = frame;
  const fields = Object.fromEntries(info?.children.map(({ name, text }) => [name, text]) ?? []);
  const node = state.nodes.get(address);
  const isEnablement = verb === "EN" && node !== undefined && fields.enabled !== undefined;
  if (isEnablement) node.enabled = fields.enabled === "true" || fields.enabled === "1";
  if (verb === "LS" && node) node.linkState = linkStateOf(fields.linkState);
  const needsRefresh = REFRESHES.has(verb) && !isEnablement;
  return { ...stamp(frame), kind: "lifecycle", verb, address, info: fields, needsRefresh };
}

function linkStateOf(text: string | undefined): NodeRecord["linkState"] {
  return LINK_STATES.find((each) => each === text) ?? null;
}

function applyTrigger(state: HomeState, frame: EventFrame): Applied {
  const { action, info } = frame;
  if (action === "0") return applyProgram(state, frame);
  if (action === "1") return applied({ ...stamp(frame), kind: "programs" });
  if (action === "9") {
    const type = info && readVariableFrame(info, null)?.type;
    return type ? { kind: "reread", type } : DROPPED;
  }
  if (action === "6" || action === "7") return applyVariable(state, frame);
  return applied(systemEvent(frame));
}

function applyVariable(state: HomeState, frame: EventFrame): Applied {
  const read = frame.info && readVariableFrame(frame.info, zoneOf(state, frame));
  const variable = read && state.variables[read.type].get(read.id);
  if (!variable) return DROPPED;
  const what = frame.action === "6" ? "value" : "init";
  const number = what === "value" ? read.value : (read.init ?? read.value);
  if (number === null) return DROPPED;
  variable[what] = number;
  variable.prec = read.prec ?? variable.prec;
  if (what === "value") variable.ts = read.ts ?? variable.ts;
  return applied({ ...stamp(frame), kind: "variable", type: read.type, id: read.id, what });
}

const RUNNING: Readonly<Record<string, string>> = { 1: "idle", 2: "running then", 3: "running else" };

function applyProgram(state: HomeState, frame: EventFrame): Applied {
  const { info } = frame;
  const program = state.programs.get(programId(childText(info, "id")));
  if (!info || !program) return DROPPED;
  if (!program.isFolder) {
    if (childOf(info, "on") || childOf(info, "off")) program.enabled = childOf(info, "on") !== null;
    if (childOf(info, "rr") || childOf(info, "nr")) program.runAtStartup = childOf(info, "rr") !== null;
    applyTimes(program, info, zoneOf(state, frame));
  }
  applyStatus(program, childText(info, "s").trim());
  return applied({ ...stamp(frame), kind: "program", id: program.id });
}

function applyTimes(program: ProgramRecord, info: XmlElement, zone: Zone | null): void {
  const time = (name: string) => {
    const element = childrenOf(info, name)[0];
    return element ? isoFromLocal(element.text, zone) : null;
  };
  program.lastRunTime = time("r") ?? program.lastRunTime;
  program.lastFinishTime = time("f") ?? program.lastFinishTime;
  program.nextScheduledRunTime = time("nsr") ?? program.nextScheduledRunTime;
}

/** Two digits: what the condition came to (2 true, 3 false, else as it was), and which clause runs. */
function applyStatus(program: ProgramRecord, status: string): void {
  if (status === "") return;
  const [result = "", clause = ""] = status.padStart(2, "0");
  if (result === "2" || result === "3") program.status = result === "2";
  const running = RUNNING[clause];
  if (running !== undefined && !program.isFolder) program.running = running;
}

/** The home's zone when it is known by name; else the offset of the frame itself. */
function zoneOf({ zone }: HomeState, { timestamp }: EventFrame): Zone | null {
  if (zone && "name" in zone) return zone;
  const minutes = offsetOf(timestamp);
  return minutes === null ? zone : { offsetMinutes: minutes };
}
