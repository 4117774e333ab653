/**
 * The references of a program or folder: the things that start it, and the things that must exist for it to be
 * loaded.
 */

import type { Home } from "../home/home.ts";
import type {
  Action,
  ActionOperand,
  Condition,
  Foreign,
  GivenValue,
  Schedule,
  Selector,
  TimeOfDay,
  VariableOperand,
} from "../home/program-syntax.ts";
import { hexId, type Program, type ProgramEntry, type ProgramFolder } from "../home/programs.ts";
import { findVariable, type VariableType } from "../home/variables.ts";
import { propertiesOf } from "../profile/role-words.ts";
import type { Member } from "./role-members.ts";

export type Reference =
  /** A node, a group, or the root group. */
  | { readonly kind: "address"; readonly address: string }
  /** A folder of nodes. */
  | { readonly kind: "folder"; readonly address: string }
  | { readonly kind: "variable"; readonly type: VariableType; readonly id: number }
  | { readonly kind: "program"; readonly id: number }
  | { readonly kind: "resource"; readonly id: number };

type ProgramContent = Pick<Program, "kind" | "tree"> | Pick<ProgramFolder, "kind" | "conditions">;

/** Everything that it names, in the order of the tree; the same thing as often as it is named. */
export function referencesOf(entry: ProgramContent): readonly Reference[] {
  if (entry.kind === "folder") return entry.conditions.flatMap(ofCondition);
  const { tree } = entry;
  return [...tree.if.flatMap(ofCondition), ...tree.then.flatMap(ofAction), ...tree.else.flatMap(ofAction)];
}

/**
 * Why a program cannot be loaded, as a sentence; null when everything it names exists and every statement can be carried
 * out here.
 */
export function checkReferences(home: Home, entry: ProgramContent): string | null {
  const foreign = foreignStatements(entry)[0];
  if (foreign) return `This controller does not carry out ${statementWords(foreign)}.`;
  const missing = referencesOf(entry).find((reference) => !exists(home, reference));
  return missing ? `There is no ${referenceWords(missing)}.` : null;
}

/** A text that is the same for the same thing. */
export function referenceKey(reference: Reference): string {
  switch (reference.kind) {
    case "address":
    case "folder":
      return `${reference.kind} ${reference.address}`;
    case "variable":
      return `variable ${reference.type}/${reference.id}`;
    case "program":
    case "resource":
      return `${reference.kind} ${reference.id}`;
  }
}

/** All conditions of a list, those in parentheses too, without the parentheses themselves. */
export function leafConditions(conditions: readonly Condition[]): readonly Exclude<Condition, { kind: "paren" }>[] {
  return conditions.flatMap((condition) =>
    condition.kind === "paren" ? leafConditions(condition.conditions) : [condition],
  );
}

/** Ids of the state variables in a comparison, on either side: a change of each starts what holds the condition. */
export function stateVariablesOf(condition: Extract<Condition, { kind: "variable" | "status" }>): readonly number[] {
  if (condition.kind === "status") {
    const { value } = condition;
    return "variable" in value && value.variable.type === 2 ? [value.variable.id] : [];
  }
  const sides = condition.operand.kind === "variable" ? [condition, condition.operand] : [condition];
  return sides.flatMap(({ type, id }) => (type === 2 ? id : []));
}

export function conditionsOf(entry: ProgramEntry): readonly Condition[] {
  return entry.kind === "folder" ? entry.conditions : entry.tree.if;
}

/** The selectors in conditions, and in statements. */
export function selectorsOf(entry: ProgramContent): readonly Selector[] {
  const conditions = leafConditions(entry.kind === "folder" ? entry.conditions : entry.tree.if);
  const actions = entry.kind === "folder" ? [] : [...entry.tree.then, ...entry.tree.else];
  return [...conditions, ...actions].flatMap((statement) => (statement.kind === "roles" ? [statement.selector] : []));
}

/** How many statements there are that older clients do not know. */
export function ownStatements(entry: ProgramContent): number {
  const conditions = leafConditions(entry.kind === "folder" ? entry.conditions : entry.tree.if);
  const actions = entry.kind === "folder" ? [] : [...entry.tree.then, ...entry.tree.else];
  const others = [...conditions, ...actions].filter(
    (each) => each.kind === "held" || each.kind === "message" || (each.kind === "foreign" && isUnread(each)),
  );
  return selectorsOf(entry).length + others.length;
}

/** A statement of another controller that could not be read when its home moved in. */
function isUnread({ json }: Foreign): boolean {
  return JSON.parse(json).type === "unread";
}

