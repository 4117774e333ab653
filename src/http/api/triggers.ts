/** `/api/triggers`: every program's syntax tree. @see docs/interface/triggers.md */

import { type Program, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { JSON_TYPE } from "../envelope.ts";
import type { House } from "../house.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import { actionJson, conditionJson } from "./trigger-json.ts";

export const triggersData: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "name", "parent", "if", "then", "else"],
    properties: {
      id: { type: "integer", description: "The program's id in decimal." },
      name: { type: "string" },
      parent: { type: "integer", description: "Id of the folder in decimal; 0 = the root folder." },
      comment: { type: "string" },
      if: { type: "array", items: { type: "object" } },
      then: { type: "array", items: { type: "object" } },
      else: { type: "array", items: { type: "object" } },
      invalid: { const: true, description: "Only on a program that is not loaded; `error` says why." },
      error: { type: "string" },
    },
  },
};

export function getTriggers(_request: HttpRequest, { home, documents }: House): Reply {
  return documents.serve("/api/triggers", String(home.version("programs")), JSON_TYPE, () => {
    const programs = [...home.programs.values()].filter((entry) => entry.kind === "program");
    return JSON.stringify({ successful: true, data: programs.sort((a, b) => a.id - b.id).map(triggerJson) });
  });
}

function triggerJson(program: Program): object {
  return {
    id: program.id,
    name: program.name,
    parent: program.parentId === ROOT_PROGRAM_ID ? 0 : program.parentId,
    ...(program.comment === "" ? {} : { comment: program.comment }),
    if: program.tree.if.map(conditionJson),
    then: program.tree.then.map(actionJson),
    else: program.tree.else.map(actionJson),
    ...(program.invalid === null ? {} : { invalid: true, error: program.invalid }),
  };
}
