/** Configuration parameters of devices, and user codes of radio devices. @see docs/interface/radio.md */

import { readParameter as readAnswer } from "../documents/answers.ts";
import { ClientError } from "../errors.ts";
import type { KnownParameter } from "../model/routes.ts";
import type { Session } from "../transport/session.ts";
import { order } from "./acknowledge.ts";
import { segment } from "./paths.ts";
import { portalRequest } from "./portal-request.ts";

const SIZES: ReadonlySet<number> = new Set([1, 2, 4]);

const WORK = "Work on the parameters of a device";

export function knownParameters(session: Session, address: string): Promise<readonly KnownParameter[]> {
  return portalRequest(session, WORK)("GET /api/nodes/:address/parameters", { address });
}

export async function readDeviceParameter(
  session: Session,
  address: string,
  number: number,
): Promise<{ readonly size: number; readonly value: number }> {
  return portalRequest(session, WORK)("GET /api/nodes/:address/parameters/:number", { address, number });
}

export async function writeDeviceParameter(
  session: Session,
  address: string,
  number: number,
  value: number,
): Promise<void> {
  const body = { value: whole(value, "The value of a parameter") };
  await portalRequest(session, WORK)("PUT /api/nodes/:address/parameters/:number", { address, number }, { body });
}

/** @param device path of the device at its radio */
export async function readParameter(
  session: Session,
  device: string,
  number: number,
): Promise<{ readonly size: number; readonly value: number }> {
  return readAnswer(await session.get(`${device}/config/query/${whole(number, "The number of a parameter")}`));
}

export function writeParameter(
  session: Session,
  device: string,
  number: number,
  value: number,
  size: number,
): Promise<void> {
  if (!SIZES.has(size)) throw new ClientError("BAD_PARAMETER", "A parameter has 1, 2 or 4 bytes.");
  const parts = [whole(number, "The number of a parameter"), whole(value, "The value of a parameter"), size];
  return order(session, `${device}/config/set/${parts.join("/")}`);
}

export function setUserCode(session: Session, device: string, slot: number, code: string): Promise<void> {
  const path = `${device}/security/user/${whole(slot, "The slot of a code")}/set/code/${segment(code)}`;
  return order(session, path, { secrets: [code] });
}

export function deleteUserCode(session: Session, device: string, slot: number): Promise<void> {
  return order(session, `${device}/security/user/${whole(slot, "The slot of a code")}/delete`);
}

function whole(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) throw new ClientError("BAD_PARAMETER", `${what} is a whole number.`);
  return value;
}
