/**
 * Configuration of Zigbee devices: what Zigbee2MQTT exposes as such and can be set, as numbered parameters. A number stays with the
 * property of the device. Numbers with decimals are raw integers, states and lists the place of their value.
 */

import { ControllerError } from "../../errors.ts";
import { type Outcome, requireAccepted } from "../command.ts";
import type { DeviceParameter, DeviceParameters, DriverHost, KnownParameter } from "../driver.ts";
import type { Expose, Plain } from "../exposed/expose.ts";
import type { Message } from "../exposed/feature.ts";
import type { NumberedDevice } from "../exposed/numbered-devices.ts";

type Row = { readonly known: KnownParameter; readonly expose: Expose; readonly values: readonly Plain[] };
type ParameterPorts = {
  readonly host: DriverHost;
  find(address: string): NumberedDevice | null;
  ask(address: string, property: string, signal: AbortSignal): Promise<Outcome>;
  set(address: string, message: Message, signal: AbortSignal, commandId?: string): Promise<Outcome>;
};

const STORED = "parameters ";
const SETTABLE = 2;
const ASKABLE = 4;
/** Where nothing says how fine its values are. */
const DECIMALS = 2;
const DECIMALS_MAX = 4;
const RAW_MAX = 2 ** 31 - 1;

export class ZigbeeParameters implements DeviceParameters {
  readonly #ports: () => ParameterPorts | null;
  readonly #rows = new WeakMap<NumberedDevice, readonly Row[]>();
  /** What was reported of them, by device and property. */
  readonly #latest = new Map<string, Record<string, unknown>>();

  /** @param ports null: the driver knows no devices yet */
  constructor(ports: () => ParameterPorts | null) {
    this.#ports = ports;
  }

  /** The device reports this. */
  hear(device: NumberedDevice, message: Message): void {
    const ports = this.#ports();
    const rows = ports ? this.#rowsOf(ports, device) : [];
    if (rows.length === 0) return;
    const latest = this.#latest.get(device.device.id) ?? {};
    this.#latest.set(device.device.id, latest);
    for (const { expose } of rows) {
      if (Object.hasOwn(message, expose.property)) latest[expose.property] = message[expose.property];
    }
  }

  known(address: string): readonly KnownParameter[] {
    const ports = this.#ports();
    const device = ports?.find(address);
    return ports && device ? this.#rowsOf(ports, device).map(({ known }) => known) : [];
  }

  async get(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null> {
    const { ports, device, row } = this.#find(address, number);
    if (!row) return null;
    const { property, access } = row.expose;
    if ((access & ASKABLE) !== 0) {
      const outcome = await ports.ask(address, property, signal);
      requireAccepted(outcome);
    }
    const value = rawOf(row, this.#latest.get(device.device.id)?.[property]);
    if (value === null) throw new ControllerError("DEVICE_FAILED", "The device has not said this value yet.");
    return { number, size: row.known.size, value };
  }

  async set(
    address: string,
    { number, size, value }: DeviceParameter,
    signal: AbortSignal,
    commandId?: string,
  ): Promise<Outcome> {
    const { ports, row } = this.#find(address, number);
    if (!row) throw new ControllerError("PARAMETER_NOT_FOUND");
    if (size !== row.known.size) throw new ControllerError("BAD_PARAMETER_SIZE");
    const wanted = plainOf(row, value);
    if (wanted === undefined) {
      return {
        kind: "failed",
        reason: "bad-parameter",
        detail: "The device does not take this value.",
        retryable: false,
      };
    }
    return ports.set(address, { [row.expose.property]: wanted }, signal, commandId);
  }

  #find(address: string, number: number) {
    const ports = this.#ports();
    if (!ports) throw new ControllerError("DRIVER_UNAVAILABLE");
    const device = ports.find(address);
    if (!device) throw new ControllerError("NODE_NOT_FOUND");
    const row = this.#rowsOf(ports, device).find(({ known }) => known.number === number);
    return { ports, device, row: row ?? null };
  }

  #rowsOf({ host }: ParameterPorts, device: NumberedDevice): readonly Row[] {
    const made = this.#rows.get(device);
    if (made) return made;
    const exposes = device.device.exposes.filter(isParameter);
    const numbers = numbersOf(host, device.device.id, exposes);
    const rows = exposes
      .map((expose) => rowOf(expose, numbers.indexOf(expose.property) + 1))
      .toSorted((a, b) => a.known.number - b.known.number);
    this.#rows.set(device, rows);
    return rows;
  }
}

function isParameter({ type, isInternal, access, values }: Expose): boolean {
  const isOne = type === "numeric" || type === "binary" || (type === "enum" && values.length > 0);
  return isInternal && isOne && (access & SETTABLE) !== 0;
}

/** Properties in the order in which they were first seen, so that none ever gets another number. */
function numbersOf(host: DriverHost, id: string, exposes: readonly Expose[]): readonly string[] {
  const stored = host.store.get(STORED + id);
  const known = Array.isArray(stored) ? stored.map(String) : [];
  const added = exposes.map(({ property }) => property).filter((property) => !known.includes(property));
  if (added.length === 0) return known;
  const all = [...new Set([...known, ...added])];
  host.store.set(STORED + id, all);
  return all;
}

function rowOf(expose: Expose, number: number): Row {
  const { type, label, endpoint, unit, values, valueOn, valueOff, min, max, step } = expose;
  const name = endpoint === "" ? label : `${label} ${endpoint}`;
  const known = { number, name, unit, prec: 0, min: null, max: null, choices: [] };
  if (type === "numeric") {
    const prec = step === null ? DECIMALS : decimalsOf(step);
    const raw = (bound: number | null) => (bound === null ? null : bounded(Math.round(bound * 10 ** prec)));
    return { known: { ...known, size: 4, prec, min: raw(min), max: raw(max) }, expose, values: [] };
  }
  const all = type === "binary" ? [valueOff, valueOn] : values;
  const choices = all.map((value, at) => ({ value: at, name: String(value) }));
  return { known: { ...known, size: 1, choices }, expose, values: all };
}

function bounded(raw: number): number {
  return Math.max(-RAW_MAX - 1, Math.min(RAW_MAX, raw));
}

function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < DECIMALS_MAX && !Number.isInteger(Number((step * 10 ** decimals).toFixed(6)))) decimals += 1;
  return decimals;
}

/** null: the device has no such value now. */
function rawOf({ known, values }: Row, reported: unknown): number | null {
  if (values.length > 0) {
    const at = values.indexOf(reported as Plain);
    return at < 0 ? null : at;
  }
  return typeof reported === "number" && Number.isFinite(reported)
    ? bounded(Math.round(reported * 10 ** known.prec))
    : null;
}

/** undefined: it takes no such value. */
function plainOf({ known: { min, max, prec }, values }: Row, raw: number): Plain | undefined {
  if (values.length > 0) return values[raw];
  return (min === null || raw >= min) && (max === null || raw <= max) ? raw / 10 ** prec : undefined;
}
