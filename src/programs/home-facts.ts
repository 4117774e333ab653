/**
 * The engine's view of a home. Reports are seen in the order in which they are handled: a watched property has the
 * value of the latest report that was noted here, not of a report that still waits.
 */

import { invariant } from "../errors.ts";
import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { Selector } from "../home/program-syntax.ts";
import { findProgram, type ProgramEntry } from "../home/programs.ts";
import type { Property } from "../home/property.ts";
import { findVariable, type Variable, type VariableType } from "../home/variables.ts";
import type { Profile } from "../profile/profile.ts";
import { createZone } from "../util/zone.ts";
import type { EngineLimits, Facts } from "./facts.ts";
import { checkReferences, conditionsOf, watchedProperties } from "./references.ts";
import { isRepeatable } from "./repeatable.ts";
import { type Member, RoleMembers } from "./role-members.ts";
import { Calendar } from "./schedule/calendar.ts";
import { TriggerIndex } from "./trigger-index.ts";

export class HomeFacts implements Facts {
  readonly triggers: TriggerIndex;
  readonly limits: EngineLimits;
  isTraced = false;
  calendar: Calendar;
  readonly #home: Home;
  readonly #profile: Profile;
  readonly #members: RoleMembers;
  readonly #enabled = new Set<number>();
  /** Node and property, to the value that conditions see. */
  readonly #seen = new Map<string, Map<string, Property>>();

  constructor(home: Home, profile: Profile, limits: EngineLimits) {
    this.#home = home;
    this.#profile = profile;
    this.limits = limits;
    this.#members = new RoleMembers(home);
    this.triggers = new TriggerIndex(this.#members);
    this.calendar = calendarOf(home);
    for (const id of home.programs.keys()) this.put(id);
  }

  get rootAddress(): string {
    return this.#home.controller.uuid;
  }

  property(node: string, id: string): Property | null {
    if (this.triggers.isWatched(node, id)) return this.#seen.get(node)?.get(id) ?? null;
    return this.#home.nodes.get(node)?.properties.get(id) ?? null;
  }

  variable(type: VariableType, id: number): Variable | null {
    return findVariable(this.#home, type, id);
  }

  program(id: number): ProgramEntry | null {
    return findProgram(this.#home, id);
  }

  members(selector: Selector): readonly Member[] {
    return this.#members.of(selector);
  }

  programs(): Iterable<ProgramEntry> {
    return this.#home.programs.values();
  }

  danglingReference(entry: ProgramEntry): string | null {
    return checkReferences(this.#home, entry);
  }

  isIdempotent(action: SentAction): boolean {
    return isRepeatable(action, this.#home, this.#profile);
  }

  /** A program or folder was added or written. @returns what of it is other than before. */
  put(id: number): { readonly isNewTree: boolean; readonly wasEnabled: boolean } {
    const entry = findProgram(this.#home, id);
    invariant(entry, "A program that was written is in the home.");
    for (const { node, property } of watchedProperties(conditionsOf(entry), (each) => this.members(each))) {
      if (this.triggers.isWatched(node, property)) continue;
      const value = this.#home.nodes.get(node)?.properties.get(property);
      if (value) this.note(node, value);
      else this.#seen.get(node)?.delete(property);
    }
    const wasEnabled = this.#enabled.has(entry.id);
    if (entry.kind === "program" && entry.enabled) this.#enabled.add(entry.id);
    else this.#enabled.delete(entry.id);
    return { isNewTree: this.triggers.put(entry), wasEnabled };
  }

  remove(id: number): void {
    this.triggers.remove(id);
    this.#enabled.delete(id);
  }

  /** The report of a watched property is worked off now. */
  note(node: string, property: Property): void {
    const properties = this.#seen.get(node);
    if (properties) properties.set(property.id, property);
    else this.#seen.set(node, new Map([[property.id, property]]));
  }

  /**
   * A node, or something that nodes lie in, came, went, moved or became another kind of thing: selectors may mean other nodes. What
   * conditions look at from now on has the value that the home shows.
   *
   * @returns programs whose comparisons with "for" are about other nodes now.
   */
  placed(address: string): readonly number[] {
    const moves = this.#members.changed(address);
    const unseen = moves.flatMap(({ member, isIn }) => {
      const properties = isIn ? (this.#home.nodes.get(member.address)?.properties.values() ?? []) : [];
      return [...properties]
        .filter(({ id }) => !this.triggers.isWatched(member.address, id))
        .map((property) => ({ node: member.address, property }));
    });
    this.triggers.moved(moves);
    for (const { node, property } of unseen) if (this.triggers.isWatched(node, property.id)) this.note(node, property);
    return this.triggers.timedBySelectors(moves.map(({ selector }) => selector));
  }

  /** The node is gone; one that comes under its address begins without values. */
  forgetNode(address: string): void {
    this.#seen.delete(address);
  }

  /** @returns whether the home has another place or zone than before. */
  moved(): boolean {
    const { timeZone, latitude, longitude } = this.#home.controller;
    if (this.calendar.isOf(timeZone, latitude, longitude)) return false;
    this.calendar = calendarOf(this.#home);
    return true;
  }
}

export function calendarOf({ controller }: Home): Calendar {
  return new Calendar(createZone(controller.timeZone), controller.latitude, controller.longitude);
}

/** When the newest of all reported values came; 0 without one. */
export function newestReportMs(home: Home): number {
  let newestMs = 0;
  for (const { properties } of home.nodes.values())
    for (const { changedAtMs } of properties.values()) newestMs = Math.max(newestMs, changedAtMs);
  return newestMs;
}
