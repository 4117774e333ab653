/** Families 4 and 12, sensors on batteries: multisensor, contact, motion. */

import {
  BY_ITSELF,
  type DeviceModel,
  type DeviceNode,
  type Life,
  type NodeModel,
  type ParameterModel,
} from "../device-model.ts";
import { BATTERY, ERR, reading } from "./quantities.ts";
import { RADIO_CARE, radioDefinitions, radioKind } from "./radio-definitions.ts";
import { radioCommon } from "./radio-lights.ts";

const ON = 100;
const OPEN = 0;
const CLOSED = 100;

const PARAMETERS: readonly ParameterModel[] = [
  { number: 2, size: 1, value: 1 },
  { number: 4, size: 2, value: -50 },
  { number: 101, size: 4, value: 3600 },
];

/** A room through the day: warmest in the afternoon, bright at noon. */
const roomLife: Life = {
  pace: "ticking",
  live(node, { minuteOfDay, roll }) {
    const warm = Math.sin(((minuteOfDay - 540) / 1440) * 2 * Math.PI);
    const bright = Math.max(0, Math.sin(((minuteOfDay - 360) / 840) * Math.PI));
    node.change(
      {
        ST: Math.round(205 + warm * 12 + roll * 4),
        CLIHUM: Math.round(46 - warm * 5 + roll * 3),
        LUMIN: Math.round(bright * 700 + roll * 20),
      },
      BY_ITSELF,
    );
  },
};

const room: NodeModel = {
  ...radioKind("0118", "4.33.1", "134.258.100"),
  properties: [reading("ST", 4, 1, 212), reading("CLIHUM", 22, 0, 46), reading("LUMIN", 36, 0, 120), BATTERY, ERR],
  commands: radioCommon,
  life: roomLife,
};

function stand(node: DeviceNode, open: boolean): void {
  node.send(open ? "DON" : "DOF");
  node.change({ ST: open ? OPEN : CLOSED }, BY_ITSELF);
}

const contact: NodeModel = {
  ...radioKind("0160", "4.7.1", "134.2.112"),
  properties: [reading("ST", 79, 0, CLOSED), BATTERY, ERR],
  commands: radioCommon,
  actions: { OPEN: (node) => stand(node, true), CLOSE: (node) => stand(node, false) },
  life: {
    pace: "occasional",
    live(node, { minuteOfDay, roll }) {
      const isOpen = node.value("ST") === OPEN;
      const day = minuteOfDay >= 7 * 60 && minuteOfDay < 21 * 60;
      if (isOpen || (day && roll < 0.3)) stand(node, !isOpen);
    },
  },
};

function sense(node: DeviceNode, moves: boolean): void {
  node.send(moves ? "DON" : "DOF");
  node.change({ ST: moves ? ON : 0 }, BY_ITSELF);
}

const movement: NodeModel = {
  ...radioKind("0155", "4.7.1", "134.2.100"),
  properties: [reading("ST", 78, 0, 0), BATTERY, ERR],
  commands: radioCommon,
  actions: { DON: (node) => sense(node, true), DOF: (node) => sense(node, false) },
  life: {
    pace: "occasional",
    live(node, { minuteOfDay, roll }) {
      const isOn = node.value("ST") === ON;
      if (isOn || roll < (minuteOfDay >= 6 * 60 ? 0.7 : 0.1)) sense(node, !isOn);
    },
  },
};

export const radioSensor: DeviceModel = {
  nodes: [room],
  parameters: PARAMETERS,
  definitions: radioDefinitions([
    {
      id: "0118",
      name: "Multilevel Sensor",
      properties: "ST:_4_1_R_m40_85 CLIHUM:_22_0_R_0_100 LUMIN:_36_0_R_0_30000 BATLVL:_51_0_R_0_100 ERR:*_ERR!",
      accepts: RADIO_CARE,
      labels: { ST: "Temperature" },
    },
  ]),
};

export const radioContact: DeviceModel = {
  nodes: [contact],
  parameters: PARAMETERS,
  definitions: radioDefinitions([
    {
      id: "0160",
      name: "Door/Window Sensor",
      properties: "ST:*_OPEN_CLOSED_UNKNOWN BATLVL:_51_0_R_0_100 ERR:*_ERR!",
      sends: "DON DOF",
      accepts: RADIO_CARE,
    },
  ]),
};

export const radioMotion: DeviceModel = {
  nodes: [movement],
  parameters: PARAMETERS,
  definitions: radioDefinitions([
    {
      id: "0155",
      name: "Motion Sensor",
      properties: "ST:*_OFF_ON_UNKNOWN BATLVL:_51_0_R_0_100 ERR:*_ERR!",
      sends: "DON DOF",
      accepts: RADIO_CARE,
    },
  ]),
};
