/** The ports to the radio network: which operation is which work, and what is known without one. */

import { badValue, ControllerError } from "../../../errors.ts";
import type { Operation } from "../../../home/operation.ts";
import type { Commissioning } from "../../commissioning.ts";
import type { Mesh } from "../../mesh.ts";
import type { Network } from "../../network.ts";
import type { DeviceHealth, NetworkQueues } from "../../network-facts.ts";
import { Operations } from "../../operations.ts";
import type { ZWaveDevice } from "../library.ts";
import { deviceAt, type RadioTurn, type RunningRadio } from "../radio.ts";
import { OPERATION_KINDS, type RadioRequest, radioRequestOf } from "./commissioning.ts";
import { diagnose } from "./diagnostics.ts";
import { errorSentence } from "./error-sentence.ts";
import { excludeDevice, removeFailedDevice } from "./exclusion.ts";
import { readFirmware, updateDeviceFirmware } from "./firmware.ts";
import { aboutRadio, devicesOf, healthOf } from "./health.ts";
import { includeDevice, replace } from "./inclusion.ts";
import { interviewDevice } from "./interview.ts";
import { backUpMemory, resetAdapter, restoreAdapterMemory } from "./memory.ts";
import { provision, provisioningEntries, unprovision } from "./provisioning.ts";
import { rebuildAllRoutes, rebuildDeviceRoutes } from "./routes.ts";
import type { Troubles } from "./troubles.ts";

type NetworkParts = {
  readonly family: number;
  /** The adapter as it is now. @throws ControllerError DRIVER_UNAVAILABLE while it is not running. */
  readonly running: () => RunningRadio;
  /** null while it is not running. */
  readonly queues: () => NetworkQueues | null;
  readonly troubles: Troubles;
};

/** One kind of operation at a time, however it was begun. */
type NetworkPorts = { readonly network: Network; readonly commissioning: Commissioning };

export function createRadioNetwork({ family, running, queues, troubles }: NetworkParts): NetworkPorts {
  const operations = new Operations();
  let saved: Uint8Array | null = null;
  const keep = (memory: Uint8Array) => {
    saved = memory;
  };
  const start = (request: RadioRequest) => begin(operations, running(), request, keep);
  const commissioning: Commissioning = {
    kinds: OPERATION_KINDS,
    operation: () => operations.current(),
    answer: (answer) => operations.answer(answer),
    cancel: () => operations.cancel(),
    begin(kind, input) {
      const request = radioRequestOf(kind, input);
      if (!request) throw new ControllerError("NOT_SUPPORTED", `There is no operation ${kind}.`);
      return start(request);
    },
  };
  const mesh: Mesh = {
    updateFirmware: (address, file, fileName) => start({ kind: "update-firmware", address, file, fileName }),
    restore: (memory, confirm) => start({ kind: "restore", memory, confirm }),
    savedMemory: () => saved,
    provisioning: () => provisioningEntries(running()),
    provision: async (requested) => provision(running(), requested),
    unprovision: (dsk) => unprovision(running(), dsk),
  };
  const network: Network = {
    family,
    mesh,
    about: () => aboutRadio(running()),
    devices: () => {
      const radio = running();
      return devicesOf(radio).map((device) => healthOf(radio, device));
    },
    health: (address) => {
      const radio = running();
      return healthOf(radio, requireDevice(radio, address));
    },
    ping: (address, signal) => ping(running(), address, signal),
    diagnostics: () => {
      const load = queues();
      return load && diagnose(running(), load);
    },
    troubles: () => troubles.all(),
  };
  return { network, commissioning };
}

/** Resolves with the sentence that the operation ends with; rejects with why it failed. */
type RadioWork = (turn: RadioTurn) => Promise<string>;
type Begun = { readonly address: string | null; readonly detail: string; readonly work: RadioWork };

