/** A command that waits for a sleeping device, as plain data: the driver's store keeps it over restarts. */

import { isRecord } from "../../../util/is-record.ts";
import type { CommandParameterValue } from "../../command.ts";
import type { DeviceParameter } from "../../parameters.ts";
import type { Act } from "../plan/act.ts";

/** The action at the device, stored so that it can be carried out after a restart. */
export type QueuedRequest =
  | { readonly kind: "command"; readonly command: string; readonly parameters: readonly CommandParameterValue[] }
  | { readonly kind: "query" }
  | { readonly kind: "parameter"; readonly parameter: DeviceParameter };

export type Waiting = {
  /** The command that ends with it; empty: none. */
  readonly id: string;
  readonly address: string;
  readonly request: QueuedRequest;
  readonly atMs: number;
  /** Doing it twice is the same as doing it once. */
  readonly isRepeatable: boolean;
  /** The device has been awake since: it may have gone out. */
  readonly mayBeOut: boolean;
};

/** Its name in the states of commands. */
export function commandOf(request: QueuedRequest): string {
  if (request.kind === "command") return request.command;
  return request.kind === "query" ? "QUERY" : "CONFIG";
}

/** Steps go from where the device is; starts and stops are no states. */
const STEPS: ReadonlySet<string> = new Set(["BRT", "DIM"]);

export function isSafeToRepeat(command: string, act: Act): boolean {
  return (act.kind === "set" || act.kind === "configure") && !STEPS.has(command);
}

/** The stored commands, as far as they are readable; others are left out. */
export function parseWaiting(kept: unknown): readonly Waiting[] {
  return Array.isArray(kept) ? kept.map(withRequest).filter(isWaiting) : [];
}

/** Homes of earlier versions store the request under the name `wish`. */
function withRequest(stored: unknown): unknown {
  return isRecord(stored) && "wish" in stored ? { ...stored, request: stored.wish } : stored;
}

function isWaiting(value: unknown): value is Waiting {
  if (!isRecord(value)) return false;
  const { id, address, request, atMs, isRepeatable, mayBeOut } = value;
  const isPlain = typeof id === "string" && typeof address === "string" && Number.isFinite(atMs);
  return isPlain && typeof isRepeatable === "boolean" && typeof mayBeOut === "boolean" && isRequest(request);
}

function isRequest(value: unknown): value is QueuedRequest {
  if (!isRecord(value)) return false;
  const { kind, command, parameters, parameter } = value;
  if (kind === "query") return true;
  if (kind === "parameter") return isRecord(parameter) && areIntegers(parameter, "number", "size", "value");
  const isCommand = kind === "command" && typeof command === "string" && Array.isArray(parameters);
  return isCommand && parameters.every(isParameter);
}

function isParameter(value: unknown): boolean {
  return isRecord(value) && typeof value.id === "string" && areIntegers(value, "value", "uom", "prec");
}

function areIntegers(record: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean {
  return names.every((name) => Number.isSafeInteger(record[name]));
}
