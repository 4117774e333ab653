/**
 * The memory of the simulated adapter, in the format of real ones of its kind: which nodes the network has, and what they are.
 * It is made when it is opened, and taken for what it says when something was written into it.
 */

import { jsonToNVM, type NVMJSON, type NVMJSONNodeWithInfo, nvmToJSON } from "@zwave-js/nvmedit";
import type { SimulatedDevice } from "../simulated-device.ts";
import type { Adapter } from "./adapter.ts";

const SDK_VERSION = "7.18.0";
const MEMORY_FORMAT = 4;
const PROTOCOL_VERSION = 3;
const END_NODE = 1;
const STATIC_CONTROLLER = { generic: 2, specific: 7 };
const PRIMARY_SIS = 0x28;
const NOTHING_WRITTEN = 0xff;

export async function openMemory(adapter: Adapter): Promise<NonNullable<Adapter["memory"]>> {
  const bytes = Buffer.from(await jsonToNVM(describe(adapter), SDK_VERSION));
  return { bytes, isWritten: false };
}

/** After this, exactly the nodes in the written memory are nodes. Unreadable data changes nothing. */
export async function closeMemory(adapter: Adapter): Promise<void> {
  const { memory } = adapter;
  adapter.memory = null;
  if (!memory?.isWritten) return;
  const { nodes } = await nvmToJSON(Uint8Array.from(memory.bytes));
  const named = new Set(Object.keys(nodes).map(Number));
  for (const device of [...adapter.devices.values()]) if (!named.has(device.id)) adapter.forget(device);
  for (const id of named) {
    const device = adapter.known.get(id);
    if (device && !adapter.devices.has(id)) adapter.admit(device);
  }
}

function describe({ options, controller, devices }: Adapter): NVMJSON {
  const ids = [...devices.keys()];
  const lastNodeId = Math.max(controller.ownNodeId, ...ids);
  return {
    format: MEMORY_FORMAT,
    controller: {
      protocolVersion: SDK_VERSION,
      applicationVersion: SDK_VERSION,
      homeId: `0x${options.homeId.toString(16).padStart(8, "0")}`,
      nodeId: controller.ownNodeId,
      lastNodeId,
      maxNodeId: lastNodeId,
      staticControllerNodeId: controller.ownNodeId,
      sucLastIndex: NOTHING_WRITTEN,
      controllerConfiguration: PRIMARY_SIS,
      sucUpdateEntries: [],
      reservedId: 0,
      systemState: 0,
      isListening: true,
      optionalFunctionality: true,
      genericDeviceClass: STATIC_CONTROLLER.generic,
      specificDeviceClass: STATIC_CONTROLLER.specific,
      commandClasses: { includedInsecurely: [], includedSecurelyInsecureCCs: [], includedSecurelySecureCCs: [] },
    },
    nodes: Object.fromEntries([...devices].map(([id, device]) => [id, describeNode(device, controller.ownNodeId)])),
  };
}

function describeNode({ plan }: SimulatedDevice, neighbour: number): NVMJSONNodeWithInfo {
  return {
    isVirtual: false,
    isListening: plan.listening === "always",
    isFrequentListening: plan.listening === "often" ? "1000ms" : false,
    isRouting: true,
    supportedDataRates: [40_000, 100_000],
    protocolVersion: PROTOCOL_VERSION,
    optionalFunctionality: true,
    nodeType: END_NODE,
    supportsSecurity: plan.security.length > 0,
    supportsBeaming: true,
    genericDeviceClass: plan.generic,
    specificDeviceClass: plan.specific,
    neighbors: [neighbour],
    sucUpdateIndex: 0,
    appRouteLock: false,
    routeSlaveSUC: false,
    sucPendingUpdate: false,
    pendingDiscovery: false,
  };
}
