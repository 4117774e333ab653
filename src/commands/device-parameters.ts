/**
 * Values stored in a device itself: configuration parameters of radio devices, user codes of locks. A code is a
 * secret: it goes only to the driver, and is cut out of the driver's error messages.
 */

import type { Outcome } from "../drivers/command.ts";
import type { DeviceParameter, DeviceParameters, Driver, KnownParameter, UserCodes } from "../drivers/driver.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { asFailure, type LifePorts, leadCommand } from "./command-life.ts";
import { driverOfNode, requireEnabledNode, withDriver } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type DevicePorts = LifePorts & Pick<CommandPorts, "home" | "drivers" | "durability">;

/** What is known of its parameters without asking it. @throws ControllerError NODE_NOT_FOUND, DRIVER_UNAVAILABLE */
export function knownDeviceParameters(ports: DevicePorts, address: string): readonly KnownParameter[] {
  return driverOfNode(ports, address).parameters?.known(address) ?? [];
}

/**
 * Queries the device; the answer is also published on the stream.
 *
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, NOT_SUPPORTED, PARAMETER_NOT_FOUND, or the driver's failure.
 */
export async function readDeviceParameter(
  ports: DevicePorts,
  address: string,
  number: number,
  cause: Cause,
  signal?: AbortSignal,
): Promise<DeviceParameter> {
  requireEnabledNode(ports, address);
  checkNumber(number);
  const ask = (deadline: AbortSignal) =>
    withDriver(ports, address, deadline, async (driver) => parametersOf(driver).get(address, number, deadline));
  const parameter = await ports.queue.run(address, ask, signal).catch((error: unknown) => {
    throw asFailure(ports, { address, command: "CONFIG" }, error);
  });
  if (!parameter) throw new ControllerError("PARAMETER_NOT_FOUND");
  await publishParameter(ports, address, parameter, cause);
  return parameter;
}

/**
 * @throws ControllerError BAD_PARAMETER_SIZE; BAD_VALUE when the value does not fit into the size, signed or unsigned;
 * NODE_NOT_FOUND, NODE_DISABLED, NOT_SUPPORTED, PARAMETER_NOT_FOUND, or the driver's failure.
 */
export async function writeDeviceParameter(
  ports: DevicePorts,
  address: string,
  wanted: { readonly number: number; readonly size: number; readonly value: number },
  cause: Cause,
  signal?: AbortSignal,
): Promise<void> {
  requireEnabledNode(ports, address);
  const parameter = checkParameter(wanted);
  const newCommand = { address, command: "CONFIG", detail: `Parameter ${parameter.number} = ${parameter.value}.` };
  const send = (id: string, deadline: AbortSignal) =>
    withDriver(ports, address, deadline, async (driver) => parametersOf(driver).set(address, parameter, deadline, id));
  const life = await leadCommand(ports, newCommand, send, cause, signal);
  // A value that was only sent, or that waits for the device to wake, is not yet the device's parameter.
  if (life.state === "acknowledged" || life.state === "confirmed") {
    await publishParameter(ports, address, parameter, cause);
  }
}

/**
 * @param slot 1 … the number of slots of the lock.
 * @param code 4 to 10 digits.
 * @throws ControllerError BAD_VALUE for a malformed code; CODE_SLOT_NOT_FOUND; NODE_NOT_FOUND, NODE_DISABLED,
 * NOT_SUPPORTED, or the driver's failure.
 */
export async function setLockCode(
  ports: DevicePorts,
  address: string,
  slot: number,
  code: string,
  cause: Cause,
  signal?: AbortSignal,
): Promise<void> {
  const lock = requireSlot(ports, address, slot);
  const sentence = "A user code has 4 to 10 digits.";
  if (!/^[0-9]{4,10}$/.test(code)) throw badValue(sentence);
  const send = (deadline: AbortSignal) => lock().set(address, slot, code, deadline);
  await leadSecretly(ports, { address, command: "CODE_SET", detail: `Slot ${slot}.` }, send, cause, signal);
}

/** @throws ControllerError CODE_SLOT_NOT_FOUND, NODE_NOT_FOUND, NODE_DISABLED, NOT_SUPPORTED, or the driver's failure. */
export async function clearLockCode(
  ports: DevicePorts,
  address: string,
  slot: number,
  cause: Cause,
  signal?: AbortSignal,
): Promise<void> {
  const lock = requireSlot(ports, address, slot);
  const send = (deadline: AbortSignal) => lock().clear(address, slot, deadline);
  await leadSecretly(ports, { address, command: "CODE_CLEAR", detail: `Slot ${slot}.` }, send, cause, signal);
}

async function leadSecretly(
  ports: DevicePorts,
  newCommand: { readonly address: string; readonly command: string; readonly detail: string },
  send: (deadline: AbortSignal) => Promise<Outcome>,
  cause: Cause,
  signal?: AbortSignal,
): Promise<void> {
  const quiet = async (_id: string, deadline: AbortSignal) => withoutDetail(await withoutCause(send, deadline));
  await leadCommand(ports, newCommand, quiet, cause, signal);
}

function withoutDetail(outcome: Outcome): Outcome {
  return outcome.kind === "failed" || outcome.kind === "queued" ? { ...outcome, detail: "" } : outcome;
}

/** An exception of a driver could hold the code in its message or among its fields. */
async function withoutCause(
  send: (deadline: AbortSignal) => Promise<Outcome>,
  deadline: AbortSignal,
): Promise<Outcome> {
  try {
    return await send(deadline);
  } catch (error) {
    throw new ControllerError(error instanceof ControllerError ? error.code : "DEVICE_FAILED");
  }
}

/** @returns the lock's codes, queried again when its turn comes. */
function requireSlot(ports: DevicePorts, address: string, slot: number): () => UserCodes {
  requireEnabledNode(ports, address);
  const lock = () => codesOf(driverOfNode(ports, address));
  const slots = lock().slots(address);
  if (slots === 0) throw new ControllerError("NOT_SUPPORTED", "This node is not a lock with user codes.");
  if (!Number.isInteger(slot) || slot < 1 || slot > slots) throw new ControllerError("CODE_SLOT_NOT_FOUND");
  return lock;
}

function codesOf({ codes }: Driver): UserCodes {
  if (!codes) throw new ControllerError("NOT_SUPPORTED");
  return codes;
}

function parametersOf({ parameters }: Driver): DeviceParameters {
  if (!parameters) throw new ControllerError("NOT_SUPPORTED");
  return parameters;
}

function checkParameter(wanted: {
  readonly number: number;
  readonly size: number;
  readonly value: number;
}): DeviceParameter {
  const { number, size, value } = wanted;
  if (size !== 1 && size !== 2 && size !== 4) throw new ControllerError("BAD_PARAMETER_SIZE");
  checkNumber(number);
  const values = 2 ** (8 * size);
  if (!Number.isInteger(value) || value < -values / 2 || value >= values) {
    throw badValue(`The value does not fit into ${size === 1 ? "1 byte" : `${size} bytes`}.`);
  }
  return { number, size, value };
}

function checkNumber(number: number): void {
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new ControllerError("PARAMETER_NOT_FOUND");
}

async function publishParameter(
  ports: Pick<DevicePorts, "feed" | "durability">,
  address: string,
  { number, size, value }: DeviceParameter,
  cause: Cause,
): Promise<void> {
  await ports.durability.committed(
    ports.feed.commit({ type: "device-parameter", address, number, size, value }, cause).seq,
  );
}
