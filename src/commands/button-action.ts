/** The statement behind a button of an alert: one command, or a run of a program. It runs with the account that pressed the button as its cause. */

import type { ButtonAction } from "../drivers/alert-port.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Action } from "../home/program-syntax.ts";
import { createProgramNames } from "../programs/text/names.ts";
import { parseProgram } from "../programs/text/parse-program.ts";
import { actionLines } from "../programs/text/print-statement.ts";
import type { CommandPorts } from "./ports.ts";
import { runProgram } from "./run-program.ts";
import { sendCommand } from "./send-command.ts";

type Place = Pick<CommandPorts, "home" | "profile">;

const VERBS = { runif: "runIf", runthen: "runThen", runelse: "runElse" } as const;
const HEAD = "Program 'Button'\nThen\n";
const FORM =
  "A button sends one command to a node or scene, or runs a program, as programs write it: Set 'Main Valve' Off.";

/** @throws ControllerError BAD_VALUE */
export function readButtonAction({ home, profile }: Place, text: string): ButtonAction {
  if (/[\r\n]/.test(text)) throw badValue(FORM);
  const [action, other] = thenOf(text, home, profile);
  if (!action || other) throw badValue(FORM);
  if (action.kind === "program" && action.control in VERBS)
    return { kind: "program", id: action.id, verb: VERBS[action.control as keyof typeof VERBS] };
  if (action.kind !== "command") throw badValue(FORM);
  const parameters = action.parameters.map((each) => {
    if ("variable" in each) throw badValue("A button sends numbers, not the values of variables.");
    return each;
  });
  return { kind: "command", address: action.node, command: action.command, parameters };
}

function thenOf(text: string, home: Place["home"], profile: Place["profile"]): readonly Action[] {
  try {
    return parseProgram(`${HEAD}${text}\n`, createProgramNames(home, profile)).tree.then;
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    throw badValue(`${error.message.replace(/^Line \d+, column \d+: /, "")} ${FORM}`, error);
  }
}

export function buttonActionText({ home, profile }: Place, action: ButtonAction): string {
  const [line = ""] = actionLines([statementOf(action)], createProgramNames(home, profile));
  return line;
}

function statementOf(action: ButtonAction): Action {
  if (action.kind === "command")
    return { kind: "command", node: action.address, command: action.command, parameters: action.parameters };
  const { id, verb } = action;
  return { kind: "program", id, control: verb === "runIf" ? "runif" : verb === "runThen" ? "runthen" : "runelse" };
}

/** @throws ControllerError as `sendCommand` and `runProgram` */
export async function runButtonAction(ports: CommandPorts, action: ButtonAction, cause: Cause): Promise<void> {
  if (action.kind === "program") return runProgram(ports, action.id, action.verb, cause);
  const { address, command, parameters } = action;
  await sendCommand(ports, { address, command, parameters }, cause);
}
