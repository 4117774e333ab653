/** The memory of the adapter: read as a whole, written back as a whole, or emptied. */

import { Cancelled } from "../../operations.ts";
import type { RadioTurn } from "../radio.ts";
import { awaitEvent } from "./awaiting.ts";
import { errorSentence } from "./error-sentence.ts";

/** Longest time for an adapter to restart. */
const RESTART_MS = 60_000;
/** Progress over thousands of pieces is reported in this many steps. */
const STEPS = 20;

/** Cancelling does not interrupt it: an adapter whose memory is half open is worse than waiting. */
export async function backUpMemory(turn: RadioTurn, keep: (memory: Uint8Array) => void): Promise<string> {
  const memory = await turn.radio.stack.controller.backupNVMRaw(percentTeller(turn, "Reading the adapter's memory"));
  keep(Uint8Array.from(memory));
  return `Adapter memory read: ${memory.length} bytes.`;
}

/**
 * Converts a backup of another adapter of the family, writes it, and makes the library release the adapter; the
 * driver then starts on it again. The library's own restore restarts in the middle of its task, and cannot be stopped
 * afterwards.
 */
export async function restoreAdapterMemory(turn: RadioTurn, memory: Uint8Array): Promise<string> {
  const { migrateNVM } = await import("@zwave-js/nvmedit");
  const { controller } = turn.radio.stack;
  const now = await controller.backupNVMRaw(percentTeller(turn, "Comparing the adapter's memory"));
  const converted = await migrateNVM(Uint8Array.from(memory), now);
  await controller
    .restoreNVMRaw(converted, percentTeller(turn, "Writing the adapter's memory"))
    .catch((error: unknown) => {
      // Also after a cancellation: the adapter was changed.
      const sentence = `The memory was written only in part. Write it again: ${errorSentence(error)}`;
      throw turn.signal.aborted ? new Cancelled(sentence) : new Error(sentence);
    });
  return "The memory was written. The driver restarts with it.";
}

export async function resetAdapter(turn: RadioTurn): Promise<string> {
  turn.tell({ stage: "working", detail: "Resetting the adapter." });
  await withRestart(turn, turn.radio.stack.hardReset());
  return "The adapter was reset and its network is gone. Every device has to be excluded before it can be included again.";
}

/** The library restarts on the adapter after these; it must have finished before the next request. */
async function withRestart(turn: RadioTurn, work: Promise<unknown>): Promise<void> {
  const { library, signal, stack } = turn.radio;
  const late = AbortSignal.timeout(RESTART_MS);
  const isReady = awaitEvent(stack, { "driver ready": () => true }, AbortSignal.any([signal, late]));
  isReady.catch(() => {}); // Reported below, unless the work itself failed.
  try {
    await work;
  } catch (error) {
    // Its own new start drops the task that led to it.
    const isDropped = error instanceof library.ZWaveError && error.code === library.ZWaveErrorCodes.Driver_TaskRemoved;
    if (!isDropped) throw error;
  }
  await isReady;
}

function percentTeller(turn: RadioTurn, sentence: string): (done: number, total: number) => void {
  turn.tell({ stage: "working", percent: 0, detail: `${sentence}.` });
  let percent = 0;
  return (done, total) => {
    const now = Math.min(100, Math.floor((done / Math.max(1, total)) * STEPS) * (100 / STEPS));
    if (now === percent) return;
    percent = now;
    turn.tell({ stage: "working", percent, detail: `${sentence}: ${percent} %.` });
  };
}
