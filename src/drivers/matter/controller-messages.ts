/** The messages between the driver and the thread of the Matter controller: small typed values, no objects of the library. */

import type { MatterTask, MatterThreadEvent } from "../matter-thread.ts";
import type { ClusterValues, PeerDescription } from "./peer-description.ts";

export type ControllerTask = MatterTask & {
  /** Name of the only network interface to use; null: all. */
  readonly networkInterface: string | null;
  /** Name of the home; devices show it. */
  readonly name: string;
};

/** From the printed code. */
export type PairingCode = {
  readonly passcode: number;
  /** All twelve bits; null: only the upper four are known. */
  readonly discriminator: number | null;
  readonly shortDiscriminator: number;
};

/** A step of a command: what is invoked at, or written to, a cluster of an endpoint. */
export type ClusterAction =
  | {
      readonly kind: "invoke";
      readonly cluster: string;
      readonly command: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "write"; readonly cluster: string; readonly values: ClusterValues };

/** A finding of the library about the certificates of a device. */
export type AttestationFinding = { readonly level: string; readonly text: string };

/** Why a request failed; `asleep`: the device did not wake in time. */
export type ControllerFailure = {
  readonly reason: "rejected" | "unreachable" | "asleep" | "not-found" | "cancelled" | "internal";
  readonly detail: string;
};

export type ControllerOrder =
  | { readonly kind: "commission"; readonly request: number; readonly code: PairingCode }
  /** Whether commissioning continues in spite of the findings. */
  | { readonly kind: "accept"; readonly request: number; readonly isAccepted: boolean }
  | { readonly kind: "cancel"; readonly request: number }
  /** `force`: without asking the device. */
  | { readonly kind: "remove"; readonly request: number; readonly peer: string; readonly force: boolean }
  | {
      readonly kind: "act";
      readonly request: number;
      readonly peer: string;
      readonly endpoint: number;
      readonly actions: readonly ClusterAction[];
    }
  | {
      readonly kind: "read";
      readonly request: number;
      readonly peer: string;
      readonly endpoints: readonly number[];
    }
  | { readonly kind: "close" };

/** `lost`: it does not answer; `asleep`: it is well, and answers when it wakes. */
export type PeerLink = "online" | "asleep" | "lost";

export type ControllerEvent =
  | MatterThreadEvent
  | { readonly kind: "ready" }
  /** A device with all values. `isFresh`: the device has just reported them; otherwise they are those of the last run. */
  | { readonly kind: "peer"; readonly description: PeerDescription; readonly isFresh: boolean }
  | { readonly kind: "peer-gone"; readonly peer: string }
  | { readonly kind: "link"; readonly peer: string; readonly link: PeerLink }
  | {
      readonly kind: "values";
      readonly peer: string;
      readonly endpoint: number;
      readonly cluster: string;
      readonly values: ClusterValues;
      /** Of a read; otherwise the device reported them by itself. */
      readonly isAnswer: boolean;
    }
  | {
      readonly kind: "occurred";
      readonly peer: string;
      readonly endpoint: number;
      readonly cluster: string;
      readonly event: string;
      readonly fields: ClusterValues;
    }
  | { readonly kind: "progress"; readonly request: number; readonly step: "found" | "securing" | "interviewing" }
  | { readonly kind: "asked"; readonly request: number; readonly findings: readonly AttestationFinding[] }
  | {
      readonly kind: "done";
      readonly request: number;
      readonly failure: ControllerFailure | null;
      /** Of the new device. */
      readonly peer?: string;
      /** What commands answered. */
      readonly answers?: readonly unknown[];
    };
