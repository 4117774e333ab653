/** Families 4 and 12, sensors on batteries: multisensor, contact, motion. */

import { OPENED, type StateShape, SWITCHED } from "../../../profile/state-shapes.ts";
import {
  BY_ITSELF,
  type DayMoment,
  type DeviceModel,
  type DeviceNode,
  type Life,
  type Models,
  type ParameterModel,
} from "../device-model.ts";
import { BATTERY, reading } from "./quantities.ts";
import { RADIO_CARE, radioDevice, radioNode } from "./radio-definitions.ts";
import { radioCommon } from "./radio-lights.ts";

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

const room = radioNode({
  row: {
    id: "0118",
    name: "Multilevel Sensor",
    properties: "ST:_4_1_R_m40_85 CLIHUM:_22_0_R_0_100 LUMIN:_36_0_R_0_30000 BATLVL:_51_0_R_0_100 ERR:*_ERR!",
    accepts: RADIO_CARE,
    labels: { ST: "Temperature" },
  },
  generic: "4.33.1",
  manufacturer: "134.258.100",
  properties: [reading("ST", 4, 1, 212), reading("CLIHUM", 22, 0, 46), reading("LUMIN", 36, 0, 120), BATTERY],
  commands: radioCommon,
  life: roomLife,
});

type TwoValued = {
  readonly id: string;
  readonly name: string;
  readonly editor: string;
  readonly manufacturer: string;
  readonly shape: StateShape;
  /** Actions of a person. */
  readonly words: readonly [on: string, off: string];
  /** Whether it comes on by itself at this moment. */
  comesOn(moment: DayMoment): boolean;
};

/** A sensor with two states, on and off. It sends a command at each change. In the scripted day it goes off by itself. */
function twoValued({ id, name, editor, manufacturer, shape, words, comesOn }: TwoValued): DeviceModel {
  const show = (node: DeviceNode, isOn: boolean) => {
    node.send(isOn ? "DON" : "DOF");
    node.change({ ST: shape.numberOf(isOn) }, BY_ITSELF);
  };
  const node = radioNode({
    row: {
      id,
      name,
      properties: `ST:${editor} BATLVL:_51_0_R_0_100 ERR:*_ERR!`,
      sends: "DON DOF",
      accepts: RADIO_CARE,
    },
    generic: "4.7.1",
    manufacturer,
    properties: [reading("ST", shape.uom, 0, shape.numberOf(false)), BATTERY],
    commands: radioCommon,
    actions: { [words[0]]: (each) => show(each, true), [words[1]]: (each) => show(each, false) },
    life: {
      pace: "occasional",
      live(each, moment) {
        const isOn = each.value("ST") === shape.numberOf(true);
        if (isOn || comesOn(moment)) show(each, !isOn);
      },
    },
  });
  return radioDevice([node], { parameters: PARAMETERS });
}

export const RADIO_SENSORS = {
  "radio-sensor": radioDevice([room], { parameters: PARAMETERS }),
  "radio-contact": twoValued({
    id: "0160",
    name: "Door/Window Sensor",
    editor: "*_OPEN_CLOSED_UNKNOWN",
    manufacturer: "134.2.112",
    shape: OPENED,
    words: ["OPEN", "CLOSE"],
    comesOn: ({ minuteOfDay, roll }) => minuteOfDay >= 7 * 60 && minuteOfDay < 21 * 60 && roll < 0.3,
  }),
  "radio-motion": twoValued({
    id: "0155",
    name: "Motion Sensor",
    editor: "*_OFF_ON_UNKNOWN",
    manufacturer: "134.2.100",
    shape: SWITCHED,
    words: ["DON", "DOF"],
    comesOn: ({ minuteOfDay, roll }) => roll < (minuteOfDay >= 6 * 60 ? 0.7 : 0.1),
  }),
} satisfies Models;
