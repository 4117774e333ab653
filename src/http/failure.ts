/** Failures as the surfaces spell them. No stack, path of the machine or secret leaves here. */

import type { ListenerName } from "../auth/auth.ts";
import { ControllerError, type ErrorCode } from "../errors.ts";
import { escapeXml, XML_PROLOG } from "../util/xml.ts";
import type { Reply } from "./reply.ts";
import { outcome } from "./soap/answer.ts";
import type { PathSurface } from "./target.ts";

/**
 * How the listeners ask for credentials; the legacy clients know the realm "/". The portal listener accepts basic
 * credentials, but does not ask for them: browsers would open a dialog over the page.
 */
const CHALLENGES: Readonly<Record<ListenerName, string>> = { portal: "Bearer", local: 'Basic realm="/"' };

/** Numbers of the originals' SOAP, which clients look for in the status line of the answer. */
const SOAP_STATUSES: Partial<Record<ErrorCode, number>> = {
  RADIO_BUSY: 803,
  RADIO_IDLE: 501,
  SUBSCRIPTION_REFUSED: 814,
};
/** Numbers in the envelope, by HTTP status: arguments that do not fit (402), an operation that is not available here (602). */
const SOAP_OUTCOMES: Readonly<Record<number, number>> = { 400: 402, 501: 602 };

/** The connection ends, because what was meant to be a stream is none. */
const UPGRADE = { Upgrade: "websocket", Connection: "Upgrade, close" } as const;

/** Anything but a ControllerError is a bug of ours and is answered as INTERNAL. */
export function toControllerError(error: unknown): ControllerError {
  return error instanceof ControllerError ? error : new ControllerError("INTERNAL", { cause: error });
}

/** @param headers further ones, such as Allow. */
export function failureReply(
  error: ControllerError,
  surface: PathSurface,
  listener: ListenerName,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const all: Record<string, string> = { ...headers };
  if (error.status === 401) all["WWW-Authenticate"] = CHALLENGES[surface === "soap" ? "local" : listener];
  if (error.code === "UPGRADE_REQUIRED") Object.assign(all, UPGRADE);
  if (error.retryAfterS !== null) all["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfterS)));
  const status = surface === "soap" ? (SOAP_STATUSES[error.code] ?? error.status) : error.status;
  return { status, ...bodyOf(error, surface), headers: all };
}

function bodyOf(error: ControllerError, surface: PathSurface): Pick<Reply, "contentType" | "body"> {
  if (surface === "rest") {
    const reason = `<reason code="${error.code}">${escapeXml(error.message)}</reason>`;
    const body = `${XML_PROLOG}<RestResponse succeeded="false"><status>${error.status}</status>${reason}</RestResponse>`;
    return { contentType: "text/xml; charset=UTF-8", body };
  }
  if (surface === "soap")
    return outcome(SOAP_STATUSES[error.code] ?? SOAP_OUTCOMES[error.status] ?? error.status, error.message);
  const { code, message, problems } = error;
  const body = JSON.stringify({
    successful: false,
    data: null,
    error: message,
    code,
    // The vendor's newest client reads only these two.
    errorMessage: message,
    errorCode: code,
    ...(problems.length > 0 ? { problems } : {}),
  });
  return { contentType: "application/json; charset=utf-8", body };
}
