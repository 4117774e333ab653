/** `domovoi variable`, `resource` and `copy`. */

import type { ControllerSession, Home, NewResource, ResourceHeader } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome } from "../connection/with-home.ts";
import { readDecimal } from "../home/act.ts";
import { programNamed, resourceNamed, variableNamed } from "../home/find.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { printDone } from "../print-outcome.ts";
import { editNote, readNumber } from "./edit-output.ts";

type VariableOptions = ConnectionOptions & {
  readonly type: string;
  readonly init?: string;
  readonly precision?: string;
};

export async function addVariable(home: Home, name: string, options: VariableOptions): Promise<Done> {
  const type = { integer: 1, state: 2 }[options.type];
  if (type !== 1 && type !== 2) throw usageFailure(`--type is integer or state, not "${options.type}".`);
  const prec = readPlaces(options.precision ?? "0");
  const init = options.init === undefined ? 0 : readDecimal(options.init, `"${name}"`, prec);
  const key = await home.variables.create(type, name, prec, init);
  return done(`Created the variable "${name}" (${key}).`, { key, name, prec, init });
}

const PLACES_MAX = 9;

/** @throws CommandFailure usage */
function readPlaces(written: string): number {
  const places = readNumber(written, "--precision");
  if (Number.isSafeInteger(places) && places >= 0 && places <= PLACES_MAX) return places;
  throw usageFailure(`--precision is a whole number from 0 to ${PLACES_MAX}, not ${written}.`);
}

type VariableChange = { readonly precision?: string; readonly values?: readonly string[] };

export async function changeVariable(home: Home, key: string, { precision, values }: VariableChange): Promise<Done> {
  const variable = variableNamed(home, key);
  const { key: id, name, raw } = variable;
  if (precision === undefined && values === undefined) throw usageFailure("Give --precision or --values.");
  const prec = precision === undefined ? variable.prec : readPlaces(precision);
  const valueNames = values === undefined ? variable.valueNames : readValueNames(values, name, prec);
  if (precision !== undefined) await variable.setPrecision(prec);
  if (values !== undefined) await variable.nameValues(valueNames);
  const value = raw / 10 ** prec;
  const shown = valueNames[raw] ?? value.toFixed(prec);
  return done(`"${name}" is ${shown} now.`, { key: id, name, prec, value, valueNames });
}

/** `0=Home`; a single empty text removes all names. @throws CommandFailure usage */
function readValueNames(values: readonly string[], variable: string, prec: number): Readonly<Record<string, string>> {
  const pairs = values.filter((each) => each !== "").map((each) => each.split("=", 2).map((part) => part.trim()));
  if (pairs.some(([, name]) => name === undefined)) throw usageFailure("--values is written 0=Home 1=Away.");
  const raw = (shown: string) => Math.round(readDecimal(shown, `"${variable}"`, prec) * 10 ** prec);
  return Object.fromEntries(pairs.map(([shown = "", name = ""]) => [String(raw(shown)), name]));
}

type ResourceOptions = ConnectionOptions & {
  readonly url?: string;
  readonly method?: string;
  readonly header?: readonly string[];
  readonly body?: string;
  readonly timeout?: string;
};

/** `--url` is the resource's: the controller is the one of `--controller` or of the environment. */
export function addResource(
  name: string,
  { url, ...options }: ResourceOptions & { readonly url: string },
): Promise<Done> {
  return withHome(options, { stream: "off" }, async (home) => {
    const made = await home.edits.createResource({ ...fieldsOf(options), name, url });
    const { address: id, edit, allowed, unknownValues } = made;
    const created = `Created the network resource "${name}" (${id})${editNote(edit)}.`;
    const refused = `Its target is not allowed yet. To allow it: domovoi resource allow ${id}`;
    const unknown = unknownValues.map((value) => `There is no value \${${value}}. It is sent as "?".`);
    return done([created, ...(allowed ? [] : [refused]), ...unknown], { id, name, edit });
  });
}

function fieldsOf({ url, method, header, body, timeout }: ResourceOptions): Partial<NewResource> {
  return {
    ...(url === undefined ? {} : { url }),
    ...(header === undefined ? {} : { headers: header.map(readHeader) }),
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(body === undefined ? {} : { body }),
    ...(timeout === undefined ? {} : { timeoutMs: readNumber(timeout, "--timeout") }),
  };
}

