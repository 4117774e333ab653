/** Devices search their neighbors and their routes to the controller again. */

import { rejectOnAbort } from "../../../util/reject-on-abort.ts";
import { Cancelled } from "../../operations.ts";
import type { ZWaveDevice } from "../library.ts";
import type { RadioTurn } from "../radio.ts";
import { awaitEvent } from "./awaiting.ts";

type Progress = ReadonlyMap<number, "pending" | "done" | "failed" | "skipped">;

export async function rebuildDeviceRoutes(turn: RadioTurn, device: ZWaveDevice): Promise<string> {
  const { library, stack } = turn.radio;
  const isAsleep = device.status === library.NodeStatus.Asleep;
  turn.tell({
    stage: isAsleep ? "waiting" : "working",
    detail: isAsleep ? "The device is asleep: wake it up." : "The device is searching for its neighbors.",
  });
  const rebuilding = stack.controller.rebuildNodeRoutes(device.id);
  const isDone = await Promise.race([rebuilding, rejectOnAbort(turn.signal)]).catch((error: unknown) => {
    throw error instanceof Cancelled ? new Cancelled("Canceled. The device may still get new routes.") : error;
  });
  if (!isDone) throw new Error("The device did not find its neighbors, or refused its routes.");
  return "The device has new routes.";
}

/** Sleeping devices are left out: they would keep the operation waiting until the last of them wakes. */
export async function rebuildAllRoutes(turn: RadioTurn): Promise<string> {
  const { controller } = turn.radio.stack;
  const done = awaitEvent(
    controller,
    {
      "rebuild routes progress": (progress: Progress) => {
        turn.tell({ stage: "working", percent: percentOf(progress), detail: progressSentence(progress) });
        return undefined;
      },
      "rebuild routes done": (progress: Progress) => progress,
    },
    turn.signal,
  );
  done.catch(() => {}); // Reported below.
  if (!controller.beginRebuildingRoutes({ includeSleeping: false }))
    throw new Error("Routes are being rebuilt already.");
  try {
    return progressSentence(await done);
  } catch (error) {
    controller.stopRebuildingRoutes();
    if (turn.signal.aborted) throw new Cancelled("Canceled. Some devices have new routes, others their old ones.");
    throw error;
  }
}

function percentOf(progress: Progress): number {
  const isThrough = [...progress.values()].filter((state) => state !== "pending").length;
  return progress.size === 0 ? 100 : Math.round((isThrough / progress.size) * 100);
}

function progressSentence(progress: Progress): string {
  const count = (wanted: string) => [...progress.values()].filter((state) => state === wanted).length;
  const failed = count("failed");
  const skipped = count("skipped");
  const rest = [
    failed > 0 ? `${failed} failed` : "",
    skipped > 0 ? `${skipped} left out because they sleep or do not answer` : "",
  ];
  const tail = rest.filter((part) => part !== "").join(", ");
  return `${count("done")} of ${progress.size} devices have new routes${tail ? `; ${tail}` : ""}.`;
}
