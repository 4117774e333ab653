/**
 * Programs in the XML of older clients and controllers ("D2D"), both ways. Statements go through the interface's JSON: here is
 * only how they stand in a document (trigger-elements.ts: how their members are spelled).
 *
 * @see docs/interface/program-xml.md
 */

import { isDeepStrictEqual } from "node:util";
import { ControllerError } from "../../errors.ts";
import { type Action, type Condition, type ProgramTree, SYNTAX_LIMITS } from "../../home/program-syntax.ts";
import { type ProgramEntry, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { childText, readXml, type XmlElement, XmlError } from "../../util/read-xml.ts";
import { writeXmlElement } from "../../wire/spelling/tree.ts";
import { LocatedValue } from "./located-value.ts";
import { ACTION_ELEMENTS, CONDITION_ELEMENTS } from "./trigger-elements.ts";
import { actionJson, conditionJson, parseAction, parseCondition } from "./trigger-json.ts";
import { anything, Misspelled, type MisspelledReason, made, type Spelling } from "./xml-spelling.ts";

/** The `<trigger>` of a program or folder. A statement of this controller's own has an element of its own: `<roles>`, `<held>`. */
export function programXml(entry: ProgramEntry): string {
  return writeXmlElement(triggerElement(entry));
}

function triggerElement(entry: ProgramEntry): XmlElement {
  const isFolder = entry.kind === "folder";
  const tree: ProgramTree = isFolder ? { if: entry.conditions, then: [], else: [] } : entry.tree;
  const leaf = (name: string, text: string) => made(name, [], [], text);
  return made(
    "trigger",
    [],
    [
      leaf("id", String(entry.id)),
      leaf("name", entry.name),
      leaf("parent", String(entry.parentId ?? 0)),
      ...(isFolder ? [made("folder", [], [], "", true)] : []),
      made("if", [], conditionElements(tree.if)),
      made("then", [], tree.then.map(actionElement)),
      made("else", [], tree.else.map(actionElement)),
      leaf("comment", isFolder ? "" : entry.comment),
    ],
  );
}

function conditionElements(conditions: readonly Condition[]): readonly XmlElement[] {
  return conditions.flatMap((condition) => [
    made(condition.andOr, [], [], "", true),
    condition.kind === "paren"
      ? made("paren", [], conditionElements(condition.conditions))
      : statementElement(condition, conditionJson(condition), CONDITION_ELEMENTS),
  ]);
}

function actionElement(action: Action): XmlElement {
  return statementElement(action, actionJson(action), ACTION_ELEMENTS);
}

function statementElement(
  { kind }: Condition | Action,
  json: { readonly type: string },
  spellings: Readonly<Record<string, Spelling>>,
): XmlElement {
  const { type, andOr: _andOr, ...own } = json as { readonly type: string; readonly andOr?: string };
  const spelling = Object.hasOwn(spellings, type) ? spellings[type] : anything;
  if (kind !== "foreign") return (spelling as Spelling).write(type, own);
  return spelledAlike(spelling as Spelling, type, own) ?? made(type, [[AS_JSON, JSON.stringify(own)]], []);
}

/** Attribute of a stored statement whose JSON has no spelling. */
const AS_JSON = "json";

function spelledAlike(spelling: Spelling, name: string, json: object): XmlElement | null {
  try {
    const written = spelling.write(name, json);
    return isDeepStrictEqual(spelling.read(written), json) ? written : null;
  } catch (error) {
    if (error instanceof Misspelled) return null;
    throw error;
  }
}

/** `not-carried-out`: it was read and is stored, but this controller has no such statement. */
type XmlNoteReason = MisspelledReason | "not-carried-out";

/** A statement that did not come as it was written. */
type XmlNote = {
  readonly line: number;
  /** `if[2].conditions[0]`, `then[3]`; empty for a part that is no statement. */
  readonly place: string;
  /** Name of its element. */
  readonly element: string;
  readonly reason: XmlNoteReason;
  /** Continues "`<net>` …". */
  readonly detail: string;
};

/** A program or folder as it was written; null for what the document leaves out. */
export type WrittenTrigger = {
  readonly kind: "program" | "folder";
  readonly id: number | null;
  readonly name: string | null;
  /** Of the root folder itself too: null. A parent 0 is the root folder. */
  readonly parentId: number | null;
  /** With the comments between the statements, one a line, before it. */
  readonly comment: string | null;
  /** Of a folder only `if`. A statement that cannot be read stands in it as a foreign one. */
  readonly tree: ProgramTree;
  readonly line: number;
  readonly notes: readonly XmlNote[];
};

type XmlBudget = {
  readonly charsMax: number;
  readonly programsMax: number;
  /** Of all programs together. */
  readonly statementsMax: number;
};

/**
 * Reads one program or folder, or many: `trigger`, `d2d` or `triggers`, alone, in an envelope, or after `key`. Names, sizes and
 * references are checked where the programs are stored.
 *
 * @throws ControllerError BAD_BODY for what is no such document; PROGRAM_TOO_LARGE beyond the budget
 */
export function readTriggers(
  text: string,
  { charsMax, programsMax, statementsMax }: XmlBudget,
): { readonly key: string | null; readonly triggers: readonly WrittenTrigger[] } {
  if (text.length > charsMax) throw tooLarge(`The programs are longer than ${charsMax} characters.`);
  const root = readRoot(text);
  const found = elementsOf(root, "trigger");
  if (found.length === 0 && elementsOf(root, "triggers").length === 0) {
    throw new ControllerError("BAD_BODY", "The XML has no <trigger>, so it holds no program.");
  }
  if (found.length > programsMax) throw tooLarge(`The XML has ${found.length} programs; ${programsMax} are allowed.`);
  const reader = new TriggerReader(statementsMax);
  const triggers = found.map((each) => reader.read(each));
  return { key: elementsOf(root, "key")[0]?.text.trim() ?? null, triggers };
}

/**
 * For clients that write one program: refuses one with a statement that cannot be read.
 *
 * @throws ControllerError BAD_BODY with the line of each such statement
 */
export function requireRead({ notes }: WrittenTrigger): void {
  const unread = notes.filter(({ reason }) => reason !== "not-carried-out");
  const [first] = unread;
  if (!first) return;
  throw new ControllerError("BAD_BODY", {
    sentence: `The XML cannot be read in line ${first.line}: ${noteSentence(first)}`,
    problems: unread.map((note) => ({
      line: note.line,
      column: 1,
      code: `XML_${note.reason.toUpperCase()}`,
      message: noteSentence(note),
      suggestion: null,
    })),
  });
}

/** `then[2]: <net> has …`; a part of a program that is no statement has no place. */
function noteSentence({ place, element, detail }: XmlNote): string {
  return `${place === "" ? "" : `${place}: `}<${element}> ${detail}.`;
}

const DECLARATION = /^\s*<\?xml[^<>]*\?>/;

/** Some controllers write two elements without a root, and zero bytes between programs. */
function readRoot(text: string): XmlElement {
  const content = text.replace(/^\ufeff/, "").replaceAll("\u0000", "");
  try {
    return readXml(`<all>${content.replace(DECLARATION, "")}</all>`);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ControllerError("BAD_BODY", { sentence: `The XML cannot be read: ${error.message}.`, cause: error });
  }
}

function elementsOf(given: XmlElement, name: string): readonly XmlElement[] {
  return given.children.flatMap((each) => (each.name === name ? [each] : elementsOf(each, name)));
}

function tooLarge(sentence: string): ControllerError {
  return new ControllerError("PROGRAM_TOO_LARGE", sentence);
}

/** Reads programs of one document, and counts their statements. */
class TriggerReader {
  #statementsLeft: number;
  readonly #statementsMax: number;
  #notes: XmlNote[] = [];
  #comments: string[] = [];

  constructor(statementsMax: number) {
    this.#statementsLeft = statementsMax;
    this.#statementsMax = statementsMax;
  }

  read(trigger: XmlElement): WrittenTrigger {
    this.#notes = [];
    this.#comments = [];
    for (const { name, line } of trigger.children) {
      if (PARTS.has(name)) continue;
      this.#count();
      this.#note("", { name, line }, new Misspelled("unknown", "is unknown in a <trigger>"));
    }
    const part = (name: string) => trigger.children.filter((each) => each.name === name);
    const tree: ProgramTree = {
      if: part("if").flatMap((each) => this.#conditions(each, "if")),
      then: part("then").flatMap((each) => this.#actions(each, "then")),
      else: part("else").flatMap((each) => this.#actions(each, "else")),
    };
    const comment = childText(trigger, "comment");
    const comments = [...this.#comments, ...(comment === null || comment === "" ? [] : [comment])].join("\n");
    const id = this.#id(trigger, "id", 1);
    const parent = this.#id(trigger, "parent", 0);
    return {
      kind: part("folder").length > 0 ? "folder" : "program",
      id,
      name: childText(trigger, "name"),
      parentId: parent === 0 ? (id === ROOT_PROGRAM_ID ? null : ROOT_PROGRAM_ID) : parent,
      comment: comment === null && comments === "" ? null : comments,
      tree,
      line: trigger.line,
      notes: this.#notes,
    };
  }

  #id(trigger: XmlElement, name: string, min: number): number | null {
    const written = childText(trigger, name)?.trim();
    if (written === undefined) return null;
    const id = /^\d{1,5}$/.test(written) ? Number(written) : -1;
    if (id >= min && id <= SYNTAX_LIMITS.id) return id;
    throw new ControllerError("BAD_BODY", `In line ${trigger.line} <${name}> has to be a decimal id of a program.`);
  }

  #conditions(list: XmlElement, place: string): readonly Condition[] {
    const conditions: Condition[] = [];
    let andOr: "and" | "or" | null = null;
    for (const each of list.children) {
      if (each.name === "and" || each.name === "or") andOr = each.name;
      else {
        conditions.push(this.#condition(each, andOr ?? "and", `${place}[${conditions.length}]`));
        andOr = null;
      }
    }
    return conditions;
  }

  #condition(given: XmlElement, andOr: "and" | "or", place: string): Condition {
    if (given.name === "paren") {
      this.#count();
      return { andOr, kind: "paren", conditions: this.#conditions(given, `${place}.conditions`) };
    }
    return (
      this.#statement(given, CONDITION_ELEMENTS, place, (json) =>
        parseCondition(new LocatedValue({ ...json, andOr }, "")),
      ) ?? {
        andOr,
        ...unread(given),
      }
    );
  }

  #actions(list: XmlElement, place: string): readonly Action[] {
    const actions: Action[] = [];
    for (const each of list.children) {
      if (each.name === "comment") this.#comments.push(each.text.trim());
      else actions.push(this.#action(each, `${place}[${actions.length}]`));
    }
    return actions;
  }

  #action(given: XmlElement, place: string): Action {
    const parse = (json: object) => parseAction(new LocatedValue(json, ""));
    return this.#statement(given, ACTION_ELEMENTS, place, parse) ?? unread(given);
  }

  #statement<T extends Condition | Action>(
    given: XmlElement,
    spellings: Readonly<Record<string, Spelling>>,
    place: string,
    parse: (json: object) => T,
  ): T | null {
    this.#count();
    try {
      const spelling = Object.hasOwn(spellings, given.name) ? spellings[given.name] : undefined;
      if (!spelling) throw new Misspelled("unknown", "is an unknown statement");
      const statement = parse({ type: given.name, ...(jsonIn(given) ?? (spelling.read(given) as object)) });
      if (statement.kind === "foreign") this.#note(place, given, null);
      return statement;
    } catch (error) {
      if (error instanceof Misspelled) this.#note(place, given, error);
      else if (error instanceof ControllerError) this.#note(place, given, new Misspelled("value", partOf(error)));
      else throw error;
      return null;
    }
  }

  #note(place: string, { name, line }: Pick<XmlElement, "name" | "line">, why: Misspelled | null): void {
    const known = { line: why?.line || line, place, element: name };
    this.#notes.push(
      why === null
        ? { ...known, reason: "not-carried-out", detail: "is stored, and not carried out by this controller" }
        : { ...known, reason: why.reason, detail: why.message },
    );
  }

  #count(): void {
    this.#statementsLeft -= 1;
    if (this.#statementsLeft < 0) throw tooLarge(`The programs have more than ${this.#statementsMax} statements.`);
  }
}

const PARTS: ReadonlySet<string> = new Set(["id", "name", "parent", "folder", "if", "then", "else", "comment"]);

/** Of "The body at op has to be …" and "The body needs …" what follows the body. */
function partOf({ message }: ControllerError): string {
  const sentence = message.replace(/\.$/, "");
  const inner = /^The body at (.*)$/s.exec(sentence)?.[1];
  return inner === undefined ? sentence.replace(/^The body /, "") : `has a member that is refused: ${inner}`;
}

/** Of a statement that cannot be read. */
const UNREAD_CHARS_MAX = 4000;

/** The statement as it was written, for its owner. */
function unread(given: XmlElement): { readonly kind: "foreign"; readonly json: string } {
  const xml = writeXmlElement(given).slice(0, UNREAD_CHARS_MAX);
  return { kind: "foreign", json: JSON.stringify({ type: "unread", xml }) };
}

function jsonIn({ attributes, children }: XmlElement): object | null {
  const written = attributes.get(AS_JSON);
  if (written === undefined || attributes.size > 1 || children.length > 0) return null;
  try {
    const json: unknown = JSON.parse(written);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : null;
  } catch {
    throw new Misspelled("value", `has no JSON in its attribute "${AS_JSON}"`);
  }
}
