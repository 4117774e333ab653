/** What every surface of the controller says about the state of a node, each in its own words, as one word. */

import type { Node as ClientNode } from "@domovoi/client";
import { KIND_OF_ROLE, KINDS } from "../../src/bridges/matter/device-table.ts";
import { factsOf, stateOf } from "../../src/bridges/matter/plan-endpoints.ts";
import { announcementOf, textOf } from "../../src/bridges/mqtt/announced-node.ts";
import { nodeEffect } from "../../src/cli/home/effect.ts";
import { scopeOf } from "../../src/drivers/mqtt/discovery/entity.ts";
import { readTemplate } from "../../src/drivers/mqtt/discovery/template.ts";
import type { Condition } from "../../src/home/program-syntax.ts";
import type { Services } from "../../src/http/services.ts";
import { commandOf } from "../../src/profile/command-words.ts";
import { roleOf } from "../../src/profile/roles.ts";
import { evaluateConditions } from "../../src/programs/evaluate.ts";
import { HomeFacts } from "../../src/programs/home-facts.ts";
import { createProgramNames } from "../../src/programs/text/names.ts";
import { parseProgram } from "../../src/programs/text/parse-program.ts";
import { isActive, isJammed } from "../../web/src/parts/activity.ts";
import type { TestController } from "./controller.ts";

/** What people call the two states of a kind: the one that is worth a look, and rest. */
export type Meaning = { readonly active: string; readonly rest: string };

export type Said = Readonly<Record<"rest" | "page" | "matter" | "announced" | "cli" | "program", string>>;

const UNKNOWN = "unknown";
/** The surface does not show such nodes. */
const NONE = "–";
/** The ends of a level, and of units that say only on and off. Where On is rest, a node says dry, or a lock is locked. */
const ENDS: Readonly<Record<string, "on" | "off">> = { on: "on", "100%": "on", off: "off", "0%": "off" };
const PLAIN = ["open", "closed", "locked", "unlocked"];

/** @param isInverse on is rest: a leak sensor that says dry */
export async function saidOf(
  controller: TestController,
  address: string,
  meaning: Meaning,
  isInverse = false,
): Promise<Said> {
  const { services } = controller;
  const { active, rest } = meaning;
  const [on, off] = isInverse ? [rest, active] : [active, rest];
  const word = (is: boolean | null | undefined) => (is === null || is === undefined ? UNKNOWN : is ? active : rest);
  const plain = (text: string) => {
    const lower = text.trim().toLowerCase();
    const end = ENDS[lower];
    if (end) return end === "on" ? on : off;
    if (lower === "problem" || lower === "jammed") return "jammed";
    return PLAIN.includes(lower) || lower === active || lower === rest ? lower : UNKNOWN;
  };
  const { text } = await controller.local.get(`/rest/nodes/${encodeURIComponent(address)}`);
  const formatted = /id="ST"[^>]*formatted="([^"]*)"/.exec(text)?.[1] ?? "";
  const node = clientNode(services, address, formatted);
  const status = node.properties.get("ST");
  return {
    rest: plain(formatted),
    page: isJammed(status) ? "jammed" : word(isActive(node, status)),
    matter: matterWord(services, address, meaning),
    announced: announcedWord(services, address, meaning),
    cli: effectWord(node, meaning),
    program: programWord(services, address, formatted, { on, off }),
  };
}

function clientNode({ home, profile }: Services, address: string, formatted: string): ClientNode {
  const node = home.nodes.get(address);
  if (!node) throw new Error(`There is no node ${address}.`);
  const properties = [...node.properties.values()].map(({ id, value, uom, prec }) => {
    const text = id === "ST" ? formatted : "";
    return [
      id,
      { id, value: value === null ? "" : String(value), uom: String(uom), prec, formatted: text, name: "" },
    ] as const;
  });
  const known = new Map(properties);
  return {
    address,
    role: roleOf(profile, node),
    enabled: true,
    properties: known,
    nodedef: profile.nodedef(node.nodeDefId, node.family, node.instance),
    label: (id: string) => known.get(id)?.formatted ?? null,
    value: (id: string) => {
      const property = node.properties.get(id);
      return property && property.value !== null ? property.value / 10 ** property.prec : null;
    },
  } as unknown as ClientNode;
}

const FULL_LIFT = 10_000;

