/** Lets virtual time pass in small steps while bytes travel through sockets of the machine. */

import { expect } from "vitest";
import type { VirtualClock } from "../../src/util/virtual-clock.ts";

const STEP_MS = 20;
const STEPS_MAX = 5000;

/** While something is waited for, other processes get more time: on a busy machine its deadline must not pass first. */
const PATIENT_MS = 3;

/** A millisecond of the machine for each step: sockets and disk need it, and deadlines are in virtual time. */
export async function pass(clock: VirtualClock, spanMs: number, stepMs = 1): Promise<void> {
  for (let passedMs = 0; passedMs < spanMs; passedMs += STEP_MS) {
    await clock.advance(STEP_MS);
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}

/** What took long already is work of another process or thread: it gets more and more of the machine's time for a step. */
function patience(step: number): number {
  return 1 + step / 1000;
}

export async function passUntil(clock: VirtualClock, isTrue: () => boolean, stepMs = PATIENT_MS): Promise<void> {
  for (let step = 0; step < STEPS_MAX && !isTrue(); step += 1) {
    await pass(clock, STEP_MS, stepMs * patience(step));
  }
  expect(isTrue()).toBe(true);
}

export async function passingUntil<T>(clock: VirtualClock, promise: Promise<T>, stepMs = PATIENT_MS): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let step = 0; step < STEPS_MAX && !isSettled; step += 1) {
    await pass(clock, STEP_MS, stepMs * patience(step));
  }
  return promise;
}
