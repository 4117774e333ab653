/**
 * The devices of the controller: which number each has, its nodes, its present values. A number stays with the identity of a device
 * for ever, so that one which is commissioned again is the same.
 */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";
import type { ReportCause } from "../report.ts";
import { sendState } from "../sensed-state.ts";
import type { ControllerEvent, PeerLink } from "./controller-messages.ts";
import type { EndpointFeature, EndpointValues } from "./feature.ts";
import { type PeerDescription, storedDescription } from "./peer-description.ts";
import { type PeerPlan, planPeer, type Unit } from "./plan-peer.ts";

export const MATTER = 15;
const INSTANCE = 1;
const DEVICE = "device ";
const NUMBERS = "numbers";
const BRIDGED = "bridgedDeviceBasicInformation";
/** Highest part of an address for an endpoint. */
const PLACE_MAX = 99_999;

/** Endpoints of units, as addresses have them: by the unit's key and endpoint. */
type Places = Readonly<Record<string, number>>;

type StoredDevice = { readonly description: PeerDescription; readonly places: Places };

type MatterNode = { readonly address: string; readonly plan: PeerPlan };

export type MatterUnit = Omit<Unit, "nodes"> & { readonly nodes: readonly MatterNode[] };

export type MatterDevice = {
  readonly number: number;
  readonly identity: string;
  readonly description: PeerDescription;
  readonly places: Places;
  readonly units: readonly MatterUnit[];
  /** By endpoint. */
  readonly values: Map<number, EndpointValues>;
  link: PeerLink | null;
  heardAtMs: number | null;
};

export type Found = { readonly device: MatterDevice; readonly unit: MatterUnit; readonly node: MatterNode };

type ValuesEvent = ControllerEvent & { readonly kind: "values" };
type OccurredEvent = ControllerEvent & { readonly kind: "occurred" };
type Occasion = { readonly cause: ReportCause; readonly commandId?: string };

export class MatterDevices {
  readonly #host: DriverHost;
  readonly #leave: (address: string) => void;
  readonly #numbers: Map<string, number>;
  readonly #byIdentity = new Map<string, MatterDevice>();
  readonly #byPeer = new Map<string, MatterDevice>();
  readonly #byAddress = new Map<string, Found>();
  readonly #removing = new Set<string>();