function matterWord(services: Services, address: string, { active, rest }: Meaning): string {
  const { home, profile } = services;
  const node = home.nodes.get(address);
  const facts = node && factsOf(profile, node);
  const kind = node && facts ? (KIND_OF_ROLE[roleOf(profile, node)]?.(facts) ?? null) : null;
  if (kind === null) return NONE;
  const { attributes } = stateOf(services, { address, kind } as never);
  const [values = {}] = Object.values(attributes) as Record<string, unknown>[];
  if (kind === "cover") {
    const lift = values.currentPositionLiftPercent100ths;
    const hasPosition = (KINDS.cover.features?.(facts as never) ?? []).length > 0;
    if (lift === undefined) return hasPosition ? UNKNOWN : NONE;
    return lift === 0 ? active : lift === FULL_LIFT ? rest : "between";
  }
  if (kind === "lock") return ["jammed", "locked", "unlocked"][Number(values.lockState ?? -1)] ?? UNKNOWN;
  const value = values.stateValue ?? values.smokeState;
  if (value === undefined) return UNKNOWN;
  // Matter says true when a contact is closed.
  return (kind === "contact" ? value === false : Boolean(value)) ? active : rest;
}

const WORDS: Readonly<Record<string, string>> = { LOCKED: "locked", UNLOCKED: "unlocked", JAMMED: "jammed" };

function announcedWord({ home, profile }: Services, address: string, { active, rest }: Meaning): string {
  const node = home.nodes.get(address);
  const status = node?.properties.get("ST");
  const told = { own: "domovoi", base: "domovoi", version: "1" };
  const made = node && announcementOf({ home, profile }, node, told);
  const components = (made?.config.components ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const main = components.main;
  if (!main || !status) return NONE;
  const template = String(main.position_template ?? main.value_template);
  const text = readTemplate(template)(scopeOf(Buffer.from(textOf(status)))) ?? "";
  if (main.position_topic)
    return text === String(main.position_open) ? active : text === "0" ? rest : text === "" ? UNKNOWN : "between";
  if (text === "None") return UNKNOWN;
  return WORDS[text] ?? (text === "ON" ? active : text === "OFF" ? rest : text);
}

/** Which of the two commands the command line would take for done; nodes without commands have none. */
function effectWord(node: ClientNode, { active, rest }: Meaning): string {
  const { nodedef } = node;
  const words = active === "unlocked" ? (["unlock", "lock"] as const) : (["open", "close"] as const);
  const [toActive, toRest] = words.map((word) => nodedef && commandOf(word, nodedef));
  if (!toActive || !toRest) return NONE;
  const holds = ({ command, parameter }: NonNullable<typeof toActive>) => {
    // A fade is done with its first report: On and Off say the same about the end.
    const whole = command === "FDUP" ? "DON" : command === "FDDOWN" ? "DOF" : command;
    return nodeEffect(node, whole, parameter === null ? [] : [parameter], undefined)?.holds() ?? false;
  };
  const [isActiveNow, isRestNow] = [holds(toActive), holds(toRest)];
  if (isActiveNow && isRestNow) return "both";
  return isActiveNow ? active : isRestNow ? rest : UNKNOWN;
}

const NAMES = ["Open", "Closed", "Locked", "Unlocked", "Problem", "On", "Off"];

/** The words of the status that a program finds true. */
function programWord(
  services: Services,
  address: string,
  formatted: string,
  { on, off }: { readonly on: string; readonly off: string },
): string {
  const names = createProgramNames(services.home, services.profile);
  const truths = NAMES.filter((name) => {
    const condition = conditionOf(`Status [${address}] ST is '${name}'`, names);
    return condition !== null && holds(services, condition);
  });
  const [found, second] = truths;
  if (second) return truths.join("+");
  if (found)
    return ({ On: on, Off: off, Problem: "jammed" } as Readonly<Record<string, string>>)[found] ?? found.toLowerCase();
  return /^(\d+%|on|off)$/i.test(formatted) ? levelWord(services, address, names, { on, off }) : UNKNOWN;
}

function levelWord(
  services: Services,
  address: string,
  names: ReturnType<typeof createProgramNames>,
  { on, off }: { readonly on: string; readonly off: string },
): string {
  const is = (percent: number) => {
    const condition = conditionOf(`Status [${address}] ST is ${percent}%`, names);
    return condition !== null && holds(services, condition);
  };
  return is(100) ? on : is(0) ? off : UNKNOWN;
}

function conditionOf(line: string, names: ReturnType<typeof createProgramNames>): Condition | null {
  try {
    return parseProgram(`Program 'x'\nIf\n  ${line}`, names).tree.if[0] ?? null;
  } catch {
    return null;
  }
}

function holds({ home, profile, config, clock }: Services, condition: Condition): boolean {
  const facts = new HomeFacts(home, profile, config);
  return evaluateConditions([condition], Object.assign(facts, { heldSinceMs: () => null }), {
    atMs: clock.now(),
    happening: null,
  });
}