/** The values that conditions look at: a change of each starts what holds the condition. */
export function watchedProperties(
  conditions: readonly Condition[],
  members: (selector: Selector) => readonly Member[],
): readonly { readonly node: string; readonly property: string }[] {
  return leafConditions(conditions).flatMap((condition) => {
    if (condition.kind === "status" || condition.kind === "held")
      return [{ node: condition.node, property: condition.property }];
    if (condition.kind !== "roles" || condition.test.how === "sends") return [];
    const { selector } = condition;
    return members(selector).flatMap(({ address, role }) =>
      propertiesOf(selector.role, role).map((property) => ({ node: address, property })),
    );
  });
}

function foreignStatements(entry: ProgramContent): readonly Foreign[] {
  const conditions = leafConditions(entry.kind === "folder" ? entry.conditions : entry.tree.if);
  const actions = entry.kind === "folder" ? [] : [...entry.tree.then, ...entry.tree.else];
  return [...conditions, ...actions].filter((statement) => statement.kind === "foreign");
}

/** The foreign part of a statement of a supported kind. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  schedule: "schedules that count from the last run of a program",
  var: "assignments of this system value",
  unread: "statements of another controller that could not be read",
};

/** @param json of an object; only what the interface knows as a statement is ever kept. */
function statementWords({ json }: Foreign): string {
  const type = String(JSON.parse(json).type);
  return FOREIGN_WORDS[type] ?? `"${type}" statements`;
}

function exists(home: Home, reference: Reference): boolean {
  switch (reference.kind) {
    case "address": {
      const { address } = reference;
      return home.nodes.has(address) || home.groups.has(address) || address === home.controller.uuid;
    }
    case "folder":
      return home.folders.has(reference.address);
    case "variable":
      return findVariable(home, reference.type, reference.id) !== null;
    case "program":
      return home.programs.has(reference.id);
    case "resource":
      return home.networkResources.has(reference.id);
  }
}

function referenceWords(reference: Reference): string {
  switch (reference.kind) {
    case "address":
      return `node or group ${reference.address}`;
    case "folder":
      return `folder ${reference.address}`;
    case "variable":
      return `${reference.type === 1 ? "integer" : "state"} variable ${reference.id}`;
    case "program":
      return `program ${hexId(reference.id)}`;
    case "resource":
      return `network resource ${reference.id}`;
  }
}

function ofCondition(condition: Condition): readonly Reference[] {
  switch (condition.kind) {
    case "paren":
      return condition.conditions.flatMap(ofCondition);
    case "status":
      return [{ kind: "address", address: condition.node }, ...ofGiven(condition.value)];
    case "held":
    case "control":
      return [{ kind: "address", address: condition.node }];
    case "variable":
      return [{ kind: "variable", type: condition.type, id: condition.id }, ...ofOperand(condition.operand)];
    case "program":
      return [{ kind: "program", id: condition.id }];
    case "schedule":
      return programsOfSchedule(condition.when).map((id) => ({ kind: "program", id }));
    case "roles":
      return ofSelector(condition.selector);
    case "foreign":
      return [];
  }
}

/** The programs from whose last run it counts. */
export function programsOfSchedule(when: Schedule): readonly number[] {
  return timesOf(when).flatMap((time) => (time.kind === "last-run" ? [time.program] : []));
}

export function timesOf(when: Schedule): readonly TimeOfDay[] {
  switch (when.kind) {
    case "at":
      return [when.at];
    case "from-to":
      return [when.from, when.to];
    case "from-for":
      return [when.from];
  }
}

function ofAction(action: Action): readonly Reference[] {
  switch (action.kind) {
    case "command":
      return [{ kind: "address", address: action.node }, ...action.parameters.flatMap(ofGiven)];
    case "link":
      return [
        { kind: "address", address: action.group },
        { kind: "address", address: action.controller },
        { kind: "address", address: action.link.node },
      ];
    case "variable":
    case "repeat-while":
      return [{ kind: "variable", type: action.type, id: action.id }, ...ofOperand(action.operand)];
    case "program":
      return [{ kind: "program", id: action.id }];
    case "resource":
      return [{ kind: "resource", id: action.id }];
    case "roles":
      return ofSelector(action.selector);
    case "wait":
    case "repeat-times":
    case "repeat-every":
    case "notify":
    case "message":
    case "foreign":
      return [];
  }
}

/** An excepted node may be gone: then nothing is excepted. */
function ofSelector({ places }: Selector): readonly Reference[] {
  return places.map((address) => ({ kind: "folder", address }));
}

function ofGiven(given: GivenValue): readonly Reference[] {
  return "variable" in given ? [{ kind: "variable", ...given.variable }] : [];
}

function ofOperand(operand: VariableOperand | ActionOperand): readonly Reference[] {
  switch (operand.kind) {
    case "variable":
      return [{ kind: "variable", type: operand.type, id: operand.id }];
    case "status":
      return [{ kind: "address", address: operand.node }];
    case "value":
    case "system":
      return [];
  }
}
