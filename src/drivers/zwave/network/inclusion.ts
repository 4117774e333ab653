/**
 * Includes a device with the best encryption that it supports and a person grants, or replaces a failed device. A
 * device that did not get its keys is in the network all the same; that is reported plainly.
 */

import { ControllerError } from "../../../errors.ts";
import type { OperationQuestion } from "../../../home/operation.ts";
import { deadlineIn } from "../../../util/clock.ts";
import type { OperationAnswer } from "../../commissioning.ts";
import type { SecurityName } from "../../mesh-facts.ts";
import { Cancelled } from "../../operations.ts";
import type { ZWaveDevice, ZWaveLibrary, ZWaveStack } from "../library.ts";
import { deviceAddress, type RadioTurn } from "../radio.ts";
import { awaitEvent } from "./awaiting.ts";
import type { InclusionSecurity } from "./commissioning.ts";
import { awaitInterview } from "./interview.ts";
import { securityOf, toSecurityClass, toSecurityNames } from "./security-names.ts";

type UserCallbacks = NonNullable<
  NonNullable<ConstructorParameters<ZWaveLibrary["Driver"]>[1]>["inclusionUserCallbacks"]
>;
type Added = {
  readonly device: ZWaveDevice;
  /** Why it did not get the security that was wanted; null when it did. */
  readonly failure: string | null;
};

export async function includeDevice(turn: RadioTurn, security: InclusionSecurity): Promise<string> {
  const { controller } = turn.radio.stack;
  const { InclusionStrategy } = turn.radio.library;
  const options = {
    best: { strategy: InclusionStrategy.Default, userCallbacks: callbacks(turn) },
    S0: { strategy: InclusionStrategy.Security_S0 },
    insecure: { strategy: InclusionStrategy.Insecure },
  } as const;
  return joinDevice(turn, () => controller.beginInclusion(options[security]));
}

/** @param nodeId of the device that is broken. */
export async function replace(turn: RadioTurn, nodeId: number, security: "S2" | "S0" | "insecure"): Promise<string> {
  const { controller } = turn.radio.stack;
  const { InclusionStrategy } = turn.radio.library;
  const options = {
    S2: { strategy: InclusionStrategy.Security_S2, userCallbacks: callbacks(turn) },
    S0: { strategy: InclusionStrategy.Security_S0 },
    insecure: { strategy: InclusionStrategy.Insecure },
  } as const;
  return joinDevice(turn, () => controller.replaceFailedNode(nodeId, options[security]));
}

async function joinDevice(turn: RadioTurn, begin: () => Promise<boolean>): Promise<string> {
  const { radio } = turn;
  const added = awaitAdded(turn);
  added.catch(() => {}); // Reported below, unless the beginning already failed.
  if (!(await begin())) throw new ControllerError("RADIO_BUSY");
  turn.tell({ stage: "waiting", detail: "Press the inclusion button of the device." });
  const { device, failure } = await added;
  const security = securityOf(device);
  const address = deviceAddress(radio, device.id);
  turn.tell({
    stage: "interviewing",
    address,
    result: { security: security ?? "none" },
    detail: "Interviewing the device.",
  });
  // The library does not ask a device whose keys failed; nothing more would come.
  if (device.failedS2Bootstrapping) throw endWithoutKeys(turn, failure);
  if (turn.signal.aborted) throw new Cancelled(closing(security, failure, true));
  const isInterviewed = await awaitInterview(turn, device, closing(security, failure, false));
  return closing(security, failure, isInterviewed);
}

/**
 * A device without an interview has a node id and nothing else. It is reported as a failure, so that no user relies
 * on it.
 */
function endWithoutKeys({ signal }: RadioTurn, failure: string | null): Error {
  const sentence = `The device is in the network without keys and cannot be used: exclude it, then include it again. ${failure ?? ""}`;
  return signal.aborted ? new Cancelled(sentence.trim()) : new Error(sentence.trim());
}

function closing(security: SecurityName | null, failure: string | null, isInterviewed: boolean): string {
  const how = security === null ? "without encryption" : `with ${security}`;
  const why = failure === null ? "" : ` ${failure} To try again, exclude it first.`;
  const rest = isInterviewed ? "" : " Its interview is not complete yet.";
  return `The device is in the network, ${how}.${why}${rest}`;
}

