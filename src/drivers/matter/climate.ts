/** Thermostats: set-points in hundredths of °C, modes, and the band that must stay between heating and cooling. */

import { UOM } from "../../profile/uom.ts";
import type { ClusterAction } from "./controller-messages.ts";
import {
  command,
  type EndpointCommand,
  type EndpointFacts,
  type EndpointFeature,
  type EndpointPart,
  type EndpointValues,
  listedFeature,
  numberFeature,
  type Refusal,
  write,
} from "./feature.ts";

const MODE_UOM = 67;
const ACTION_UOM = 66;
/** Our mode by that of Matter, with the feature that it needs. */
const MODES: readonly (readonly [system: number, own: number, feature: string | null])[] = [
  [0, 0, null],
  [1, 3, "autoMode"],
  [3, 2, "cooling"],
  [4, 1, "heating"],
  [5, 4, "heating"],
  [7, 6, null],
  [8, 8, null],
];
/** What it does now, the more important first. */
const ACTIONS: readonly (readonly [relay: string, own: number])[] = [
  ["heatStage2", 8],
  ["coolStage2", 9],
  ["heat", 1],
  ["cool", 2],
  ["fan", 3],
];
const HUNDREDTHS = 100;
/** The band is in tenths of a degree. */
const BAND_SCALE = 10;
const SHOWN_LIMITS = [5, 35] as const;

type Side = "Heat" | "Cool";

export function climate(facts: EndpointFacts): EndpointPart {
  const degrees = { uom: UOM.celsius, prec: 2 } as const;
  const temperature = numberFeature("CLITEMP", ["thermostat", "localTemperature"], degrees, hundredth);
  const sides = (["Heat", "Cool"] as const).filter((side) => facts.has("thermostat", `${side.toLowerCase()}ing`));
  const points = sides.map((side) => setPoint(facts, side));
  const known = MODES.filter(([, , feature]) => feature === null || facts.has("thermostat", feature));
  const numbers = new Map(known.map(([system, own]) => [system, own]));
  const mode = listedFeature("CLIMD", ["thermostat", "systemMode"], MODE_UOM, numbers);
  const systemOf = (own: number | null) => known.find(([, each]) => each === own)?.[0] ?? null;
  const hasAction = facts.value("thermostat", "thermostatRunningState") !== undefined;
  return {
    features: [temperature, ...points.map(({ feature }) => feature), mode, ...(hasAction ? [action()] : [])],
    commands: [
      ...points.map(({ set }) => set),
      command(
        "CLIMD",
        ({ given }) => {
          const systemMode = systemOf(given);
          return systemMode === null ? null : write("thermostat", { systemMode });
        },
        { editor: mode.editor },
      ),
    ],
  };
}

function hundredth(value: number): number {
  return value / HUNDREDTHS;
}

function setPoint(
  facts: EndpointFacts,
  side: Side,
): { readonly feature: EndpointFeature; readonly set: EndpointCommand } {
  const id = side === "Heat" ? "CLISPH" : "CLISPC";
  const bound = (name: string) => facts.value("thermostat", name);
  const limits = (["min", "max"] as const).map((end, at) => {
    const value =
      bound(`${end}${side}SetpointLimit`) ?? bound(`abs${end === "min" ? "Min" : "Max"}${side}SetpointLimit`);
    return typeof value === "number" ? value / HUNDREDTHS : (SHOWN_LIMITS[at] ?? 0);
  });
  const [min = 0, max = 0] = limits.toSorted((one, other) => one - other);
  const feature = numberFeature(
    ...([id, ["thermostat", attributeOf(side)], { uom: UOM.celsius, prec: 2, bounds: [min, max] }] as const),
    hundredth,
  );
  const set = command(
    id,
    ({ given, values }) => (given === null ? null : setPoints(values, side, Math.round(given * HUNDREDTHS))),
    { editor: feature.editor },
  );
  return { feature, set };
}

/** The other one moves first where the band would be too small; a device refuses a set-point inside the band. */
function setPoints(values: EndpointValues, side: Side, wanted: number): readonly ClusterAction[] | Refusal {
  const state = values.thermostat ?? {};
  const other: Side = side === "Heat" ? "Cool" : "Heat";
  const present = state[attributeOf(other)];
  const band = state.minSetpointDeadBand;
  const own = write("thermostat", { [attributeOf(side)]: wanted });
  if (typeof band !== "number" || typeof present !== "number") return own;
  const distance = band * BAND_SCALE;
  const least = side === "Heat" ? wanted + distance : wanted - distance;
  const isFree = side === "Heat" ? present >= least : present <= least;
  if (isFree) return own;
  const limit = state[side === "Heat" ? "maxCoolSetpointLimit" : "minHeatSetpointLimit"];
  if (typeof limit === "number" && (side === "Heat" ? least > limit : least < limit)) {
    const degrees = band / BAND_SCALE;
    return { refusal: `Heating and cooling must stay ${degrees} °C apart, and the other set-point is at its limit.` };
  }
  return [...write("thermostat", { [attributeOf(other)]: least }), ...own];
}

function attributeOf(side: Side): string {
  return `occupied${side}ingSetpoint`;
}

function action(): EndpointFeature {
  const base = listedFeature("CLIHCS", ["thermostat", "thermostatRunningState"], ACTION_UOM, new Map());
  const numbers = new Map([[0, 0], ...ACTIONS.map(([, own]) => [own, own] as const)]);
  const { editor } = listedFeature("CLIHCS", ["thermostat", "thermostatRunningState"], ACTION_UOM, numbers);
  return {
    ...base,
    editor,
    read({ thermostat }) {
      const state = thermostat?.thermostatRunningState;
      if (state === undefined) return undefined;
      if (typeof state !== "object" || state === null) return null;
      const relays = state as Readonly<Record<string, unknown>>;
      return ACTIONS.find(([relay]) => relays[relay] === true)?.[1] ?? 0;
    },
  };
}
