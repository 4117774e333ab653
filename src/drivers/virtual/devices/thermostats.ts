/**
 * Thermostats: set-points, mode, and a room whose temperature moves toward them. The families differ in their units;
 * temperatures are raw in the thermostat's own unit.
 */

import type { CommandParameterValue } from "../../command.ts";
import {
  BY_ITSELF,
  type CommandHandler,
  type DeviceModel,
  type DeviceNode,
  type Life,
  type NodeModel,
  type Occasion,
  type Reaction,
} from "../device-model.ts";
import { BATTERY, clamp, displayed, FULL, inner, level, mainParameter, reading } from "./quantities.ts";
import { RADIO_CARE, radioDevice, radioNode } from "./radio-definitions.ts";
import { RADIO_PARAMETERS, radioCommon } from "./radio-lights.ts";
import { counted, wiredCommon } from "./wired-lights.ts";

/** Modes that heat or cool, in the lists of uom 98 and 67 alike; further ones count as automatic. */
const MODE = { off: 0, heat: 1, cool: 2, auto: 3, fanOnly: 4 } as const;
/** How long a room takes for one degree. */
const DEGREE_MS = 180_000;
const STATE = { idle: 0, heating: 1, cooling: 2 } as const;

type Climate = {
  /** Property that holds the room's temperature. */
  readonly room: "ST" | "CLITEMP";
  /** Raw value of one degree, the smallest gap between the set-points and the room's step in one go. */
  readonly degree: number;
  readonly gap: number;
  readonly step: number;
  /** Raw bounds of both set-points. */
  readonly min: number;
  readonly max: number;
  /** Raw value of a temperature that was given in any unit. */
  temperature(given: CommandParameterValue): number;
  /** Called when heating or cooling begins or ends. */
  turned(node: DeviceNode, state: number, occasion: Occasion): void;
};

/** CLISPH CLISPC CLISPHD CLISPCD CLIMD CLIFS BRT DIM. */
function climateCommands(climate: Climate): Readonly<Record<string, Reaction>> {
  return {
    CLISPH: setPoint(climate, "CLISPH"),
    CLISPC: setPoint(climate, "CLISPC"),
    CLISPHD: shiftBy(climate, "CLISPH"),
    CLISPCD: shiftBy(climate, "CLISPC"),
    CLIMD: chosen(climate, "CLIMD"),
    CLIFS: chosen(climate, "CLIFS"),
    BRT: (node, { occasion }) => shiftBoth(climate, node, climate.degree, occasion),
    DIM: (node, { occasion }) => shiftBoth(climate, node, -climate.degree, occasion),
  };
}

/** The keys on the wall: warmer, cooler, the mode. */
function climateHandlers(climate: Climate): Readonly<Record<string, CommandHandler>> {
  return {
    BRT: (node) => shiftBoth(climate, node, climate.degree, BY_ITSELF),
    DIM: (node) => shiftBoth(climate, node, -climate.degree, BY_ITSELF),
    CLIMD(node, mode) {
      node.change({ CLIMD: mode }, BY_ITSELF);
      settle(climate, node, BY_ITSELF);
    },
  };
}

/** A room that is neither heated nor cooled loses its warmth slowly, or the sun warms it. */
function climateLife(climate: Climate): Life {
  return {
    pace: "occasional",
    live(node, { roll }) {
      const pull = node.value("CLIHCS") === STATE.idle ? (roll < 0.7 ? -climate.step : climate.step) : 0;
      const room = clamp(node.value(climate.room) + pull, climate.min, climate.max);
      const humidity = clamp(node.value("CLIHUM") + (roll < 0.5 ? -1 : 1), 30, 65);
      node.change({ [climate.room]: room, CLIHUM: humidity }, BY_ITSELF);
      settle(climate, node, BY_ITSELF);
    },
  };
}

function setPoint(climate: Climate, id: "CLISPH" | "CLISPC"): Reaction {
  return (node, received) => {
    const given = mainParameter(received);
    if (given) moveSetPoint(climate, node, id, climate.temperature(given), received.occasion);
  };
}

