/** The outcome of a sent command, in the words of the port. */

import { type FailureReason, failed, type Outcome } from "../../command.ts";
import type { ZWaveLibrary } from "../library.ts";

export const ACKED: Outcome = { kind: "acked" };
/** It left; nothing confirms the effect. */
const SENT: Outcome = { kind: "sent" };

export const NOT_READY = failed("not-ready", "The radio is not running.", true);
export const GIVEN_UP = failed("timeout", "The device did not answer in time.", true);

/** The end of a `setValue`; its status is one of the library's `SetValueStatus`. */
export function outcomeOfStatus(status: number, message = ""): Outcome {
  return STATUS[status] ?? failed("internal", message || `The radio answered with status ${status}.`);
}

/** The end of a command that is no value; undefined: the device cannot confirm. */
export function outcomeOfSupervision(result: { readonly status: number } | undefined): Outcome {
  return result === undefined ? SENT : outcomeOfStatus(result.status);
}

const REFUSED = failed("rejected", "The device refused the command.");

/** Supervision's own statuses are 0, 1, 2 and 255. */
const STATUS: Readonly<Record<number, Outcome>> = {
  0: failed("unsupported", "The device does not support this command."),
  1: ACKED,
  2: REFUSED,
  3: failed("unsupported", "The device has no such endpoint."),
  4: failed("unsupported", "This cannot be set."),
  5: failed("bad-parameter", "The value is out of range."),
  254: SENT,
  255: ACKED,
};

type Codes = ZWaveLibrary["ZWaveErrorCodes"];
type Row = readonly [code: keyof Codes, reason: FailureReason, detail: string, retryable: boolean];

const ERRORS: readonly Row[] = [
  ["Controller_CallbackNOK", "no-ack", "The device does not answer.", true],
  ["Controller_MessageDropped", "no-ack", "The device does not answer.", true],
  ["Controller_NodeTimeout", "timeout", "The device acknowledged the command but did not answer.", true],
  ["Controller_MessageExpired", "timeout", "The device was not reached in time.", true],
  ["Controller_MessageSuperseded", "rejected", "A newer command replaced it.", false],
  ["Controller_Timeout", "internal", "The radio does not answer.", true],
  ["Controller_Jammed", "internal", "The radio channel is busy; the radio could not send.", true],
  ["Controller_ResponseNOK", "internal", "The radio refused the command.", true],
  ["Controller_Reset", "internal", "The radio was restarted.", true],
  ["Controller_NodeNotFound", "unreachable", "There is no such device.", false],
  ["Controller_EndpointNotFound", "unreachable", "There is no such device.", false],
  ["Controller_NodeRemoved", "unreachable", "The device was removed.", false],
  ["Controller_InterviewRestarted", "not-ready", "The device is being interviewed again.", true],
  ["Driver_Destroyed", "not-ready", "The radio is not running.", true],
  ["Driver_NotReady", "not-ready", "The radio is not running.", true],
  ["Driver_TaskRemoved", "not-ready", "The radio is not running.", true],
  ["Driver_SerialPortClosed", "not-ready", "The adapter was lost.", true],
  ["Driver_NoSecurity", "rejected", "The device was included with other keys than those of this radio.", false],
  ["Argument_Invalid", "bad-parameter", "The value is out of range.", false],
  ["CC_NotSupported", "unsupported", "The device does not support this command.", false],
  ["CC_NotImplemented", "unsupported", "The device does not support this command.", false],
  ["CC_NoAPI", "unsupported", "The device does not support this command.", false],
  ["SupervisionCC_CommandFailed", "rejected", "The device refused the command.", false],
];

/** The library's errors by their code; their texts may hold what was sent, so none of them is passed on. */
export function outcomeOfError(library: Pick<ZWaveLibrary, "ZWaveError" | "ZWaveErrorCodes">, error: unknown): Outcome {
  if (!(error instanceof library.ZWaveError)) return failed("internal", "The radio failed at this command.");
  const row = ERRORS.find(([name]) => library.ZWaveErrorCodes[name] === error.code);
  return row ? failed(row[1], row[2], row[3]) : failed("internal", `The radio failed with code ${error.code}.`);
}
