/**
 * The Zigbee devices of the bridge: which number each has, its nodes, what they last reported. A number stays with the IEEE
 * address for ever, so that a device which joins again is the same.
 */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../util/is-record.ts";
import type { Slices } from "../../util/slices.ts";
import type { DriverHost } from "../driver.ts";
import type { ReportCause } from "../report.ts";
import { type BridgeDevice, bridgeDevice } from "./bridge-device.ts";
import type { Message } from "./feature.ts";
import { type NodePlan, planDevice } from "./plan-device.ts";

export const ZIGBEE = 14;
const INSTANCE = 1;
const DEVICE = "device ";
const NUMBERS = "numbers";
const HEALTH = { id: "ERR", uom: 25, prec: 0 } as const;

export type ZigbeeDevice = {
  readonly number: number;
  readonly device: BridgeDevice;
  readonly nodes: readonly ZigbeeNode[];
};
export type ZigbeeNode = { readonly address: string; readonly plan: NodePlan };
type Occasion = { readonly cause: ReportCause; readonly commandId?: string };

export class ZigbeeDevices {
  readonly #host: DriverHost;
  readonly #byIeee = new Map<string, ZigbeeDevice>();
  readonly #byTopic = new Map<string, ZigbeeDevice>();
  readonly #byAddress = new Map<string, { readonly device: ZigbeeDevice; readonly node: ZigbeeNode }>();
  readonly #numbers: Map<string, number>;
  /** When each device was heard last, by its IEEE address. */
  readonly #heardAtMs = new Map<string, number>();