function begin(
  operations: Operations,
  radio: RunningRadio,
  requested: RadioRequest,
  keep: (memory: Uint8Array) => void,
): Operation {
  const { address, detail, work } = planOf(radio, requested, keep);
  const ground = {
    host: radio.host,
    family: radio.family,
    lost: radio.signal,
    sentenceOf: (error: unknown) => errorSentence(error, radio.library.ZWaveErrorCodes),
  };
  return operations.begin(ground, requested.kind, address, detail, (turn) => work({ ...turn, radio }));
}

function planOf(radio: RunningRadio, requested: RadioRequest, keep: (memory: Uint8Array) => void): Begun {
  switch (requested.kind) {
    case "include":
      return {
        address: null,
        detail: "Opening the network.",
        work: (turn) => includeDevice(turn, requested.security),
      };
    case "exclude":
      return { address: null, detail: "Waiting for a device to exclude.", work: excludeDevice };
    case "backup":
      return { address: null, detail: "The radio is switched off.", work: (turn) => backUpMemory(turn, keep) };
    case "restore":
      checkConfirmation(radio, requested);
      return {
        address: null,
        detail: "The radio is switched off.",
        work: (turn) => restoreAdapterMemory(turn, requested.memory),
      };
    case "reset":
      checkConfirmation(radio, requested);
      return { address: null, detail: "Resetting the adapter.", work: (turn) => restarting(resetAdapter(turn), radio) };
    case "rebuild-routes":
      if (requested.address === null) return { address: null, detail: "Rebuilding routes.", work: rebuildAllRoutes };
      return onDevice(radio, requested.address, "Rebuilding routes.", rebuildDeviceRoutes);
    case "replace":
      return onDevice(radio, requested.address, "Trying to reach the broken device once more.", (turn, device) =>
        replace(turn, device.id, requested.security),
      );
    case "remove-failed":
      return onDevice(radio, requested.address, "Trying to reach the broken device once more.", removeFailedDevice);
    case "interview":
      return onDevice(radio, requested.address, "Deleting the stored data of the device.", interviewDevice);
    case "update-firmware":
      return onDevice(radio, requested.address, "Reading the file.", async (turn, device) =>
        updateDeviceFirmware(turn, device, await readFirmware(radio.library, requested.file, requested.fileName)),
      );
  }
}

/** The adapter is to forget its network: a person has typed the home id of it. */
function checkConfirmation(
  radio: RunningRadio,
  { kind, confirm }: { readonly kind: string; readonly confirm: string | null },
) {
  if (confirm?.toLowerCase() === aboutRadio(radio).mesh.homeId) return;
  throw badValue(`A ${kind} is confirmed by the home id of the network.`);
}

function onDevice(
  radio: RunningRadio,
  address: string,
  detail: string,
  work: (turn: RadioTurn, device: ZWaveDevice) => Promise<string>,
): Begun {
  const device = requireDevice(radio, address);
  return { address, detail, work: (turn) => work(turn, device) };
}

/** Another network than the known one: the driver starts again with the adapter's present data. */
async function restarting(work: Promise<string>, { host }: RunningRadio): Promise<string> {
  const detail = await work;
  setImmediate(() => host.status("failed", detail));
  return detail;
}

/** @throws ControllerError NODE_NOT_FOUND; the controller's own node is none of its devices. */
function requireDevice(radio: RunningRadio, address: string): ZWaveDevice {
  const device = deviceAt(radio, address);
  if (!device || device.isControllerNode) throw new ControllerError("NODE_NOT_FOUND");
  return device;
}

async function ping(radio: RunningRadio, address: string, signal: AbortSignal): Promise<DeviceHealth> {
  const device = requireDevice(radio, address);
  if (device.status === radio.library.NodeStatus.Asleep) {
    throw new ControllerError("DEVICE_UNREACHABLE", "The device is asleep. It answers when it wakes.");
  }
  signal.throwIfAborted();
  await device.ping();
  return healthOf(radio, device);
}
