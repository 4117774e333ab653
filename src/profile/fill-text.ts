/**
 * Values in texts of notifications and network resources: `${var.1.3}`, `${sys.node.ADDRESS.ST}`, `${sys.date}`,
 * `${sys.time}`, `${sys.program.ID.status}` as on the original controllers, and by names `${Hall Motion.ST}` and
 * `${Comfort}`. `#` in the place of an address or id is the node that caused the run, or the program that runs.
 *
 * @see docs/notifications.md
 */

import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import { createZone } from "../util/zone.ts";
import { describeProperty } from "./format.ts";
import type { Profile } from "./profile.ts";

/** Where the text is used. `node`: address of the node that caused the run. */
export type TextContext = {
  readonly home: Home;
  readonly profile: Profile;
  readonly nowMs: number;
  readonly programId: number | null;
  readonly node: string | null;
};

/** `unknown`: what stands for no value; it is shown as `?`. */
type FilledText = { readonly text: string; readonly unknown: readonly string[] };

/** Also as `new URL` writes it. */
const PLACE = /\$(?:\{|%7B)((?:(?!\}|%7D|\$\{|\$%7B).){1,220})(?:\}|%7D)/gi;
const UNKNOWN = "?";

/** @param encode makes each value safe for its place in the text. */
export function fillText(
  context: TextContext,
  text: string,
  encode: (value: string) => string = (value) => value,
): FilledText {
  const unknown: string[] = [];
  const filled = text.replace(PLACE, (_whole, written: string) => {
    const name = decoded(written);
    const value = valueNamed(context, name);
    if (value === null) unknown.push(name);
    return encode(value ?? UNKNOWN);
  });
  return { text: filled, unknown };
}

/** The values in a text that name nothing of the home, whenever it is used. */
export function unresolvedValues(place: Pick<TextContext, "home" | "profile">, text: string): readonly string[] {
  const names = Array.from(text.matchAll(PLACE), ([, written = ""]) => decoded(written));
  return [...new Set(names)].filter((name) => !isResolvable(place, name));
}

/** A sentence for the trace; empty when everything has a value. */
export function unknownWords(unknown: readonly string[]): string {
  return unknown.length === 0 ? "" : `No value for ${[...new Set(unknown)].map((name) => `\${${name}}`).join(", ")}.`;
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function isResolvable({ home, profile }: Pick<TextContext, "home" | "profile">, name: string): boolean {
  const ofNode = /^sys\.node\.(.+?)\.([A-Za-z0-9_]+)(\.raw)?$/.exec(name);
  if (ofNode) {
    const [, which = "", what = ""] = ofNode;
    const node = home.nodes.get(which);
    return which === "#" || (node !== undefined && (what === "name" || hasProperty(profile, node, what)));
  }
  const ofProgram = /^sys\.program\.(#|[0-9A-Fa-f]{1,4})\.(status|name)$/.exec(name);
  if (ofProgram) return ofProgram[1] === "#" || home.programs.has(Number.parseInt(ofProgram[1] ?? "", 16));
  const node = nodeKeyed(home, name);
  if (node) return hasProperty(profile, node, name.slice(name.lastIndexOf(".") + 1));
  return valueNamed({ home, profile, nowMs: 0, programId: null, node: null }, name) !== null;
}

function hasProperty(profile: Profile, node: Node, id: string): boolean {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  return !nodedef || node.properties.has(id) || nodedef.properties.some((property) => property.id === id);
}

function valueNamed(context: TextContext, name: string): string | null {
  const { home, nowMs } = context;
  const variable = /^var\.([12])\.(\d{1,5})$/.exec(name);
  if (variable) return variableText(home.variables[variable[1] === "1" ? 1 : 2].get(Number(variable[2])));
  if (name === "sys.date" || name === "sys.time") return localText(home, nowMs, name);
  const ofNode = /^sys\.node\.(.+?)\.([A-Za-z0-9_]+)(\.raw)?$/.exec(name);
  if (ofNode) return nodeText(context, ofNode[1] ?? "", ofNode[2] ?? "", ofNode[3] !== undefined);
  const ofProgram = /^sys\.program\.(#|[0-9A-Fa-f]{1,4})\.(status|name)$/.exec(name);
  if (ofProgram) return programText(context, ofProgram[1] ?? "", ofProgram[2] ?? "");
  return namedText(context, name);
}

function nodeText({ home, profile, node: cause }: TextContext, which: string, what: string, isRaw: boolean) {
  const node = home.nodes.get(which === "#" ? (cause ?? "") : which);
  if (!node) return null;
  return what === "name" ? node.name : propertyText(profile, node, what, isRaw);
}

function propertyText(profile: Profile, node: Node, id: string, isRaw = false): string | null {
  const property = node.properties.get(id);
  if (!property || property.value === null) return null;
  return isRaw ? String(property.value) : describeProperty(profile, node, property).formatted.trim() || null;
}

function programText({ home, programId }: TextContext, which: string, what: string): string | null {
  const program = home.programs.get(which === "#" ? (programId ?? 0) : Number.parseInt(which, 16));
  if (!program) return null;
  return what === "name" ? program.name : program.status === true ? "True" : "False";
}

/** `NODE.PROPERTY` by the name or address of the node, or a variable, whose value has a name or is a number; `$` makes it one. */
function namedText({ home, profile }: TextContext, name: string): string | null {
  const node = nodeKeyed(home, name);
  if (node) return propertyText(profile, node, name.slice(name.lastIndexOf(".") + 1));
  const wanted = name.startsWith("$") ? name.slice(1) : name;
  const all = [...home.variables[1].values(), ...home.variables[2].values()];
  const variable = all.find((each) => each.name === wanted);
  return variable?.valueNames?.[variable.value] ?? variableText(variable);
}

/** The node of `NODE.PROPERTY`. */
function nodeKeyed(home: Home, name: string): Node | undefined {
  const dot = name.lastIndexOf(".");
  const key = name.slice(0, dot);
  return dot < 0 ? undefined : (home.nodes.get(key) ?? [...home.nodes.values()].find((each) => each.name === key));
}

function variableText(variable: { readonly value: number; readonly prec: number } | undefined): string | null {
  return variable ? String(variable.value / 10 ** variable.prec) : null;
}

/** `2026/05/31`, `17:05:09`: as the original controllers write them, in local time. */
function localText(home: Home, nowMs: number, name: "sys.date" | "sys.time"): string {
  const { year, month, day, hour, minute, second } = createZone(home.controller.timeZone).parts(nowMs);
  const two = (part: number) => String(part).padStart(2, "0");
  return name === "sys.date" ? `${year}/${two(month)}/${two(day)}` : `${two(hour)}:${two(minute)}:${two(second)}`;
}