/** A shift is given in degrees. */
function shiftBy(climate: Climate, id: "CLISPH" | "CLISPC"): Reaction {
  return (node, received) => {
    const given = mainParameter(received);
    if (given) moveSetPoint(climate, node, id, node.value(id) + displayed(given) * climate.degree, received.occasion);
  };
}

function chosen(climate: Climate, id: "CLIMD" | "CLIFS"): Reaction {
  return (node, received) => {
    const given = mainParameter(received);
    if (!given) return;
    node.change({ [id]: displayed(given) }, received.occasion);
    settle(climate, node, received.occasion);
  };
}

/** One set-point pushes the other, so that the gap stays. */
function moveSetPoint(
  climate: Climate,
  node: DeviceNode,
  id: "CLISPH" | "CLISPC",
  wanted: number,
  occasion: Occasion,
): void {
  const { gap, min, max } = climate;
  if (id === "CLISPH") {
    const heat = clamp(Math.round(wanted), min, max - gap);
    node.change({ CLISPH: heat, CLISPC: Math.max(node.value("CLISPC"), heat + gap) }, occasion);
  } else {
    const cool = clamp(Math.round(wanted), min + gap, max);
    node.change({ CLISPC: cool, CLISPH: Math.min(node.value("CLISPH"), cool - gap) }, occasion);
  }
  settle(climate, node, occasion);
}

function shiftBoth(climate: Climate, node: DeviceNode, by: number, occasion: Occasion): void {
  const { gap, min, max } = climate;
  const heat = clamp(node.value("CLISPH") + by, min, max - gap);
  const cool = clamp(node.value("CLISPC") + by, heat + gap, max);
  node.change({ CLISPH: heat, CLISPC: cool }, occasion);
  settle(climate, node, occasion);
}

/** Heats below the one set-point, cools above the other, as the mode allows, until the room has reached it. */
function settle(climate: Climate, node: DeviceNode, occasion: Occasion): void {
  const state = wantedState(climate, node);
  if (state !== node.value("CLIHCS")) {
    node.change({ CLIHCS: state }, occasion);
    climate.turned(node, state, occasion);
  }
  if (state === STATE.idle) {
    node.halt(BY_ITSELF);
    return;
  }
  const goal = node.value(state === STATE.heating ? "CLISPH" : "CLISPC");
  const degrees = Math.abs(goal - node.value(climate.room)) / climate.degree;
  node.drift(climate.room, goal, degrees * DEGREE_MS, () => settle(climate, node, BY_ITSELF));
}

function wantedState(climate: Climate, node: DeviceNode): number {
  const mode = node.value("CLIMD");
  const room = node.value(climate.room);
  if (mode !== MODE.off && mode !== MODE.cool && mode !== MODE.fanOnly && room < node.value("CLISPH"))
    return STATE.heating;
  if (mode !== MODE.off && mode !== MODE.heat && mode !== MODE.fanOnly && room > node.value("CLISPC"))
    return STATE.cooling;
  return STATE.idle;
}

const WIRED_TYPE = "5.11.13.0";
/** Half degrees: the raw value is twice the temperature. */
const HALF_DEGREES = 101;

/** Half degrees, and two further nodes that show whether it cools (2) or heats (3). */
const wiredClimate: Climate = {
  room: "ST",
  degree: 2,
  gap: 4,
  step: 1,
  min: 20,
  max: 240,
  temperature: (given) => Math.round(displayed(given) * (given.uom === HALF_DEGREES ? 1 : 2)),
  turned(node, state, occasion) {
    for (const [suffix, meaning] of [
      ["2", 2],
      ["3", 1],
    ] as const) {
      const flag = node.sibling(suffix);
      const wanted = state === meaning ? FULL : 0;
      if (flag.value("ST") === wanted) continue;
      flag.send(wanted > 0 ? "DON" : "DOF");
      flag.change({ ST: wanted }, occasion);
    }
  },
};

