/** Commands to nodes and scenes, written as the controller reads them. @see docs/interface/commands.md */

import { ClientError } from "../errors.ts";
import type { CommandDefinition, Nodedef } from "../model/profile.ts";
import type { NodeRecord } from "../model/records.ts";
import type { CommandValue } from "../model/shape.ts";
import type { HomeState } from "../model/state.ts";
import { nodePath, segment } from "./paths.ts";

const NO_UNIT = "0";
const LEVEL_COMMAND = "DON";
const LEVEL_MAX = 100;

/**
 * Checks values by the nodedef: every value gets the unit of the first range that accepts it. Without a nodedef
 * numbers are sent unchanged.
 * @throws ClientError `COMMAND_NOT_ACCEPTED`, `BAD_PARAMETER`
 */
export function nodeCommandPath(
  state: HomeState,
  node: NodeRecord,
  id: string,
  values: readonly CommandValue[],
): string {
  const nodedef = state.profile.nodedef(node.nodeDefId, node.family, node.instance);
  const spelled = nodedef ? withNodedef(state, node, nodedef, id, values) : [id, ...values.map(bareNumber)];
  return [nodePath(node.address), "cmd", ...spelled.map(segment)].join("/");
}

/** No parameter is checked, but a level is kept within 0 and 100. */
export function groupCommandPath(address: string, id: string, values: readonly number[]): string {
  const clamped = values.map((value) => (id === LEVEL_COMMAND ? Math.min(Math.max(value, 0), LEVEL_MAX) : value));
  return [nodePath(address), "cmd", segment(id), ...clamped.map(bareNumber)].join("/");
}

function withNodedef(
  state: HomeState,
  node: NodeRecord,
  nodedef: Nodedef,
  id: string,
  values: readonly CommandValue[],
): readonly (string | number)[] {
  const command = findCommand(nodedef, id);
  if (!command) throw notAccepted(node, nodedef, id);
  const { parameters } = command;
  if (values.length > parameters.length) throw tooMany(node, command, values.length);
  const missing = parameters.slice(values.length).find(({ optional }) => !optional);
  if (missing) throw badParameter(node, command, `needs ${missing.name || missing.id || "a value"}`);
  const pairs = values.flatMap((value, index) => {
    const editorId = parameters[index]?.editor ?? "";
    const editor = state.profile.editor(editorId, node.family, node.instance);
    if (!editor) return [bareNumber(value)];
    const encoded = editor.encode(value);
    return encoded.uom === NO_UNIT ? [encoded.value] : [encoded.value, encoded.uom];
  });
  return [command.id, ...pairs];
}

/** By its id; else the one that writes the property of this id. */
function findCommand({ accepts }: Nodedef, id: string): CommandDefinition | null {
  const named = accepts.find((command) => command.id === id);
  return named ?? accepts.find(({ parameters }) => parameters.length === 1 && parameters[0]?.init === id) ?? null;
}

/** Whole: what no editor explains is raw. @throws ClientError `BAD_PARAMETER` for a label */
function bareNumber(value: CommandValue): number {
  const number = typeof value === "object" ? value.value : value;
  if (typeof number !== "number" || !Number.isFinite(number))
    throw new ClientError(
      "BAD_PARAMETER",
      `${JSON.stringify(value)} is not a number, and the editor of the value is unknown.`,
    );
  return Math.trunc(number);
}

function notAccepted(node: NodeRecord, { accepts }: Nodedef, id: string): ClientError {
  const known = accepts.map((command) => command.id).join(", ") || "no command";
  return new ClientError("COMMAND_NOT_ACCEPTED", `${node.name} does not accept ${id}; it accepts ${known}.`);
}

function tooMany(node: NodeRecord, command: CommandDefinition, given: number): ClientError {
  const taken = command.parameters.length;
  return badParameter(node, command, `takes ${taken} ${taken === 1 ? "value" : "values"}, not ${given}`);
}

function badParameter(node: NodeRecord, { id }: CommandDefinition, what: string): ClientError {
  return new ClientError("BAD_PARAMETER", `${id} of ${node.name} ${what}.`);
}
