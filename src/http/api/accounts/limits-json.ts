/** The limits of an account as JSON: what it reaches of the home. @see docs/interface/accounts.md */

import { badValue, ControllerError, type ErrorCode } from "../../../errors.ts";
import type { Limits, VariableName } from "../../../home/limits.ts";
import { hexId } from "../../../home/programs.ts";
import { findVariable, variableKey } from "../../../home/variables.ts";
import { parseProgramId } from "../../../wire/tree.ts";
import { type Fits, line, list, object, orNull, partial } from "../../schema.ts";
import type { Services } from "../../services.ts";

const name = line(200);

const members = {
  folders: list(name, { description: "Addresses of folders, each with everything in it." }),
  nodes: list(name, { description: "Addresses of nodes." }),
  scenes: list(name, { description: "Addresses of scenes." }),
  scenesWithin: {
    type: "boolean",
    description: "Whether scenes of the folders that also command devices outside of the limits are left out.",
  },
  programs: list(name, { description: "Ids of programs, and of program folders with everything in them." }),
  variables: list(name, { description: "Type and id, for example 2/5." }),
  resources: list({ type: "integer", minimum: 1, maximum: 65_535 }, { description: "Ids of network resources." }),
  commands: {
    type: ["array", "null"],
    items: name,
    description: "The only commands that it may send. Left out, or null: all that its role allows.",
  },
} as const;

export const limitsBody = orNull(
  partial(members, {
    title: "Limits",
    description: "The things that the account can reach, at least one; null: the whole home.",
    additionalProperties: false,
  }),
);
export const limitsData = object(members);

type Ports = Pick<Services, "home" | "config">;

/** @throws ControllerError BAD_BODY for too many things; the error of a thing that does not exist; BAD_VALUE when nothing is named. */
export function parseLimits({ home, config }: Ports, given: Fits<typeof limitsBody>): Limits | null {
  if (given === null) return null;
  const max = config.accountThingsMax;
  /** Each value once. */
  const read = <T, R>(items: readonly T[] | null | undefined, find: (item: T) => R): readonly R[] => {
    if (items && items.length > max) {
      const sentence = `The limits name more than ${max} things of one kind: see the setting accountThingsMax.`;
      throw new ControllerError("BAD_BODY", sentence);
    }
    return [...new Set(items?.map(find))];
  };
  const things = {
    folders: read(given.folders, knownIn(home.folders, "folder")),
    nodes: read(given.nodes, knownIn(home.nodes, "node")),
    scenes: read(given.scenes, knownIn(home.groups, "scene")),
    programs: read(given.programs, (text) => {
      const id = parseProgramId(text);
      if (id === null || !home.programs.has(id)) throw unknown("PROGRAM_NOT_FOUND", text, "program");
      return id;
    }),
    variables: read(given.variables, (text): VariableName => {
      const [, type, id] = /^([12])\/([0-9]{1,9})$/.exec(text) ?? [];
      const variable = { type: type === "1" ? 1 : 2, id: Number(id) } as const;
      if (type === undefined || !findVariable(home, variable.type, variable.id))
        throw unknown("VARIABLE_NOT_FOUND", text, "variable");
      return variable;
    }),
    resources: read(given.resources, (id) => {
      if (!home.networkResources.has(id)) throw unknown("RESOURCE_NOT_FOUND", id, "network resource");
      return id;
    }),
  };
  if (Object.values(things).every((list) => list.length === 0))
    throw badValue("Limits name at least one thing that the account reaches.");
  return {
    ...things,
    ...(given.scenesWithin && { scenesWithin: true }),
    commands: given.commands ? read(given.commands, (command) => command.toUpperCase()) : null,
  };
}

export function limitsJson(limits: Limits): Fits<typeof limitsData> {
  return {
    ...limits,
    scenesWithin: limits.scenesWithin === true,
    programs: limits.programs.map(hexId),
    variables: limits.variables.map(({ type, id }) => variableKey(type, id)),
  };
}

function knownIn(things: ReadonlyMap<string, unknown>, kind: string) {
  return (address: string): string => {
    if (!things.has(address)) throw unknown("NODE_NOT_FOUND", address, kind);
    return address;
  };
}

function unknown(code: ErrorCode, name: string | number, kind: string): ControllerError {
  return new ControllerError(code, `There is no ${kind} "${name}".`);
}
