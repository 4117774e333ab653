/** The input of verification: the home and its profile, with changed programs in the place of the stored ones. */

import type { Home } from "../../../home/home.ts";
import type { Node } from "../../../home/nodes.ts";
import type { Program, ProgramEntry } from "../../../home/programs.ts";
import type { Nodedef } from "../../../profile/nodedef.ts";
import type { Profile } from "../../../profile/profile.ts";
import { createZone } from "../../../util/zone.ts";
import type { EngineLimits } from "../../facts.ts";
import { referenceKey, referencesOf, selectorsOf } from "../../references.ts";
import { Calendar } from "../../schedule/calendar.ts";
import { createProgramNames, type ProgramNames } from "../../text/names.ts";
import type { TurnedPrograms } from "../../turned-states.ts";
import type { Finding } from "../finding.ts";
import type { Axis } from "./axis.ts";
import { type Expanded, expandRoles } from "./expand-roles.ts";
import { Year } from "./year.ts";

export type VerifyPorts = {
  readonly home: Home;
  readonly profile: Profile;
  /** Milliseconds since 1970; schedules are looked at from here on. */
  readonly nowMs: number;
  /** The limits of the engine, which plays the programs. */
  readonly limits: EngineLimits;
  /** Whether integrations of a type are notification channels. */
  readonly isChannel: (type: string) => boolean;
  /** Programs whose conditions about doors were written before open and closed were turned. */
  readonly turned?: TurnedPrograms;
};

export class World {
  readonly home: Home;
  readonly profile: Profile;
  readonly limits: EngineLimits;
  readonly isChannel: (type: string) => boolean;
  readonly turned: TurnedPrograms;
  /** Programs and folders as they are to be looked at, by id; those by room and role about single devices. */
  readonly programs: Map<number, ProgramEntry>;
  /** The same as they are written. */
  readonly written: ReadonlyMap<number, ProgramEntry>;
  readonly calendar: Calendar;
  readonly year: Year;
  /** For the text of statements. */
  readonly names: ProgramNames;
  readonly #axes = new Map<string, Axis | null>();
  readonly #events = new Map<string, number>();
  readonly #free: Axis[] = [];
  readonly #expanded = new Map<number, Expanded>();

  constructor(
    { home, profile, nowMs, limits, isChannel, turned = new Map() }: VerifyPorts,
    changed: readonly ProgramEntry[],
  ) {
    this.home = home;
    this.profile = profile;
    this.limits = limits;
    this.isChannel = isChannel;
    this.turned = turned;
    this.names = createProgramNames(home, profile);
    this.written = new Map([...home.programs, ...changed.map((entry) => [entry.id, entry] as const)]);
    this.programs = new Map(this.written);
    this.#expandRoles();
    const { timeZone, latitude, longitude } = home.controller;
    this.calendar = new Calendar(createZone(timeZone), latitude, longitude);
    this.year = new Year(this.calendar, nowMs);
  }

  #expandRoles(): void {
    const byRole = [...this.written.values()].filter((entry) => selectorsOf(entry).length > 0);
    if (byRole.length === 0) return;
    const named = new Set([...this.written.values()].flatMap(referencesOf).map(referenceKey));
    const isNamed = (address: string) => named.has(referenceKey({ kind: "address", address }));
    for (const entry of byRole) {
      const expanded = expandRoles(this.home, this.profile, entry, isNamed);
      if (!expanded) continue;
      this.#expanded.set(entry.id, expanded);
      this.programs.set(entry.id, expanded.entry);
    }
  }

  isByRole(program: number): boolean {
    return this.#expanded.has(program);
  }

  /** The finding with places as the programs are written. */
  asWritten(finding: Finding): Finding {
    if (this.#expanded.size === 0) return finding;
    const placed = (program: number, path: string) => this.#expanded.get(program)?.writtenPath(path) ?? path;
    const chain = finding.chain.map((step) =>
      step.program === null || step.path === null ? step : { ...step, path: placed(step.program, step.path) },
    );
    return { ...finding, path: placed(finding.program, finding.path), chain };
  }

  /** Made once: an axis is the same object for all who ask. */
  axis<T extends Axis | null>(key: string, make: () => T): T {
    const known = this.#axes.get(key);
    // Returns the cached result of `make` for a key.
    if (known !== undefined) return known as T;
    const made = make();
    this.#axes.set(key, made);
    return made;
  }

  /** The number of an event on the event axis, 1 and up; 0 is any start by a change of a value. */
  event(key: string): number {
    const number = this.#events.get(key) ?? this.#events.size + 1;
    this.#events.set(key, number);
    return number;
  }

  /** Id of the integer variable that represents the axis in conditions for the engine, −1 and down. */
  freeVariable(axis: Axis): number {
    const at = this.#free.indexOf(axis);
    return at >= 0 ? -1 - at : -this.#free.push(axis);
  }

  /** The axis of such a variable; null for an id of the home. */
  freeAxis(id: number): Axis | null {
    return this.#free[-1 - id] ?? null;
  }

  /** The definition of a node's kind, or null where nothing is known of it. */
  nodedefOf(node: Node): Nodedef | null {
    return this.profile.nodedef(node.nodeDefId, node.family, node.instance);
  }

  /** `Status` for ST. */
  propertyName(address: string, id: string): string {
    return this.names.properties(address).nameOf(id) ?? id;
  }

  allPrograms(): readonly Program[] {
    return [...this.programs.values()].filter((entry) => entry.kind === "program").sort((a, b) => a.id - b.id);
  }
}
