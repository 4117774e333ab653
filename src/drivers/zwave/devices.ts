/**
 * Declares the devices of an adapter: each is planned after its interview and declared with its nodes. From then on
 * every value that it sends becomes a report.
 */

import type { LinkState } from "../../home/nodes.ts";
import { isActive } from "../../profile/status-words.ts";
import type { Timer } from "../../util/clock.ts";
import type { PropertyReport, ReportCause } from "../report.ts";
import { formatAddress, parseAddress } from "./addresses.ts";
import { Attribution } from "./attribution.ts";
import { DECLARED_KEY, type DeclaredNode, type DeclaredNodes, declaredBefore } from "./declared-before.ts";
import { isReadable, nodeSpecOf, readingOf } from "./facts.ts";
import type { ZWaveDevice } from "./library.ts";
import { keyText, type ValueKey, type ValueMetadata } from "./plan/device-view.ts";
import type { Reading } from "./plan/kinds.ts";
import { nodeShapeOf } from "./plan/nodedef-of-plan.ts";
import { type NodePlan, type PropertyPlan, planDevice } from "./plan/plan-device.ts";
import type { RunningRadio } from "./radio.ts";
import { readDevice } from "./read-device.ts";
import type { Shapes } from "./stored-shapes.ts";

export type FoundNode = { readonly address: string; readonly device: ZWaveDevice; readonly plan: NodePlan };

type Known = {
  /** The interview was over when it was planned. */
  readonly isComplete: boolean;
  readonly nodes: readonly { readonly address: string; readonly plan: NodePlan; readonly shapeId: string }[];
  readonly byValue: ReadonlyMap<string, { readonly address: string; readonly property: PropertyPlan }>;
};

/** A value change as the library reports it. Without an endpoint it belongs to the device itself. */
export type ValueChange = Omit<ValueKey, "endpoint" | "propertyKey"> & {
  readonly endpoint?: number | undefined;
  readonly propertyKey?: string | number | undefined;
  readonly newValue?: unknown;
  readonly prevValue?: unknown;
};

/** A device sends new values in a burst; it is planned after the burst. */
const REPLAN_MS = 500;

export class Devices {
  readonly attribution: Attribution;
  readonly #radio: RunningRadio;
  readonly #known = new Map<number, Known>();
  readonly #found = new Map<string, FoundNode>();
  /** The declared name of each node, from now or before the start. */
  readonly #declared: Map<string, DeclaredNode>;
  /** Devices in whose place another one is. */
  readonly #replaced = new Set<number>();
  /** Nodes that their devices have no longer, as the log says. */
  readonly #lost = new Set<string>();
  /** Devices whose interview was given up. */
  readonly #unasked = new Set<number>();
  readonly #shapes: Shapes;
  readonly #pressed: (address: string, control: string) => void;
  readonly #replans = new Map<number, Timer>();

  /** @param pressed receives each command that a device sends, before the home does. */
  constructor(radio: RunningRadio, shapes: Shapes, pressed: (address: string, control: string) => void) {
    this.#radio = radio;
    this.#pressed = pressed;
    this.#shapes = shapes;
    this.attribution = new Attribution(() => radio.host.clock.elapsed());
    this.#declared = declaredBefore(radio.host.store, radio.stack.controller.homeId ?? 0);
  }

