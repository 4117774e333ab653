/**
 * Finds the programs that an event concerns without looking at the others: the cost of a report does not depend on
 * the number of programs that do not name it. Its owner updates it, one entry at a time.
 */

import type { Condition } from "../home/program-syntax.ts";
import type { ProgramEntry } from "../home/programs.ts";
import type { VariableType } from "../home/variables.ts";
import { propertiesOf } from "../profile/role-words.ts";
import { isTimed, type TimedLeaf, timedConditions } from "./holds.ts";
import {
  conditionsOf,
  leafConditions,
  programsOfSchedule,
  type Reference,
  referenceKey,
  referencesOf,
  stateVariablesOf,
} from "./references.ts";
import { type Member, type MemberMove, type RoleMembers, selectorKey } from "./role-members.ts";
import type { ScheduleCondition } from "./schedule/moments.ts";

/** Folders before programs, so that a folder is evaluated before the programs in it; both by id. */
type Ids = readonly number[];

const NONE: Ids = [];

export class TriggerIndex {
  readonly #members: RoleMembers;
  readonly #byTrigger = new Map<string, number[]>();
  /** How often an entry has a trigger: by its conditions, and by each node that its selectors mean. */
  readonly #counts = new Map<string, number>();
  /** Entries with conditions by room and role, by the keys of the selectors. */
  readonly #bySelector = new Map<string, Set<number>>();
  readonly #byReference = new Map<string, number[]>();
  readonly #schedules = new Map<number, readonly ScheduleCondition[]>();
  readonly #entries = new Map<number, Indexed>();

  /** @param members follows the selectors of all entries */
  constructor(members: RoleMembers) {
    this.#members = members;
  }

  /** Programs and folders with a condition on this property of this node. */
  onStatus(node: string, property: string): Ids {
    return this.#byTrigger.get(statusKey(node, property)) ?? NONE;
  }

  /** Programs and folders with a condition with "for" on this property. */
  onHeld(node: string, property: string): Ids {
    return this.#byTrigger.get(heldKey(node, property)) ?? NONE;
  }

  /** Whether any condition looks at the property. */
  isWatched(node: string, property: string): boolean {
    return this.onStatus(node, property).length > 0 || this.onHeld(node, property).length > 0;
  }

  /** The conditions with "for" of a program or folder, those in parentheses too. */
  timedOf(id: number): readonly TimedLeaf[] {
    return this.#entries.get(id)?.timed ?? [];
  }

