/** Family 1, sensors on batteries: motion, leak, door. Each further node is a message of its own: dusk, battery, heartbeat. */

import {
  BY_ITSELF,
  type DeviceModel,
  type DeviceNode,
  type CommandHandler,
  type Life,
  type NodeModel,
} from "../device-model.ts";
import { ERR, FULL, inner, level, percent, reading } from "./quantities.ts";
import { wiredCommon } from "./wired-lights.ts";

const MOTION_TYPE = "16.1.65.0";
const LEAK_TYPE = "16.8.67.0";
const DOOR_TYPE = "16.9.67.0";

/** Sends and shows that something is, or is no more. */
function signal(node: DeviceNode, on: boolean, value = 0): void {
  node.send(on ? "DON" : "DOF", value);
  node.change({ ST: on ? FULL : 0 }, BY_ITSELF);
}

const plainHands: Readonly<Record<string, CommandHandler>> = {
  DON: (node, value) => signal(node, true, value),
  DOF: (node, value) => signal(node, false, value),
};

/** Two nodes tell one fact: the first that it is, the second that it is not. */
function pair(first: DeviceNode, second: DeviceNode, on: boolean): void {
  signal(first, on);
  signal(second, !on);
}

type SensorNode = { readonly suffix: string; readonly label: string; readonly type: string };
type SensorLife = { readonly hands?: Readonly<Record<string, CommandHandler>>; readonly life?: Life };

function sensorNode({ suffix, label, type }: SensorNode, { hands = plainHands, life }: SensorLife = {}): NodeModel {
  return {
    suffix,
    label,
    nodeDefId: "BinaryAlarm_ADV",
    type,
    devtype: null,
    properties: [level("ST", 0), ERR, inner("beeps", 0)],
    commands: wiredCommon,
    hands,
    ...(life && { life }),
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
  return sensorNode({ suffix: "4", label: "Heartbeat", type }, { life });
}

/** People move by day; the sensor also feels the room and uses up its battery. */
const motionLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay, roll }) {
    const awake = minuteOfDay >= 6 * 60 || minuteOfDay < 30;
    if (node.value("ST") > 0) signal(node, false);
    else if (roll < (awake ? 0.8 : 0.1)) signal(node, true);
    const light = Math.round(50 * Math.max(0, Math.sin(((minuteOfDay - 360) / 840) * Math.PI)));
    const battery = roll < 0.02 ? Math.max(5, node.value("BATLVL") - 1) : node.value("BATLVL");
    node.change({ CLITEMP: 205 + Math.round(roll * 10), LUMIN: light, BATLVL: battery }, BY_ITSELF);
  },
};

const motionMain: NodeModel = {
  ...sensorNode({ suffix: "1", label: "", type: MOTION_TYPE }, { life: motionLife }),
  nodeDefId: "PIR2844C_ADV",
  properties: [
    level("ST", 0),
    reading("CLITEMP", 4, 1, 208),
    percent("LUMIN", 12),
    percent("BATLVL", 92),
    reading("GV1", 2, 0, 1),
    ERR,
    inner("beeps", 0),
  ],
};

const duskLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay }) {
    const dark = minuteOfDay < 7 * 60 || minuteOfDay >= 19 * 60;
    if (dark !== node.value("ST") > 0) signal(node, dark);
  },
};

export const motion: DeviceModel = {
  nodes: [
    motionMain,
    sensorNode({ suffix: "2", label: "Dusk", type: MOTION_TYPE }, { life: duskLife }),
    sensorNode({ suffix: "3", label: "Low Battery", type: MOTION_TYPE }),
    heartbeat(MOTION_TYPE),
  ],
};

const leakHands: Readonly<Record<string, CommandHandler>> = {
  WET: (node) => pair(node.sibling("2"), node.sibling("1"), true),
  DRY: (node) => pair(node.sibling("2"), node.sibling("1"), false),
  ...plainHands,
};

export const leak: DeviceModel = {
  nodes: [
    sensorNode({ suffix: "1", label: "", type: LEAK_TYPE }, { hands: leakHands }),
    sensorNode({ suffix: "2", label: "Wet", type: LEAK_TYPE }, { hands: leakHands }),
    heartbeat(LEAK_TYPE),
  ],
};

const doorHands: Readonly<Record<string, CommandHandler>> = {
  OPEN: (node) => pair(node.sibling("1"), node.sibling("2"), true),
  CLOSE: (node) => pair(node.sibling("1"), node.sibling("2"), false),
  ...plainHands,
};

/** A door is opened by day and does not stay open. */
const doorLife: Life = {
  pace: "occasional",
  live(node, { minuteOfDay, roll }) {
    const isOpen = node.value("ST") > 0;
    const day = minuteOfDay >= 6 * 60 + 30 && minuteOfDay < 22 * 60;
    if (isOpen || (day && roll < 0.4)) pair(node, node.sibling("2"), !isOpen);
  },
};

export const door: DeviceModel = {
  nodes: [
    sensorNode({ suffix: "1", label: "", type: DOOR_TYPE }, { hands: doorHands, life: doorLife }),
    sensorNode({ suffix: "2", label: "Closed", type: DOOR_TYPE }, { hands: doorHands }),
    heartbeat(DOOR_TYPE),
  ],
};