/** What may be a key is not shown. */
export async function showResource(home: Home, key: string): Promise<Done> {
  const stored = await home.edits.resource(resourceNamed(home, key).id);
  const { name, id, method, url, headers, bodyBytes, timeoutMs, allowed } = stored;
  const lines = [
    `Name     ${name}`,
    `Id       ${id}`,
    `URL      ${url}`,
    `Method   ${method}`,
    ...headers.map((each) => `Header   ${each.name}: ${each.value}`),
    `Body     ${bodyBytes === 0 ? "none" : `${bodyBytes} bytes, not shown`}`,
    `Timeout  ${timeoutMs} ms`,
    `Target   ${allowed ? "allowed" : `not allowed; to allow it: domovoi resource allow ${id}`}`,
  ];
  return done(lines, stored);
}

/** A new list of headers replaces the old one. */
export function changeResource(key: string, { url, ...options }: ResourceOptions): Promise<Done> {
  const change = fieldsOf({ ...options, ...(url === undefined ? {} : { url }) });
  if (Object.keys(change).length === 0)
    throw usageFailure("Say what changes: --url, --method, --header, --body or --timeout.");
  return withHome(options, { stream: "off" }, async (home) => {
    const { id, name } = resourceNamed(home, key);
    const { edit } = await home.edits.changeResource(id, change);
    return done(`Changed the network resource "${name}"${editNote(edit)}.`, { id, name, edit });
  });
}

/** Without a target: shows those that are allowed. A network resource stands for its target. */
export async function allowTarget(home: Home, given: string | undefined): Promise<Done> {
  const { edits, resources } = home;
  const before = await edits.resourceTargets();
  if (given === undefined)
    return done(before.length > 0 ? before : ["No targets are allowed beyond the default."], before);
  const resource = resources.find(given);
  const target = resource ? new URL((await edits.resource(resource.id)).url).host : given;
  const targets = await edits.setResourceTargets([...before, target]);
  return done(`Network resources may send requests to ${target}.`, targets);
}

export async function disallowTarget({ edits }: ControllerSession, target: string): Promise<Done> {
  const before = await edits.resourceTargets();
  if (!before.includes(target)) throw usageFailure(`"${target}" is not among the allowed targets.`);
  const targets = await edits.setResourceTargets(before.filter((each) => each !== target));
  return done(`Network resources may no longer send requests to ${target}.`, targets);
}

/** The outcome is the status of the command. */
export async function testResource(home: Home, key: string, options: ConnectionOptions): Promise<Done> {
  const { id, name } = resourceNamed(home, key);
  const { outcome, detail, answer } = await home.edits.testResource(id);
  const lines = answer === null || answer.text === "" ? [] : answer.text.split("\n").map((line) => `  ${line}`);
  const tested = { id, outcome, detail, answer };
  if (outcome === "done") return done([`${name}: ${detail}`, ...lines], tested);
  printDone(done(lines, tested), options);
  throw new CommandFailure("failed", `${name}: ${detail}`);
}

export async function copyThing(home: Home, kind: string, key: string, name: string): Promise<Done> {
  if (kind === "program") {
    requireFree("program", name, [...home.programs]);
    const { comment, parent, if: conditions, then: actions, else: others } = await programNamed(home, key).tree();
    // Otherwise both react to the same things at once.
    const tree = { name, comment, parent, if: conditions, then: actions, else: others, enabled: false };
    const made = await home.programs.addTree(tree);
    const enabling = `domovoi enable program "${name}"`;
    return done(`Created the program "${name}" as a copy of "${key}". It is disabled; to enable it: ${enabling}`, {
      id: made.tree.id,
      name,
    });
  } else if (kind === "variable") {
    requireFree("variable", name, [...home.variables]);
    const { type, prec, init } = variableNamed(home, key);
    const made = await home.variables.create(type, name, prec, init);
    return done(`Created the variable "${name}" (${made}) as a copy of "${key}".`, { key: made, name });
  } else throw usageFailure(`Only a program or a variable can be copied, not a "${kind}".`);
}

/** Two of one name could only be told apart by their ids. @throws CommandFailure usage */
function requireFree(kind: string, name: string, all: readonly { readonly name: string }[]): void {
  const isTaken = all.some((each) => each.name.normalize("NFC") === name.normalize("NFC"));
  if (isTaken) throw usageFailure(`There is a ${kind} "${name}" already. Give the copy another name.`);
}

/** @throws CommandFailure usage */
function readHeader(written: string): ResourceHeader {
  const at = written.indexOf(":");
  if (at <= 0) throw usageFailure(`"${written}" is not a header. Write 'Name: value'.`);
  return { name: written.slice(0, at).trim(), value: written.slice(at + 1).trim() };
}
