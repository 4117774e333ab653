/** Does what a table decided: writes a value, or calls a command, and says what became of it. */

import { failed, type Outcome } from "../../command.ts";
import type { ZWaveDevice } from "../library.ts";
import type { Act } from "../plan/act.ts";
import type { ValueKey } from "../plan/device-view.ts";
import type { RunningRadio } from "../radio.ts";
import { outcomeOfError, outcomeOfStatus, outcomeOfSupervision } from "./outcome.ts";
import { writeParameterValue } from "./parameters.ts";

/** A device that confirms nothing is queried after this time, unless it reports before. */
const VERIFY_MS = 1000;

/** Never rejects. */
export async function perform(radio: Pick<RunningRadio, "library">, device: ZWaveDevice, act: Act): Promise<Outcome> {
  try {
    return await attempt(radio, device, act);
  } catch (error) {
    return outcomeOfError(radio.library, error);
  }
}

/** The value that shows the effect of an act, and its expected state; null for an act without one. */
export function effectOf(act: Act): { readonly value: ValueKey; readonly expected: unknown } | null {
  if (act.kind === "set") return act.effect ?? { value: act.value, expected: act.to };
  return act.kind === "call" ? (act.effect ?? null) : null;
}

async function attempt(radio: Pick<RunningRadio, "library">, device: ZWaveDevice, act: Act): Promise<Outcome> {
  switch (act.kind) {
    case "set": {
      const options = act.duration === undefined ? {} : { transitionDuration: act.duration };
      const result = await device.setValue(act.value, act.to, options);
      const outcome = outcomeOfStatus(result.status, result.message);
      if (outcome.kind === "sent") verify(device, act);
      return outcome;
    }
    case "call": {
      const endpoint = device.getEndpoint(act.endpoint);
      if (!endpoint) return failed("unreachable", "There is no such device.");
      // The methods of a command class are known to the table that named one, not to the compiler.
      const invoke = endpoint.invokeCCAPI as (...call: readonly unknown[]) => Promise<{ status: number } | undefined>;
      const outcome = outcomeOfSupervision(await invoke.call(endpoint, act.commandClass, act.method, ...act.args));
      verify(device, act);
      return outcome;
    }
    case "configure":
      return writeParameterValue(radio, device, act.number, act.value);
    case "refuse":
      return failed("bad-parameter", act.detail);
  }
}

/** The poll is canceled when the device reports the expected value by itself; a ramp is queried at its end. */
export function verify(device: ZWaveDevice, act: Act): void {
  const effect = effectOf(act);
  if (!effect) return;
  const { value, expected } = effect;
  device.schedulePoll(value, {
    timeoutMs: VERIFY_MS + rampMs(act),
    ...(expected === undefined ? {} : { expectedValue: expected }),
  });
}

function rampMs(act: Act): number {
  const span = act.kind === "set" ? /^(\d+)([sm])$/.exec(act.duration ?? "") : null;
  return span ? Number(span[1]) * (span[2] === "m" ? 60_000 : 1000) : 0;
}

/** Steps go from where the device is; starts and stops are no states. */
const STEPS: ReadonlySet<string> = new Set(["BRT", "DIM"]);

/** Whether a device may get it twice without harm. */
export function isSafeToRepeat(command: string, act: Act): boolean {
  return (act.kind === "set" || act.kind === "configure") && !STEPS.has(command);
}
