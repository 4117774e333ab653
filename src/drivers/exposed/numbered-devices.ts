/**
 * Devices behind a bridge, of one kind: which number each has, its nodes, what they last reported. A number stays with the identity for
 * ever, so that a device which joins again is the same.
 */

import { isDeepStrictEqual } from "node:util";
import { PLUGINS } from "../../families.ts";
import { RADIO_EDITORS } from "../../profile/builtin/families-table.ts";
import type { Editor } from "../../profile/editor.ts";
import { OPENED } from "../../profile/state-shapes.ts";
import { isRecord } from "../../util/is-record.ts";
import { atOnce, type Slices } from "../../util/slices.ts";
import type { DriverHost } from "../driver.ts";
import type { NetworkTrouble } from "../network-facts.ts";
import type { PropertyReport, ReportCause } from "../report.ts";
import { sendState } from "../sensed-state.ts";
import type { ListedDevice } from "./expose.ts";
import type { Message } from "./feature.ts";
import { type ExposedPlan, plannedNodes } from "./plan-device.ts";

export const ZIGBEE = 14;
const DEVICE = "device ";
const NUMBERS = "numbers";
const NUMBER = "number ";
/** Of present and former devices. */
const NUMBERS_MAX = 20_000;

type DeviceKind = {
  readonly family: number;
  readonly instance: number;
  /** What its keys in the store begin with. */
  readonly stored: string;
  /** What the addresses of a device begin with. */
  addressOf(number: string): string;
  /** Named editors that its family does not have. */
  readonly editors: readonly Editor[];
};

const numbered = (number: string) => number.padStart(3, "0");

export const ZIGBEE_DEVICES: DeviceKind = {
  family: ZIGBEE,
  instance: 1,
  stored: "",
  addressOf: (number) => `ZB${numbered(number)}`,
  editors: [],
};

/** Devices that announce themselves. Slot 0 is no plugin's. */
export const ANNOUNCED_DEVICES: DeviceKind = {
  family: PLUGINS.id,
  instance: 0,
  stored: "announced ",
  addressOf: (number) => `n000_${numbered(number)}`,
  editors: RADIO_EDITORS.get(ZIGBEE)?.filter(({ id }) => /_(ERR|SECMD|LOCK_STS)$/.test(id)) ?? [],
};

/** Those of a Home Assistant. */
export const SUPPLIED_DEVICES: DeviceKind = {
  ...ANNOUNCED_DEVICES,
  stored: "",
  addressOf: (number) => `n000_h${numbered(number)}`,
};

export type NumberedDevice = {
  readonly number: number;
  readonly device: ListedDevice;
  readonly nodes: readonly NumberedNode[];
};
export type NumberedNode = { readonly address: string; readonly plan: ExposedPlan };
/** Since this version a stored device's open and closed are by the names of their unit. */
const STATES = 2;
type StoredDevice = ListedDevice & { readonly states?: number };
type Occasion = Pick<PropertyReport, "cause" | "commandId" | "origin">;

export class NumberedDevices {
  readonly #host: DriverHost;
  readonly #kind: DeviceKind;
  readonly #byId = new Map<string, NumberedDevice>();
  readonly #byTopic = new Map<string, NumberedDevice>();
  readonly #byAddress = new Map<string, { readonly device: NumberedDevice; readonly node: NumberedNode }>();
  /** Of devices that have left too: one that joins again is the same. */
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;
  /** When each device was heard last, by its identity. */
  readonly #heardAtMs = new Map<string, number>();
  /** Whether each could be reached when something was last said of it, by its identity. */
  readonly #reached = new Map<string, boolean>();
  /** When devices that are still in the home left the network, by their identities. */
  readonly #left = new Map<string, number>();
  #isAway = false;

