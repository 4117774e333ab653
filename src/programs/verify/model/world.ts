/** What verification looks at: the home and its profile, with changed programs in the place of the stored ones. */

import type { Home } from "../../../home/home.ts";
import type { Node } from "../../../home/nodes.ts";
import type { Program, ProgramEntry } from "../../../home/programs.ts";
import type { Nodedef } from "../../../profile/nodedef.ts";
import type { Profile } from "../../../profile/profile.ts";
import { createZone } from "../../../util/zone.ts";
import { Calendar } from "../../schedule/calendar.ts";
import { createProgramNames, type ProgramNames } from "../../text/names.ts";
import type { Axis } from "./axis.ts";
import { Year } from "./year.ts";

export class World {
  readonly home: Home;
  readonly profile: Profile;
  /** Programs and folders as they are to be looked at, by id. */
  readonly programs: Map<number, ProgramEntry>;
  readonly year: Year;
  /** For the text of statements. */
  readonly names: ProgramNames;
  readonly #axes = new Map<string, Axis | null>();
  readonly #events = new Map<string, number>();

  constructor(home: Home, profile: Profile, nowMs: number, changed: readonly ProgramEntry[]) {
    this.home = home;
    this.profile = profile;
    this.names = createProgramNames(home, profile);
    this.programs = new Map([...home.programs, ...changed.map((entry) => [entry.id, entry] as const)]);
    const { timeZone, latitude, longitude } = home.controller;
    this.year = new Year(new Calendar(createZone(timeZone), latitude, longitude), nowMs);
  }

  /** Made once: an axis is the same object for all who ask. */
  axis(key: string, make: () => Axis | null): Axis | null {
    const known = this.#axes.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#axes.set(key, made);
    return made;
  }

  /** The number of an event on the event axis, 1 and up; 0 stands for every start that is a change of a value. */
  event(key: string): number {
    const number = this.#events.get(key) ?? this.#events.size + 1;
    this.#events.set(key, number);
    return number;
  }

  /** The definition of a node's kind, or null where nothing is known of it. */
  nodedefOf(node: Node): Nodedef | null {
    return this.profile.nodedef(node.nodeDefId, node.family, node.instance);
  }

  allPrograms(): readonly Program[] {
    return [...this.programs.values()].filter((entry) => entry.kind === "program").sort((a, b) => a.id - b.id);
  }
}
