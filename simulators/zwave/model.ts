/**
 * The reaction of a device to a command, in the bytes of the specification: a model per command class, in `models/`.
 * The library's mocks support neither endpoints nor several of the classes. They still handle encryption,
 * encapsulation and versions.
 */

import type { CommandClasses } from "@zwave-js/core";
import type { Values } from "./values.ts";

/** A command without its encapsulations. */
export type Heard = {
  readonly endpoint: number;
  readonly cc: number;
  readonly command: number;
  readonly payload: Buffer;
};

export type Answer =
  /** A report: command and payload of the same class. */
  | { readonly kind: "report"; readonly command: number; readonly payload: readonly number[] | Uint8Array }
  /** Done; reported by Supervision. */
  | { readonly kind: "done"; readonly durationMs?: number }
  /** Refused; reported by Supervision only. */
  | { readonly kind: "refused" }
  /** No answer. */
  | { readonly kind: "silence" };

/** The parts of its device that a model may use. */
export type Body = {
  readonly values: Values;
  /** Version of a command class at an endpoint; 0 = not there. */
  version(endpoint: number, cc: number): number;
  readonly endpoints: readonly number[];
  /** Sends a command by itself, soon. */
  say(endpoint: number, cc: number, command: number, payload: readonly number[] | Uint8Array): void;
  /** The class's own report of how it is now. */
  report(endpoint: number, cc: number): void;
  /** Calls back later, unless the device is gone by then. */
  later(act: () => void, delayMs: number): void;
  fallAsleep(): void;
};

export type Model = {
  readonly cc: CommandClasses;
  /** null: the library's mock of the class answers. */
  hear(body: Body, heard: Heard): Answer | null;
  /** How it is now, as command and payload; absent for classes without a state. */
  state?(body: Body, endpoint: number): { readonly command: number; readonly payload: readonly number[] };
};

export const DONE: Answer = { kind: "done" };
export const REFUSED: Answer = { kind: "refused" };
export const SILENCE: Answer = { kind: "silence" };

export function report(command: number, payload: readonly number[] | Uint8Array): Answer {
  return { kind: "report", command, payload };
}

/** Numbers as a bit mask, bit `first` being the lowest of the first byte. */
export function bitMask(numbers: readonly number[], first = 0): readonly number[] {
  const bytes: number[] = [];
  for (const number of numbers) {
    const at = (number - first) >> 3;
    while (bytes.length <= at) bytes.push(0);
    bytes[at] = (bytes[at] ?? 0) | (1 << ((number - first) & 7));
  }
  return bytes.length === 0 ? [0] : bytes;
}

/** A value with its precision, scale and size in front, as sensors and setpoints send it. */
export function encodeFloat(value: number, scale: number): readonly number[] {
  const prec = [0, 1, 2, 3].find((digits) => Number.isInteger(Math.round(value * 10 ** (digits + 3)) / 1000)) ?? 3;
  const raw = Math.round(value * 10 ** prec);
  const size = raw >= -128 && raw < 128 ? 1 : raw >= -32_768 && raw < 32_768 ? 2 : 4;
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(raw, 0, size);
  return [(prec << 5) | ((scale & 3) << 3) | size, ...bytes];
}

/** @returns the value and its scale, or null when the bytes are too few. */
export function decodeFloat(payload: Buffer): { readonly value: number; readonly scale: number } | null {
  const head = payload[0] ?? 0;
  const size = head & 7;
  if (size === 0 || payload.length < 1 + size) return null;
  return { value: payload.readIntBE(1, size) / 10 ** (head >> 5), scale: (head >> 3) & 3 };
}
