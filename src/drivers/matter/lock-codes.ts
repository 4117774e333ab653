/** User codes of Matter locks: a code is a credential of a user of the lock. No code is stored or logged here. */

import { foreignNumber } from "../../util/foreign-value.ts";
import type { FailureReason, Outcome } from "../command.ts";
import type { UserCodes } from "../driver.ts";
import type { ClusterAction } from "./controller-messages.ts";
import { invoke } from "./feature.ts";
import type { ClusterValues } from "./peer-description.ts";

type Answered = { readonly outcome: Outcome; readonly answers: readonly unknown[] };
type Ports = {
  /** What the lock says of itself; null: the node is no lock. */
  values(address: string): ClusterValues | null;
  act(address: string, actions: readonly ClusterAction[], signal: AbortSignal): Promise<Answered>;
};

const CLUSTER = "doorLock";
const PIN = 1;
const ADD = 0;
const MODIFY = 1;
/** What a lock answers, by its number; others are refusals without a reason. */
const STATUSES: ReadonlyMap<number, Outcome> = new Map([
  [0, { kind: "acked" }],
  [2, refused("rejected", "The lock has this code already.")],
  [3, refused("rejected", "The slot of the lock is occupied.")],
  [0x85, refused("bad-parameter", "The lock does not take this code.")],
  [0x89, refused("rejected", "The lock has no room for another code.")],
]);
const REFUSED = refused("rejected", "The lock refused the code.");
const NO_SLOT = refused("bad-parameter", "The lock has no such slot.");

export function createLockCodes({ values, act }: Ports): UserCodes {
  const slots = (address: string) => foreignNumber(values(address)?.numberOfPinUsersSupported ?? 0);
  return {
    slots,
    async set(address, slot, code, signal) {
      if (!isSlot(slot, slots(address))) return NO_SLOT;
      const { minPinCodeLength: min = 0, maxPinCodeLength: max = code.length } = values(address) ?? {};
      if (code.length < foreignNumber(min) || code.length > foreignNumber(max)) {
        return refused("bad-parameter", `A code of this lock has ${min} to ${max} digits.`);
      }
      const status = await act(
        address,
        invoke(CLUSTER, "getCredentialStatus", { credential: credentialOf(slot) }),
        signal,
      );
      if (status.outcome.kind !== "acked") return status.outcome;
      const { credentialExists, userIndex = null } = recordOf(status.answers[0]);
      const isThere = credentialExists === true;
      const set = await act(
        address,
        invoke(CLUSTER, "setCredential", {
          ...{ operationType: isThere ? MODIFY : ADD, credential: credentialOf(slot) },
          ...{ credentialData: new TextEncoder().encode(code), userIndex: isThere ? userIndex : null },
          ...{ userStatus: null, userType: null },
        }),
        signal,
      );
      return set.outcome.kind === "acked"
        ? (STATUSES.get(foreignNumber(recordOf(set.answers[0]).status)) ?? REFUSED)
        : set.outcome;
    },
    async clear(address, slot, signal) {
      if (!isSlot(slot, slots(address))) return NO_SLOT;
      return (await act(address, invoke(CLUSTER, "clearCredential", { credential: credentialOf(slot) }), signal))
        .outcome;
    },
  };
}

function isSlot(slot: number, slots: number): boolean {
  return Number.isInteger(slot) && slot >= 1 && slot <= slots;
}

function credentialOf(slot: number): { readonly credentialType: number; readonly credentialIndex: number } {
  return { credentialType: PIN, credentialIndex: slot };
}

function recordOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === "object" && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};
}

function refused(reason: FailureReason, detail: string): Outcome {
  return { kind: "failed", reason, detail, retryable: false };
}