  /**
   * Declares every device of the adapter with its last known state, and reports devices that were removed elsewhere
   * as gone.
   */
  declareAll(): void {
    const { stack, host } = this.#radio;
    const devices = [...stack.controller.nodes.values()].filter((device) => !device.isControllerNode);
    for (const address of [...this.#declared.keys()]) {
      if (devices.some(({ id }) => id === parseAddress(this.#radio.family, address)?.nodeId)) continue;
      this.#declared.delete(address);
      host.gone(address);
    }
    for (const device of devices) this.#tell(device, "restore");
    this.#keepDeclared();
    if (devices.every(({ id }) => this.#known.get(id)?.isComplete)) {
      this.#shapes.retain(new Set([...this.#declared.values()].map(({ shapeId }) => shapeId)));
    }
  }

  /** A device known from the last run brings nothing new with its first message. */
  ready(device: ZWaveDevice): void {
    if (this.#known.get(device.id)?.isComplete) this.reportLink(device);
    else this.tell(device, "query");
  }

  /** A stage of its interview is over. */
  learned(device: ZWaveDevice): void {
    if (!this.#known.has(device.id)) this.tell(device, "report");
  }

  /** Its interview begins, or was given up after many attempts. */
  interview(device: ZWaveDevice, goesOn: boolean): void {
    if (goesOn) this.#unasked.delete(device.id);
    else this.#unasked.add(device.id);
    this.reportLink(device);
  }

  /** Plans a device again, and declares its nodes and their state. */
  tell(device: ZWaveDevice, cause: ReportCause): void {
    this.#tell(device, cause);
    this.#keepDeclared();
  }

  #tell(device: ZWaveDevice, cause: ReportCause): void {
    // The name of a device contains its kind, so the device is not declared before the kind is known.
    if (device.isControllerNode || !device.deviceClass) return;
    const { host, family } = this.#radio;
    const view = readDevice(device);
    const plans = planDevice(view);
    const nodes = plans.map((plan) => ({
      address: this.#address(device.id, plan.endpoint, plan.part),
      plan,
      shapeId: this.#shapes.define(nodeShapeOf(plan, family)),
    }));
    for (const { address, plan, shapeId } of nodes) {
      this.#found.set(address, { address, device, plan });
      this.#lost.delete(address);
      const endpoint = view.endpoints.find(({ index }) => index === plan.endpoint);
      const formerName = this.#declared.get(address)?.name;
      const spec = nodeSpecOf({ family, device, plan, plans, address, nodeDefId: shapeId, endpoint, formerName });
      this.#declared.set(address, { name: spec.name, shapeId });
      host.node(spec);
    }
    const isComplete = device.interviewStage === this.#radio.library.InterviewStage.Complete;
    this.#known.set(device.id, { nodes, byValue: byValue(nodes), isComplete });
    if (isComplete) this.#settleMissing(device.id, nodes);
    this.reportLink(device);
    host.report(nodes.flatMap(({ address, plan }) => this.#reportsOf(device, address, plan, cause)));
  }

  reportLink(device: ZWaveDevice): void {
    const { host } = this.#radio;
    const link = this.#linkOf(device);
    const nodes = this.#known.get(device.id)?.nodes ?? [];
    for (const { address } of nodes) host.link(address, link);
  }

  gone(nodeId: number): void {
    this.#replans.get(nodeId)?.cancel();
    this.#replans.delete(nodeId);
    this.#forget(this.#reportedOf(nodeId).reverse());
    this.#known.delete(nodeId);
    this.#keepDeclared();
  }

  /** Another device is under this number from now on; it takes the nodes that it has too. */
  replaced(nodeId: number): void {
    this.#replaced.add(nodeId);
  }

  find(address: string): FoundNode | null {
    return this.#found.get(address) ?? null;
  }

  /** The node that shows a part of a device, or null. */
  nodeOf(nodeId: number, endpoint: number, part: number): FoundNode | null {
    return this.find(this.#address(nodeId, endpoint, part));
  }

  /** The nodes of one endpoint of a device. */
  nodesAt(nodeId: number, endpoint: number): readonly FoundNode[] {
    const nodes = this.#known.get(nodeId)?.nodes ?? [];
    return nodes.flatMap(({ address, plan }) => (plan.endpoint === endpoint ? (this.find(address) ?? []) : []));
  }

  /** A value that was not there before, or is not there any more: the device may be another one by it. */
  valueAppeared(device: ZWaveDevice, change: ValueChange): void {
    if (this.#shownBy(device, change)) this.valueChanged(device, change);
    else if (device.ready) this.replanLater(device);
  }

  /** A new value of a device. Most devices also send values that no node shows. */
  valueChanged(device: ZWaveDevice, change: ValueChange): void {
    const key = keyText(change);
    const shown = this.#shownBy(device, change);
    if (!shown) return;
    const { address, property } = shown;
    const unit = unitOf(device, property);
    if (!isReadable(property, unit)) {
      this.tell(device, "report");
      return;
    }
    const cause = this.attribution.causeOf(device.id, key, change.newValue);
    const reading = readingOf(property, change.newValue, unit);
    if (cause.cause === "report")
      this.#speak(device, address, property, readingOf(property, change.prevValue), reading);
    this.#radio.host.report([{ address, id: property.id, ...reading, ...cause }]);
  }

  /** Whether what the device says now is news, not the answer to an interview or a query. */
  isNews({ id }: ZWaveDevice): boolean {
    return this.#known.get(id)?.isComplete === true && !this.attribution.isAsking(id);
  }

  /** Tells an event of the device as a control, when its node sends such a one. */
  control(address: string, control: string, value: number): void {
    const found = this.find(address);
    if (!found?.plan.sends.includes(control)) return;
    this.#pressed(address, control);
    this.#radio.host.control(address, control, value);
  }

  report(report: PropertyReport): void {
    const found = this.find(report.address);
    const isDeclared = found?.plan.properties.some(({ id }) => id === report.id);
    if (isDeclared) this.#radio.host.report([report]);
  }

  replanLater(device: ZWaveDevice): void {
    const { clock } = this.#radio.host;
    this.#replans.get(device.id)?.cancel();
    this.#replans.set(
      device.id,
      clock.setTimer(() => {
        this.#replans.delete(device.id);
        if (!this.#radio.signal.aborted && device.ready) this.tell(device, "report");
      }, REPLAN_MS),
    );
  }

  stop(): void {
    for (const timer of this.#replans.values()) timer.cancel();
    this.#replans.clear();
  }

  #shownBy({ id }: ZWaveDevice, value: ValueChange) {
    return this.#known.get(id)?.byValue.get(keyText(value));
  }

  /**
   * An interview may miss a part of a device, and one that is gone would be gone from scenes and programs too: its node stays,
   * unreachable, until the device leaves or another one takes its place.
   */
  #settleMissing(nodeId: number, nodes: Known["nodes"]): void {
    const { host } = this.#radio;
    const missing = this.#reportedOf(nodeId).filter((address) => !nodes.some((node) => node.address === address));
    if (this.#replaced.delete(nodeId)) {
      this.#forget(missing.reverse());
      return;
    }
    for (const address of missing) {
      this.#found.delete(address);
      host.link(address, "unreachable");
      if (this.#lost.has(address)) continue;
      this.#lost.add(address);
      host.log.warn("A device no longer reports an endpoint that it had; its node stays.", { node: address });
    }
  }

  /** Addresses of a device's nodes, its first one first. */
  #reportedOf(nodeId: number): string[] {
    return [...this.#declared.keys()].filter((address) => parseAddress(this.#radio.family, address)?.nodeId === nodeId);
  }

  #forget(addresses: readonly string[]): void {
    for (const address of addresses) {
      this.#found.delete(address);
      this.#declared.delete(address);
      this.#lost.delete(address);
      this.#radio.host.gone(address);
    }
  }

  /** A device that turned itself on or off also sends the command, as a paddle does. */
  #speak(device: ZWaveDevice, address: string, { speaks }: PropertyPlan, before: Reading, after: Reading): void {
    const [was, is] = [before, after].map(({ value, uom, prec }) =>
      isActive(null, uom, value === null ? null : value / 10 ** prec),
    ) as [boolean | null, boolean | null];
    const isSaid = speaks === "message" ? this.isNews(device) : speaks === "change" && was !== null && was !== is;
    if (is !== null && isSaid) this.control(address, is ? "DON" : "DOF", 0);
  }

  #reportsOf(
    device: ZWaveDevice,
    address: string,
    { properties }: NodePlan,
    cause: ReportCause,
  ): readonly PropertyReport[] {
    return properties.flatMap((property) => {
      if (!property.value) return [];
      return [
        {
          address,
          id: property.id,
          ...readingOf(property, device.getValue(property.value), unitOf(device, property)),
          cause,
        },
      ];
    });
  }

  #linkOf(device: ZWaveDevice): LinkState {
    const { NodeStatus, InterviewStage } = this.#radio.library;
    if (device.status === NodeStatus.Dead) return "unreachable";
    if (device.interviewStage !== InterviewStage.Complete) {
      // A device without agreed keys is never queried.
      return device.failedS2Bootstrapping || this.#unasked.has(device.id) ? "unknown" : "interviewing";
    }
    if (device.status === NodeStatus.Asleep) return "asleep";
    return device.status === NodeStatus.Unknown ? "unknown" : "online";
  }

  #address(nodeId: number, endpoint: number, part: number): string {
    return formatAddress(this.#radio.family, { nodeId, endpoint, part });
  }

  #keepDeclared(): void {
    const { host, stack } = this.#radio;
    const nodes: DeclaredNodes = { homeId: stack.controller.homeId ?? 0, nodes: Object.fromEntries(this.#declared) };
    host.store.set(DECLARED_KEY, nodes);
  }
}

/** The unit of the latest report: a device with several scales may change it at any time. */
function unitOf(device: ZWaveDevice, { value }: PropertyPlan): string | undefined {
  // Members of some types of the library's metadata.
  return value ? (device.getValueMetadata(value) as ValueMetadata).unit : undefined;
}

function byValue(nodes: Known["nodes"]): Known["byValue"] {
  return new Map(
    nodes.flatMap(({ address, plan }) =>
      plan.properties.flatMap((property) =>
        property.value ? [[keyText(property.value), { address, property }] as const] : [],
      ),
    ),
  );
}
