/** Family 1, sensors on batteries: motion, leak, door. Each further node is a message of its own: dusk, battery, heartbeat. */

import {
  BY_ITSELF,
  type CommandHandler,
  type DeviceNode,
  type Life,
  type Models,
  type NodeModel,
} from "../device-model.ts";
import { FULL, inner, level } from "./quantities.ts";
import { wiredCommon } from "./wired-lights.ts";

const MOTION_TYPE = "16.1.65.0";
const LEAK_TYPE = "16.8.67.0";
const DOOR_TYPE = "16.9.67.0";

/** Sends and shows that something is, or is no more. */
function signal(node: DeviceNode, on: boolean, value = 0): void {
  node.send(on ? "DON" : "DOF", value);
  node.change({ ST: on ? FULL : 0 }, BY_ITSELF);
}

const plainActions: Readonly<Record<string, CommandHandler>> = {
  DON: (node, value) => signal(node, true, value),
  DOF: (node, value) => signal(node, false, value),
};

/** Node 1 shows a fact and node 2 its complement: clients read equal values as unknown. */
function showBoth(node: DeviceNode, first: boolean): void {
  signal(node.sibling("1"), first);
  signal(node.sibling("2"), !first);
}

/** @param isOn the value of a device that was never used. */
function sensorNode(node: Pick<NodeModel, "type"> & Partial<NodeModel>, isOn = false): NodeModel {
  return {
    nodeDefId: "BinaryAlarm_ADV",
    properties: [level("ST", isOn ? FULL : 0), inner("beeps", 0)],
    commands: wiredCommon,
    actions: plainActions,
    ...node,
  };
}

/** Once in a while the device says that it lives. */
function heartbeat(type: string): NodeModel {
  const life: Life = {
    pace: "occasional",
    live(node, { roll }) {
      if (roll < 0.05) signal(node, true);
    },
  };
  return sensorNode({ suffix: "4", label: "Heartbeat", type, life });
}

/** People move by day. */
const motionLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay, roll }) {
    const awake = minuteOfDay >= 6 * 60 || minuteOfDay < 30;
    if (node.value("ST") > 0) signal(node, false);
    else if (roll < (awake ? 0.8 : 0.1)) signal(node, true);
  },
};

const duskLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay }) {
    const dark = minuteOfDay < 7 * 60 || minuteOfDay >= 19 * 60;
    if (dark !== node.value("ST") > 0) signal(node, dark);
  },
};

/** Actions at both nodes of a pair: DON and DOF are those of the node, the other node follows. */
function pairHandlers(first: string, second: string, suffix: "1" | "2"): Readonly<Record<string, CommandHandler>> {
  return {
    [first]: (node) => showBoth(node, true),
    [second]: (node) => showBoth(node, false),
    DON: (node) => showBoth(node, suffix === "1"),
    DOF: (node) => showBoth(node, suffix !== "1"),
  };
}

/** A door is opened by day and does not stay open. */
const doorLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay, roll }) {
    const isOpen = node.value("ST") > 0;
    const day = minuteOfDay >= 6 * 60 + 30 && minuteOfDay < 22 * 60;
    if (isOpen || (day && roll < 0.4)) showBoth(node, !isOpen);
  },
};

export const WIRED_SENSORS = {
  motion: {
    nodes: [
      sensorNode({ type: MOTION_TYPE, life: motionLife }),
      sensorNode({ suffix: "2", label: "Dusk", type: MOTION_TYPE, life: duskLife }),
      sensorNode({ suffix: "3", label: "Low Battery", type: MOTION_TYPE }),
      heartbeat(MOTION_TYPE),
    ],
  },
  leak: {
    nodes: [
      sensorNode({ type: LEAK_TYPE, actions: pairHandlers("DRY", "WET", "1") }, true),
      sensorNode({ suffix: "2", label: "Wet", type: LEAK_TYPE, actions: pairHandlers("DRY", "WET", "2") }),
      heartbeat(LEAK_TYPE),
    ],
  },
  door: {
    nodes: [
      sensorNode({ type: DOOR_TYPE, actions: pairHandlers("OPEN", "CLOSE", "1"), life: doorLife }),
      sensorNode({ suffix: "2", label: "Closed", type: DOOR_TYPE, actions: pairHandlers("OPEN", "CLOSE", "2") }, true),
      heartbeat(DOOR_TYPE),
    ],
  },
} satisfies Models;