const wired: NodeModel = {
  nodeDefId: "Thermostat",
  type: WIRED_TYPE,
  properties: [
    reading("ST", HALF_DEGREES, 0, 140),
    reading("CLISPH", HALF_DEGREES, 0, 138),
    reading("CLISPC", HALF_DEGREES, 0, 152),
    reading("CLIMD", 98, 0, 3),
    reading("CLIFS", 99, 0, 8),
    reading("CLIHUM", 22, 0, 44),
    reading("CLIHCS", 66, 0, 0),
    // Clients take the scale from it: 1 Celsius, 2 Fahrenheit.
    reading("UOM", 0, 0, 2),
    inner("beeps", 0),
    inner("timeSets", 0),
  ],
  commands: {
    ...wiredCommon,
    ...climateCommands(wiredClimate),
    SETTIME: counted("timeSets"),
  },
  actions: climateHandlers(wiredClimate),
  life: climateLife(wiredClimate),
};

function running(suffix: string, label: string): NodeModel {
  return {
    suffix,
    label,
    nodeDefId: "BinaryAlarm_ADV",
    type: WIRED_TYPE,
    properties: [level("ST", 0), inner("beeps", 0)],
    commands: wiredCommon,
  };
}

const CELSIUS = 4;
const FAHRENHEIT = 17;
const TENTHS = 10;

/** Tenths of a degree Celsius. */
const radioClimate: Climate = {
  room: "ST",
  degree: TENTHS,
  gap: 2 * TENTHS,
  step: 2,
  min: 5 * TENTHS,
  max: 35 * TENTHS,
  temperature(given) {
    const shown = displayed(given);
    return Math.round((given.uom === FAHRENHEIT ? ((shown - 32) * 5) / 9 : shown) * TENTHS);
  },
  turned: (node, state, occasion) => node.change({ CLIFRS: state === 0 ? 0 : 1 }, occasion),
};

const SET_POINT = "_4_1_R_5_35";
const MODES = "_67_0_S_0000000F_N_IX_TMD";
const FAN_MODES = "_68_0_S_00000003_N_IX_TFM";

export const thermostat: DeviceModel = { nodes: [wired, running("2", "Cooling"), running("3", "Heating")] };

const radio = radioNode({
  row: {
    id: "0140",
    name: "Thermostat",
    properties:
      `ST:_4_1_R_m20_60 CLISPH:${SET_POINT} CLISPC:${SET_POINT} CLIMD:${MODES} CLIFS:${FAN_MODES} ` +
      "CLIHCS:_66_0_S_00000007_N_IX_THC CLIFRS:*_TSTAT_FAN_STATE CLIHUM:_22_0_R_0_100 BATLVL:_51_0_R_0_100 ERR:*_ERR!",
    accepts:
      `CLISPH(${SET_POINT}=CLISPH) CLISPC(${SET_POINT}=CLISPC) CLIMD(${MODES}=CLIMD) CLIFS(${FAN_MODES}=CLIFS) ` +
      `BRT DIM ${RADIO_CARE}`,
    labels: { ST: "Temperature", BRT: "Setpoint Up", DIM: "Setpoint Down" },
  },
  generic: "4.8.6",
  manufacturer: "152.100.10",
  properties: [
    reading("ST", CELSIUS, 1, 196),
    reading("CLISPH", CELSIUS, 1, 190),
    reading("CLISPC", CELSIUS, 1, 260),
    reading("CLIMD", 67, 0, 1),
    reading("CLIFS", 68, 0, 0),
    reading("CLIHCS", 66, 0, 0),
    reading("CLIFRS", 80, 0, 0),
    reading("CLIHUM", 22, 0, 47),
    BATTERY,
  ],
  commands: { ...radioCommon, ...climateCommands(radioClimate) },
  actions: climateHandlers(radioClimate),
  life: climateLife(radioClimate),
});

export const radioThermostat = radioDevice([radio], { parameters: RADIO_PARAMETERS });
