/** The virtual devices of a home, built from their data: a unit is one device with its nodes. */

import { PLUGINS } from "../../families.ts";
import type { Definitions } from "../../profile/profile.ts";
import type { DriverHost, NodeSpec } from "../driver.ts";
import type { ServiceStore } from "../service.ts";
import { nodeDefIdFor, profilePlaceOf, withSuffix } from "./addresses.ts";
import type { DeviceModel } from "./device-model.ts";
import { MODELS } from "./kinds.ts";
import type { Movements } from "./movements.ts";
import { type PlayedDevice, playedModel } from "./played-device.ts";
import type { VirtualDevice } from "./virtual-device.ts";
import { type NodeSurroundings, VirtualNode } from "./virtual-node.ts";

export type Unit = {
  /** Address of its first node. */
  readonly address: string;
  readonly model: DeviceModel;
  readonly nodes: readonly VirtualNode[];
  specOf(node: VirtualNode): NodeSpec;
  /** A device known by its nodedef: its definitions are declared already, and the home knows its link. */
  readonly isPlayed: boolean;
};

/** Where to find a unit: by the address of any of its nodes. */
export type UnitsByAddress = ReadonlyMap<string, { readonly node: VirtualNode; readonly unit: Unit }>;

type UnitsPorts = { readonly host: DriverHost; readonly movements: Movements; readonly still: boolean };

/** Builds every unit; what the store kept of them goes before what their data says. */
export function buildUnits(
  devices: readonly VirtualDevice[],
  played: readonly PlayedDevice[],
  { host, movements, still }: UnitsPorts,
): UnitsByAddress {
  const units = new Map<string, { readonly node: VirtualNode; readonly unit: Unit }>();
  const unitOf = (node: VirtualNode) => units.get(node.address)?.unit;
  const around: NodeSurroundings = {
    host,
    movements,
    still,
    keep: (node) => keepUnit(host.store, unitOf(node)),
    sibling: (node, suffix) => units.get(withSuffix(node.deviceAddress, suffix))?.node ?? node,
  };
  const kept = new Set(host.store.keys());
  const built = [
    ...devices.map((device) => buildUnit(device, around)),
    ...played.map((device) => playedUnit(device, around)),
  ];
  for (const unit of built) {
    const key = stateKey(unit.address);
    if (kept.has(key)) restoreUnit(unit, host.store.get(key));
    for (const node of unit.nodes) units.set(node.address, { node, unit });
  }
  return units;
}

/** Definitions to declare before the nodes, once per model and place. */
export function declareDefinitions(
  units: Iterable<Pick<Unit, "address" | "model">>,
  host: Pick<DriverHost, "define">,
): void {
  const declared = new Map<string, Set<(family: number) => Definitions>>();
  for (const { address, model } of units) {
    const { definitions } = model;
    if (!definitions) continue;
    const { family, instance } = profilePlaceOf(address);
    const place = `${family}/${instance}`;
    const here = declared.get(place) ?? new Set();
    declared.set(place, here);
    if (here.has(definitions)) continue;
    here.add(definitions);
    host.define(family, instance, definitions(family), family !== PLUGINS.id);
  }
}

function buildUnit(device: VirtualDevice, around: NodeSurroundings): Unit {
  const model = MODELS[device.kind];
  const nodes = model.nodes.map((nodeModel) => {
    const address = nodeModel === model.nodes[0] ? device.address : withSuffix(device.address, nodeModel.suffix ?? "");
    return new VirtualNode(address, device.address, nodeModel, around);
  });
  if (device.seed) nodes[0]?.restore(device.seed);
  return { address: device.address, model, nodes, isPlayed: false, specOf: (node) => nodeSpec(node, device, model) };
}

function nodeSpec(node: VirtualNode, device: VirtualDevice, model: DeviceModel): NodeSpec {
  const { family, instance } = profilePlaceOf(device.address);
  const { nodeDefId, type, devtype = null, suffix = "", label } = node.model;
  const isFirst = node.model === model.nodes[0];
  return {
    address: node.address,
    name: isFirst ? device.name : (device.names?.[suffix] ?? `${device.name} ${label}`),
    nodeDefId: nodeDefIdFor(nodeDefId, family),
    family,
    instance,
    type,
    primary: device.primary ?? node.deviceAddress,
    devtype,
  };
}

function playedUnit(device: PlayedDevice, around: NodeSurroundings): Unit {
  const model = playedModel(device);
  const { address } = device.spec;
  const nodes = model.nodes.map((nodeModel) => new VirtualNode(address, address, nodeModel, around));
  return { address, model, nodes, isPlayed: true, specOf: () => device.spec };
}

function stateKey(address: string): string {
  return `state ${address}`;
}

function keepUnit(store: ServiceStore, unit: Unit | undefined): void {
  if (!unit) return;
  const state = Object.fromEntries(unit.nodes.map((node) => [node.address, node.snapshot()]));
  store.set(stateKey(unit.address), state);
}

function restoreUnit(unit: Unit, state: unknown): void {
  if (typeof state !== "object" || state === null) return;
  for (const node of unit.nodes) {
    const values: unknown = Reflect.get(state, node.address);
    if (typeof values === "object" && values !== null) node.restore(values as Readonly<Record<string, unknown>>);
  }
}