  constructor(host: DriverHost) {
    this.#host = host;
    const stored = host.store.get(NUMBERS);
    const numbers = isRecord(stored) ? Object.entries(stored) : [];
    this.#numbers = new Map(
      numbers.flatMap(([ieee, number]) => (Number.isInteger(number) ? [[ieee, Number(number)]] : [])),
    );
    for (const key of host.store.keys().filter((each) => each.startsWith(DEVICE))) {
      // Written by this class.
      this.#declare(host.store.get(key) as BridgeDevice);
    }
    for (const { address, plan } of this.nodes()) this.#restore(address, plan);
  }

  all(): readonly ZigbeeDevice[] {
    return [...this.#byIeee.values()].toSorted((a, b) => a.number - b.number);
  }

  nodes(): readonly ZigbeeNode[] {
    return this.all().flatMap(({ nodes }) => nodes);
  }

  ofTopic(topic: string): ZigbeeDevice | null {
    return this.#byTopic.get(topic) ?? null;
  }

  find(address: string): { readonly device: ZigbeeDevice; readonly node: ZigbeeNode } | null {
    return this.#byAddress.get(address) ?? null;
  }

  /** The bridge lists these now, one a slice. A device that it does not list any more stays, and cannot be reached. */
  *adopt(listed: Iterable<unknown>, max: number): Slices<void> {
    const present = new Set<string>();
    let ignored = 0;
    for (const item of listed) {
      const device = bridgeDevice(item);
      if (device && present.size >= max) ignored += 1;
      else if (device) {
        present.add(device.ieee);
        // The bridge lists all of them again whenever one changes.
        const isNew = !isDeepStrictEqual(this.#byIeee.get(device.ieee)?.device, device);
        if (isNew && device.isInterviewed) {
          this.#host.store.set(DEVICE + device.ieee, device);
          this.#declare(device);
        }
      }
      yield;
    }
    if (ignored > 0) this.#host.log.warn("Zigbee2MQTT lists more devices than are taken.", { ignored, taken: max });
    for (const each of this.all()) if (!present.has(each.device.ieee)) this.reach(each, false);
  }

  /** The device has left the network for good. */
  remove({ device, nodes }: ZigbeeDevice): void {
    this.#host.store.delete(DEVICE + device.ieee);
    this.#byIeee.delete(device.ieee);
    this.#byTopic.delete(device.topic);
    for (const { address } of nodes.toReversed()) {
      this.#byAddress.delete(address);
      this.#host.gone(address);
    }
  }

  heardAtMs(ieee: string): number | null {
    return this.#heardAtMs.get(ieee) ?? null;
  }

  reach({ nodes }: ZigbeeDevice, isReached: boolean, cause: ReportCause = "report"): void {
    for (const { address } of nodes) {
      this.#host.link(address, isReached ? "online" : "unreachable");
      const value = isReached ? 0 : 1;
      if (this.#host.seen(address)?.properties.get(HEALTH.id)?.value === value) continue;
      this.#host.report([{ address, ...HEALTH, value, cause }]);
    }
  }

  /** What the message says of each node. @param isEvent changes of sensors and presses are controls too */
  receive({ device, nodes }: ZigbeeDevice, message: Message, occasion: Occasion, isEvent: boolean): void {
    if (occasion.cause !== "restore") this.#heardAtMs.set(device.ieee, this.#host.clock.now());
    for (const { address, plan } of nodes) {
      const before = this.#host.seen(address);
      if (before?.enabled === false) continue;
      const heard = plan.features.flatMap((feature) => {
        const value = feature.read(message);
        if (value === undefined) return [];
        const { id, uom, prec } = feature;
        return [{ address, id, uom, prec, value: value === null ? null : Math.round(value * 10 ** prec), ...occasion }];
      });
      this.#host.report(heard);
      if (!isEvent) continue;
      const state = heard.find(({ id }) => id === plan.sensed?.id);
      const was = before?.properties.get("ST")?.value ?? null;
      if (state && state.value !== null && state.value !== was) {
        this.#host.control(address, state.value > 0 ? "DON" : "DOF", 0);
      }
      const pressed = typeof message.action === "string" ? plan.controlOf(message.action) : null;
      if (pressed) this.#host.control(address, pressed, 0);
    }
  }

  #declare(device: BridgeDevice): void {
    const number = this.#numberOf(device.ieee);
    const before = this.#byIeee.get(device.ieee);
    // Another device may have its former topic by now.
    if (before && this.#byTopic.get(before.device.topic) === before) this.#byTopic.delete(before.device.topic);
    const prefix = `ZB${String(number).padStart(3, "0")}`;
    const nodes = planDevice(device).map((plan) => ({ address: `${prefix}_${plan.part}`, plan }));
    const made: ZigbeeDevice = { number, device, nodes };
    this.#byIeee.set(device.ieee, made);
    this.#byTopic.set(device.topic, made);
    for (const node of nodes) {
      const { address, plan } = node;
      this.#byAddress.set(address, { device: made, node });
      this.#host.define(ZIGBEE, INSTANCE, plan.definitions, true);
      const name = nameOf(device, plan);
      const former = before ? { formerName: nameOf(before.device, plan) } : {};
      this.#host.node({
        address,
        name,
        ...former,
        nodeDefId: plan.nodeDefId,
        family: ZIGBEE,
        instance: INSTANCE,
        type: "0.0.0.0",
        primary: `${prefix}_1`,
        devtype: { generic: "0.0.0", manufacturer: "0.0.0", category: plan.category },
      });
    }
    for (const { address } of before?.nodes.slice(nodes.length) ?? []) this.#host.gone(address);
  }

  /** Values from before the start are not new. */
  #restore(address: string, plan: NodePlan): void {
    const known = this.#host.seen(address)?.properties;
    const ids = new Set([HEALTH.id, ...plan.features.map(({ id }) => id)]);
    const kept = [...(known?.values() ?? [])].filter(({ id }) => ids.has(id));
    this.#host.report(kept.map(({ id, value, uom, prec }) => ({ address, id, value, uom, prec, cause: "restore" })));
  }

  #numberOf(ieee: string): number {
    const known = this.#numbers.get(ieee);
    if (known !== undefined) return known;
    const number = Math.max(0, ...this.#numbers.values()) + 1;
    this.#numbers.set(ieee, number);
    this.#host.store.set(NUMBERS, Object.fromEntries(this.#numbers));
    return number;
  }
}

function nameOf({ topic }: BridgeDevice, { part, endpoint }: NodePlan): string {
  return part === 1 ? topic : `${topic} ${endpoint}`;
}
