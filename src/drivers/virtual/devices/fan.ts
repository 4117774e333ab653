/** A ceiling fan of family 1: its light is the first node, its motor with three speeds the second. */

import {
  BY_ITSELF,
  type DeviceModel,
  type DeviceNode,
  type CommandHandler,
  type NodeModel,
  type Occasion,
} from "../device-model.ts";
import { asByte, ERR, FULL, inner, level, mainParameter } from "./quantities.ts";
import { dimmerNode, wiredCommon } from "./wired-lights.ts";

/** Off, low, medium, high. */
const SPEEDS = [0, 63, 191, FULL] as const;
const MEDIUM = SPEEDS[2];

/** The pull chain; the fan does not report the pull, only its speed. */
const motorActions: Readonly<Record<string, CommandHandler>> = {
  DON: (node) => turn(node, MEDIUM, BY_ITSELF),
  DOF: (node) => turn(node, 0, BY_ITSELF),
  DFON: (node) => turn(node, FULL, BY_ITSELF),
  DFOF: (node) => turn(node, 0, BY_ITSELF),
};

const motor: NodeModel = {
  suffix: "2",
  label: "Motor",
  nodeDefId: "FanLincMotor",
  type: "1.46.69.0",
  properties: [level("ST", 0), ERR, inner("beeps", 0)],
  commands: {
    ...wiredCommon,
    DON(node, received) {
      const given = mainParameter(received);
      turn(node, given ? asByte(given) : MEDIUM, received.occasion);
    },
    DOF: (node, { occasion }) => turn(node, 0, occasion),
    DFON: (node, { occasion }) => turn(node, FULL, occasion),
    DFOF: (node, { occasion }) => turn(node, 0, occasion),
  },
  actions: motorActions,
};

export const fan: DeviceModel = {
  nodes: [dimmerNode({ nodeDefId: "DimmerLampOnly", type: "1.46.69.0", presses: [] }), motor],
};

function turn(node: DeviceNode, wanted: number, occasion: Occasion): void {
  node.change({ ST: nearestSpeed(wanted) }, occasion);
}

/** Anything above zero runs at least slowly. */
function nearestSpeed(wanted: number): number {
  if (wanted <= 0) return 0;
  return SPEEDS.slice(1).reduce((best, speed) => (Math.abs(speed - wanted) < Math.abs(best - wanted) ? speed : best));
}
