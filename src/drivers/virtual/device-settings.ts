/**
 * Settings inside of radio devices: configuration parameters, and which user codes of locks are set. The codes
 * themselves are not stored, because they must not be readable. A simulated entry of a code names its slot.
 */

import type { DeviceParameter, KnownParameter } from "../driver.ts";
import type { ServiceStore } from "../service.ts";
import type { ParameterModel } from "./device-model.ts";
import type { Unit } from "./units.ts";

export function knownParameters(unit: Unit | null): readonly KnownParameter[] {
  const models = unit?.model.parameters ?? [];
  return models.map(({ number, size, name = "", unit = "" }) => ({
    ...{ number, size, name, unit, prec: 0, min: null, max: null, choices: [] },
  }));
}

/** null = the device has no such parameter. */
export function storedParameter(store: ServiceStore, unit: Unit, number: number): DeviceParameter | null {
  const model = parameterModel(unit, number);
  if (!model) return null;
  const kept = keptNumbers(store, parametersKey(unit))[number];
  return { number, size: model.size, value: kept ?? model.value };
}

/** @param size null: as the device has it. @returns why the device does not take it, or null when it did. */
export function storeParameter(
  store: ServiceStore,
  unit: Unit,
  { number, size, value }: Omit<DeviceParameter, "size"> & { readonly size: DeviceParameter["size"] | null },
): string | null {
  const model = parameterModel(unit, number);
  if (!model) return `The device has no parameter ${number}.`;
  if (size !== null && model.size !== size) return `Parameter ${number} has ${model.size} bytes.`;
  const span = 256 ** model.size;
  if (!Number.isInteger(value) || value < -span / 2 || value >= span)
    return `The value does not fit into ${model.size} bytes.`;
  const key = parametersKey(unit);
  store.set(key, { ...keptNumbers(store, key), [number]: asRead(value, span, model) });
  return null;
}

/** A code has 4 to 10 digits, as the locks of the field take them. */
export function isUserCode(code: string): boolean {
  return /^\d{4,10}$/.test(code);
}

export function hasSlot(unit: Unit, slot: number): boolean {
  return Number.isInteger(slot) && slot >= 1 && slot <= (unit.model.codeSlots ?? 0);
}

export function markSlot(store: ServiceStore, unit: Unit, slot: number, inUse: boolean): void {
  const key = codesKey(unit);
  const others = Object.keys(keptRecord(store, key)).filter((used) => used !== String(slot));
  const used = inUse ? [...others, String(slot)] : others;
  store.set(key, Object.fromEntries(used.map((each) => [each, true])));
}

export function isSlotInUse(store: ServiceStore, unit: Unit, slot: number): boolean {
  return slot in keptRecord(store, codesKey(unit));
}

function parameterModel(unit: Unit, number: number): ParameterModel | null {
  return unit.model.parameters?.find((parameter) => parameter.number === number) ?? null;
}

/** The device keeps bytes; whether they are read as a signed number is its own affair. */
function asRead(value: number, span: number, { unsigned }: ParameterModel): number {
  const bytes = ((value % span) + span) % span;
  return unsigned || bytes < span / 2 ? bytes : bytes - span;
}

function parametersKey(unit: Unit): string {
  return `parameters ${unit.address}`;
}

function codesKey(unit: Unit): string {
  return `codes ${unit.address}`;
}

function keptRecord(store: ServiceStore, key: string): Readonly<Record<string, unknown>> {
  const kept = store.get(key);
  return typeof kept === "object" && kept !== null ? (kept as Readonly<Record<string, unknown>>) : {};
}

function keptNumbers(store: ServiceStore, key: string): Readonly<Record<string, number>> {
  return keptRecord(store, key) as Readonly<Record<string, number>>;
}
