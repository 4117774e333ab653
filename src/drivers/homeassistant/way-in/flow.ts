/**
 * The actions of an automation as programs that run one another: a program has one If, and its statements come one after the other, so
 * what follows a choice, a condition or a wait for something is a program of its own, which the end of each branch runs.
 */

import type { Action, Condition, ProgramControl } from "../../../home/program-syntax.ts";
import { message } from "../../../messages.ts";
import type { ProgramPart, SourceProgram } from "../../home-source.ts";
import { readCondition, readConditions } from "./conditions.ts";
import { allOf, anyOf, conditionsOf, type Expression } from "./expression.ts";
import type { Context } from "./lines.ts";
import { type Fields, fieldsOf, listIn, numberIn, secondsIn, spanIn } from "./read.ts";
import { readService, type Toggle } from "./services.ts";
import { readTrigger, type Start } from "./triggers.ts";

/** An action and its place. */
export type Item = { readonly raw: unknown; readonly at: string };
type Draft = { -readonly [K in keyof SourceProgram]: SourceProgram[K] };

const DEPTH_MAX = 12;
const TIMES_MAX = 1000;
const PROGRAMS_MAX = 60;
const NAME_MAX = 80;

export class Flow {
  readonly #context: Context;
  readonly name: string;
  readonly programs: Draft[] = [];
  /** Programs that are enabled for the time of a wait. */
  readonly armed = new Set<number>();
  readonly #counts = new Map<string, number>();
  #depth = 0;

  constructor(context: Context, name: string) {
    this.#context = context;
    this.name = name.slice(0, NAME_MAX);
  }

  /** @param what "" for the first; else what it is, for its name */
  make(what: string, part: ProgramPart, write: (number: number) => Partial<SourceProgram["tree"]>): number {
    const number = this.#context.known.nextNumber();
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const counted = count > 1 || what === "choice" ? ` ${count}` : "";
    const name = what === "" && count === 1 ? this.name : `${this.name}: ${what || "start"}${counted}`;
    const tree = { if: [], then: [], else: [] };
    const draft: Draft = { number, name, part, runAtStartup: false, tree };
    this.programs.push(draft);
    if (this.programs.length > PROGRAMS_MAX) this.#context.lines.isLost = true;
    else draft.tree = { ...tree, ...write(number) };
    return number;
  }

  /** @param next program that runs at the end; null: none. @param self the program whose statements these are */
  sequence(items: readonly Item[], next: number | null, self: number): readonly Action[] {
    const { lines } = this.#context;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) lines.isLost = true;
    const actions = lines.isLost && this.#depth > DEPTH_MAX ? [] : this.#steps(items, next, self);
    this.#depth -= 1;
    return actions;
  }

  #steps(items: readonly Item[], next: number | null, self: number): readonly Action[] {
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
      const ending = this.#ending(item, fields, { rest, next, self });
      if (ending) return [...done, ...ending];
      done.push(...this.#plain(item, fields, rest.length > 0));
    }
    return [...done, ...this.#run(next)];
  }

