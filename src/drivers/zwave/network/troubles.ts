/**
 * The latest errors of an adapter and its devices, for bug reports. The list outlives the adapter, so it includes its
 * loss.
 */

import type { NetworkTrouble } from "../../network-facts.ts";
import type { ZWaveDevice } from "../library.ts";
import { deviceAddress, guarded, type RunningRadio } from "../radio.ts";
import { errorSentence } from "./error-sentence.ts";

/** The oldest go first. */
const KEPT_MAX = 200;

export class Troubles {
  #kept: readonly NetworkTrouble[] = [];

  all(): readonly NetworkTrouble[] {
    return this.#kept;
  }

  /** Notes the library's errors of an adapter that has just become ready, before the driver hears of its loss. */
  follow(radio: RunningRadio): void {
    const { stack } = radio;
    const of = (device: ZWaveDevice) => deviceAddress(radio, device.id);
    const failed: Parameters<typeof stack.on<"node interview failed">>[1] = (device, { errorMessage, isFinal }) => {
      const end = isFinal ? " for the last time" : "";
      this.#note(radio, of(device), `Its interview failed${end}: ${errorSentence(new Error(errorMessage))}`);
    };
    const dead = (device: ZWaveDevice) => this.#note(radio, of(device), "It no longer answers.");
    const alive = (device: ZWaveDevice, before: number) => {
      if (before === radio.library.NodeStatus.Dead) this.#note(radio, of(device), "It answers again.");
    };
    stack.on("node interview failed", guarded(radio, failed));
    stack.on("node dead", guarded(radio, dead));
    stack.on("node alive", guarded(radio, alive));
    stack.on("error", (error) => this.#note(radio, null, errorSentence(error)));
  }

  #note({ host, signal }: RunningRadio, address: string | null, detail: string): void {
    if (signal.aborted) return;
    this.#kept = [...this.#kept, { atMs: host.clock.now(), address, detail }].slice(-KEPT_MAX);
  }
}
