/**
 * The actions of an automation as programs that run one another: a program has one If, and its statements come one after the other, so
 * what follows a choice or a condition is a program of its own, which the end of each branch runs.
 */

import type { Action, ProgramControl } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import type { ProgramPart, SourceProgram } from "../../home-source.ts";
import { readCondition, readConditions } from "./conditions.ts";
import { allOf, conditionsOf, type Expression } from "./expression.ts";
import type { Context } from "./lines.ts";
import { type Fields, fieldsOf, hasAny, listIn, numberIn, secondsIn, spanIn } from "./read.ts";
import { readService } from "./services.ts";

/** An action and its place. */
export type Item = { readonly raw: unknown; readonly at: string };
type Draft = { -readonly [K in keyof SourceProgram]: SourceProgram[K] };
/** What follows in the list, the program that runs after it, and the program whose statements these are. */
type Place = { readonly rest: readonly Item[]; readonly next: number | null };
type Option = { readonly expression: Expression | null; readonly items: readonly Item[] };

const DEPTH_MAX = 12;
const TIMES_MAX = 1000;
const PROGRAMS_MAX = 60;
const NAME_MAX = 80;
const CONDITIONS = ["condition", "and", "or", "not"];
/** Actions that are more than a statement. */
export const FLOW = [
  ...CONDITIONS,
  "repeat",
  "choose",
  "if",
  "wait_for_trigger",
  "wait_template",
  "parallel",
  "sequence",
  "stop",
];

export class Flow {
  readonly #context: Context;
  readonly name: string;
  readonly programs: Draft[] = [];
  readonly #counts = new Map<string, number>();
  #depth = 0;

  constructor(context: Context, name: string) {
    this.#context = context;
    this.name = name.slice(0, NAME_MAX);
  }

  /** @param what "" for the first; else what it is, for its name */
  make(what: string, part: ProgramPart, write: () => Partial<SourceProgram["tree"]>): number {
    const number = this.#context.known.nextNumber();
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const counted = count > 1 || what === "choice" ? ` ${count}` : "";
    const name = what === "" && count === 1 ? this.name : `${this.name}: ${what || "start"}${counted}`;
    const tree = { if: [], then: [], else: [] };
    const draft: Draft = { number, name, part, runAtStartup: false, tree };
    this.programs.push(draft);
    if (this.programs.length > PROGRAMS_MAX) this.#context.lines.isLost = true;
    else draft.tree = { ...tree, ...write() };
    return number;
  }

  /** @param next program that runs at the end; null: none */
  sequence(items: readonly Item[], next: number | null = null): readonly Action[] {
    const { lines } = this.#context;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) lines.isLost = true;
    const actions = this.#depth > DEPTH_MAX ? [] : this.#steps(items, next);
    this.#depth -= 1;
    return actions;
  }

  #steps(items: readonly Item[], next: number | null): readonly Action[] {
    const done: Action[] = [];
    for (const [index, item] of items.entries()) {
      const rest = items.slice(index + 1);
      const fields = fieldsOf(item.raw);
      this.#context.lines.begin(item.at, item.raw);
      if (fields.enabled === false) {
        this.#context.lines.note(item.at, "same", message("wayIn.disabled"));
        continue;
      }
      if (Object.hasOwn(fields, "stop")) return done;
      const ending = this.#ending(item, fields, { rest, next });
      if (ending) return [...done, ...ending];
      done.push(...this.#plain(item, fields, rest.length > 0));
    }
    return [...done, ...run(next)];
  }

  /** Statements that end with a program that goes on; null: it is none of these. */
  #ending(item: Item, fields: Fields, place: Place): readonly Action[] | null {
    const { raw, at } = item;
    const context = this.#context;
    if (typeof raw === "string" || hasAny(fields, CONDITIONS))
      return this.#gate(readCondition(context, raw, at), place);
    const option = (conditions: unknown, itsAt: string, items: readonly Item[]): Option => {
      const parts = readConditions(context, conditions, itsAt);
      return { expression: parts && allOf(parts), items };
    };
    if (Object.hasOwn(fields, "choose")) {
      const options = listIn(fields.choose).map((each, index) => {
        const [own, { conditions, sequence }] = [`${at}.choose[${index}]`, fieldsOf(each)];
        return option(conditions, `${own}.conditions`, itemsIn(sequence, `${own}.sequence`));
      });
      return this.#choice(options, itemsIn(fields.default, `${at}.default`), place);
    }
    if (Object.hasOwn(fields, "if")) {
      const only = option(fields.if, `${at}.if`, itemsIn(fields.then, `${at}.then`));
      return this.#choice([only], itemsIn(fields.else, `${at}.else`), place);
    }
    const inner = ["sequence", "parallel"].find((name) => Object.hasOwn(fields, name));
    if (inner === undefined) return null;
    if (inner === "parallel") context.lines.note(at, "differs", message("wayIn.oneByOne"));
    return this.sequence(itemsIn(fields[inner], `${at}.${inner}`), this.#rest(place));
  }

