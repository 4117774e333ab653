/** One row of the table of SOAP operations: how clients spell it, who may use it, what it does and answers. */

import type { Right } from "../../auth/policy.ts";
import { ControllerError } from "../../errors.ts";
import type { Thing } from "../../home/limits.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { done } from "./answer.ts";
import type { Given, Spellings } from "./call.ts";

/** `limited`: for accounts with limits, as `Route.limited`; null: they are refused. */
type Handled<S extends Spellings, A> = {
  readonly handle: (given: Given<S>, request: HttpRequest, services: Services) => A;
  readonly limited?: ((given: Given<S>) => Thing | null) | null;
};

export type SoapOperation = Required<Handled<Spellings, Reply | Promise<Reply>>> & {
  /** Clients know some operations by several names. `DeviceSpecific:X` is its command X. */
  readonly names: readonly string[];
  readonly elements: Spellings;
  readonly right: Right;
};

type Spelled<E> = { readonly [K in keyof E]: readonly string[] };
type Written = Readonly<Record<string, string>>;

/** For accounts with limits: the operation shows what they reach. */
const VIEW = () => null;

/**
 * Answers with a document, which accounts with limits see as far as they reach.
 * @param names separated by blanks.
 * @param elements the spellings of each, separated by blanks.
 */
export function shows<const E extends Written>(
  names: string,
  elements: E,
  handle: Handled<Spelled<E>, Reply | Promise<Reply>>["handle"],
): SoapOperation {
  return row(names, elements, "read", { handle, limited: VIEW });
}

/** Answers that it is done, once it is. */
export function does<const E extends Written>(
  names: string,
  elements: E,
  right: Right,
  handle: Handled<Spelled<E>, unknown>["handle"],
  limited: Handled<Spelled<E>, unknown>["limited"] = null,
): SoapOperation {
  const act = async (...given: Parameters<typeof handle>) => {
    await handle(...given);
    return done();
  };
  return row(names, elements, right, { handle: act, limited });
}

/** Accepted, because clients send it at every login; there is nothing here that it could change. */
export function accepted(names: string): SoapOperation {
  return row(names, {}, "read", { handle: done, limited: VIEW });
}

/** @param sentence why no account may do this here. */
export function refused(names: string, sentence: string): SoapOperation {
  const handle = () => {
    throw new ControllerError("FORBIDDEN", sentence);
  };
  return row(names, {}, "read", { handle, limited: VIEW });
}

function row<const E extends Written>(
  names: string,
  elements: E,
  right: Right,
  handled: Handled<Spelled<E>, Reply | Promise<Reply>>,
): SoapOperation {
  const spelled = Object.fromEntries(Object.entries(elements).map(([name, text]) => [name, text.split(" ")]));
  return { names: names.split(" "), elements: spelled, right, limited: null, ...handled } as SoapOperation;
}
