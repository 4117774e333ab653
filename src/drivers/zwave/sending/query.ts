/** Queries a device for the values of a node: one request for all values of one answer. */

import type { Outcome } from "../../driver.ts";
import type { ZWaveDevice } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import type { ValueKey, ValueView } from "../plan/device-view.ts";
import type { NodePlan } from "../plan/plan-device.ts";
import type { Radio } from "../radio.ts";
import { ACKED, failed, outcomeOfError } from "./outcome.ts";

/**
 * Never rejects. A device that answers one request is alive; values that it does not send stay as they are.
 *
 * @param ask how long to go on: checked before every request.
 */
export async function queryNode(
  { library }: Pick<Radio, "library">,
  device: ZWaveDevice,
  plan: NodePlan,
  ask: () => boolean,
): Promise<Outcome> {
  let answered = false;
  for (const question of questionsOf(plan)) {
    if (!ask()) break;
    try {
      await device.pollValue(question);
      answered = true;
    } catch (error) {
      const outcome = outcomeOfError(library, error);
      const cannotBeAsked =
        outcome.kind === "failed" && (outcome.reason === "unsupported" || outcome.reason === "bad-parameter");
      if (!cannotBeAsked && !answered) return outcome;
    }
  }
  if (answered || (await device.ping())) return ACKED;
  return failed("no-ack", "The device does not answer.", true);
}

/** One value of each group that comes in one answer. */
export function questionsOf({ properties }: Pick<NodePlan, "properties">): readonly ValueKey[] {
  const groups = new Map<string, ValueView>();
  for (const { value } of properties) {
    if (!value) continue;
    const group = `${value.commandClass}/${GROUPS[value.commandClass]?.(value) ?? ""}`;
    if (!groups.has(group)) groups.set(group, value);
  }
  return [...groups.values()].map(({ commandClass, endpoint, property, propertyKey }) => ({
    commandClass,
    endpoint,
    property,
    ...(propertyKey === undefined ? {} : { propertyKey }),
  }));
}

/** Distinguishes the answers of a command class; an unlisted class has one answer. */
const GROUPS: Readonly<Record<number, (value: ValueView) => string>> = {
  [CC.thermostatSetpoint]: ({ propertyKey }) => String(propertyKey),
  [CC.multilevelSensor]: ({ property }) => String(property),
  [CC.binarySensor]: ({ property }) => String(property),
  [CC.meter]: ({ propertyKey }) => String(propertyKey),
  [CC.colorSwitch]: ({ propertyKey }) => String(propertyKey),
  [CC.windowCovering]: ({ propertyKey }) => String(propertyKey),
  [CC.notification]: ({ property }) => String(property),
  [CC.humidityControlSetpoint]: ({ propertyKey }) => String(propertyKey),
  [CC.soundSwitch]: ({ property }) => (property === "toneId" ? "tone" : "settings"),
};