/** Ends with the device, or with why none came. Once a device is there, cancelling no longer stops it halfway. */
async function awaitAdded(turn: RadioTurn): Promise<Added> {
  const { radio } = turn;
  const { controller } = radio.stack;
  using late = deadlineIn(radio.host.clock, radio.limits.zwaveInclusionWaitMs);
  const giveUp = AbortSignal.any([turn.signal, late.signal]);
  const ended = new AbortController();
  let isFound = false;
  const stop = () => {
    const reason = turn.signal.aborted ? turn.signal.reason : NOBODY_CAME;
    if (!isFound) void stopInclusion(turn).then(() => ended.abort(reason));
  };
  const listeners = {
    "node found": () => {
      isFound = true;
      turn.tell({ stage: "found", detail: "A device was found. Exchanging keys if it supports encryption." });
      return undefined;
    },
    "node added": (device: ZWaveDevice, result: InclusionResult) => ({ device, failure: failureOf(turn, result) }),
    "inclusion failed": () => void ended.abort(NOT_LET_IN),
    // The library goes idle just before it reports the device; without a device nothing is reported.
    "inclusion state changed": (state: InclusionState) => {
      const isStopped = giveUp.aborted && !isFound;
      const isOver = state === radio.library.InclusionState.Idle && !isStopped;
      if (isOver) setImmediate(() => ended.abort(NOT_LET_IN));
      return undefined;
    },
  };
  giveUp.addEventListener("abort", stop, { once: true });
  try {
    return await awaitEvent<Added>(controller, listeners, AbortSignal.any([ended.signal, radio.signal]));
  } finally {
    giveUp.removeEventListener("abort", stop);
  }
}

const NOT_LET_IN = new ControllerError("DEVICE_FAILED", "The adapter could not include a device.");
const NOBODY_CAME = new ControllerError("DEVICE_TIMEOUT", "No device was found in time.");

async function stopInclusion({ radio }: RadioTurn): Promise<void> {
  await radio.stack.controller.stopInclusion().catch(() => {}); // The adapter is gone, or was through already.
}

type InclusionState = ZWaveStack["controller"]["inclusionState"];
type InclusionResult =
  | { readonly lowSecurity?: false }
  | { readonly lowSecurity: true; readonly lowSecurityReason: number };

const FAILURES: Readonly<Record<string, string>> = {
  UserCanceled: "No security keys were granted.",
  NoKeysConfigured: "The network has no keys of its own.",
  Timeout: "The key exchange took too long.",
  ParameterMismatch: "The device and the controller support no common key.",
  NodeCanceled: "The device aborted the key exchange.",
  S2IncorrectPIN: "The PIN is wrong.",
  S2WrongSecurityLevel: "The device used another key than the granted one.",
  S0Downgrade: "It supports better encryption; the inclusion may have been attacked.",
};

function failureOf({ radio }: RadioTurn, result: InclusionResult): string | null {
  if (!result.lowSecurity) return null;
  const reason = radio.library.SecurityBootstrapFailure[result.lowSecurityReason] ?? "";
  return FAILURES[reason] ?? "The key exchange failed.";
}

function callbacks(turn: RadioTurn): UserCallbacks {
  return {
    grantSecurityClasses: async ({ securityClasses }) => {
      const requested = toSecurityNames(securityClasses);
      const answer = await answerOf(() =>
        turn.ask(grantQuestion(requested), `The device requests ${requested.join(", ")}. Grant which?`),
      );
      const granted = requested.filter((name) => answer?.security?.includes(name));
      if (answer?.kind !== "grant" || granted.length === 0) return false;
      turn.tell({ stage: "securing", detail: "Exchanging keys." });
      return { securityClasses: granted.map((name) => toSecurityClass(name)), clientSideAuth: false };
    },
    validateDSKAndEnterPIN: async (dskRest) => {
      const answer = await answerOf(() =>
        turn.ask(pinQuestion(dskRest), "Enter the first five digits of the key printed on the device."),
      );
      if (answer?.kind !== "pin" || answer.pin === undefined) return false;
      turn.tell({ stage: "securing", detail: "Exchanging keys." });
      return answer.pin;
    },
    abort: () => turn.withdraw(),
  };
}

/** Asks the owner which of the requested security classes to grant. */
function grantQuestion(requested: readonly SecurityName[]): OperationQuestion {
  const items = { type: "string", enum: requested };
  const security = {
    type: "array",
    title: "Security",
    description: "The security classes to grant. An empty list includes the device without encryption.",
    items,
  };
  return {
    kind: "grant",
    data: { security: requested },
    answer: { type: "object", required: ["security"], properties: { security } },
  };
}

/** The device shows its key without the first five digits, which are printed on it. */
function pinQuestion(dskRest: string): OperationQuestion {
  const pin = { type: "string", title: "PIN", description: "The five digits on the device.", pattern: "^[0-9]{5}$" };
  return { kind: "pin", data: { dskRest }, answer: { type: "object", required: ["pin"], properties: { pin } } };
}

type Answer = OperationAnswer & { readonly security?: readonly string[]; readonly pin?: string };

/** null when the question was withdrawn. The schema of the question was checked. */
async function answerOf(ask: () => Promise<OperationAnswer>): Promise<Answer | null> {
  return ask().catch(() => null);
}
