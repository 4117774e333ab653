/**
 * Material for statements: the things of the home with what they report, send and accept, and new statements about
 * them.
 */

import type { CommandDefinition, Home, Nodedef, PropertyDefinition } from "@domovoi/client";
import { folded } from "../../text/folded.ts";
import type { Clause } from "../program-lines.ts";
import { newRoleAction, newRoleCondition } from "./roles.ts";
import { type KnownAction, type KnownCondition, PROGRAM_CONTROLS, type Statement } from "./tree.ts";

/** A node or a scene, as statements use it. */
export type Target = {
  readonly address: string;
  readonly path: string;
  readonly family: string;
  readonly instance: string;
  readonly properties: readonly PropertyDefinition[];
  readonly sends: readonly CommandDefinition[];
  readonly accepts: readonly CommandDefinition[];
};

/** null: no such node or scene, or nothing is known of its kind. */
export function targetOf(home: Home, address: string): Target | null {
  const thing = home.nodes.find(address) ?? home.groups.find(address);
  if (!thing || thing.address !== address) return null;
  const { path, family, instance, nodeDefId } = thing;
  const nodedef = "nodedef" in thing ? thing.nodedef : sceneNodedef(home, { family, instance, nodeDefId });
  if (!nodedef) return null;
  const { properties, sends, accepts } = nodedef;
  return { address, path, family, instance, properties: properties.filter(({ hide }) => !hide), sends, accepts };
}

function sceneNodedef(
  home: Home,
  { nodeDefId, family, instance }: { readonly nodeDefId: string; readonly family: string; readonly instance: string },
): Nodedef | null {
  return home.profile.nodedef(nodeDefId, family, instance);
}

export function labelOf({ id, name }: { readonly id: string; readonly name: string }): string {
  return name || id;
}

/** Statements that need what is not there, or that blocks have no fields for, are changed in the text. */
export function isChangeable(home: Home, statement: Statement): boolean {
  const known = statement as KnownCondition | KnownAction;
  switch (known.type) {
    case "status":
      return "val" in known && targetOf(home, known.node) !== null;
    case "held":
    case "control":
      return targetOf(home, known.node) !== null;
    case "roles":
      return true;
    case "cmd":
      return known.p.every((each) => "val" in each) && targetOf(home, known.node) !== null;
    case "var": {
      const hasOperand =
        known.val !== undefined ||
        known.var !== undefined ||
        (known.status !== undefined && targetOf(home, known.status.node) !== null);
      return (
        hasOperand &&
        hasVariable(home, known.varType, known.id) &&
        (!known.var || hasVariable(home, known.var.type, known.var.id))
      );
    }
    case "repeat":
      return !known.while || isChangeable(home, { type: "var", ...known.while.var } as Statement);
    case "schedule":
      return [known.at, known.from, known.to].every((time) => time?.type !== "lastruntime");
    case "triggerref":
      return home.programs.find(hexId(known.refid)) !== null;
    case "net":
      return home.resources.find(String(known.id)) !== null;
    case "wait":
      return true;
    case "notify":
      return "recipient" in known || "text" in known;
    default:
      return isProgramControl(known) && home.programs.find(hexId(known.id)) !== null;
  }
}

export function isProgramControl(statement: {
  readonly type: string;
}): statement is { readonly type: (typeof PROGRAM_CONTROLS)[number]; readonly id: number } {
  return PROGRAM_CONTROLS.some((control) => control === statement.type);
}

export function hexId(id: number): string {
  return id.toString(16).toUpperCase().padStart(4, "0");
}

function hasVariable(home: Home, type: string, id: number): boolean {
  return home.variables.find(`${type}.${id}`) !== null;
}

/** A possible subject of a new statement: its name for search, and its first form. */
export type Choice = {
  readonly key: string;
  readonly kind:
    | "room"
    | "node"
    | "scene"
    | "variable"
    | "program"
    | "resource"
    | "time"
    | "wait"
    | "repeat"
    | "message"
    | "notify";
  /** Empty for kinds that are about no thing. */
  readonly path: string;
  /** What the thing reports, sends or accepts. */
  readonly hint: string;
  readonly statement: Statement;
};

const OWN_KINDS: Readonly<Record<"if" | "then", readonly (readonly [Choice["kind"], KnownCondition | KnownAction])[]>> =
  {
    if: [
      [
        "time",
        {
          type: "schedule",
          from: { type: "sunset", offsetSec: 0 },
          to: { type: "sunrise", offsetSec: 0, offsetDays: 1 },
        },
      ],
    ],
    then: [
      ["wait", { type: "wait", minutes: 5 }],
      ["repeat", { type: "repeat", for: { times: 3 } }],
      ["message", { type: "notify", to: "", text: "" }],
      ["notify", { type: "notify", recipient: 1 }],
    ],
  };

