/** Families 4 and 12, lights and loads: dimmer, switch, plug with its meter. Levels are percent. */

import { SWITCHED } from "../../../profile/state-shapes.ts";
import type { DayMoment, DeviceNode, Models, ParameterModel, Reaction, ReceivedCommand } from "../device-model.ts";
import { type Lamp, lampCommands, lampHandlers, lampLife } from "./lamp.ts";
import { meterLife } from "./meter.ts";
import { asPercent, displayed, inner, mainParameter, parameter, percent, reading } from "./quantities.ts";
import { LEVEL_EDITOR, RADIO_CARE, radioDevice, radioNode } from "./radio-definitions.ts";

const FULL_PERCENT = 100;
const PERCENT = 51;
const BYTE = 100;
const MINUTES = 45;
/** Seconds of a dimmer's own ramp over the whole range. */
const OWN_RAMP_MS = 500;

const DIMMING = "DON(*_DIM_PERCENT?,RR:*_RR?) DOF DFON DFOF BRT DIM FDUP FDDOWN FDSTOP";

export const RADIO_PARAMETERS: readonly ParameterModel[] = [
  { number: 1, size: 1, value: 0, name: "Indicator light" },
  { number: 3, size: 1, value: -1 },
  { number: 5, size: 1, value: 200, unsigned: true },
  { number: 7, size: 2, value: 300 },
  { number: 13, size: 4, value: 86_400, name: "Report interval", unit: "s" },
];

const dimmerLamp: Lamp = {
  full: FULL_PERCENT,
  /** Without a level, and for "previous value", the lamp returns to the level that it had. */
  onLevel(node, received) {
    const given = parameter(received);
    const isLevel = given?.uom === PERCENT || given?.uom === BYTE;
    return given && isLevel ? asPercent(given) : node.value("previous");
  },
  rampMs(_node, received) {
    const given = parameter(received, "RR");
    return given ? displayed(given) * (given.uom === MINUTES ? 60_000 : 1000) : OWN_RAMP_MS;
  },
};

const switchLamp: Lamp = {
  full: FULL_PERCENT,
  onLevel(_node, received) {
    const given = mainParameter(received);
    return given && asPercent(given) === 0 ? 0 : FULL_PERCENT;
  },
  rampMs: () => 0,
};

export const radioCommon: Readonly<Record<string, Reaction>> = { WDU: (node) => node.write() };

const dimming = lampCommands(dimmerLamp);
const switching = lampCommands(switchLamp);
const dimmerActions = lampHandlers(dimmerLamp, ["DON", "DOF"]);
const switchActions = lampHandlers(switchLamp, ["DON", "DOF"]);

function remembered(node: DeviceNode, received: ReceivedCommand): void {
  const goal = dimmerLamp.onLevel(node, received);
  if (goal > 0) node.change({ previous: goal }, received.occasion);
  dimming.DON?.(node, received);
}

const dimmerNode = radioNode({
  row: {
    id: "0109",
    name: "Dimmer Switch",
    properties: `ST:${LEVEL_EDITOR} ERR:*_ERR!`,
    sends: "DON DOF",
    accepts: `${DIMMING} ${RADIO_CARE}`,
    respondLinks: "BASIC",
  },
  generic: "4.17.1",
  manufacturer: "634.257.40961",
  properties: [percent("ST", 0), inner("previous", FULL_PERCENT)],
  commands: { ...dimming, ...radioCommon, DON: remembered },
  actions: dimmerActions,
  life: lampLife(dimmerActions),
});

const switchNode = radioNode({
  row: {
    id: "0121",
    name: "Power Switch",
    properties: "ST:*_OFF_ON_UNKNOWN ERR:*_ERR!",
    sends: "DON DOF",
    accepts: `DON DOF DFON DFOF ${RADIO_CARE}`,
    respondLinks: "BASIC",
  },
  generic: "4.16.1",
  manufacturer: "634.259.1",
  properties: [reading("ST", SWITCHED.uom, 0, SWITCHED.numberOf(false))],
  commands: { ...radioCommon, ...pick(switching, ["DON", "DOF", "DFON", "DFOF"]) },
  actions: switchActions,
  life: lampLife(switchActions),
});

/** The load at the plug depends on the time of day: hardly any at night. */
function plugDraw(node: DeviceNode, { roll }: DayMoment): number {
  return node.sibling("1").value("ST") > 0 ? 60 + roll * 40 : 0.4;
}

const plugMeter = radioNode({
  suffix: "143",
  label: "Meter",
  row: {
    id: "0143",
    name: "Energy Meter",
    properties: "ST:_73_1_R_0_4000 TPW:_33_3_R_0_1000000 CV:_72_1_R_0_300 ERR:*_ERR!",
    accepts: `RESET ${RADIO_CARE}`,
    labels: { ST: "Power" },
  },
  generic: "4.16.1",
  manufacturer: "634.259.2",
  properties: [
    reading("ST", 73, 1, 4),
    reading("TPW", 33, 3, 84_210),
    reading("CV", 72, 1, 2312),
    inner("milliWattHours", 84_210_000),
    inner("seenMs", 0),
  ],
  commands: { ...radioCommon, RESET: (node, { occasion }) => node.change({ TPW: 0, milliWattHours: 0 }, occasion) },
  life: meterLife({ power: "ST", watt: 10, kilowattHour: 1000, draw: plugDraw }),
});

export const RADIO_LIGHTS = {
  "radio-dimmer": radioDevice([dimmerNode], { parameters: RADIO_PARAMETERS }),
  "radio-switch": radioDevice([switchNode], { parameters: RADIO_PARAMETERS }),
  "radio-plug": radioDevice([switchNode, plugMeter], { parameters: RADIO_PARAMETERS }),
} satisfies Models;

function pick(
  commands: Readonly<Record<string, Reaction>>,
  ids: readonly string[],
): Readonly<Record<string, Reaction>> {
  return Object.fromEntries(Object.entries(commands).filter(([id]) => ids.includes(id)));
}
