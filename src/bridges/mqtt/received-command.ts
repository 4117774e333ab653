/** What comes on the topic of a node's commands. */

import { ControllerError } from "../../errors.ts";
import type { GivenCommand, ParameterValue } from "../../profile/command-resolver.ts";
import { readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";

const COMMANDS_MAX = 4;
const PARAMETERS_MAX = 10;
const DECIMALS_MAX = 6;

/** `{"command":"DON","parameters":[50]}`, or a list of some: displayed values. @throws ControllerError BAD_PARAMETER */
export function commandsOf(payload: Buffer): readonly GivenCommand[] {
  const message = readForeignJson(payload.toString());
  const all: readonly unknown[] = Array.isArray(message) ? message : [message];
  if (all.length > COMMANDS_MAX)
    throw new ControllerError("BAD_PARAMETER", `At most ${COMMANDS_MAX} commands are taken.`);
  return all.map(commandOf);
}

function commandOf(message: unknown): GivenCommand {
  const { command, parameters = [] } = isRecord(message) ? message : {};
  if (typeof command !== "string" || !Array.isArray(parameters) || parameters.length > PARAMETERS_MAX) {
    throw new ControllerError("BAD_PARAMETER", 'A command is {"command":"DON","parameters":[50]}.');
  }
  return { command, parameters: parameters.map(parameterOf) };
}

function parameterOf(given: unknown): ParameterValue {
  if (
    typeof given !== "number" ||
    !Number.isFinite(given) ||
    Math.abs(given) > Number.MAX_SAFE_INTEGER / 10 ** DECIMALS_MAX
  ) {
    throw new ControllerError("BAD_PARAMETER", "The parameters of a command are numbers.");
  }
  let prec = 0;
  while (prec < DECIMALS_MAX && !Number.isInteger(Number((given * 10 ** prec).toFixed(6)))) prec += 1;
  return { id: "", value: Math.round(given * 10 ** prec), uom: 0, prec };
}
