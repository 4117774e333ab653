/** Does at a device what was wished: a command of its plan, a query, a parameter. */

import type { Outcome } from "../../driver.ts";
import type { Devices, FoundNode } from "../devices.ts";
import type { Act } from "../plan/act.ts";
import { keyText } from "../plan/device-view.ts";
import type { Radio } from "../radio.ts";
import { failed, outcomeOfError } from "./outcome.ts";
import { writeParameter } from "./parameters.ts";
import { effectOf, perform } from "./perform.ts";
import { queryNode } from "./query.ts";
import type { QueuedRequest } from "./waiting.ts";

type Command = Extract<QueuedRequest, { kind: "command" }>;
type Ports = { readonly radio: Radio; readonly devices: Devices };

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
  wish: QueuedRequest,
  ask: () => boolean,
): Promise<Outcome> {
  const { radio, devices } = ports;
  const { device, plan, address } = found;
  try {
    switch (wish.kind) {
      case "command":
        return await command(ports, found, id, wish);
      case "query":
        return await devices.attribution.asking(device.id, () => queryNode(radio, device, plan, ask));
      case "parameter":
        return await writeParameter(radio, device, wish.parameter);
    }
  } catch (error) {
    radio.host.log.error("The radio failed at a device.", { node: address, error });
    return outcomeOfError(radio.library, error);
  }
}

async function command({ radio, devices }: Ports, found: FoundNode, id: string, wish: Command): Promise<Outcome> {
  const { device } = found;
  const act = actOf(found, wish);
  if (!act) return UNKNOWN_COMMAND;
  const effect = effectOf(act);
  const key = effect && keyText(effect.value);
  if (key) devices.attribution.expect(device.id, key, id, effect.expected);
  const outcome = await perform(radio, device, act);
  if (key && outcome.kind === "failed") devices.attribution.forget(device.id, key, id);
  return outcome;
}
