/** Values of an endpoint beside its main function: a row for each attribute. Units and ids are those of the interface. */

import { FLAGGED } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import { foreignNumber } from "../../util/foreign-value.ts";
import {
  command,
  type EndpointFacts,
  type EndpointFeature,
  type EndpointPart,
  invoke,
  namedFeature,
  numberFeature,
  stateFeature,
} from "./feature.ts";
import { modesOf } from "./function-table.ts";

type NextId = () => string;
type ValueRow = { readonly cluster: string; readonly make: (facts: EndpointFacts, next: NextId) => EndpointPart };
type NumberRow = readonly [
  cluster: string,
  attribute: string,
  id: string,
  uom: number,
  prec: number,
  shown: (value: number) => number | null,
];

const PPM = 54;
const MICROGRAMS = 122;
const BECQUEREL = 123;
const KILOWATT_HOURS = 33;
const ENERGY_CATEGORY = 143;
const AIR = new Map([
  [0, "Unknown"],
  [1, "Good"],
  [2, "Fair"],
  [3, "Moderate"],
  [4, "Poor"],
  [5, "Very Poor"],
  [6, "Extremely Poor"],
]);
const AMOUNTS = new Map([
  [0, "Unknown"],
  [1, "Low"],
  [2, "Medium"],
  [3, "High"],
  [4, "Critical"],
]);
const by = (divisor: number) => (value: number) => value / divisor;
/** 10 000 · log10(lx) + 1; 0 is too dark to measure. */
const lux = (value: number) => (value === 0 ? 0 : 10 ** ((value - 1) / 10_000));

const NUMBERS: readonly NumberRow[] = [
  ["temperatureMeasurement", "measuredValue", "CLITEMP", UOM.celsius, 2, by(100)],
  ["relativeHumidityMeasurement", "measuredValue", "CLIHUM", 22, 2, by(100)],
  ["illuminanceMeasurement", "measuredValue", "LUMIN", 36, 0, lux],
  ["pressureMeasurement", "measuredValue", "ATMPRES", 31, 1, by(10)],
  ["flowMeasurement", "measuredValue", "WATERF", 39, 1, by(10)],
  ["powerSource", "batPercentRemaining", "BATLVL", UOM.percent, 0, by(2)],
];

/** Of electricity, which is a node of its own beside another function. */
const ELECTRIC: readonly NumberRow[] = [
  ["electricalPowerMeasurement", "activePower", "CPW", 73, 1, by(1000)],
  ["electricalPowerMeasurement", "voltage", "CV", 72, 1, by(1000)],
  ["electricalPowerMeasurement", "rmsVoltage", "CV", 72, 1, by(1000)],
  ["electricalPowerMeasurement", "activeCurrent", "CC", 1, 2, by(1000)],
  ["electricalPowerMeasurement", "rmsCurrent", "CC", 1, 2, by(1000)],
];

const CONCENTRATIONS: readonly (readonly [cluster: string, id: string])[] = [
  ["carbonDioxideConcentrationMeasurement", "CO2LVL"],
  ["carbonMonoxideConcentrationMeasurement", "CO"],
  ["pm25ConcentrationMeasurement", "PM25"],
  ["pm10ConcentrationMeasurement", "PM10"],
  ["totalVolatileOrganicCompoundsConcentrationMeasurement", "VOCLVL"],
  ["formaldehydeConcentrationMeasurement", "CH20"],
  ["radonConcentrationMeasurement", "RADON"],
  ["ozoneConcentrationMeasurement", "OZONE"],
];

/** By the device's number of its unit: ours, and what a value is multiplied by. */
const UNITS: readonly (readonly [uom: number, factor: number, prec: number])[] = [
  [PPM, 1, 1],
  [PPM, 0.001, 3],
  [PPM, 0.000_001, 6],
  [MICROGRAMS, 1000, 0],
  [MICROGRAMS, 1, 1],
  [MICROGRAMS, 0.001, 3],
  [56, 1, 0],
  [BECQUEREL, 1, 1],
];

const MODES: readonly (readonly [cluster: string, label: string])[] = [
  ["modeSelect", "Mode"],
  ["rvcRunMode", "Run Mode"],
  ["rvcCleanMode", "Cleaning Mode"],
  ["laundryWasherMode", "Mode"],
  ["dishwasherMode", "Mode"],
];