export function choicesFor(home: Home, clause: Clause): readonly Choice[] {
  const isIf = clause === "if";
  const own = OWN_KINDS[isIf ? "if" : "then"].map(
    ([kind, statement]): Choice => ({ key: kind, kind, path: "", hint: "", statement }),
  );
  const targets = [...home.nodes, ...home.groups].flatMap(({ address }) => targetOf(home, address) ?? []);
  const ofTargets = targets.flatMap((target): readonly Choice[] => {
    const statement = isIf ? newNodeCondition(target) : acts(target) ? newCommand(target) : null;
    const able = isIf ? [...target.properties, ...target.sends] : target.accepts;
    const kind = home.nodes.find(target.address) ? "node" : "scene";
    return statement
      ? [{ key: target.address, kind, path: target.path, hint: [...new Set(able.map(labelOf))].join(", "), statement }]
      : [];
  });
  const isEmpty = [...home.nodes].length === 0;
  const rooms = [null, ...home.folders].flatMap((room): readonly Choice[] => {
    const addresses = room === null ? [] : [room.address];
    const statement = isEmpty ? null : (isIf ? newRoleCondition : newRoleAction)(home, addresses);
    if (!statement) return [];
    return [{ key: `room ${room?.address ?? ""}`, kind: "room", path: room?.path ?? "", hint: "", statement }];
  });
  const variables = Array.from(home.variables, ({ key, name, type, id }): Choice => {
    const variable = { type: "var", varType: `${type}`, id: Number(id), val: { value: 0, prec: 0 } } as const;
    return {
      key: `variable ${key}`,
      kind: "variable",
      path: name,
      hint: "",
      statement: { ...variable, op: isIf ? "IS" : "EQ" } as Statement,
    };
  });
  const programs = [...home.programs]
    .filter(({ isFolder }) => !isFolder)
    .map(({ id, path }): Choice => {
      const number = Number.parseInt(id, 16);
      const statement = isIf ? { type: "triggerref", refid: number, is: true } : { type: "runthen", id: number };
      return { key: `program ${id}`, kind: "program", path, hint: "", statement };
    });
  const resources = Array.from(isIf ? [] : home.resources, ({ id, name }): Choice => {
    const statement: KnownAction = { type: "net", id: Number(id) };
    return { key: `resource ${id}`, kind: "resource", path: name, hint: "", statement };
  });
  const byPath = (a: Choice, b: Choice) => a.path.localeCompare(b.path);
  return [...own, ...rooms, ...ofTargets.sort(byPath), ...variables, ...programs.sort(byPath), ...resources];
}

/** Without a value: it has to be given. */
export function newNodeCondition({ address, properties, sends }: Target): Statement | null {
  const [property] = properties;
  const [command] = sends;
  if (property) return { type: "status", id: property.id, node: address, op: "IS" } as Statement;
  return command ? ({ type: "control", id: command.id, node: address, op: "IS" } as Statement) : null;
}

/** Commands that ask a device, make it heard, or write into it: a sensor that takes only these does nothing in a home. */
const WITHOUT_EFFECT = /^(?:QUERY|BEEP|WDU|CONFIG|V[0-9A-F]{2}_.*)$/;

/** Whether a command to it has an effect in the home. */
export function acts({ accepts }: Pick<Target, "accepts">): boolean {
  return accepts.some(({ id }) => !WITHOUT_EFFECT.test(id));
}

export function newCommand({ address, accepts }: Target): Statement | null {
  const command = accepts.find(({ id }) => !WITHOUT_EFFECT.test(id)) ?? accepts[0];
  return command ? ({ type: "cmd", id: command.id, node: address, p: [] } as Statement) : null;
}

/** Every word of the query is in the path or the hint; paths with a name that begins with it come first. */
export function findChoices(
  choices: readonly Choice[],
  query: string,
  kindText: (kind: Choice["kind"]) => string,
): readonly Choice[] {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first = ""] = words;
  const rank = ({ path, kind }: Choice) =>
    Number(![path.split("/").at(-1) ?? "", kindText(kind)].some((text) => folded(text).startsWith(first)));
  return choices
    .filter(({ path, hint, kind }) => {
      const text = folded(`${path} ${hint} ${kindText(kind)}`);
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b));
}
