/** Writing, making and removing variables. @see docs/interface/variables.md */

import { isObject, textOf } from "../documents/json.ts";
import { ClientError } from "../errors.ts";
import type { VariableRecord, VariableType } from "../model/records.ts";
import type { Session } from "../transport/session.ts";
import { order, requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

/** @param displayed goes out raw, a whole number, so that no controller scales it again */
export async function setNumber(
  session: Session,
  variable: Pick<VariableRecord, "type" | "id" | "prec">,
  member: "value" | "init",
  displayed: number,
): Promise<void> {
  const raw = Math.round(displayed * 10 ** variable.prec);
  if (!Number.isSafeInteger(raw)) throw new ClientError("BAD_PARAMETER", "A variable holds a number.");
  if (session.mode === "portal") return change(session, variable, { [member]: raw });
  const verb = member === "value" ? "set" : "init";
  return order(session, `/rest/vars/${verb}/${variable.type}/${segment(variable.id)}/${raw}`);
}

/** Exactly one member, as the interface requires. */
export async function change(
  session: Session,
  { type, id }: Pick<VariableRecord, "type" | "id">,
  member: { readonly [name in "value" | "init" | "name" | "prec" | "valueNames"]?: string | number | object },
): Promise<void> {
  requirePortal(session, "Changing a variable");
  await write(session, "POST", `/api/variables/${type}/${segment(id)}`, member);
}

/** @returns the id that the controller gave. @throws ClientError `BAD_DOCUMENT` when it gave none */
export async function create(
  session: Session,
  type: VariableType,
  { name, prec, init }: Pick<VariableRecord, "name" | "prec" | "init">,
): Promise<string> {
  requirePortal(session, "Making a variable");
  const initialValue = Math.round(init * 10 ** prec);
  const body = { name, ...(prec !== 0 && { prec }), ...(initialValue !== 0 && { initialValue }) };
  const data = await write(session, "PUT", `/api/variables/${type}`, body);
  const id = isObject(data) ? textOf(data.id) : "";
  if (id === "") throw new ClientError("BAD_DOCUMENT", "The answer has no id of the new variable.");
  return id;
}

export async function remove(session: Session, { type, id }: Pick<VariableRecord, "type" | "id">): Promise<void> {
  requirePortal(session, "Removing a variable");
  await write(session, "DELETE", `/api/variables/${type}/${segment(id)}`);
}
