/**
 * What became of commands that were sent from this page. A control shows the value that the device reported, never the one
 * that was sent; in between it shows how far the command came.
 */

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

export type CommandState =
  /** On its way to the controller. */
  | { readonly phase: "sending"; readonly sinceMs: number }
  /** The device has accepted it; its report is still to come. */
  | { readonly phase: "accepted"; readonly sinceMs: number }
  | { readonly phase: "failed"; readonly reason: string; readonly retry: () => void };

/** A device that reports nothing within this time reports nothing: many do when nothing changed. */
const REPORT_MAX_MS = 8_000;

export class CommandStates {
  readonly #states = new Map<string, Signal<CommandState | null>>();

  /** @param address of a node or scene */
  of(address: string): ReadonlySignal<CommandState | null> {
    return this.#of(address);
  }

  /** @param send resolves when the device has accepted the command */
  async run(address: string, send: () => Promise<void>): Promise<void> {
    const state = this.#of(address);
    const sending: CommandState = { phase: "sending", sinceMs: Date.now() };
    state.value = sending;
    try {
      await send();
      if (state.value !== sending) return;
      const accepted: CommandState = { phase: "accepted", sinceMs: sending.sinceMs };
      state.value = accepted;
      setTimeout(() => {
        if (state.value === accepted) state.value = null;
      }, REPORT_MAX_MS);
    } catch (error) {
      const retry = () => void this.run(address, send);
      state.value = { phase: "failed", reason: (error as Error).message, retry };
    }
  }

  /** The device reported: what it reports is the truth now. */
  reported(address: string): void {
    const state = this.#states.get(address);
    if (state?.value && state.value.phase !== "failed") state.value = null;
  }

  #of(address: string): Signal<CommandState | null> {
    let state = this.#states.get(address);
    if (!state) {
      state = signal(null);
      this.#states.set(address, state);
    }
    return state;
  }
}
