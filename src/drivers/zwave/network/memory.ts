/** The memory of the stick: read as a whole, written back as a whole, or emptied. */

import type { Turn } from "./operations.ts";

/** Cancelling does not interrupt it: a stick whose memory is half open is worse than waiting. */
export async function backUpMemory(turn: Turn, keep: (memory: Uint8Array) => void): Promise<string> {
  const memory = await turn.radio.stack.controller.backupNVMRaw(percentTeller(turn, "The memory of the stick is read"));
  keep(Uint8Array.from(memory));
  return `The memory of the stick is read: ${memory.length} bytes.`;
}

export async function restoreMemory(turn: Turn, memory: Uint8Array): Promise<string> {
  const { controller } = turn.radio.stack;
  await controller.restoreNVM(
    Uint8Array.from(memory),
    percentTeller(turn, "The memory of the stick is compared"),
    percentTeller(turn, "The memory of the stick is written"),
  );
  return "The memory is written; the stick starts again with it.";
}

export async function resetStick(turn: Turn): Promise<string> {
  turn.tell({ stage: "working", detail: "The stick forgets its network." });
  await turn.radio.stack.hardReset();
  return "The stick has forgotten its network. Every device has to be excluded before it can be included anew.";
}

function percentTeller(turn: Turn, sentence: string): (done: number, total: number) => void {
  turn.tell({ stage: "working", percent: 0, detail: `${sentence}.` });
  let percent = 0;
  return (done, total) => {
    const now = Math.min(100, Math.floor((done / Math.max(1, total)) * 100));
    if (now === percent) return;
    percent = now;
    turn.tell({ stage: "working", percent, detail: `${sentence}: ${percent} %.` });
  };
}
