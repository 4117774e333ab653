/** How answers about the past name values, times, conditions and programs. */

import type { Home } from "../home/home.ts";
import type { Action, Condition } from "../home/program-syntax.ts";
import type { Property } from "../home/property.ts";
import { shownValue } from "../home/variables.ts";
import { type Message, message, type ProgramTextLine, type SpokenProperty, type SpokenTime } from "../messages.ts";
import type { ParameterValue } from "../profile/command-resolver.ts";
import { describeProperty, type PropertyValue } from "../profile/format.ts";
import type { Profile } from "../profile/profile.ts";
import { roleOf } from "../profile/roles.ts";
import type { NodeRole } from "../profile/roles-table.ts";
import { createProgramNames, type ProgramNames } from "../programs/text/names.ts";
import { actionLines, conditionText, withoutIds } from "../programs/text/print-statement.ts";
import { printQuantity } from "../programs/text/quantity.ts";
import { DAY_MS } from "../util/clock.ts";
import { repeatedOffset } from "../util/repeated-hour.ts";
import { createZone, type LocalParts, usableZone, type Zone } from "../util/zone.ts";

export class HistoryWords {
  readonly home: Home;
  readonly names: ProgramNames;
  readonly #profile: Profile;
  readonly #zone: Zone;
  readonly #nowMs: number;

  constructor(home: Home, profile: Profile, nowMs: number) {
    this.home = home;
    this.names = createProgramNames(home, profile);
    this.#profile = profile;
    this.#zone = createZone(usableZone(home.controller.timeZone));
    this.#nowMs = nowMs;
  }

  /** A time in the zone of the home: `19:02:11`, `19:02:11 yesterday`, `19:02:11 on 2026-05-01`. */
  time(atMs: number): SpokenTime {
    return { atMs, text: this.#timeText(atMs) };
  }

  #timeText(atMs: number): string {
    const parts = this.#zone.parts(atMs);
    const clock = [parts.hour, parts.minute, parts.second].map(twoDigits).join(":");
    const time = clock + repeatedOffset(atMs, this.#zone.offsetMinutes);
    const day = dayOf(parts);
    if (day === dayOf(this.#zone.parts(this.#nowMs))) return time;
    return day === dayOf(this.#zone.parts(this.#nowMs - DAY_MS)) ? `${time} yesterday` : `${time} on ${day}`;
  }

  /** `On`, `50 %`, `21.5 °C`; `unknown` without a value. */
  value(address: string, property: PropertyValue): string {
    const node = this.home.nodes.get(address);
    if (property.value === null) return "unknown";
    if (!node) return String(property.value / 10 ** property.prec);
    const { formatted } = describeProperty(this.#profile, node, property);
    return formatted.trim().replace(/^([-+]?[\d.]+)(?=[^\d.\s])/, "$1 ");
  }

  /** A value for a message, which a page says in its own words. */
  spoken(address: string, property: PropertyValue): SpokenProperty | string {
    const { id, value, uom, prec } = property;
    const text = this.value(address, property);
    return value === null ? text : { node: address, property: id, value, uom, prec, text };
  }

  /** What a command is sent with: `Unlock`, `50 %`. */
  parameter(address: string, command: string, { id, ...given }: ParameterValue): string {
    const named = this.names.parameterValues(address, command, id).nameOf(printQuantity(given));
    return named ?? this.value(address, { id, ...given, text: null });
  }

  /** null: the node was removed. */
  role(address: string): NodeRole | null {
    const node = this.home.nodes.get(address);
    return node ? roleOf(this.#profile, node) : null;
  }

  /** Whether the node can be switched, rather than senses. */
  isSwitched(address: string): boolean {
    const node = this.home.nodes.get(address);
    const nodedef = node && this.#profile.nodedef(node.nodeDefId, node.family, node.instance);
    return nodedef?.accepts.some(({ id }) => id === "DON") ?? false;
  }

  /** `Status` for ST. */
  propertyName(address: string, id: string): string {
    return this.names.properties(address).nameOf(id) ?? id;
  }

  /** The name of a node, scene or folder, without quotes; its address when it was removed. */
  name(address: string): string {
    const { nodes, groups, folders } = this.home;
    return nodes.get(address)?.name ?? groups.get(address)?.name ?? folders.get(address)?.name ?? address;
  }

  program(id: number): Message {
    const entry = this.home.programs.get(id);
    if (!entry) return message("thing.deletedProgram", { id });
    return message(entry.kind === "folder" ? "thing.folder" : "thing.program", { name: entry.name });
  }

  /** A raw value of a variable by its name, or as the displayed number. */
  shown(type: 1 | 2, id: number, raw: number): string | number {
    return shownValue(this.home.variables[type].get(id) ?? { prec: 0 }, raw);
  }

  variable(type: 1 | 2, id: number): Message {
    return message("thing.variable", { name: this.home.variables[type].get(id)?.name || `${type}.${id}` });
  }

  /** Like `spoken` when only the number is known. Unit and precision are the present ones. */
  spokenThen(address: string, id: string, value: number | null): SpokenProperty | string {
    const now: Property | undefined = this.home.nodes.get(address)?.properties.get(id);
    return this.spoken(address, { id, value, uom: now?.uom ?? 0, prec: now?.prec ?? 0, text: null });
  }

  /** A condition as in the text of programs, with names but without ids. */
  condition(condition: Exclude<Condition, { kind: "paren" }>): string {
    return withoutIds(conditionText(condition, this.names));
  }

  /** The same as part of a message. */
  conditionLine(condition: Exclude<Condition, { kind: "paren" }>): ProgramTextLine {
    return { line: this.condition(condition) };
  }

  action(action: Action): string {
    return withoutIds(actionLines([action], this.names).join(" ").trim());
  }
}

function dayOf({ year, month, day }: LocalParts): string {
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
