/**
 * Common to the thermostats of all families: set-points, mode, and a room whose temperature moves toward them. The
 * families differ in their units; temperatures are raw in the thermostat's own unit.
 */

import type { CommandParameterValue } from "../../driver.ts";
import {
  BY_ITSELF,
  type DeviceNode,
  type CommandHandler,
  type Life,
  type Occasion,
  type Reaction,
} from "../device-model.ts";
import { clamp, displayed, mainParameter } from "./quantities.ts";

/** Modes that heat or cool, in the lists of uom 98 and 67 alike; further ones count as automatic. */
const MODE = { off: 0, heat: 1, cool: 2, auto: 3, fanOnly: 4 } as const;
/** How long a room takes for one degree. */
const DEGREE_MS = 180_000;
const STATE = { idle: 0, heating: 1, cooling: 2 } as const;

export type Climate = {
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
export function climateCommands(climate: Climate): Readonly<Record<string, Reaction>> {
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
export function climateHandlers(climate: Climate): Readonly<Record<string, CommandHandler>> {
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
export function climateLife(climate: Climate): Life {
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
