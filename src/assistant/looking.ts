/** Tools that only look: find, read, history, events, why, trace, findings. */

import type { Finding, Group, Home, Node, Program, Why } from "@domovoi/client";
import { cut, localTime, numberIn, type Tool, type ToolContext, ToolFailure, textIn, timeIn } from "./tool.ts";

const FOUND_MAX = 50;
const LISTED_MAX = 30;
const KINDS = ["node", "scene", "folder", "program", "variable", "resource"] as const;
type Kind = (typeof KINDS)[number];

const thing = { type: "string", description: "Id, path or name of the thing." } as const;
const at = { type: "string", description: "Time of the home such as 2026-05-01T03:00. Default: now." } as const;
const limit = { type: "integer", minimum: 1, maximum: LISTED_MAX, description: "Default: 10." } as const;
const LIMIT = 10;

export const lookingTools: readonly Tool[] = [
  {
    name: "find",
    about: `Finds things of the home by a part of their name, room or role; at most ${FOUND_MAX}. Ids are for the other tools.`,
    members: {
      text: { type: "string", description: "A part of the name or id. Default: everything." },
      room: { type: "string", description: "A part of the path of folders above the thing." },
      role: { type: "string", description: "What a node is, such as dimmer, switch, lock, motion, thermostat." },
      kind: { enum: KINDS },
    },
    run: async ({ home }, input) => cut("things", found(home, input), FOUND_MAX),
  },
  {
    name: "read",
    about:
      "Reads one thing: values, commands and scenes of a node; members of a scene; the text and state of a program; a variable.",
    members: { thing },
    required: ["thing"],
    run: (context, input) => read(context, textIn(input, "thing") ?? ""),
  },
  {
    name: "history",
    about: "Values of a property of a node over a span: lowest, mean, highest and last of every part.",
    members: {
      node: thing,
      property: { type: "string", description: "Id of the property. Default: ST." },
      from: { ...at, description: "Begin, such as 2026-05-01T03:00. Default: a day before `until`." },
      until: at,
      parts: { type: "integer", minimum: 1, maximum: 48, description: "Default: 24." },
    },
    required: ["node"],
    run: history,
  },
  {
    name: "events",
    about: "What happened to a node, newest first: new values and commands, each with who or what was behind it.",
    members: { node: thing, from: { ...at, description: "Not before this time." }, until: at, limit },
    required: ["node"],
    run: events,
  },
  {
    name: "why",
    about:
      "Why a node is or was as it is, or why a program ran or did not, from the journal. Use this instead of guessing.",
    members: { thing, at, property: { type: "string", description: "Id of a property of the node. Default: ST." } },
    required: ["thing"],
    run: why,
  },
  {
    name: "trace",
    about:
      "The latest runs of a program, newest first: conditions with the values found, statements and their outcome.",
    members: { program: thing, until: at, limit },
    required: ["program"],
    run: trace,
  },
  {
    name: "findings",
    about: "Mistakes that the verification finds in stored programs, each with its proof.",
    members: { program: { ...thing, description: "Default: all programs." } },
    run: async ({ home }, input) => {
      const key = textIn(input, "program");
      const findings = await home.programs.verify(key === null ? {} : { ids: [programAt(home, key).id] });
      return cut("findings", findings.map(findingOf), LISTED_MAX);
    },
  },
];

type Listed = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly role?: string;
  readonly value?: string | null;
  readonly secured?: true;
};

function found(home: Home, input: Readonly<Record<string, unknown>>): readonly Listed[] {
  const [text, room, role] = (["text", "room", "role"] as const).map(
    (name) => textIn(input, name)?.toLowerCase() ?? "",
  );
  const isWanted = (listed: Listed) =>
    (input.kind === undefined || listed.kind === input.kind) &&
    [listed.name, listed.id].some((each) => each.toLowerCase().includes(text ?? "")) &&
    listed.path
      .slice(0, listed.path.length - listed.name.length)
      .toLowerCase()
      .includes(room ?? "") &&
    (role === "" || listed.role === role);
  return listedThings(home).filter(isWanted);
}

function listedThings(home: Home): readonly Listed[] {
  return [
    ...Array.from(home.nodes, (node) => nodeLine(node)),
    ...Array.from(home.groups, ({ address, name, path }) => ({ kind: "scene" as const, id: address, name, path })),
    ...Array.from(home.folders, ({ address, name, path }) => ({ kind: "folder" as const, id: address, name, path })),
    ...Array.from(home.programs, ({ id, name, path }) => ({ kind: "program" as const, id, name, path })),
    ...Array.from(home.variables, (each) => ({
      ...{ kind: "variable" as const, id: each.key, name: each.name, path: each.name },
      value: String(each.value),
    })),
    ...Array.from(home.resources, ({ id, name }) => ({ kind: "resource" as const, id, name, path: name })),
  ];
}

function nodeLine(node: Node): Listed {
  const { address, name, path, role, isSecured } = node;
  const value = node.label("ST");
  return {
    ...{ kind: "node", id: address, name, path },
    ...(role !== null && { role }),
    ...(value !== null && { value }),
    ...(isSecured && { secured: true }),
  };
}

async function read(context: ToolContext, key: string): Promise<object> {
  const { home, zone } = context;
  const node = home.nodes.find(key);
  if (node) return nodeFacts(home, node);
  const group = home.groups.find(key);
  if (group) return sceneFacts(home, group);
  const program = home.programs.find(key);
  if (program) return programFacts(program, zone);
  const variable = home.variables.find(key);
  if (!variable) throw new ToolFailure(`There is no node, scene, program or variable "${key}". Use find.`);
  const { name, value, valueName, valueNames, init, ts } = variable;
  const named = valueName === null ? {} : { valueName };
  return { kind: "variable", id: variable.key, name, value, ...named, valueNames, init, written: localTime(ts, zone) };
}

