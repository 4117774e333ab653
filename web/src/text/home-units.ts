/** Temperatures in the unit of the home, whatever unit a device reports them in. */

import type { Node, Property } from "@domovoi/client";

type Units = "metric" | "us";

/** Units of the interface: °C, °F, the device's own degrees, half degrees. */
const [CELSIUS, FAHRENHEIT, OWN, HALF] = ["4", "17", "14", "101"] as const;
const TEMPERATURES: ReadonlySet<string> = new Set<string>([CELSIUS, FAHRENHEIT, OWN, HALF]);
/** Values of the property in which a device names its unit. */
const UNIT_PROPERTY = "UOM";
const IN_CELSIUS = "1";

let units: Units = "metric";

export function homeUnits(): Units {
  return units;
}

/** @returns whether they were others before */
export function setUnits(of: Units): boolean {
  const isNew = units !== of;
  units = of;
  return isNew;
}

export function isTemperature({ uom, value }: Property): boolean {
  return isTemperatureUnit(uom) && value !== "";
}

/** null without a value. */
export function temperatureOf(node: Node, id: string): number | null {
  const property = node.properties.get(id);
  const value = node.value(id);
  if (!property || value === null) return null;
  return toHomeUnit(node, property.uom, value);
}

/** @param value as the client library shows it, in a unit of temperatures */
export function toHomeUnit(node: Node, uom: string, value: number): number {
  return toHome(uom === HALF ? value / 2 : value, unitOf(node, uom));
}

export function isTemperatureUnit(uom: string): boolean {
  return TEMPERATURES.has(uom);
}

/** @param uom of the property that is written @param value in the unit of the home */
export function toDevice(node: Node, uom: string, value: number): number {
  const unit = unitOf(node, uom);
  if (unit === units) return value;
  return unit === "us" ? fahrenheit(value) : celsius(value);
}

/** Steps of a set-point: whole degrees Fahrenheit, halves of a degree Celsius. */
export function temperatureStep(): number {
  return units === "us" ? 1 : 0.5;
}

function unitOf(node: Node, uom: string): Units {
  if (uom === FAHRENHEIT) return "us";
  if (uom === CELSIUS) return "metric";
  const own = node.properties.get(UNIT_PROPERTY)?.value;
  return own === undefined || own === "" ? units : own === IN_CELSIUS ? "metric" : "us";
}

function toHome(value: number, unit: Units): number {
  if (unit === units) return value;
  return units === "us" ? fahrenheit(value) : celsius(value);
}

const fahrenheit = (value: number) => (value * 9) / 5 + 32;
const celsius = (value: number) => ((value - 32) * 5) / 9;
