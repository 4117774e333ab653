/** Things that move over time (a lamp that fades): one timer for each while it moves, none at rest. */

import type { Clock, Timer } from "../../util/clock.ts";

const STEPS_MAX = 32;
const STEP_MIN_MS = 250;

type Movement = {
  readonly property: string;
  readonly from: number;
  readonly goal: number;
  readonly durationMs: number;
  /** It goes on while the driver is away, so what is kept is the goal. */
  readonly goesOn: boolean;
  /** Called with every value on the way; `arrived` with the last. */
  readonly onStep: (value: number, arrived: boolean) => void;
};

/** Nothing is shown while something only waits. */
type Moving = { readonly movement: Movement | null; readonly beganMs: number; timer: Timer };

export class Movements {
  readonly #clock: Clock;
  readonly #moving = new Map<object, Moving>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a movement of `thing`, in place of what is under way. */
  begin(thing: object, movement: Movement): void {
    this.cancel(thing);
    this.#moving.set(thing, { movement, beganMs: this.#clock.elapsed(), timer: this.#schedule(thing, movement) });
  }

  /** Calls `then` after `delayMs`, in place of what is under way. */
  wait(thing: object, delayMs: number, then: () => void): void {
    this.cancel(thing);
    const timer = this.#clock.setTimer(() => {
      this.#moving.delete(thing);
      then();
    }, delayMs);
    this.#moving.set(thing, { movement: null, beganMs: this.#clock.elapsed(), timer });
  }

  of(thing: object): Movement | null {
    return this.#moving.get(thing)?.movement ?? null;
  }

  /** Ends a movement where it is. @returns the movement and the value that it has reached, null when nothing moves. */
  halt(thing: object): { readonly movement: Movement; readonly value: number } | null {
    const moving = this.#moving.get(thing);
    this.cancel(thing);
    if (!moving?.movement) return null;
    return { movement: moving.movement, value: this.#reached(moving.movement, moving.beganMs) };
  }

  cancel(thing: object): void {
    this.#moving.get(thing)?.timer.cancel();
    this.#moving.delete(thing);
  }

  stop(): void {
    for (const { timer } of this.#moving.values()) timer.cancel();
    this.#moving.clear();
  }

  #schedule(thing: object, movement: Movement): Timer {
    return this.#clock.setTimer(() => this.#step(thing), Math.max(STEP_MIN_MS, movement.durationMs / STEPS_MAX));
  }

  #step(thing: object): void {
    const moving = this.#moving.get(thing);
    if (!moving?.movement) return;
    const { movement, beganMs } = moving;
    const arrived = this.#clock.elapsed() - beganMs >= movement.durationMs;
    if (arrived) this.#moving.delete(thing);
    else moving.timer = this.#schedule(thing, movement);
    movement.onStep(arrived ? movement.goal : this.#reached(movement, beganMs), arrived);
  }

  #reached(movement: Movement, beganMs: number): number {
    const part = Math.min(1, (this.#clock.elapsed() - beganMs) / movement.durationMs);
    return Math.round(movement.from + (movement.goal - movement.from) * part);
  }
}
