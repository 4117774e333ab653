/**
 * Keeps a twin's values in step with its original: everything that the original reports enters the home as device
 * reports do. The structure stays; structural differences are listed.
 */

import { heldPrograms } from "../commands/move-in.ts";
import type { CommandPorts } from "../commands/ports.ts";
import type { MirroredFact } from "../drivers/driver.ts";
import type { Cause } from "../home/cause.ts";
import { samePropertyValue } from "../home/property.ts";
import { findVariable, type VariableType } from "../home/variables.ts";
import { PLAYING_DRIVER } from "../home/without-device.ts";
import { readInstant, text } from "../wire/loose.ts";
import { programId, running } from "./parse/programs.ts";
import { receivedProperties } from "./parse/status.ts";
import { receivedProperty } from "./received-property.ts";

export type MirrorPorts = Pick<CommandPorts, "home" | "feed" | "profile" | "drivers" | "clock">;

type OriginalProperty = {
  readonly id: string;
  readonly value: string;
  readonly formatted: string;
  readonly uom: string;
  readonly prec: number;
};
type OriginalProgram = {
  readonly id: string;
  readonly name: string;
  readonly status: boolean;
  readonly enabled: boolean | null;
  readonly runAtStartup: boolean | null;
  readonly running: string | null;
  readonly lastRunTime: string | null;
  readonly lastFinishTime: string | null;
  readonly nextScheduledRunTime: string | null;
};
type OriginalVariable = {
  readonly type: VariableType;
  readonly id: string;
  readonly name: string;
  readonly raw: number;
  readonly rawInit: number;
  readonly prec: number;
  readonly ts: string | null;
};

const CAUSE: Cause = { kind: "report", id: "original", by: "twin" };

/** @returns false when the twin has no such thing. */
export type Mirror = {
  property(address: string, received: OriginalProperty): boolean;
  control(address: string, control: string, value: string): boolean;
  link(address: string, isReached: boolean): boolean;
  node(address: string, received: { readonly name: string; readonly enabled: boolean }): boolean;
  program(received: OriginalProgram): boolean;
  variable(received: OriginalVariable): boolean;
};

export function createMirror(ports: MirrorPorts): Mirror {
  const { home } = ports;
  const known = (address: string, fact: MirroredFact): boolean => {
    const node = home.nodes.get(address);
    if (!node) return false;
    if (node.driver !== PLAYING_DRIVER) return true;
    ports.drivers.of(PLAYING_DRIVER).simulation?.mirror?.(fact);
    return true;
  };
  return {
    property: (address, received) => mirrorProperty(ports, address, received),
    control: (address, control, value) =>
      known(address, { kind: "control", address, control, value: Math.trunc(Number(value)) || 0 }),
    link: (address, isReached) => known(address, { kind: "link", address, link: isReached ? "online" : "unreachable" }),
    node: (address, received) => mirrorNode(ports, address, received),
    program: (received) => mirrorProgram(ports, received),
    variable: (received) => mirrorVariable(ports, received),
  };
}

function mirrorProperty(ports: MirrorPorts, address: string, received: OriginalProperty): boolean {
  const { home, profile, drivers, clock } = ports;
  const node = home.nodes.get(address);
  if (!node) return false;
  // A driver has taken this node over and reports its values.
  if (node.driver !== PLAYING_DRIVER) return true;
  const [read] = receivedProperties([received]);
  if (!read) return true;
  const heard = receivedProperty(profile, node, read, clock.now());
  const before = node.properties.get(heard.id);
  // A missing value carries no other information.
  const isSame = heard.value === null ? before?.value === null : before && samePropertyValue(before, heard);
  if (isSame) return true;
  const { id, value, uom, prec } = heard.value === null && before ? { ...before, value: null } : heard;
  const words = heard.text === null ? {} : { text: heard.text };
  const report = { address, id, value, uom, prec, ...words, cause: "report" as const };
  drivers.of(PLAYING_DRIVER).simulation?.mirror?.({ kind: "report", report });
  return true;
}

function mirrorNode(
  { home, feed }: MirrorPorts,
  address: string,
  { name, enabled }: { readonly name: string; readonly enabled: boolean },
): boolean {
  const node = home.nodes.get(address);
  if (!node) return false;
  if (node.driver !== PLAYING_DRIVER) return true;
  if (node.name !== name) feed.commit({ type: "node-renamed", address, name }, CAUSE);
  if (node.enabled !== enabled) feed.commit({ type: "node-enabled", address, enabled }, CAUSE);
  return true;
}

function mirrorProgram({ home, feed }: MirrorPorts, received: OriginalProgram): boolean {
  const id = programId(received.id);
  const entry = id === null ? undefined : home.programs.get(id);
  if (!entry) return false;
  if (entry.kind === "program") {
    const { enabled, runAtStartup } = received;
    // During a move programs wait until its end, even when the original's programs run.
    const isHeld = heldPrograms(home) !== null;
    const switches = {
      enabled: isHeld ? entry.enabled : (enabled ?? entry.enabled),
      runAtStartup: runAtStartup ?? entry.runAtStartup,
    };
    if (switches.enabled !== entry.enabled || switches.runAtStartup !== entry.runAtStartup) {
      feed.commit({ type: "program-changed", program: { ...entry, ...switches } }, CAUSE);
    }
  }
  const run = {
    status: received.status,
    lastRunAtMs: readInstant(received.lastRunTime),
    lastFinishAtMs: readInstant(received.lastFinishTime),
    nextRunAtMs: readInstant(received.nextScheduledRunTime),
    ...(entry.kind === "program" && { running: running(text(received.running)) }),
  };
  const isSame = Object.entries(run).every(([member, value]) => Reflect.get(entry, member) === value);
  if (!isSame) feed.commit({ type: "program-ran", id: entry.id, run }, CAUSE);
  return true;
}

function mirrorVariable({ home, feed, clock }: MirrorPorts, received: OriginalVariable): boolean {
  const { type, raw, rawInit, prec, name, ts } = received;
  const variable = findVariable(home, type, Number(received.id));
  if (!variable) return false;
  const { id } = variable;
  const of = { variableType: type, id };
  const [value, init] = [Math.round(raw), Math.round(rawInit)];
  // Some surfaces send no names.
  if (name !== "" && name !== variable.name) feed.commit({ type: "variable-renamed", ...of, name }, CAUSE);
  if (prec !== variable.prec) feed.commit({ type: "variable-precision-changed", ...of, prec }, CAUSE);
  if (init !== variable.init) feed.commit({ type: "variable-init-written", ...of, init }, CAUSE);
  const receivedAtMs = readInstant(ts);
  // Writing the same value again updates the time of the write.
  if (value !== variable.value || (receivedAtMs !== null && !isSameInstant(receivedAtMs, variable.writtenAtMs))) {
    const writtenAtMs = receivedAtMs ?? clock.now();
    feed.commit({ type: "variable-written", ...of, value, before: variable.value, writtenAtMs }, CAUSE);
  }
  return true;
}

/** Frames carry whole seconds, documents milliseconds. */
function isSameInstant(receivedMs: number, knownMs: number): boolean {
  const isWholeSecond = receivedMs % 1000 === 0;
  return isWholeSecond ? Math.floor(knownMs / 1000) * 1000 === receivedMs : knownMs === receivedMs;
}