function nodeFacts(home: Home, node: Node): object {
  const { family, instance, nodedef, groups, enabled, linkState } = node;
  const parameterOf = ({
    id,
    name,
    editor,
    optional,
  }: {
    id: string;
    name: string;
    editor: string;
    optional: boolean;
  }) => ({
    name: name || id,
    values: home.profile.editor(editor, family, instance)?.describe() ?? "a number",
    ...(optional && { optional }),
  });
  return {
    ...nodeLine(node),
    ...(enabled ? {} : { enabled }),
    link: linkState,
    properties: Array.from(node.properties.values(), ({ id, name }) => ({ id, name, value: node.label(id) })),
    commands: (nodedef?.accepts ?? []).map(({ id, name, parameters }) => ({
      ...{ id, name },
      ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
    })),
    scenes: groups.map(({ address, name }) => ({ id: address, name })),
  };
}

function sceneFacts(home: Home, { address, name, path, members, controllers, membersOn }: Group): object {
  const memberOf = (id: string) => ({
    ...{ id, name: home.nodes.find(id)?.name ?? id, value: home.nodes.find(id)?.label("ST") ?? null },
    ...(controllers.includes(id) && { controls: true }),
  });
  return { kind: "scene", id: address, name, path, membersOn, ...cut("members", members.map(memberOf), FOUND_MAX) };
}

async function programFacts(program: Program, zone: string): Promise<object> {
  const { id, name, path, status, enabled, running } = program;
  return {
    ...{ kind: "program", id, name, path, status, enabled, running },
    lastRun: localTime(program.lastRunTime, zone),
    nextRun: localTime(program.nextScheduledRunTime, zone),
    text: await program.text(),
  };
}

async function history({ home, zone }: ToolContext, input: Readonly<Record<string, unknown>>): Promise<object> {
  const node = nodeAt(home, textIn(input, "node") ?? "");
  const [from, to] = [timeIn(input, "from", zone), timeIn(input, "until", zone)];
  const property = textIn(input, "property") ?? "ST";
  const span = { ...(from && { from }), ...(to && { to }), points: numberIn(input, "parts", 24) };
  const points = await home.chart(node.address, property, span);
  const { name, address } = node;
  const unit = node.properties.get(property)?.formatted.replace(/^[-\d.,\s]+/, "") ?? "";
  return {
    ...{ id: address, name, property, unit, zone },
    points: points.map(({ time, count, min, mean, max, last }) => ({
      ...{ time: localTime(time, zone), changes: count, min, mean, max, last },
    })),
  };
}

async function events({ home, zone }: ToolContext, input: Readonly<Record<string, unknown>>): Promise<object> {
  const { address, name } = nodeAt(home, textIn(input, "node") ?? "");
  const [from, until] = [timeIn(input, "from", zone), timeIn(input, "until", zone)];
  const span = { ...(from && { from }), ...(until && { until }), limit: numberIn(input, "limit", LIMIT) };
  const all = await home.nodeEvents(address, span);
  return {
    ...{ id: address, name, zone },
    events: all.map(({ time, kind, name: what, value, state, detail, by }) => ({
      ...{ time: localTime(time, zone), kind, what, value, state, by: by.name ?? by.kind },
      ...(detail !== "" && { detail }),
    })),
  };
}

async function why({ home, zone }: ToolContext, input: Readonly<Record<string, unknown>>): Promise<object> {
  const key = textIn(input, "thing") ?? "";
  const [atTime, property] = [timeIn(input, "at", zone), textIn(input, "property")];
  const answer: Why = await home.why(key, { ...(atTime && { at: atTime }), ...(property !== null && { property }) });
  const { kind, name, sentences, steps, missing } = answer;
  return {
    ...{ kind, name, zone, sentences },
    ...(answer.kind === "program" && { conditions: answer.conditions }),
    steps: steps.map(({ sentence, time, program, line }) => ({ sentence, time: localTime(time, zone), program, line })),
    ...(missing !== null && { missing }),
  };
}

async function trace({ home, zone }: ToolContext, input: Readonly<Record<string, unknown>>): Promise<object> {
  const { id, name } = programAt(home, textIn(input, "program") ?? "");
  const until = timeIn(input, "until", zone);
  const entries = await home.trace(id, { limit: numberIn(input, "limit", LIMIT), ...(until && { until }) });
  return {
    ...{ id, name, zone },
    runs: entries.map(({ time, sentence, conditions, statements }) => ({
      ...{ time: localTime(time, zone), sentence, conditions },
      statements: statements.map((each) => ({ ...each, time: localTime(each.time, zone) })),
    })),
  };
}

/** A finding without its codes for programs. */
export function findingOf({ severity, sentence, line, program, chain }: Finding): object {
  return { severity, sentence, line, program, proof: chain.map(({ text }) => text) };
}

function nodeAt(home: Home, key: string): Node {
  const node = home.nodes.find(key);
  if (node) return node;
  throw new ToolFailure(`There is no node "${key}". Use find.`);
}

function programAt(home: Home, key: string): Program {
  const program = home.programs.find(key);
  if (program) return program;
  throw new ToolFailure(`There is no program "${key}". Use find.`);
}
