/** Does a queued request at its device: a command of its plan, a query, a parameter. */

import { failed, type Outcome } from "../../command.ts";
import type { QueuedRequest } from "../../sleeping-commands.ts";
import type { Devices, FoundNode } from "../devices.ts";
import type { ZWaveDevice } from "../library.ts";
import type { Act } from "../plan/act.ts";
import { CC } from "../plan/command-class-table.ts";
import { keyText, type ValueKey, type ValueView } from "../plan/device-view.ts";
import type { NodePlan } from "../plan/plan-device.ts";
import type { RunningRadio } from "../radio.ts";
import { ACKED, outcomeOfError } from "./outcome.ts";
import { writeParameter } from "./parameters.ts";
import { effectOf, perform } from "./perform.ts";

type Command = Extract<QueuedRequest, { kind: "command" }>;
type Ports = { readonly radio: RunningRadio; readonly devices: Devices };

export const UNKNOWN_COMMAND = failed("unsupported", "The device has no such command.");

/** The command's action at the device in its present state; null: there is no such command. */
export function actOf({ device, plan }: FoundNode, { command, parameters }: Command): Act | null {
  const planned = plan.commands.find(({ id }) => id === command);
  return planned?.act({ parameters, current: (value) => device.getValue(value) }) ?? null;
}

/**
 * Never rejects.
 *
 * @param id of the command for the report of its effect; empty: of none.
 * @param ask duration of a query.
 */
export async function fulfil(
  ports: Ports,
  found: FoundNode,
  id: string,
  request: QueuedRequest,
  ask: () => boolean,
): Promise<Outcome> {
  const { radio, devices } = ports;
  const { device, plan, address } = found;
  try {
    switch (request.kind) {
      case "command":
        return await command(ports, found, id, request);
      case "query":
        return await devices.attribution.asking(device.id, () => queryNode(radio, device, plan, ask));
      case "parameter":
        return await writeParameter(radio, device, request.parameter);
    }
  } catch (error) {
    radio.host.log.error("The radio failed at a device.", { node: address, error });
    return outcomeOfError(radio.library, error);
  }
}

async function command({ radio, devices }: Ports, found: FoundNode, id: string, request: Command): Promise<Outcome> {
  const { device } = found;
  const act = actOf(found, request);
  if (!act) return UNKNOWN_COMMAND;
  const effect = effectOf(act);
  const key = effect && keyText(effect.value);
  if (key) devices.attribution.expect(device.id, key, id, effect.expected);
  const outcome = await perform(radio, device, act);
  if (key && outcome.kind === "failed") devices.attribution.forget(device.id, key, id);
  return outcome;
}

/**
 * Never rejects. A device that answers one request is alive; values that it does not send stay as they are.
 *
 * @param ask how long to go on: checked before every request.
 */
async function queryNode(
  { library }: Pick<RunningRadio, "library">,
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