  /** Programs and folders with a condition with "for" by these selectors. */
  timedBySelectors(selectors: Iterable<string>): Ids {
    const ids = new Set<number>();
    for (const selector of selectors)
      for (const id of this.#bySelector.get(selector) ?? []) if (this.timedOf(id).length > 0) ids.add(id);
    return [...ids];
  }

  /** Programs and folders with a condition on this command of this node, IS or ISNOT. */
  onControl(node: string, command: string): Ids {
    return this.#byTrigger.get(controlKey(node, command)) ?? NONE;
  }

  /** Programs and folders with a condition on this variable; integer variables start nothing. */
  onVariable(type: VariableType, id: number): Ids {
    return type === 2 ? (this.#byTrigger.get(variableKey(id)) ?? NONE) : NONE;
  }

  /** Programs and folders with a condition on the status of this program or folder. */
  onProgram(id: number): Ids {
    return this.#byTrigger.get(programKey(id)) ?? NONE;
  }

  /** Programs with a schedule that counts from the last run of this program. */
  onRun(id: number): Ids {
    return this.#byTrigger.get(runKey(id)) ?? NONE;
  }

  /** Programs that name the thing anywhere, including statements. */
  naming(reference: Reference): Ids {
    return this.#byReference.get(referenceKey(reference)) ?? NONE;
  }

  /** The schedule conditions of a program or folder, those in parentheses too. */
  schedulesOf(id: number): readonly ScheduleCondition[] {
    return this.#schedules.get(id) ?? [];
  }

  /** @returns whether its conditions or actions are others than before; a name, a place and flags are neither. */
  put(entry: ProgramEntry): boolean {
    const before = this.#entries.get(entry.id);
    const content = entry.kind === "folder" ? entry.conditions : entry.tree;
    if (before && (before.content === content || sameContent(before.content, content))) {
      this.#entries.set(entry.id, { ...before, content });
      return false;
    }
    this.remove(entry.id);
    this.#add(entry, content);
    return true;
  }

  remove(id: number): void {
    const before = this.#entries.get(id);
    if (!before) return;
    for (const key of before.triggers) this.#removeTrigger(key, id);
    for (const condition of before.roles) this.#leave(condition, id);
    for (const key of before.references) drop(this.#byReference, key, id);
    this.#schedules.delete(id);
    this.#entries.delete(id);
  }

  /** Selectors mean other nodes than before. */
  moved(moves: readonly MemberMove[]): void {
    for (const { selector, member, isIn } of moves) {
      for (const id of this.#bySelector.get(selector) ?? []) {
        for (const condition of this.#entries.get(id)?.roles ?? []) {
          if (selectorKey(condition.selector) !== selector) continue;
          for (const key of memberKeys(condition, member))
            if (isIn) this.#addTrigger(key, id);
            else this.#removeTrigger(key, id);
        }
      }
    }
  }

  #follow(condition: RoleCondition, id: number): void {
    const key = this.#members.follow(condition.selector);
    this.#bySelector.set(key, new Set([...(this.#bySelector.get(key) ?? []), id]));
    for (const member of this.#members.of(condition.selector))
      for (const trigger of memberKeys(condition, member)) this.#addTrigger(trigger, id);
  }

  #leave(condition: RoleCondition, id: number): void {
    const key = selectorKey(condition.selector);
    for (const member of this.#members.of(condition.selector))
      for (const trigger of memberKeys(condition, member)) this.#removeTrigger(trigger, id);
    this.#members.leave(key);
    this.#bySelector.get(key)?.delete(id);
  }

  #addTrigger(key: string, id: number): void {
    const counted = `${id} ${key}`;
    const count = this.#counts.get(counted) ?? 0;
    this.#counts.set(counted, count + 1);
    if (count === 0) this.#insert(this.#byTrigger, key, id);
  }

  #removeTrigger(key: string, id: number): void {
    const counted = `${id} ${key}`;
    const count = this.#counts.get(counted) ?? 0;
    if (count > 1) this.#counts.set(counted, count - 1);
    else {
      this.#counts.delete(counted);
      drop(this.#byTrigger, key, id);
    }
  }

  #add(entry: ProgramEntry, content: object): void {
    const conditions = leafConditions(conditionsOf(entry));
    const triggers = new Set(conditions.flatMap(triggerKeys));
    const references = new Set(referencesOf(entry).map(referenceKey));
    const schedules = conditions.filter((condition) => condition.kind === "schedule");
    const roles = conditions.filter((condition) => condition.kind === "roles");
    const timed = timedConditions(conditions);
    this.#entries.set(entry.id, { content, triggers, roles, timed, references, isFolder: entry.kind === "folder" });
    for (const key of triggers) this.#addTrigger(key, entry.id);
    for (const condition of roles) this.#follow(condition, entry.id);
    for (const key of references) this.#insert(this.#byReference, key, entry.id);
    if (schedules.length > 0) this.#schedules.set(entry.id, schedules);
  }

  #insert(map: Map<string, number[]>, key: string, id: number): void {
    const ids = map.get(key);
    const rank = (of: number) => (this.#entries.get(of)?.isFolder ? 0 : 65_536) + of;
    if (!ids) map.set(key, [id]);
    else if (rank(ids.at(-1) ?? 0) < rank(id)) ids.push(id);
    else
      ids.splice(
        ids.findIndex((other) => rank(other) > rank(id)),
        0,
        id,
      );
  }
}

type RoleCondition = Extract<Condition, { readonly kind: "roles" }>;

type Indexed = {
  readonly content: object;
  readonly triggers: ReadonlySet<string>;
  readonly roles: readonly RoleCondition[];
  readonly timed: readonly TimedLeaf[];
  readonly references: ReadonlySet<string>;
  readonly isFolder: boolean;
};

function drop(map: Map<string, number[]>, key: string, id: number): void {
  const ids = (map.get(key) ?? []).filter((other) => other !== id);
  if (ids.length > 0) map.set(key, ids);
  else map.delete(key);
}

/** Both are plain data; an edit that writes the same tree again must not end what runs. */
function sameContent(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function triggerKeys(condition: Exclude<Condition, { kind: "paren" }>): readonly string[] {
  switch (condition.kind) {
    case "status":
      return [statusKey(condition.node, condition.property), ...stateVariablesOf(condition).map(variableKey)];
    case "held":
      return [heldKey(condition.node, condition.property)];
    case "control":
      return [controlKey(condition.node, condition.command)];
    case "variable":
      return stateVariablesOf(condition).map(variableKey);
    case "program":
      return [programKey(condition.id)];
    case "schedule":
      return programsOfSchedule(condition.when).map(runKey);
    case "roles":
    case "foreign":
      return [];
  }
}

/** The triggers of a condition by room and role at one of the nodes that it means. */
function memberKeys(condition: RoleCondition, { address, role }: Member): readonly string[] {
  const { selector, test } = condition;
  if (test.how === "sends") return [controlKey(address, test.command)];
  if (isTimed(condition)) return [heldKey(address, "ST")];
  return propertiesOf(selector.role, role).map((property) => statusKey(address, property));
}

function statusKey(node: string, property: string): string {
  return `status ${property} ${node}`;
}

function heldKey(node: string, property: string): string {
  return `held ${property} ${node}`;
}

function controlKey(node: string, command: string): string {
  return `control ${command} ${node}`;
}

function variableKey(id: number): string {
  return `variable ${id}`;
}

function runKey(id: number): string {
  return `run ${id}`;
}

function programKey(id: number): string {
  return `program ${id}`;
}
