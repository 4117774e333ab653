/** What the registry starts and stops for an integration: a driver of devices, or a notification channel. */

import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import type { Input } from "./failed-input.ts";

/**
 * `ready` follows when `start` resolves, unless the service reported something else meanwhile. `degraded`: it works in part.
 * `failed`, also when `start` rejects: the registry logs it once, stops the service and starts it again with back-off;
 * a driver's nodes are unreachable until then.
 */
export type ServiceState = "starting" | "ready" | "degraded" | "failed" | "stopped";

/** The surroundings of a service. */
export type ServiceHost = {
  /** The state of the service itself. */
  status(state: ServiceState, detail: string): void;
  /**
   * Reads what comes from outside. An exception is a failure of this service, which is stopped and started again; the log names the input
   * and its size. Input that has failed is not read again while the process runs. A message of one device is dropped instead.
   */
  guard(input: Input, read: () => void | Promise<void>): void | Promise<void>;
  /** Its timers are guarded. */
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly store: ServiceStore;
};

export type Service<Host extends ServiceHost = ServiceHost> = {
  /** The id of its integration. */
  readonly name: string;
  /** Resolves when the transport is up. */
  start(host: Host, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** Longest pause between two starts while they fail, in milliseconds. Default: five minutes. */
  readonly restartMaxMs?: number;
  /** Optional, before `stop`: the integration is removed for good, and takes back what it has left in other systems. */
  leave?(): Promise<void>;
};

/** Storage of a service over restarts: JSON values under its own keys. */
export type ServiceStore = {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
  keys(): readonly string[];
  /** Settles when all of it is on disk. @throws when the disk does not take it. */
  saved(): Promise<void>;
};
