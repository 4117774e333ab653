/** The devices that the modem is linked with: their products and last values, stored over restarts, reported to the host. */

import { WIRED } from "../../../families.ts";
import { UOM } from "../../../profile/uom.ts";
import { isRecord } from "../../../util/is-record.ts";
import type { DriverHost } from "../../driver.ts";
import type { ReportCause } from "../../report.ts";
import type { DeviceId } from "../line/messages.ts";
import { type DeviceNode, hasHeartbeat, isOnBattery, isX10, nodesOf, type Product, typeOf } from "./products.ts";
import type { Values } from "./status.ts";

export type Device = {
  readonly id: DeviceId;
  readonly product: Product;
  readonly nodes: readonly DeviceNode[];
  readonly isOnBattery: boolean;
};

export type Occasion = {
  readonly cause: ReportCause;
  readonly commandId?: string | undefined;
  /** Only values that differ from the last ones. */
  readonly changesOnly?: boolean;
};

const INSTANCE = 1;
const DEVICE = "device ";
const VALUES = "values ";
/** When a sensor with heartbeats sent something. */
const HEARD = "heard ";
/** How exactly that is stored. */
const HEARD_STEP_MS = 3_600_000;
/** A day, with the hour that a heartbeat may be late. */
const HEARTBEAT_MS = 25 * 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  OL: UOM.level,
  RR: UOM.index,
  CLISPH: UOM.halfDegrees,
  CLISPC: UOM.halfDegrees,
  CLIMD: 98,
  CLIFS: 99,
  CLIHUM: 22,
  CLIHCS: 66,
};

export class DeviceBook {
  readonly #host: DriverHost;
  readonly #devices = new Map<DeviceId, Device>();
  readonly #byAddress = new Map<string, { readonly device: Device; readonly node: DeviceNode }>();
  readonly #unreachable = new Set<DeviceId>();

  constructor(host: DriverHost) {
    this.#host = host;
  }

  /** Declares the devices of the last run with their last values. */
  declareStored(): void {
    const { store } = this.#host;
    // Versions before stored the values here too.
    for (const key of store.keys().filter((name) => name.startsWith(VALUES))) store.delete(key);
    for (const key of store.keys().filter((name) => name.startsWith(DEVICE))) {
      const product = readProduct(store.get(key));
      if (product) this.#declare(key.slice(DEVICE.length), product);
    }
  }

  /** @returns null for a product without nodes. */
  add(id: DeviceId, product: Product): Device | null {
    this.#host.store.set(DEVICE + id, product);
    return this.#declare(id, product);
  }

  /** The device was removed, and its nodes with it. */
  remove(id: DeviceId): void {
    const device = this.#devices.get(id);
    this.#devices.delete(id);
    this.#unreachable.delete(id);
    for (const key of [DEVICE, HEARD]) this.#host.store.delete(key + id);
    for (const { address } of device?.nodes.toReversed() ?? []) {
      this.#byAddress.delete(address);
      this.#host.gone(address);
    }
  }

  find(address: string): { readonly device: Device; readonly node: DeviceNode } | null {
    return this.#byAddress.get(address) ?? null;
  }

  device(id: DeviceId): Device | null {
    return this.#devices.get(id) ?? null;
  }

  devices(): readonly Device[] {
    return [...this.#devices.values()];
  }

  /** It did not answer the last time. */
  isUnreachable(id: DeviceId): boolean {
    return this.#unreachable.has(id);
  }

  /** Raw value; null without one. */
  known(address: string, property: string): number | null {
    return this.#host.seen(address)?.properties.get(property)?.value ?? null;
  }

  control(node: DeviceNode, control: string): void {
    this.#host.control(node.address, control, 0);
  }

  report({ address, role, properties }: DeviceNode, values: Values, occasion: Occasion): void {
    const { cause, commandId, changesOnly = false } = occasion;
    const reported = Object.entries(values)
      .filter(([id]) => properties.has(id))
      .filter(([id, value]) => !changesOnly || this.known(address, id) !== value);
    if (reported.length === 0) return;
    const command = commandId === undefined ? {} : { commandId };
    this.#host.report(
      reported.map(([id, value]) => ({ address, id, value, uom: unitOf(id, role), prec: 0, cause, ...command })),
    );
  }

  /** A message of the device arrived. */
  reached(device: Device): void {
    const link = device.isOnBattery ? "asleep" : "online";
    for (const { address } of device.nodes) this.#host.link(address, link);
    this.#unreachable.delete(device.id);
    const nowMs = this.#host.clock.now();
    if (!hasHeartbeat(device.product) || nowMs - this.#heardAtMs(device.id) < HEARD_STEP_MS) return;
    this.#host.store.set(HEARD + device.id, nowMs);
  }

  /** Sensors that have sent nothing for longer than a day, although they do so every day. */
  markMissing(): void {
    const nowMs = this.#host.clock.now();
    for (const device of this.#devices.values()) {
      if (!hasHeartbeat(device.product) || nowMs - this.#heardAtMs(device.id) < HEARTBEAT_MS) continue;
      for (const { address } of device.nodes) this.#host.link(address, "unreachable");
      if (this.#unreachable.has(device.id)) continue;
      this.#unreachable.add(device.id);
      this.#host.log.warn(
        "A sensor that sends something every day was silent for more than a day. Its battery may be empty.",
        {
          device: device.id,
        },
      );
    }
  }

  /** The first look counts as a message. */
  #heardAtMs(id: DeviceId): number {
    const stored = this.#host.store.get(HEARD + id);
    if (typeof stored === "number") return stored;
    this.#host.store.set(HEARD + id, this.#host.clock.now());
    return this.#host.clock.now();
  }

  /** That a device on a battery sleeps is no failure. */
  unreached(device: Device): void {
    for (const { address } of device.nodes) {
      this.#host.link(address, device.isOnBattery ? "asleep" : "unreachable");
    }
    if (device.isOnBattery) return;
    this.#unreachable.add(device.id);
  }

  #declare(id: DeviceId, product: Product): Device | null {
    const nodes = nodesOf(id, product);
    if (!nodes) return null;
    const device: Device = { id, product, nodes, isOnBattery: isOnBattery(product) };
    const primary = nodes[0]?.address ?? id;
    this.#devices.set(id, device);
    for (const node of nodes) {
      const { address, name, nodeDefId } = node;
      this.#byAddress.set(address, { device, node });
      const type = typeOf(product);
      this.#host.node({ address, name, nodeDefId, family: WIRED.id, instance: INSTANCE, type, primary, devtype: null });
      if (device.isOnBattery) this.#host.link(address, "asleep");
      // It never answers, and so it cannot be found missing.
      if (isX10(product)) this.#host.link(address, "online");
    }
    return device;
  }
}

function unitOf(property: string, role: DeviceNode["role"]): number {
  if (property === "ST") return role === "thermostat" ? UOM.halfDegrees : UOM.level;
  return UNITS[property] ?? UOM.none;
}

function readProduct(stored: unknown): Product | null {
  if (!isRecord(stored)) return null;
  const { category, subcategory, firmware, engine, isNoted } = stored;
  if (engine !== "i1" && engine !== "i2" && engine !== "i2CS") return null;
  const numbers = [category, subcategory, firmware].map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= 255)) return null;
  const [first = 0, second = 0, third = 0] = numbers;
  const product = { category: first, subcategory: second, firmware: third, engine } as const;
  return isNoted === true ? { ...product, isNoted } : product;
}
