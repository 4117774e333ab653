/**
 * A radio network as a document for a bug report: the driver's own data, the home's view of it, and the latest failed
 * commands. It is made for publication, so it contains no secrets, and names are left out on request.
 *
 * @see docs/interface/radio-network.md
 */

import type { NetworkDiagnostics, NetworkTrouble } from "../../drivers/network-facts.ts";
import type { LinkState, Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import type { Nodedef } from "../../profile/nodedef.ts";
import type { CommandPorts } from "../ports.ts";
import { findRadio, type RadioState } from "./radio-network.ts";

export type RadioReport = {
  readonly atMs: number;
  /** Without the home id, which would identify the network. */
  readonly radio: Omit<RadioState, "about">;
  /** null while the adapter is not running. */
  readonly network: NetworkDiagnostics | null;
  readonly nodes: readonly NodeFacts[];
  /** The failed commands of these nodes. */
  readonly nodedefs: readonly Nodedef[];
  /** The latest commands that failed, newest first. */
  readonly failures: readonly CommandFailure[];
  readonly troubles: readonly NetworkTrouble[];
};

type NodeFacts = Pick<Node, "address" | "primary" | "nodeDefId" | "type" | "devtype" | "enabled"> & {
  /** null when names were not wanted. */
  readonly name: string | null;
  readonly link: LinkState;
  readonly properties: readonly Omit<Property, "changedAtMs">[];
  /** Commands that wait for it or are under way. */
  readonly queued: number;
};

type CommandFailure = {
  readonly atMs: number;
  readonly address: string;
  readonly command: string;
  readonly detail: string;
};

type ReportPorts = Pick<CommandPorts, "drivers" | "home" | "profile" | "queue" | "clock" | "log">;

/** @throws ControllerError RADIO_NOT_FOUND */
export function reportRadio(ports: ReportPorts, given: string, withNames: boolean): RadioReport {
  const { home, profile, queue, clock, drivers } = ports;
  const { about: _about, operation, ...radio } = findRadio(ports, given);
  const { name } = radio;
  const network = drivers.find(name)?.driver?.network;
  const nodes = [...home.nodes.values()].filter(({ driver }) => driver === name);
  const addresses = new Set(nodes.map(({ address }) => address));
  const nodedefs = nodes.map((node) => profile.nodedef(node.nodeDefId, node.family, node.instance));
  return {
    atMs: clock.now(),
    // The question contains most of a device's key.
    radio: { ...radio, operation: operation && { ...operation, question: null } },
    network: network?.diagnostics() ?? null,
    nodes: nodes.map((node) => nodeFacts(node, withNames, queue.lengthOf(node.address))),
    nodedefs: [...new Set(nodedefs)].filter((nodedef) => nodedef !== null),
    failures: queue.lives
      .recent()
      .filter(({ address, state }) => state === "failed" && addresses.has(address))
      .map(({ acceptedAtMs, address, command, detail }) => ({ atMs: acceptedAtMs, address, command, detail })),
    troubles: network?.troubles() ?? [],
  };
}

function nodeFacts(node: Node, withNames: boolean, queued: number): NodeFacts {
  const { address, primary, nodeDefId, type, devtype, enabled, link, properties } = node;
  return {
    ...{ address, primary, nodeDefId, type, devtype, enabled, link, queued },
    name: withNames ? node.name : null,
    properties: [...properties.values()].map(({ changedAtMs: _changedAtMs, ...property }) => property),
  };
}
