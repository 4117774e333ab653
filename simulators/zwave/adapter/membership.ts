/** Devices come and go: at the press of a button while the adapter waits for it, or announced by the key printed on them. */

import { dskFromString, nwiHomeIdFromDSK } from "@zwave-js/core";
import { buildStranger } from "../build-device.ts";
import type { DevicePlan } from "../device-plan.ts";
import type { SimulatedDevice } from "../simulated-device.ts";
import type { Adapter } from "./adapter.ts";
import { nodeInfo } from "./adapter-requests.ts";

const ADD_NODE = 0x4a;
const REMOVE_NODE = 0x4b;
const REPLACE_FAILED = 0x63;
const APPLICATION_UPDATE = 0x49;
const NODE_FOUND = 2;
const NODE_NAMED = 3;
const PROTOCOL_DONE = 5;
const REPLACED = 4;
const REMOVED = 6;
const NODES_MAX = 232;

/** A device whose button is not pressed yet, with the number that it will have. */
export function buildNewcomer(adapter: Adapter, plan: DevicePlan): Promise<SimulatedDevice> {
  return buildStranger(adapter, adapter.mode.kind === "replacing" ? adapter.mode.nodeId : freeNodeId(adapter), plan);
}

function freeNodeId(adapter: Adapter): number {
  for (let id = adapter.options.firstNodeId; id <= NODES_MAX; id += 1) if (!adapter.known.has(id)) return id;
  throw new Error("The simulated network is full.");
}

/** The button of a new device is pressed. @throws Error when the adapter does not wait for one. */
export async function join(adapter: Adapter, device: SimulatedDevice): Promise<void> {
  const { mode } = adapter;
  if (mode.kind === "replacing") {
    const broken = adapter.devices.get(mode.nodeId);
    if (broken) adapter.forget(broken);
    adapter.admit(device);
    adapter.mode = { kind: "idle" };
    return adapter.callBack(REPLACE_FAILED, [mode.callbackId, REPLACED]);
  }
  if (mode.kind !== "adding") throw new Error("The adapter does not wait for a new device.");
  const { callbackId } = mode;
  device.condition = "awake";
  await adapter.callBack(ADD_NODE, [callbackId, NODE_FOUND]);
  await adapter.callBack(ADD_NODE, [callbackId, NODE_NAMED, device.id, ...nodeInfo(device)]);
  adapter.admit(device);
  adapter.mode = { kind: "adding", callbackId, joined: device.id };
  await adapter.callBack(ADD_NODE, [callbackId, PROTOCOL_DONE]);
}

/** The button of a device is pressed while the adapter lets devices out. @throws Error when it does not. */
export async function leave(adapter: Adapter, device: SimulatedDevice): Promise<void> {
  const { mode } = adapter;
  if (mode.kind !== "removing") throw new Error("The adapter does not exclude devices.");
  const { callbackId } = mode;
  await adapter.callBack(REMOVE_NODE, [callbackId, NODE_FOUND]);
  await adapter.callBack(REMOVE_NODE, [callbackId, NODE_NAMED, device.id, ...nodeInfo(device)]);
  adapter.forget(device);
  await adapter.callBack(REMOVE_NODE, [callbackId, REMOVED]);
}

/** A new device is powered up and asks by its printed key to be let in. */
export async function announce(adapter: Adapter, device: SimulatedDevice): Promise<void> {
  const SMART_START_HOME_ID = 0x85;
  const homeId = Buffer.from(nwiHomeIdFromDSK(dskFromString(device.dsk)));
  adapter.announced.set(homeId.toString("hex"), () => {
    adapter.announced.delete(homeId.toString("hex"));
    void join(adapter, device).catch(() => {}); // The host has gone in the meantime.
  });
  const [, ...info] = nodeInfo(device);
  const classes = info.length - 3;
  await adapter.callBack(APPLICATION_UPDATE, [SMART_START_HOME_ID, 0, 0, ...homeId, classes, ...info]);
}
