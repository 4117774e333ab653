/** Radio networks by the names of their drivers: what runs on them, and what people order. */

import type { Mesh } from "../../drivers/mesh.ts";
import type { Network } from "../../drivers/network.ts";
import type { DeviceHealth, NetworkAbout } from "../../drivers/network-facts.ts";
import type { ServiceState } from "../../drivers/service.ts";
import { ControllerError } from "../../errors.ts";
import { familyOf } from "../../families.ts";
import type { Cause } from "../../home/cause.ts";
import type { Operation } from "../../home/operation.ts";
import { asFailure } from "../command-life.ts";
import type { CommandPorts } from "../ports.ts";

type RadioPorts = Pick<CommandPorts, "drivers" | "log">;

export type RadioState = {
  readonly name: string;
  readonly family: number;
  /** Name of the family. */
  readonly protocol: string;
  readonly state: ServiceState;
  readonly detail: string;
  /** null while the adapter is not running. */
  readonly about: NetworkAbout | null;
  readonly operation: Operation | null;
};

export function listRadios({ drivers }: RadioPorts): readonly RadioState[] {
  return drivers.list().flatMap(({ name, driver, state, detail }) => {
    const radio = driver?.network;
    if (!radio) return [];
    const isRunning = state === "ready" || state === "degraded";
    return [
      {
        name,
        family: radio.family,
        protocol: familyOf(radio.family).name,
        state,
        detail,
        about: isRunning ? radio.about() : null,
        operation: driver.commissioning?.operation() ?? null,
      },
    ];
  });
}

/** The name of the driver; a network is also found by the word for its kind, such as zigbee. An unknown name stays as it is. */
export function radioNameOf({ drivers }: Pick<RadioPorts, "drivers">, given: string): string {
  if (drivers.find(given)) return given;
  const isCalled = (family: number) => familyOf(family).name.toLowerCase() === given.toLowerCase();
  return drivers.list().find(({ driver }) => driver?.network && isCalled(driver.network.family))?.name ?? given;
}

/** @throws ControllerError RADIO_NOT_FOUND */
export function findRadio(ports: RadioPorts, given: string): RadioState {
  const name = radioNameOf(ports, given);
  const radio = listRadios(ports).find((one) => one.name === name);
  if (!radio) throw new ControllerError("RADIO_NOT_FOUND");
  return radio;
}

/**
 * Starts an operation that takes a file; its steps are published on the stream.
 *
 * @throws ControllerError RADIO_NOT_FOUND, DRIVER_UNAVAILABLE, RADIO_BUSY, NODE_NOT_FOUND, BAD_VALUE
 */
export function beginWithFile(
  ports: RadioPorts,
  name: string,
  begin: (mesh: Mesh) => Operation,
  cause: Cause,
): Operation {
  const operation = begin(meshOf(ports, name));
  ports.log.info("An operation was started.", { integration: name, kind: operation.kind, by: cause.by });
  return operation;
}

/**
 * The content of the latest backup. @throws ControllerError RADIO_NOT_FOUND; RADIO_IDLE without a backup since the
 * start.
 */
export function readRadioMemory(ports: RadioPorts, name: string): Uint8Array {
  const memory = meshOf(ports, name).savedMemory();
  if (!memory) throw new ControllerError("RADIO_IDLE", "No backup of the adapter was made since the start.");
  return memory;
}

/** @throws ControllerError RADIO_NOT_FOUND, DRIVER_UNAVAILABLE, PROVISIONED_NOT_FOUND */
export function unprovisionDevice(ports: RadioPorts, name: string, dsk: string): void {
  if (!meshOf(ports, name).unprovision(dsk)) throw new ControllerError("PROVISIONED_NOT_FOUND");
}

/** @throws ControllerError RADIO_NOT_FOUND, DRIVER_UNAVAILABLE, NODE_NOT_FOUND, DEVICE_UNREACHABLE */
export async function pingRadioDevice(
  ports: RadioPorts,
  name: string,
  address: string,
  signal: AbortSignal,
): Promise<DeviceHealth> {
  try {
    return await radioNetworkOf(ports, name).ping(address, signal);
  } catch (error) {
    throw asFailure(ports, { address, command: "PING" }, error);
  }
}

/** @throws ControllerError RADIO_NOT_FOUND, DRIVER_UNAVAILABLE */
export function radioNetworkOf({ drivers }: RadioPorts, given: string): Network {
  const name = radioNameOf({ drivers }, given);
  const network = drivers.find(name)?.driver?.network;
  if (!network) throw new ControllerError("RADIO_NOT_FOUND");
  drivers.of(name);
  return network;
}

/** @throws ControllerError RADIO_NOT_FOUND, DRIVER_UNAVAILABLE; NOT_SUPPORTED for a network without keys */
export function meshOf(ports: RadioPorts, name: string): Mesh {
  const { mesh } = radioNetworkOf(ports, name);
  if (!mesh)
    throw new ControllerError(
      "NOT_SUPPORTED",
      "This network has no memory, firmware files or list of devices to join.",
    );
  return mesh;
}
