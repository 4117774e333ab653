/** Operations of integrations, such as pairing a device: what can be begun, and the one that is under way. */

import type { Commissioning, OperationAnswer, OperationKind } from "../drivers/commissioning.ts";
import type { DriverRegistry } from "../drivers/registry.ts";
import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Operation } from "../home/operation.ts";
import type { Log } from "../util/log.ts";
import { settingsViolation } from "./check-settings.ts";
import type { Integrations } from "./integrations.ts";

type OperationPorts = {
  readonly integrations: Integrations;
  readonly drivers: DriverRegistry;
  readonly log: Log;
};

/** Empty for an integration without any. @throws ControllerError INTEGRATION_NOT_FOUND */
export function operationKinds(ports: OperationPorts, id: string): readonly OperationKind[] {
  return portOf(ports, id)?.kinds ?? [];
}

/** The operation under way, else the latest one; null before the first. @throws ControllerError INTEGRATION_NOT_FOUND */
export function currentOperation(ports: OperationPorts, id: string): Operation | null {
  return portOf(ports, id)?.operation() ?? null;
}

/**
 * @param signal of the request: an integration that is starting is waited for.
 * @throws ControllerError INTEGRATION_NOT_FOUND, NOT_SUPPORTED, SETTINGS_REFUSED, DRIVER_UNAVAILABLE, RADIO_BUSY, NODE_NOT_FOUND
 */
export async function beginOperation(
  ports: OperationPorts,
  id: string,
  wanted: { readonly kind: string; readonly input: Readonly<Record<string, unknown>> },
  cause: Cause,
  signal: AbortSignal,
): Promise<Operation> {
  await ports.drivers.started(id, signal);
  const port = requirePort(ports, id);
  const { kind, input } = wanted;
  const known = port.kinds.find((each) => each.kind === kind);
  if (!known) {
    const kinds = port.kinds.map((each) => each.kind).join(", ");
    throw new ControllerError("NOT_SUPPORTED", `There is no operation ${kind}. There is ${kinds}.`);
  }
  const violation = settingsViolation(known.input, input);
  if (violation) throw new ControllerError("SETTINGS_REFUSED", violation);
  ports.drivers.of(id);
  const operation = port.begin(kind, input);
  ports.log.info("An operation was started.", { integration: id, kind, by: cause.by });
  return operation;
}

/** @throws ControllerError INTEGRATION_NOT_FOUND, NOT_SUPPORTED, RADIO_ASKS_NOTHING, BAD_VALUE */
export function answerOperation(ports: OperationPorts, id: string, answer: OperationAnswer): Operation {
  return requirePort(ports, id).answer(answer);
}

/** @throws ControllerError INTEGRATION_NOT_FOUND, NOT_SUPPORTED, RADIO_IDLE */
export function cancelOperation(ports: OperationPorts, id: string): Operation {
  return requirePort(ports, id).cancel();
}

function portOf({ integrations, drivers }: OperationPorts, id: string): Commissioning | null {
  integrations.find(id);
  return drivers.find(id)?.driver?.commissioning ?? null;
}

function requirePort(ports: OperationPorts, id: string): Commissioning {
  const port = portOf(ports, id);
  if (port) return port;
  throw new ControllerError("NOT_SUPPORTED", "The integration has no operations.");
}