const VALUE_ROWS: readonly ValueRow[] = [
  ...NUMBERS.map((row) => ({ cluster: row[0], make: (facts: EndpointFacts) => only(facts, row) })),
  { cluster: "powerSource", make: lowBattery },
  { cluster: "smokeCoAlarm", make: alarmBattery },
  { cluster: "airQuality", make: () => valued(namedFeature("GV1", ["airQuality", "airQuality"], AIR, "Air Quality")) },
  ...CONCENTRATIONS.map(([cluster, id]) => ({
    cluster,
    make: (facts: EndpointFacts) => concentration(facts, cluster, id),
  })),
  ...MODES.map(([cluster, label]) => ({
    cluster,
    make: (facts: EndpointFacts, next: NextId) => mode(facts, cluster, label, next()),
  })),
];

/** The values of an endpoint beside its main function. */
export function valueParts(facts: EndpointFacts, next: NextId): readonly EndpointPart[] {
  return VALUE_ROWS.filter(({ cluster }) => facts.has(cluster)).map(({ make }) => make(facts, next));
}

/** What it says of electricity; null: nothing. */
export function electricPart(facts: EndpointFacts): (EndpointPart & { readonly category: number }) | null {
  const numbers = ELECTRIC.flatMap((row) => only(facts, row).features);
  const features = [...numbers, ...energy(facts)];
  return features.length === 0 ? null : { category: ENERGY_CATEGORY, features, commands: [] };
}

function valued(feature: EndpointFeature): EndpointPart {
  return { features: [feature], commands: [] };
}

function only(facts: EndpointFacts, [cluster, attribute, id, uom, prec, shown]: NumberRow): EndpointPart {
  if (facts.value(cluster, attribute) === undefined) return { features: [], commands: [] };
  return valued(numberFeature(id, [cluster, attribute], { uom, prec }, shown));
}

function energy(facts: EndpointFacts): readonly EndpointFeature[] {
  if (facts.value("electricalEnergyMeasurement", "cumulativeEnergyImported") === undefined) return [];
  const shape = { uom: KILOWATT_HOURS, prec: 3 } as const;
  const base = numberFeature("TPW", ["electricalEnergyMeasurement", "cumulativeEnergyImported"], shape);
  const read: EndpointFeature["read"] = ({ electricalEnergyMeasurement }) => {
    const measured = electricalEnergyMeasurement?.cumulativeEnergyImported;
    if (measured === undefined) return undefined;
    const milliwattHours = (measured as { readonly energy?: unknown } | null)?.energy;
    return typeof milliwattHours === "number" ? milliwattHours / 1_000_000 : null;
  };
  return [{ ...base, read }];
}

const LOW_BATTERY = "Battery Low";

function lowBattery(facts: EndpointFacts): EndpointPart {
  if (facts.value("powerSource", "batChargeLevel") === undefined) return { features: [], commands: [] };
  const isLow = (value: unknown) => (typeof value === "number" ? value > 0 : null);
  return valued(stateFeature("BATLOW", ["powerSource", "batChargeLevel"], isLow, FLAGGED, LOW_BATTERY));
}

function alarmBattery(facts: EndpointFacts): EndpointPart {
  if (facts.value("smokeCoAlarm", "batteryAlert") === undefined) return { features: [], commands: [] };
  const isLow = (value: unknown) => (typeof value === "number" ? value > 0 : null);
  return valued(stateFeature("BATLOW", ["smokeCoAlarm", "batteryAlert"], isLow, FLAGGED, LOW_BATTERY));
}

/** Some devices measure, others say how much it is in words. */
function concentration(facts: EndpointFacts, cluster: string, id: string): EndpointPart {
  if (!facts.has(cluster, "numericMeasurement")) return valued(namedFeature(id, [cluster, "levelValue"], AMOUNTS));
  const [uom, factor, prec] = UNITS[foreignNumber(facts.value(cluster, "measurementUnit"))] ?? [PPM, 1, 1];
  return valued(numberFeature(id, [cluster, "measuredValue"], { uom, prec }, (value) => value * factor));
}

function mode(facts: EndpointFacts, cluster: string, label: string, id: string): EndpointPart {
  const modes = modesOf(facts, cluster);
  if (modes.length === 0) return { features: [], commands: [] };
  const names = new Map(modes.map((each) => [each.mode, each.label]));
  const feature = namedFeature(id, [cluster, "currentMode"], names, label);
  const set = command(
    id,
    ({ given }) => (given === null ? null : invoke(cluster, "changeToMode", { newMode: given })),
    { editor: feature.editor, label },
  );
  return { features: [feature], commands: [set] };
}