  /** The program with what follows; null: nothing does. */
  #rest({ rest, next }: Place): number | null {
    return rest.length === 0 ? next : this.make("rest", "called", () => ({ then: this.sequence(rest, next) }));
  }

  #gate(expression: Expression | null, { rest, next }: Place): readonly Action[] {
    if (expression === true) return this.sequence(rest, next);
    if (expression === false || expression === null) return run(next);
    // A condition that is false ends its own list alone.
    return this.#ask("rest", expression, () => ({ then: this.sequence(rest, next), else: run(next) }));
  }

  #choice(options: readonly Option[], otherwise: readonly Item[], place: Place): readonly Action[] {
    const next = this.#rest(place);
    const from = (index: number): readonly Action[] => {
      const option = options[index];
      if (!option) return this.sequence(otherwise, next);
      const { expression, items } = option;
      if (expression === true) return this.sequence(items, next);
      if (expression === false || expression === null) return from(index + 1);
      return this.#ask("choice", expression, () => ({ then: this.sequence(items, next), else: from(index + 1) }));
    };
    return from(0);
  }

  #ask(what: string, expression: Expression, write: () => Partial<SourceProgram["tree"]>): readonly Action[] {
    return run(
      this.make(what, "waits", () => ({ if: conditionsOf(expression), ...write() })),
      "runif",
    );
  }

  #plain({ raw, at }: Item, fields: Fields, isFollowed: boolean): readonly Action[] {
    const { lines } = this.#context;
    if (Object.hasOwn(fields, "delay")) return this.#delay(at, fields.delay);
    if (Object.hasOwn(fields, "repeat")) return this.#repeat(at, fieldsOf(fields.repeat), isFollowed);
    if (Object.hasOwn(fields, "variables")) lines.note(at, "out", message("wayIn.variables"));
    else if (hasAny(fields, ["wait_template", "wait_for_trigger"])) lines.lose(at, message("wayIn.wait"));
    else
      return readService(this.#context, raw, at, (on, off, { status }) => {
        const id = this.make("toggle", "waits", () => ({ if: [status], then: [off], else: [on] }));
        return { kind: "program", id, control: "runif" };
      });
    return [];
  }

  #delay(at: string, value: unknown): readonly Action[] {
    const span = spanIn(value);
    if (span === null) {
      if (secondsIn(value) !== 0) this.#context.lines.lose(at, message("wayIn.span"));
      return [];
    }
    const wait: Action = { kind: "wait", span, random: false };
    this.#context.lines.becomes(at, { actions: [wait] });
    return [wait];
  }

  /** A repeat repeats all up to the next repeat. */
  #repeat(at: string, fields: Fields, isFollowed: boolean): readonly Action[] {
    const { lines } = this.#context;
    const times = numberIn(fields.count);
    const items = itemsIn(fields.sequence, `${at}.repeat.sequence`);
    for (const each of items) lines.begin(each.at, each.raw);
    const isPlain = items.every(({ raw }) => typeof raw !== "string" && !hasAny(fieldsOf(raw), FLOW));
    if (times === null || !Number.isInteger(times) || times < 1 || times > TIMES_MAX || !isPlain) {
      lines.lose(at, message(times === null ? "wayIn.repeatUntil" : "wayIn.inRepeat"));
      return [];
    }
    const head: Action = { kind: "repeat-times", times, random: false };
    lines.becomes(at, { actions: [head] });
    const isOn = ({ raw }: Item) => fieldsOf(raw).enabled !== false;
    const body = items.filter(isOn).flatMap((item) => this.#plain(item, fieldsOf(item.raw), false));
    return [head, ...body, ...(isFollowed ? [{ ...head, times: 1 }] : [])];
  }
}

export function run(program: number | null, control: ProgramControl = "runthen"): readonly Action[] {
  return program === null ? [] : [{ kind: "program", id: program, control }];
}

export function itemsIn(raw: unknown, at: string): readonly Item[] {
  return listIn(raw).map((each, index) => ({ raw: each, at: `${at}[${index}]` }));
}

/** Whether it pauses by itself. */
export function pauses({ then, else: otherwise }: SourceProgram["tree"]): boolean {
  return [...then, ...otherwise].some(({ kind }) => kind === "wait" || kind.startsWith("repeat"));
}
