/** `domovoi parameters`: what a device has stored in itself, by number or name. */

import type { Home, KnownParameter, Node } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { readDecimal } from "./act.ts";
import { nodeNamed } from "./find.ts";
import { printList } from "./list.ts";

type Options = ConnectionOptions & { readonly json?: boolean };

/** Lists them, reads one, or writes it. */
export async function parameters(
  home: Home,
  key: string,
  given: string | undefined,
  text: string | undefined,
  options: Options,
): Promise<Done | null> {
  const node = nodeNamed(home, key);
  const all = await node.parameters();
  if (given === undefined) {
    const columns = { NUMBER: numberText, NAME: nameText, VALUES: valuesText };
    printList(all, options, `${node.name} has no parameters that are known.`, columns);
    return null;
  }
  const parameter = named(node, all, given);
  return text === undefined ? read(node, parameter) : write(node, parameter, text);
}

async function read(node: Node, parameter: KnownParameter): Promise<Done> {
  const { value } = await node.readParameter(parameter.number);
  return done(`${titleOf(parameter)} of ${node.name}: ${valueText(parameter, value)}.`, { ...parameter, value });
}

async function write(node: Node, parameter: KnownParameter, text: string): Promise<Done> {
  const { name, choices, prec, number } = parameter;
  const chosen = choices.find((choice) => choice.name.toLowerCase() === text.trim().toLowerCase());
  const value = chosen?.value ?? Math.round(readDecimal(text, name || `Parameter ${number}`, prec) * 10 ** prec);
  await node.writeParameter(number, value);
  return done(`${titleOf(parameter)} of ${node.name}: ${valueText(parameter, value)}.`, { ...parameter, value });
}

/** By number or name. @throws CommandFailure */
function named(node: Node, all: readonly KnownParameter[], given: string): KnownParameter {
  const isNamed = ({ number, name }: KnownParameter) =>
    String(number) === given || name.toLowerCase() === given.trim().toLowerCase();
  const [found, other] = all.filter(isNamed);
  if (found && other) throw usageFailure(`Several parameters of ${node.name} are called "${given}". Use the number.`);
  if (found) return found;
  if (!/^\d{1,5}$/.test(given)) {
    const close = closestTo(
      given,
      all.flatMap(({ name }) => (name === "" ? [] : [name])),
    );
    const hint = close === null ? '"domovoi parameters" lists them.' : `Did you mean "${close}"?`;
    throw new CommandFailure("notFound", `${node.name} has no parameter "${given}". ${hint}`);
  }
  return { number: Number(given), size: 1, name: "", unit: "", prec: 0, min: null, max: null, choices: [] };
}

function numberText({ number }: KnownParameter): string {
  return String(number);
}

function nameText({ name }: KnownParameter): string {
  return name;
}

function titleOf({ number, name }: KnownParameter): string {
  return name === "" ? `Parameter ${number}` : name;
}

function valuesText(parameter: KnownParameter): string {
  const { choices, min, max } = parameter;
  const names = choices.map(({ value, name }) => (min === null ? name : `${value} ${name}`));
  const plain = { ...parameter, choices: [] };
  const span = `${valueText({ ...plain, unit: "" }, min ?? 0)} to ${valueText(plain, max ?? 0)}`;
  const bounds = min === null || max === null ? parameter.unit : span;
  return [...(bounds === "" ? [] : [bounds]), ...names].join(", ");
}

function valueText({ choices, prec, unit }: KnownParameter, value: number): string {
  const chosen = choices.find((choice) => choice.value === value);
  return chosen?.name ?? `${(value / 10 ** prec).toFixed(prec)}${unit === "" ? "" : ` ${unit}`}`;
}
