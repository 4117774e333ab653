/** The operation that reads or writes a parameter of a device by its name. */

import { badValue, ControllerError } from "../../errors.ts";
import type { LinkTurn } from "./linking.ts";
import { parametersOf, readParameter, Unanswered, writeParameter } from "./parameters.ts";

/**
 * @param value null: the parameter is read
 * @throws ControllerError NODE_NOT_FOUND, PARAMETER_NOT_FOUND, BAD_VALUE, DEVICE_TIMEOUT, DEVICE_FAILED
 */
export async function configure(turn: LinkTurn, address: string, name: string, value: number | null): Promise<string> {
  const { running, signal, tell } = turn;
  const found = running.book.find(address);
  if (!found) throw new ControllerError("NODE_NOT_FOUND", `There is no Insteon device with the address "${address}".`);
  const known = parametersOf(found.device, found.node);
  const parameter = known.find((each) => each.name === name);
  if (!parameter) throw new ControllerError("PARAMETER_NOT_FOUND", namesOf(known.map((each) => each.name)));
  if (value !== null && value > parameter.max) throw badValue(`The parameter ${name} is 0 to ${parameter.max}.`);
  const target = { modem: running.modem, ...found, signal };
  tell({ stage: "working", address, detail: value === null ? "Reading the parameter." : "Writing the parameter." });
  try {
    if (value === null) return `The parameter ${name} is ${await readParameter(target, parameter)}.`;
    await writeParameter(target, parameter, value);
    return `The parameter ${name} is ${value} now.`;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const isRefused = error.answer.kind === "nak";
    throw isRefused
      ? new ControllerError("DEVICE_FAILED", "The device refused the parameter.")
      : new ControllerError("DEVICE_TIMEOUT", "The device does not answer.");
  }
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "This node has no parameters.";
  return `This node has no such parameter. Its parameters are ${names.join(", ")}.`;
}
