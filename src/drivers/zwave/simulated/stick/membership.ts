/** Devices come and go: at the press of a button while the stick waits for it, or announced by the key printed on them. */

import { dskFromString, nwiHomeIdFromDSK } from "@zwave-js/core";
import { buildStranger } from "../build-device.ts";
import type { DevicePlan } from "../device-plan.ts";
import type { SimulatedDevice } from "../simulated-device.ts";
import type { Stick } from "./stick.ts";
import { nodeInfo } from "./stick-requests.ts";

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
export function buildNewcomer(stick: Stick, plan: DevicePlan): Promise<SimulatedDevice> {
  return buildStranger(stick, stick.mode.kind === "replacing" ? stick.mode.nodeId : freeNodeId(stick), plan);
}

function freeNodeId(stick: Stick): number {
  for (let id = stick.options.firstNodeId; id <= NODES_MAX; id += 1) if (!stick.known.has(id)) return id;
  throw new Error("The simulated network is full.");
}

/** The button of a new device is pressed. @throws Error when the stick does not wait for one. */
export async function join(stick: Stick, device: SimulatedDevice): Promise<void> {
  const { mode } = stick;
  if (mode.kind === "replacing") {
    const broken = stick.devices.get(mode.nodeId);
    if (broken) stick.forget(broken);
    stick.admit(device);
    stick.mode = { kind: "idle" };
    return stick.callBack(REPLACE_FAILED, [mode.callbackId, REPLACED]);
  }
  if (mode.kind !== "adding") throw new Error("The stick does not wait for a new device.");
  const { callbackId } = mode;
  device.condition = "awake";
  await stick.callBack(ADD_NODE, [callbackId, NODE_FOUND]);
  await stick.callBack(ADD_NODE, [callbackId, NODE_NAMED, device.id, ...nodeInfo(device)]);
  stick.admit(device);
  stick.mode = { kind: "adding", callbackId, joined: device.id };
  await stick.callBack(ADD_NODE, [callbackId, PROTOCOL_DONE]);
}

/** The button of a device is pressed while the stick lets devices out. @throws Error when it does not. */
export async function leave(stick: Stick, device: SimulatedDevice): Promise<void> {
  const { mode } = stick;
  if (mode.kind !== "removing") throw new Error("The stick does not let devices out.");
  const { callbackId } = mode;
  await stick.callBack(REMOVE_NODE, [callbackId, NODE_FOUND]);
  await stick.callBack(REMOVE_NODE, [callbackId, NODE_NAMED, device.id, ...nodeInfo(device)]);
  stick.forget(device);
  await stick.callBack(REMOVE_NODE, [callbackId, REMOVED]);
}

/** A new device is powered up and asks by its printed key to be let in. */
export async function announce(stick: Stick, device: SimulatedDevice): Promise<void> {
  const SMART_START_HOME_ID = 0x85;
  const homeId = Buffer.from(nwiHomeIdFromDSK(dskFromString(device.dsk)));
  stick.announced.set(homeId.toString("hex"), () => {
    stick.announced.delete(homeId.toString("hex"));
    void join(stick, device).catch(() => {}); // The host has gone in the meantime.
  });
  const [, ...info] = nodeInfo(device);
  const classes = info.length - 3;
  await stick.callBack(APPLICATION_UPDATE, [SMART_START_HOME_ID, 0, 0, ...homeId, classes, ...info]);
}