  constructor(host: DriverHost, kind: DeviceKind) {
    this.#host = host;
    this.#kind = kind;
    if (kind.editors.length > 0) host.define(kind.family, kind.instance, { editors: kind.editors }, true);
    this.#moveNumbers();
    const begin = kind.stored + NUMBER;
    for (const key of host.store.keys()) {
      const number = key.startsWith(begin) ? host.store.get(key) : null;
      if (typeof number === "number") this.#numbers.set(key.slice(begin.length), number);
    }
    for (const number of this.#numbers.values()) this.#lastNumber = Math.max(this.#lastNumber, number);
  }

  /** Earlier versions stored all numbers as one value. */
  #moveNumbers(): void {
    const { store } = this.#host;
    const key = this.#kind.stored + NUMBERS;
    const numbers = store.get(key);
    if (!isRecord(numbers)) return;
    for (const [id, number] of Object.entries(numbers)) store.set(this.#kind.stored + NUMBER + id, number);
    store.delete(key);
  }

  /** Those of earlier runs, one a slice; the home has their last values. Comes first. */
  *load(): Slices<void> {
    for (const key of this.#host.store.keys().filter((each) => each.startsWith(this.#kind.stored + DEVICE))) {
      // Written by this class.
      const { states, ...device } = this.#host.store.get(key) as StoredDevice;
      const { nodes } = yield* this.#declare(device);
      // In one turn of the event loop, so that the values and the mark are in one transaction.
      if (states !== STATES) {
        for (const node of nodes) this.#turn(node);
        this.#keep(device);
      }
      yield;
    }
  }

  all(): readonly NumberedDevice[] {
    return [...this.#byId.values()].toSorted((a, b) => a.number - b.number);
  }

  nodes(): readonly NumberedNode[] {
    return this.all().flatMap(({ nodes }) => nodes);
  }

  get nodeCount(): number {
    return this.#byAddress.size;
  }

  ofTopic(topic: string): NumberedDevice | null {
    return this.#byTopic.get(topic) ?? null;
  }

  find(address: string): { readonly device: NumberedDevice; readonly node: NumberedNode } | null {
    return this.#byAddress.get(address) ?? null;
  }

  /** The bridge lists these now, one a slice; null: what is no device. One that it does not list any more stays, and cannot be reached. */
  *adopt(listed: Iterable<ListedDevice | null>, max: number): Slices<void> {
    const present = new Set<string>();
    let ignored = 0;
    for (const device of listed) {
      if (device && present.size >= max) ignored += 1;
      else if (device) {
        present.add(device.id);
        if (device.isInterviewed) yield* this.put(device);
      }
      yield;
    }
    if (ignored > 0) this.#host.log.warn("Zigbee2MQTT lists more devices than are taken.", { ignored, taken: max });
    for (const each of this.all()) if (!present.has(each.device.id)) this.leave(each);
  }

  /** The device as it is now: it may be as it was, because all are listed again whenever one changes. */
  *put(device: ListedDevice): Slices<void> {
    if (isDeepStrictEqual(this.#byId.get(device.id)?.device, device)) return;
    yield;
    this.#keep(device);
    yield* this.#declare(device);
  }

  ofId(id: string): NumberedDevice | null {
    return this.#byId.get(id) ?? null;
  }

  /** The device has left for good. */
  remove({ device, nodes }: NumberedDevice): void {
    this.#host.store.delete(this.#kind.stored + DEVICE + device.id);
    for (const known of [this.#byId, this.#reached, this.#left]) known.delete(device.id);
    this.#byTopic.delete(device.topic);
    for (const { address } of nodes.toReversed()) {
      this.#byAddress.delete(address);
      this.#host.gone(address);
    }
  }

  heardAtMs(id: string): number | null {
    return this.#heardAtMs.get(id) ?? null;
  }

  reach(device: NumberedDevice, isReached: boolean, cause: ReportCause = "report"): void {
    const { id } = device.device;
    this.#reached.set(id, isReached);
    if (isReached && cause !== "restore") this.#left.delete(id);
    // What the broker has kept is from before the bridge went away.
    if (!isReached || !this.#isAway || cause !== "restore") this.#show(device, isReached);
  }

  /** It has left the network by itself, and stays in the home, unreachable, until its owner removes it. */
  leave(device: NumberedDevice): void {
    const { id, topic } = device.device;
    if (!this.#left.has(id)) {
      this.#left.set(id, this.#host.clock.now());
      this.#host.log.warn("A Zigbee device has left the network. Pair it again, or remove it.", { device: topic });
    }
    this.reach(device, false);
  }

  /** Devices that have left, for the owner. */
  findings(): readonly NetworkTrouble[] {
    return [...this.#left].flatMap(([id, atMs]) => {
      const device = this.ofId(id);
      const address = device?.nodes[0]?.address ?? null;
      return device ? [{ atMs, address, detail: "It has left the network. Pair it again, or remove it." }] : [];
    });
  }

  /** The bridge is stopped, or back: then each is as it was when something was last said of it. */
  setAway(isAway: boolean): void {
    if (this.#isAway === isAway) return;
    this.#isAway = isAway;
    for (const each of this.all()) this.#show(each, !isAway && this.#reached.get(each.device.id) !== false);
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  #show({ nodes }: NumberedDevice, isReached: boolean): void {
    for (const { address } of nodes) this.#host.link(address, isReached ? "online" : "unreachable");
  }

  /** What the message says of each node. @param isEvent changes of sensors and presses are controls too */
  receive(device: NumberedDevice, message: Message, occasion: Occasion, isEvent: boolean): void {
    atOnce(this.receiveInSlices(device, message, occasion, isEvent));
  }

  /** A node a slice. */
  *receiveInSlices(
    { device, nodes }: NumberedDevice,
    message: Message,
    occasion: Occasion,
    isEvent: boolean,
  ): Slices<void> {
    if (occasion.cause !== "restore") this.#heardAtMs.set(device.id, this.#host.clock.now());
    for (const { address, plan } of nodes) {
      yield;
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
      if (state && state.value !== was) sendState(this.#host, state);
      const pressed = typeof message.action === "string" ? plan.controlOf(message.action) : null;
      if (pressed) this.#host.control(address, pressed, 0);
    }
  }

  /** A node a slice. */
  *#declare(device: ListedDevice): Slices<NumberedDevice> {
    const number = this.#numberOf(device.id);
    const before = this.#byId.get(device.id);
    // Another device may have its former topic by now.
    if (before && this.#byTopic.get(before.device.topic) === before) this.#byTopic.delete(before.device.topic);
    const { family, instance, addressOf } = this.#kind;
    const prefix = addressOf(String(number));
    const nodes: NumberedNode[] = [];
    for (const plan of plannedNodes(device)) {
      nodes.push({ address: `${prefix}_${plan.part}`, plan });
      yield;
    }
    const made: NumberedDevice = { number, device, nodes };
    this.#byId.set(device.id, made);
    this.#byTopic.set(device.topic, made);
    for (const node of nodes) {
      const { address, plan } = node;
      this.#byAddress.set(address, { device: made, node });
      this.#host.define(family, instance, plan.definitions, true);
      const name = nameOf(device, plan);
      const former = before ? { formerName: nameOf(before.device, plan) } : {};
      this.#host.node({
        address,
        name,
        ...former,
        nodeDefId: plan.nodeDefId,
        family,
        instance,
        type: "0.0.0.0",
        primary: `${prefix}_1`,
        ...(device.room && { room: device.room }),
        devtype: { generic: "0.0.0", manufacturer: "0.0.0", category: plan.category },
      });
      yield;
    }
    for (const { address } of before?.nodes.slice(nodes.length) ?? []) {
      this.#byAddress.delete(address);
      this.#host.gone(address);
    }
    return made;
  }

  #keep(device: ListedDevice): void {
    const stored: StoredDevice = { ...device, states: STATES };
    this.#host.store.set(this.#kind.stored + DEVICE + device.id, stored);
  }

  /** A version before this one had open and closed turned round. */
  #turn({ address }: NumberedNode): void {
    const known = [...(this.#host.seen(address)?.properties.values() ?? [])].filter(({ uom }) => uom === OPENED.uom);
    const [open, closed] = [OPENED.numberOf(true), OPENED.numberOf(false)];
    const turned = new Map([
      [open, closed],
      [closed, open],
    ]);
    this.#host.report(
      known.flatMap(({ id, value, uom, prec }) => {
        const now = value === null ? undefined : turned.get(value);
        return now === undefined ? [] : [{ address, id, value: now, uom, prec, cause: "restore" as const }];
      }),
    );
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    if (this.#numbers.size >= NUMBERS_MAX) this.#forgetOldest();
    this.#lastNumber += 1;
    this.#numbers.set(id, this.#lastNumber);
    this.#host.store.set(this.#kind.stored + NUMBER + id, this.#lastNumber);
    return this.#lastNumber;
  }

  /** Of the devices that have left. */
  #forgetOldest(): void {
    for (const id of this.#numbers.keys()) {
      if (this.#byId.has(id)) continue;
      this.#numbers.delete(id);
      this.#host.store.delete(this.#kind.stored + NUMBER + id);
      return;
    }
  }
}

function nameOf({ topic }: ListedDevice, { part, endpoint }: ExposedPlan): string {
  return part === 1 ? topic : `${topic} ${endpoint}`;
}