  /** @param leave called with the address of a node before it is gone */
  constructor(host: DriverHost, leave: (address: string) => void = () => {}) {
    this.#host = host;
    this.#leave = leave;
    const stored = host.store.get(NUMBERS);
    const numbers = isRecord(stored) ? Object.entries(stored) : [];
    this.#numbers = new Map(
      numbers.flatMap(([id, number]) => (Number.isInteger(number) ? [[id, Number(number)]] : [])),
    );
    for (const key of host.store.keys().filter((each) => each.startsWith(DEVICE))) {
      const known = host.store.get(key);
      const description = isRecord(known) ? storedDescription(known.description) : null;
      // Written by this class.
      if (description) this.#declare(key.slice(DEVICE.length), description, (known as StoredDevice).places);
    }
  }

  all(): readonly MatterDevice[] {
    return [...this.#byIdentity.values()].toSorted((one, other) => one.number - other.number);
  }

  ofPeer(peer: string): MatterDevice | null {
    return this.#byPeer.get(peer) ?? null;
  }

  find(address: string): Found | null {
    return this.#byAddress.get(address) ?? null;
  }

  /** The library's former id of a device that was commissioned anew; null: it has none. */
  formerPeer(description: PeerDescription): string | null {
    const former = this.#byIdentity.get(this.#identityOf(description))?.description.peer ?? null;
    return former === description.peer ? null : former;
  }

  /** The device as it is now. @returns it */
  put(description: PeerDescription, cause: ReportCause): MatterDevice {
    const identity = this.#identityOf(description);
    const before = this.#byIdentity.get(identity) ?? null;
    const device = this.#declare(identity, description, before?.places ?? {});
    device.link = before?.link ?? null;
    device.heardAtMs = before?.heardAtMs ?? null;
    const stored: StoredDevice = { description, places: device.places };
    if (!before || !isDeepStrictEqual(stored, { description: before.description, places: before.places })) {
      this.#host.store.set(DEVICE + identity, stored);
    }
    if (before && before.description.peer !== description.peer) this.#byPeer.delete(before.description.peer);
    this.#removeMissing(before, device);
    // Those of its nodes that are new do not show it yet.
    this.#showLinks(device);
    if (cause !== "restore") {
      device.heardAtMs = this.#host.clock.now();
      this.#reportAll(device, { cause });
    }
    return device;
  }

  /** What the device reports of an endpoint. */
  receive(event: ValuesEvent, occasion: Occasion): void {
    const { peer, endpoint: number, cluster, values } = event;
    const device = this.#byPeer.get(peer);
    if (!device) return;
    device.heardAtMs = this.#host.clock.now();
    this.keep(event);
    const merged = device.values.get(number) ?? {};
    if (cluster === BRIDGED && "reachable" in values) this.#showLinks(device);
    for (const { nodes } of device.units) {
      for (const node of nodes.filter(({ plan }) => plan.endpoints.includes(number))) {
        const changed = node.plan.features.filter(({ clusters }) => clusters.includes(cluster));
        this.#report(node, merged, changed, occasion, occasion.cause === "report");
      }
    }
  }

  /** Values that are not reported yet. */
  keep({ peer, endpoint, cluster, values }: ValuesEvent): void {
    const device = this.#byPeer.get(peer);
    const known = device?.values.get(endpoint) ?? {};
    device?.values.set(endpoint, { ...known, [cluster]: { ...known[cluster], ...values } });
  }

  /** Something happened at the device, such as a press. */
  occurred({ peer, endpoint, cluster, event, fields }: OccurredEvent): void {
    for (const { nodes } of this.#byPeer.get(peer)?.units ?? []) {
      for (const { address, plan } of nodes.filter((each) => each.plan.endpoint === endpoint)) {
        const control = plan.controlOf(cluster, event, fields);
        if (control !== null && this.#host.seen(address)?.enabled !== false) this.#host.control(address, control, 0);
      }
    }
  }

  link(device: MatterDevice, link: PeerLink): void {
    device.link = link;
    this.#showLinks(device);
  }

  /** All values of a node as they were last reported. */
  repeat({ device, node }: Found, occasion: Occasion): void {
    for (const number of node.plan.endpoints) {
      this.#report(node, device.values.get(number) ?? {}, node.plan.features, occasion, false);
    }
  }

  /** Whether it leaves because a person removes it. */
  isRemoving(device: MatterDevice): boolean {
    return this.#removing.has(device.identity);
  }

  setRemoving({ identity }: MatterDevice, is: boolean): void {
    if (is) this.#removing.add(identity);
    else this.#removing.delete(identity);
  }

  /** The device has left for good. */
  remove(device: MatterDevice): void {
    this.#host.store.delete(DEVICE + device.identity);
    this.#byIdentity.delete(device.identity);
    this.#byPeer.delete(device.description.peer);
    for (const { nodes } of device.units) this.#drop(nodes);
  }

  /** Two devices that are there at once are two, also when their makers gave them the same number. */
  #identityOf({ identity, peer }: PeerDescription): string {
    const same = this.#byIdentity.get(identity);
    const isAnother = same && same.description.peer !== peer && same.link !== null && same.link !== "lost";
    return isAnother ? `${identity} ${peer}` : identity;
  }

  #declare(identity: string, description: PeerDescription, known: Places): MatterDevice {
    const number = this.#numberOf(identity);
    const places = new Map(Object.entries(known));
    const units = planPeer(description).map((unit) => this.#place(number, unit, places));
    const before = this.#byIdentity.get(identity);
    const device: MatterDevice = {
      ...{ number, identity, description, units, places: Object.fromEntries(places), link: null, heardAtMs: null },
      values: new Map(description.endpoints.map((each) => [each.number, valuesOf(each)])),
    };
    this.#byIdentity.set(identity, device);
    this.#byPeer.set(description.peer, device);
    for (const unit of units)
      this.#declareUnit(
        device,
        unit,
        before?.units.find(({ key }) => key === unit.key),
      );
    return device;
  }

  /** The address of a node keeps the endpoint that it first had, because a bridge may number its devices anew. */
  #place(number: number, { nodes, ...unit }: Unit, places: Map<string, number>): MatterUnit {
    const addressed = nodes.map((plan) => {
      const own = `${unit.key} ${unit.endpoint === null ? plan.endpoint : plan.endpoint - unit.endpoint}`;
      const place = places.get(own) ?? freePlace(plan.endpoint, new Set(places.values()));
      places.set(own, place);
      const padded = (value: number, digits: number) => String(value).padStart(digits, "0");
      return { address: `ZM${padded(number, 5)}_${padded(place, 3)}_${plan.part}`, plan };
    });
    return { ...unit, nodes: addressed };
  }

  #declareUnit(device: MatterDevice, unit: MatterUnit, before: MatterUnit | undefined): void {
    const primary = unit.nodes[0]?.address ?? "";
    for (const node of unit.nodes) {
      const { address, plan } = node;
      this.#byAddress.set(address, { device, unit, node });
      this.#host.define(MATTER, INSTANCE, plan.definitions, true);
      this.#host.node({
        ...{ address, primary, nodeDefId: plan.nodeDefId, family: MATTER, instance: INSTANCE, type: "0.0.0.0" },
        name: nameOf(unit, node),
        ...(before ? { formerName: nameOf(before, node) } : {}),
        devtype: { generic: "0.0.0", manufacturer: "0.0.0", category: plan.category },
      });
    }
  }

  #removeMissing(before: MatterDevice | null, device: MatterDevice): void {
    const present = new Set(device.units.flatMap(({ nodes }) => nodes.map(({ address }) => address)));
    const old = before?.units.flatMap(({ nodes }) => nodes) ?? [];
    this.#drop(old.filter(({ address }) => !present.has(address)));
  }

  #drop(nodes: readonly MatterNode[]): void {
    for (const { address } of nodes.toReversed()) {
      this.#leave(address);
      this.#byAddress.delete(address);
      this.#host.gone(address);
    }
  }

  #showLinks(device: MatterDevice): void {
    const { link } = device;
    if (link === null) return;
    for (const unit of device.units) {
      const reachable = unit.endpoint === null ? true : device.values.get(unit.endpoint)?.[BRIDGED]?.reachable;
      const isLost = link === "lost" || reachable === false;
      for (const { address } of unit.nodes) {
        this.#host.link(address, isLost ? "unreachable" : link === "asleep" ? "asleep" : "online");
      }
    }
  }

  #reportAll(device: MatterDevice, occasion: Occasion): void {
    for (const unit of device.units) for (const node of unit.nodes) this.repeat({ device, unit, node }, occasion);
  }

  #report(
    node: MatterNode,
    values: EndpointValues,
    features: readonly EndpointFeature[],
    occasion: Occasion,
    isEvent: boolean,
  ): void {
    const { address, plan } = node;
    const before = this.#host.seen(address);
    if (before?.enabled === false) return;
    const heard = features.flatMap((feature) => {
      const value = feature.read(values);
      if (value === undefined) return [];
      const { id, uom, prec } = feature;
      return [{ address, id, uom, prec, value: value === null ? null : Math.round(value * 10 ** prec), ...occasion }];
    });
    this.#host.report(heard);
    const status = heard.find(({ id }) => id === "ST");
    const was = before?.properties.get("ST")?.value ?? null;
    if (isEvent && plan.isSensor && status && status.value !== was) sendState(this.#host, status);
  }

  #numberOf(identity: string): number {
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    const number = Math.max(0, ...this.#numbers.values()) + 1;
    this.#numbers.set(identity, number);
    this.#host.store.set(NUMBERS, Object.fromEntries(this.#numbers));
    return number;
  }
}

function valuesOf({ clusters }: PeerDescription["endpoints"][number]): EndpointValues {
  return Object.fromEntries(Object.entries(clusters).map(([cluster, { values }]) => [cluster, values]));
}

function freePlace(wanted: number, used: ReadonlySet<number>): number {
  let place = Math.min(wanted, PLACE_MAX);
  while (used.has(place)) place += 1;
  return place;
}

/** Further nodes of a device have its name and their number. */
function nameOf({ name, nodes }: MatterUnit, { address, plan }: MatterNode): string {
  if (nodes[0]?.address === address) return name;
  return plan.part === 1 ? `${name} ${plan.endpoint}` : `${name} ${SECOND_NAMES[plan.category] ?? plan.part}`;
}

const SECOND_NAMES: Readonly<Record<number, string>> = { 143: "Meter", 151: "Carbon Monoxide" };
