/** A device of Matter as plain data: its endpoints, their device types, clusters and values, in the names of the library. */

import { isRecord } from "../../util/is-record.ts";

/** By attribute. Numbers beyond 53 bits are not exact. */
export type ClusterValues = Readonly<Record<string, unknown>>;

type ClusterDescription = {
  readonly features: readonly string[];
  readonly values: ClusterValues;
};

export type EndpointDescription = {
  readonly number: number;
  /** The endpoint above it; null for the root. */
  readonly parent: number | null;
  readonly deviceTypes: readonly number[];
  readonly clusters: Readonly<Record<string, ClusterDescription>>;
};

/** How long a device may sleep between two looks for messages. */
export type PeerSleep = {
  /** `long`: it announces itself when it wakes, and answers nothing before. */
  readonly kind: "none" | "short" | "long";
  readonly idleMs: number;
};

export type PeerDescription = {
  /** The library's id of the device; it changes when the device is commissioned again. */
  readonly peer: string;
  /** What the device is, also after it was commissioned again. */
  readonly identity: string;
  readonly name: string;
  readonly product: string;
  readonly firmware: string | null;
  readonly sleep: PeerSleep;
  readonly endpoints: readonly EndpointDescription[];
};

/** Of this version or another; null: not one of ours. */
export function storedDescription(stored: unknown): PeerDescription | null {
  if (!isRecord(stored) || !Array.isArray(stored.endpoints) || typeof stored.peer !== "string") return null;
  // Written by this driver.
  return stored as PeerDescription;
}
