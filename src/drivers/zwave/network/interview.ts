/** Interviews a device again. */

import { Cancelled } from "../../operations.ts";
import type { ZWaveDevice } from "../library.ts";
import type { RadioTurn } from "../radio.ts";
import { awaitEvent } from "./awaiting.ts";

/** Longest time an operation waits for an interview. The interview itself continues after that. */
const INTERVIEW_MS = 180_000;

export async function interviewDevice(turn: RadioTurn, device: ZWaveDevice): Promise<string> {
  const isAsleep = device.status === turn.radio.library.NodeStatus.Asleep;
  const sentence = isAsleep ? "The device is asleep: wake it up." : "Interviewing the device.";
  turn.tell({ stage: isAsleep ? "waiting" : "interviewing", detail: sentence });
  const asked = awaitInterview(turn, device, "Canceled. The interview of the device continues in the background.");
  const [isInterviewed] = await Promise.all([asked, device.refreshInfo()]);
  return isInterviewed ? "The device was interviewed." : "The interview is not complete yet.";
}

/**
 * @param cancelled the state after a cancellation: the library itself goes on with the interview
 * @returns false when it takes too long or cannot be done. @throws when cancelled.
 */
export async function awaitInterview({ signal }: RadioTurn, device: ZWaveDevice, cancelled: string): Promise<boolean> {
  const late = AbortSignal.timeout(INTERVIEW_MS);
  try {
    return await awaitEvent(
      device,
      {
        "interview completed": () => true,
        "interview failed": (_device: unknown, { isFinal }: Failed) => (isFinal ? false : undefined),
      },
      AbortSignal.any([signal, late]),
    );
  } catch (error) {
    if (late.aborted && !signal.aborted) return false;
    throw error instanceof Cancelled ? new Cancelled(cancelled) : error;
  }
}

type Failed = { readonly isFinal: boolean };
