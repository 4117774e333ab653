/** The limits of an account as JSON: what it reaches of the home. @see docs/interface/accounts.md */

import { ControllerError, type ErrorCode } from "../../../errors.ts";
import type { Limits, VariableName } from "../../../home/limits.ts";
import { findVariable, variableKey } from "../../../home/variables.ts";
import { parseProgramId, programId } from "../../../wire/tree.ts";
import { type Fits, type JsonSchema, list, orNull, partial } from "../../schema.ts";
import type { Services } from "../../services.ts";
import type { LocatedValue, Members } from "../located-value.ts";

const TEXT_CHARACTERS_MAX = 200;
const ID_MAX = 65_535;

const texts = (description: string): JsonSchema => list({ type: "string" }, { description });

export const limitsSchema = orNull(
  partial(
    {
      folders: texts("Addresses of folders, each with everything in it."),
      nodes: texts("Addresses of nodes."),
      scenes: texts("Addresses of scenes."),
      programs: texts("Ids of programs, and of program folders with everything in them."),
      variables: texts("Type and id, for example 2/5."),
      resources: list({ type: "integer" }, { description: "Ids of network resources." }),
      commands: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "The only commands that it may send. Left out, or null: all that its role allows.",
      },
    },
    { description: "What the account reaches; null: the whole home. It names at least one thing." },
  ),
);

type Ports = Pick<Services, "home" | "config">;

/** @throws ControllerError BAD_BODY; the error of a thing that does not exist; BAD_VALUE when nothing is named. */
export function parseLimits({ home, config }: Ports, given: LocatedValue): Limits | null {
  if (given.value === null) return null;
  const limits = given.object((members) => {
    const listOf = <T>(name: string, read: (item: LocatedValue) => T) =>
      readList(members, name, config.accountThingsMax, read);
    return {
      folders: listOf("folders", knownIn(home.folders, "folder")),
      nodes: listOf("nodes", knownIn(home.nodes, "node")),
      scenes: listOf("scenes", knownIn(home.groups, "scene")),
      programs: listOf("programs", (item) => {
        const id = parseProgramId(item.text(TEXT_CHARACTERS_MAX));
        if (id === null || !home.programs.has(id)) throw unknown("PROGRAM_NOT_FOUND", item, "program");
        return id;
      }),
      variables: listOf("variables", (item): VariableName => {
        const [, type, id] = /^([12])\/([0-9]{1,9})$/.exec(item.text(TEXT_CHARACTERS_MAX)) ?? [];
        const name = { type: type === "1" ? 1 : 2, id: Number(id) } as const;
        if (type === undefined || !findVariable(home, name.type, name.id)) {
          throw unknown("VARIABLE_NOT_FOUND", item, "variable");
        }
        return name;
      }),
      resources: listOf("resources", (item) => {
        const id = item.integer(1, ID_MAX);
        if (!home.networkResources.has(id)) throw unknown("RESOURCE_NOT_FOUND", item, "network resource");
        return id;
      }),
      commands: Array.isArray(members.find("commands")?.value)
        ? listOf("commands", (item) => item.text(TEXT_CHARACTERS_MAX).toUpperCase())
        : null,
    };
  });
  const { commands: _commands, ...things } = limits;
  if (Object.values(things).every((list) => list.length === 0))
    throw new ControllerError("BAD_VALUE", { sentence: "Limits name at least one thing that the account reaches." });
  return limits;
}

export function limitsJson(limits: Limits): Fits<typeof limitsSchema> {
  return {
    ...limits,
    programs: limits.programs.map(programId),
    variables: limits.variables.map(({ type, id }) => variableKey(type, id)),
  };
}

/** Each value once; none when the member is missing. */
function readList<T>(members: Members, name: string, max: number, read: (item: LocatedValue) => T): readonly T[] {
  const given = members.find(name);
  if (!given) return [];
  const items = given.list(read);
  if (items.length > max) throw given.refuse(`has more than ${max} items, the setting accountThingsMax`);
  return [...new Set(items)];
}

function knownIn(things: ReadonlyMap<string, unknown>, kind: string) {
  return (item: LocatedValue): string => {
    const address = item.text(TEXT_CHARACTERS_MAX);
    if (!things.has(address)) throw unknown("NODE_NOT_FOUND", item, kind);
    return address;
  };
}

function unknown(code: ErrorCode, { value }: LocatedValue, kind: string): ControllerError {
  return new ControllerError(code, { sentence: `There is no ${kind} "${String(value)}".` });
}