  #run(program: number | null, control: ProgramControl = "runthen"): readonly Action[] {
    return program === null ? [] : [{ kind: "program", id: program, control }];
  }

  /** Statements that end with a program that goes on; null: it is none of these. */
  #ending(item: Item, fields: Fields, place: Place): readonly Action[] | null {
    const { raw, at } = item;
    if (typeof raw === "string" || ["condition", "and", "or", "not"].some((name) => Object.hasOwn(fields, name)))
      return this.#gate(item, place);
    if (Object.hasOwn(fields, "choose")) {
      const options = listIn(fields.choose).map((option, index) => {
        const own = `${at}.choose[${index}]`;
        return {
          conditions: fieldsOf(option).conditions,
          at: `${own}.conditions`,
          items: itemsIn(fieldsOf(option).sequence, `${own}.sequence`),
        };
      });
      return this.#choice(options, itemsIn(fields.default, `${at}.default`), place);
    }
    if (Object.hasOwn(fields, "if")) {
      const option = { conditions: fields.if, at: `${at}.if`, items: itemsIn(fields.then, `${at}.then`) };
      return this.#choice([option], itemsIn(fields.else, `${at}.else`), place);
    }
    if (Object.hasOwn(fields, "wait_for_trigger")) return this.#wait(item, fields, place);
    const inner = Object.hasOwn(fields, "sequence")
      ? "sequence"
      : Object.hasOwn(fields, "parallel")
        ? "parallel"
        : null;
    if (!inner) return null;
    if (inner === "parallel") this.#context.lines.note(at, "differs", message("wayIn.oneByOne"));
    return this.sequence(itemsIn(fields[inner], `${at}.${inner}`), this.#rest(place), place.self);
  }

  /** The program with what follows; null: nothing does. */
  #rest({ rest, next }: Place): number | null {
    if (rest.length === 0) return next;
    return this.make("rest", "called", (self) => ({ then: this.sequence(rest, next, self) }));
  }

  #gate({ raw, at }: Item, { rest, next, self }: Place): readonly Action[] {
    const expression = readCondition(this.#context, raw, at);
    if (expression === true) return this.sequence(rest, next, self);
    if (expression === false || expression === null) return this.#run(next);
    // A condition that is false ends its own list alone.
    const gate = this.make("rest", "waits", (own) => ({
      if: conditionsOf(expression),
      then: this.sequence(rest, next, own),
      else: this.#run(next),
    }));
    return this.#run(gate, "runif");
  }

  #choice(options: readonly Option[], otherwise: readonly Item[], place: Place): readonly Action[] {
    const next = this.#rest(place);
    const read = options.map((option): Expression | null => {
      const parts = readConditions(this.#context, option.conditions, option.at);
      return parts && allOf(parts);
    });
    const from = (index: number, self: number): readonly Action[] => {
      const option = options[index];
      const expression = read[index];
      if (!option) return this.sequence(otherwise, next, self);
      if (expression === true) return this.sequence(option.items, next, self);
      if (expression === false || expression === null || expression === undefined) return from(index + 1, self);
      const branch = this.make("choice", "waits", (own) => ({
        if: conditionsOf(expression),
        then: this.sequence(option.items, next, own),
        else: from(index + 1, own),
      }));
      return this.#run(branch, "runif");
    };
    return from(0, place.self);
  }

  /** A program with the trigger is enabled while it is waited for. */
  #wait({ at }: Item, fields: Fields, place: Place): readonly Action[] {
    const starts = this.starts(fields.wait_for_trigger, `${at}.wait_for_trigger`);
    const timeout = fields.timeout === undefined ? null : spanIn(fields.timeout);
    if (
      starts.some(({ kind }) => kind !== "when") ||
      starts.length === 0 ||
      (fields.timeout !== undefined && !timeout)
    ) {
      this.#context.lines.lose(at, message("wayIn.wait"));
      return [];
    }
    const next = this.#rest(place);
    const waiters: number[] = [];
    const disarm = () => waiters.flatMap((waiter) => this.#run(waiter, "disable"));
    for (const condition of grouped(starts))
      waiters.push(this.make("wait", "waits", () => ({ if: conditionsOf(condition) })));
    const goesOn = [...disarm(), ...(timeout ? this.#run(place.self, "stop") : []), ...this.#run(next)];
    for (const draft of this.programs) if (waiters.includes(draft.number)) draft.tree = { ...draft.tree, then: goesOn };
    for (const waiter of waiters) this.armed.add(waiter);
    const armed = waiters.flatMap((waiter) => this.#run(waiter, "enable"));
    this.#context.lines.becomes(at, { actions: armed });
    if (!timeout) return armed;
    const over = fields.continue_on_timeout === false ? [] : this.#run(next);
    return [...armed, { kind: "wait", span: timeout, random: false }, ...disarm(), ...over];
  }

  starts(raw: unknown, at: string): readonly Start[] {
    return listIn(raw).flatMap((each, index) => readTrigger(this.#context, each, `${at}[${index}]`) ?? []);
  }

  #plain(item: Item, fields: Fields, isFollowed: boolean): readonly Action[] {
    const { lines } = this.#context;
    const { raw, at } = item;
    if (Object.hasOwn(fields, "delay")) return this.#delay(at, fields.delay);
    if (Object.hasOwn(fields, "repeat")) return this.#repeat(at, fieldsOf(fields.repeat), isFollowed);
    if (Object.hasOwn(fields, "variables")) lines.note(at, "out", message("wayIn.variables"));
    else if (Object.hasOwn(fields, "wait_template")) lines.lose(at, message("wayIn.template"));
    else return readService(this.#context, raw, at, this.#toggle);
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
    const isPlain = items.every(
      ({ raw }) => !FLOW.some((name) => Object.hasOwn(fieldsOf(raw), name)) && typeof raw !== "string",
    );
    if (times === null || !Number.isInteger(times) || times < 1 || times > TIMES_MAX || !isPlain) {
      for (const each of items) lines.begin(each.at, each.raw);
      lines.lose(at, message(times === null ? "wayIn.repeatUntil" : "wayIn.inRepeat"));
      return [];
    }
    const head: Action = { kind: "repeat-times", times, random: false };
    lines.becomes(at, { actions: [head] });
    const body = items.flatMap((item) => {
      lines.begin(item.at, item.raw);
      return this.#plain(item, fieldsOf(item.raw), false);
    });
    return [head, ...body, ...(isFollowed ? [{ ...head, times: 1 }] : [])];
  }

  readonly #toggle: Toggle = (_entity, on, off, { status }) => {
    const id = this.make("toggle", "waits", () => ({ if: [status], then: [off], else: [on] }));
    return { kind: "program", id, control: "runif" };
  };
}

type Place = { readonly rest: readonly Item[]; readonly next: number | null; readonly self: number };
type Option = { readonly conditions: unknown; readonly at: string; readonly items: readonly Item[] };

const FLOW: readonly string[] = [
  ...[
    "repeat",
    "choose",
    "if",
    "condition",
    "and",
    "or",
    "not",
    "wait_for_trigger",
    "wait_template",
    "parallel",
    "sequence",
    "stop",
  ],
];

export function itemsIn(raw: unknown, at: string): readonly Item[] {
  return listIn(raw).map((each, index) => ({ raw: each, at: `${at}[${index}]` }));
}

/** Instants may start one program; what stays true starts one each, or the end of the one would start it for the other. */
export function grouped(starts: readonly Start[]): readonly Condition[] {
  const when = starts.filter((start) => start.kind === "when");
  const instants = anyOf(when.filter(({ isInstant }) => isInstant).map(({ condition }) => condition));
  const levels = when.filter(({ isInstant }) => !isInstant).map(({ condition }) => condition);
  return [...(typeof instants === "boolean" ? [] : [instants]), ...levels];
}

/** Whether it pauses by itself. */
export function pauses(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind === "wait" || kind.startsWith("repeat"));
}
