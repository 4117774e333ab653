/** Frames that end the stream's connection in the legacy clients, or are dropped; each rule raises like the client. */

import type { Frame } from "../../support/frame-stream.ts";
import { children, type XmlElement } from "../../support/read-xml.ts";
import { attribute, int, PythonError, variableTime } from "./python.ts";

export type Known = { readonly groups: ReadonlySet<string>; readonly folders: ReadonlySet<string> };

const isProperty = ({ control }: Frame) => control !== "" && !control.startsWith("_");

/** PyISY: each of these closes its socket, and it comes again at once. @returns the state that it then has. */
export function pyIsyTakes(frame: Frame, known: Known): { readonly node: string; readonly value: number } | null {
  const { control, action, node, event } = frame;
  if (event.name !== "Event") return null;
  const info = children(event, "eventInfo")[0];
  if (isProperty(frame)) {
    if (known.groups.has(node) || known.folders.has(node)) throw new PythonError("TypeError", `${control} of ${node}`);
    return { node, value: action.trim() === "" ? Number.NEGATIVE_INFINITY : int(action) };
  }
  if (control === "_7" && (!info || info.text === "")) throw new PythonError("TypeError", "an empty _7");
  if (control === "_1" && (action === "6" || action === "7")) takeVariable(info);
  return null;
}

function takeVariable(info: XmlElement | undefined): void {
  const variable = info && children(info, "var")[0];
  if (!variable) throw new PythonError("IndexError", "a variable event without <var>");
  int(attribute(variable, "type"));
  int(attribute(variable, "id"));
  const text = (name: string) => children(variable, name)[0]?.text;
  int(text("val") ?? text("init"));
  int(text("prec") ?? "0");
  if (text("ts") !== undefined) variableTime(text("ts"));
}

/** ISY994v5 drops a frame that lacks one of the four, and reads the program's state as a decimal number. */
export function v5Takes({ event, control, action }: Frame): void {
  if (event.name !== "Event") return;
  const parts = event.children.slice(0, 4).map(({ name }) => name);
  if (parts.join(" ") !== "control action node eventInfo") throw new PythonError("KeyError", parts.join(" "));
  const info = children(event, "eventInfo")[0];
  const status = info && children(info, "s")[0]?.text;
  if (control === "_1" && action === "0" && status !== undefined && status !== "F1") int(status);
}

/** isy-nodejs ignores a property without a unit. Commands and ERR have none on real controllers either. */
export function nodejsTakes(frame: Frame, isPropertyOfNode: boolean): void {
  const hasUnit = frame.uom !== null && frame.uom !== "0" && frame.prec !== null;
  if (isPropertyOfNode && frame.control !== "ERR" && !hasUnit) throw new Error(`It would ignore ${frame.raw}`);
  if (!isProperty(frame) && frame.uom !== null) throw new Error(`It would take for a property: ${frame.raw}`);
}

/** softconsole ends on the first event of another subscription than the one that it was greeted with. */
export function softconsoleTakes(frames: readonly Frame[]): void {
  const [greeting, ...events] = frames;
  const sid = greeting && children(greeting.event, "SID")[0]?.text;
  const others = events.filter((frame) => frame.sid !== sid);
  if (sid === undefined || others.length > 0) throw new Error("The events are of another subscription.");
  const gap = events.findIndex(({ seqnum }, index) => seqnum !== index);
  if (gap >= 0) throw new Error(`The ${gap}th event is out of sequence.`);
}
