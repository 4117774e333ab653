/** Excludes devices: at the press of their button, or as failed devices that do not answer. */

import { ControllerError } from "../../../errors.ts";
import { deadlineIn } from "../../../util/clock.ts";
import type { ZWaveDevice, ZWaveStack } from "../library.ts";
import { deviceAddress, type RadioTurn } from "../radio.ts";
import { awaitEvent } from "./awaiting.ts";

type Left = ZWaveDevice | "stranger";

export async function excludeDevice(turn: RadioTurn): Promise<string> {
  const { radio } = turn;
  const { controller } = radio.stack;
  const { ExclusionStrategy } = radio.library;
  const left = awaitLeft(turn);
  left.catch(() => {}); // Reported below, unless the beginning already failed.
  if (!(await controller.beginExclusion({ strategy: ExclusionStrategy.DisableProvisioningEntry }))) {
    throw new ControllerError("RADIO_BUSY");
  }
  turn.tell({ stage: "waiting", detail: "Press the button of the device to exclude." });
  const device = await left;
  if (device === "stranger") return "A device of another network was excluded.";
  turn.tell({ address: deviceAddress(radio, device.id) });
  return "The device was excluded.";
}

async function awaitLeft(turn: RadioTurn): Promise<Left> {
  const { radio } = turn;
  const { controller } = radio.stack;
  using late = deadlineIn(radio.host.clock, radio.limits.zwaveInclusionWaitMs);
  const giveUp = AbortSignal.any([turn.signal, late.signal]);
  const ended = new AbortController();
  const stop = () => {
    void controller
      .stopExclusion()
      .catch(() => {}) // The adapter is gone, or was through already.
      .then(() => ended.abort(turn.signal.aborted ? turn.signal.reason : NOBODY_CAME));
  };
  const listeners = {
    "node removed": (device: ZWaveDevice): Left => device,
    "exclusion failed": (): Left => {
      throw NOT_LET_OUT;
    },
    // The library reports a device of its own network before it goes idle; a foreign device it does not report.
    "inclusion state changed": (state: ZWaveStack["controller"]["inclusionState"]): Left | undefined =>
      state === radio.library.InclusionState.Idle && !giveUp.aborted ? "stranger" : undefined,
  };
  giveUp.addEventListener("abort", stop, { once: true });
  try {
    return await awaitEvent(controller, listeners, AbortSignal.any([ended.signal, radio.signal]));
  } finally {
    giveUp.removeEventListener("abort", stop);
  }
}

const NOT_LET_OUT = new ControllerError("DEVICE_FAILED", "The adapter could not exclude the device.");
const NOBODY_CAME = new ControllerError("DEVICE_TIMEOUT", "No device was found in time.");

/** @throws what the library says when the device still answers. */
export async function removeFailedDevice(turn: RadioTurn, device: ZWaveDevice): Promise<string> {
  turn.tell({ stage: "working", detail: "Trying to reach the device once more before removing it." });
  await turn.radio.stack.controller.removeFailedNode(device.id);
  return "The device was removed. Reset it before using it in another network.";
}
