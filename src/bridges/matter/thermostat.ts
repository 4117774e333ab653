/** Set-points, limits and modes of a thermostat in the form of Matter: hundredths of °C. Pure. */

import { convertTemperature } from "../../profile/convert-unit.ts";
import { UOM } from "../../profile/uom.ts";
import type { Attributes, ClusterFeature } from "./bridge-messages.ts";

/** In hundredths of °C. */
export type Limits = { readonly min: number; readonly max: number };

const LIMITS: Limits = { min: 400, max: 4000 };
const WIDEST: Limits = { min: -5000, max: 10_000 };
/** Our number of a mode, and that of Matter. */
const MODES: readonly (readonly [own: number, system: number])[] = [
  [0, 0],
  [1, 4],
  [2, 3],
  [3, 1],
  [4, 5],
  [6, 7],
  [8, 8],
];
const AUTO = 1;
const COOL = 3;
const HEAT = 4;
const SEQUENCE = { coolingOnly: 0, heatingOnly: 2, both: 4 } as const;

/** null: the unit does not say which scale it is. */
export function hundredthsOf(displayed: number | null, uom: number): number | null {
  if (displayed === null || (uom !== UOM.celsius && uom !== UOM.fahrenheit)) return null;
  return Math.round((convertTemperature(displayed, uom, UOM.celsius) ?? displayed) * 100);
}

/** The displayed value in the unit of the node, in halves of a degree. */
export function degreesOf(hundredths: number, uom: number): number {
  const celsius = hundredths / 100;
  return Math.round((convertTemperature(celsius, UOM.celsius, uom) ?? celsius) * 2) / 2;
}

/** From two bounds in any order, either of which may be unknown. */
export function limitsOf(one: number | null, other: number | null): Limits {
  if (one === null || other === null || one === other) return LIMITS;
  const clamp = (value: number) => Math.max(WIDEST.min, Math.min(WIDEST.max, value));
  return { min: clamp(Math.min(one, other)), max: clamp(Math.max(one, other)) };
}

/**
 * Features by what the thermostat accepts; null: it has no set-point, so it is no thermostat for an ecosystem.
 * Matter has a mode "auto" only with both set-points.
 */
export function thermostatFeatures(facts: {
  readonly heats: boolean;
  readonly cools: boolean;
  readonly hasModes: boolean;
}): readonly ClusterFeature[] | null {
  const { heats, cools, hasModes } = facts;
  if (!heats && !cools) return null;
  return [
    ...(heats ? (["Heating"] as const) : []),
    ...(cools ? (["Cooling"] as const) : []),
    ...(heats && cools && hasModes ? (["AutoMode"] as const) : []),
  ];
}

/** All limits, so that none has the library's default. The dead band is 0; both minimums and both maximums are in order. */
export function fixedOf(features: readonly ClusterFeature[], heat: Limits, cool: Limits): Attributes {
  const [heats, cools] = [features.includes("Heating"), features.includes("Cooling")];
  const heating = heats && cools ? { ...heat, min: Math.min(heat.min, cool.min) } : heat;
  const cooling = heats && cools ? { ...cool, max: Math.max(heat.max, cool.max) } : cool;
  return {
    thermostat: {
      ...(heats ? limitAttributes("Heat", heating) : {}),
      ...(cools ? limitAttributes("Cool", cooling) : {}),
      ...(features.includes("AutoMode") ? { minSetpointDeadBand: 0 } : {}),
      controlSequenceOfOperation: heats && cools ? SEQUENCE.both : heats ? SEQUENCE.heatingOnly : SEQUENCE.coolingOnly,
    },
  };
}

/** A mode that the features do not have shows as one that they have. */
export function systemMode(own: number | null, features: readonly ClusterFeature[]): number {
  const fallback = features.includes("Heating") ? HEAT : COOL;
  const mode = MODES.find(([each]) => each === own)?.[1] ?? fallback;
  if (mode === AUTO && !features.includes("AutoMode")) return fallback;
  if ((mode === COOL && !features.includes("Cooling")) || (mode === HEAT && !features.includes("Heating")))
    return fallback;
  return mode;
}

/** null: there is no such mode. */
export function ownMode(system: number): number | null {
  return MODES.find(([, each]) => each === system)?.[0] ?? null;
}

/** Within the limits that Matter was given: it refuses others. */
export function withinLimits(hundredths: number, { min, max }: Limits): number {
  return Math.max(min, Math.min(max, hundredths));
}

function limitAttributes(name: "Heat" | "Cool", { min, max }: Limits) {
  return {
    [`absMin${name}SetpointLimit`]: min,
    [`min${name}SetpointLimit`]: min,
    [`max${name}SetpointLimit`]: max,
    [`absMax${name}SetpointLimit`]: max,
  };
}
