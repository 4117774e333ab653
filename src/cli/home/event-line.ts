/** An event as a line for people, and as an object for programs. */

import type { EventOf, Home, Program, Property, Variable } from "@domovoi/client";
import { widthOf } from "../show/cut.ts";
import { plain } from "../show/plain.ts";
import { painted } from "../show/table.ts";
import { timeOfDay } from "../show/time.ts";
import { shownVariable } from "./act.ts";
import { propertyJson, shownValue } from "./property.ts";

export type PrintedEvent = EventOf<
  "property" | "control" | "program" | "variable" | "lifecycle" | "parameter" | "operation" | "system"
>;

const NAME_COLUMNS = 28;
const VERBS: Readonly<Record<string, string>> = {
  ND: "was added",
  NR: "was removed",
  NN: "was renamed",
  EN: "was enabled or disabled",
  RV: "has other commands or values",
  NI: "is of another kind",
  LS: "is",
  NE: "does not answer",
  CE: "answers again",
  PC: "was put elsewhere",
  WH: "has writes waiting",
  WD: "is being written",
  MV: "has a new member",
  RG: "lost a member",
  LU: "has other links",
  GD: "was added",
  GR: "was removed",
  GN: "was renamed",
  FD: "was added",
  FR: "was removed",
  FN: "was renamed",
  WR: "was renamed",
};

/** Made of the event when it contains everything, else of the records as the event left them. */
export function eventLine(home: Home, event: PrintedEvent): string {
  const [name, what] = [nameOf(home, event), whatOf(home, event)].map(plain) as [string, string];
  const gap = " ".repeat(Math.max(0, NAME_COLUMNS - widthOf(name)));
  return `${painted("gray", timeOfDay(event.at))}  ${painted("bold", name)}${gap}  ${what}`;
}

/** @see docs/cli.md */
export function eventJson(home: Home, event: PrintedEvent): object {
  const { at, kind } = event;
  const name = nameOf(home, event);
  switch (event.kind) {
    case "property": {
      const { address, property, previous } = event;
      return {
        at,
        kind,
        address,
        name,
        property: propertyJson(property, textOf(property)),
        previous: previous && propertyJson(previous, textOf(previous)),
      };
    }
    case "control":
      return { at, kind, address: event.address, name, control: event.control, value: event.value };
    case "program": {
      const { status, enabled, running, lastRunTime, lastFinishTime, nextScheduledRunTime } =
        programOf(home, event) ?? {};
      const state = { status, enabled, running, lastRunTime, lastFinishTime, nextScheduledRunTime };
      return { at, kind, id: event.id, name, ...state };
    }
    case "variable": {
      const { value, init } = variableOf(home, event) ?? {};
      return { at, kind, key: `${event.type}.${event.id}`, name, what: event.what, value, init };
    }
    case "lifecycle":
      return { at, kind, address: event.address, name, verb: event.verb, info: event.info };
    case "parameter":
      return { at, kind, address: event.address, name, number: event.number, size: event.size, value: event.value };
    case "operation": {
      const { question: _question, kind: operation, result, ...step } = event.step;
      return { at, kind, operation, ...step, security: result.security ?? null, name };
    }
    case "system":
      return { at, kind, control: event.control, action: event.action, address: event.address, info: event.info };
  }
}

function nameOf(home: Home, event: PrintedEvent): string {
  switch (event.kind) {
    case "program":
      return programOf(home, event)?.name ?? event.id;
    case "variable":
      return variableOf(home, event)?.name || `${event.type}.${event.id}`;
    case "operation":
      return event.step.address === null ? "Radio network" : placedName(home, event.step.address);
    case "system":
      return event.control;
    default:
      return placedName(home, event.address);
  }
}

function placedName(home: Home, address: string): string {
  const found = home.nodes.find(address) ?? home.groups.find(address) ?? home.folders.find(address);
  return found?.name ?? address;
}

function whatOf(home: Home, event: PrintedEvent): string {
  switch (event.kind) {
    case "property":
      return `${event.property.name || event.property.id} ${textOf(event.property)}`;
    case "control":
      return `sent ${event.control}`;
    case "program":
      return programWords(programOf(home, event));
    case "variable": {
      const variable = variableOf(home, event);
      const when = event.what === "init" ? "after a cold start " : "";
      return variable ? when + shownVariable(variable, event.what === "init" ? variable.init : variable.value) : when;
    }
    case "lifecycle":
      return [VERBS[event.verb] ?? event.verb, ...Object.values(event.info)].filter(Boolean).join(" ");
    case "parameter":
      return `parameter ${event.number} is ${event.value}`;
    case "operation":
      return `${event.step.kind} ${event.step.stage}: ${event.step.detail}`;
    case "system":
      return [event.action, event.info].join(" ").trim();
  }
}

function programWords(program: Program | null): string {
  if (!program) return "";
  if (!program.enabled) return "disabled";
  return program.running === null || program.running === "idle" ? String(program.status) : program.running;
}

function programOf(home: Home, { id }: EventOf<"program">): Program | null {
  return home.programs.find(id);
}

function variableOf(home: Home, { type, id }: EventOf<"variable">): Variable | null {
  return home.variables.find(`${type}.${id}`);
}

function textOf(property: Property): string {
  return property.formatted.trim() || String(shownValue(property) ?? "");
}
