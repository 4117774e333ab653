/** The Matter bridge as an integration. Its library is imported when it starts, in its thread, and may not be installed. */

import { join } from "node:path";
import type { CommandPorts } from "../../commands/ports.ts";
import type { Config } from "../../config.ts";
import type { IntegrationSettings, IntegrationType, WantedIntegration } from "../../drivers/integration-type.ts";
import { productVersion } from "../../version.ts";

const TYPE = "matterbridge";
const ACCESS = ["none", "guest", "user"] as const;
const PORT = 5540;
const NODES_MAX = 250;
const ADDRESS = { type: "string", maxLength: 100 } as const;

export function matterBridgeType(ports: CommandPorts): IntegrationType {
  return {
    type: TYPE,
    name: "Matter bridge",
    about: "Shows the nodes of the home in Apple Home, Google Home, Alexa and other Matter controllers.",
    families: [],
    instancesMax: 1,
    settings: SETTINGS,
    async create({ id, settings }) {
      const { MatterBridge } = await import("./matter-bridge.ts");
      const bridge = new MatterBridge(ports, { ...optionsOf(settings, ports.config), name: id });
      return { bridge, matter: bridge };
    },
  };
}

export function wantedMatterBridge(config: Config): readonly WantedIntegration[] {
  const { matterBridge, matterPort: port, matterInterface: networkInterface, matterNodesMax: nodesMax } = config;
  const { matterNodes: nodes, matterSecured: secured, matterContacts: contacts } = config;
  if (!matterBridge) return [];
  const settings = { port, nodesMax, nodes, secured, contacts, ...(networkInterface !== "" && { networkInterface }) };
  return [{ id: TYPE, type: TYPE, name: "Matter bridge", setting: "matterBridge", settings }];
}

function optionsOf(settings: IntegrationSettings, { data }: Pick<Config, "data">) {
  const { networkInterface, nodes, contacts, port, nodesMax, secured, access } = settings;
  return {
    storage: join(data, "matter"),
    port: Number(port),
    networkInterface: networkInterface === undefined ? null : String(networkInterface),
    nodes: textsOf(nodes),
    contacts: textsOf(contacts),
    nodesMax: Number(nodesMax),
    secured: secured === true,
    access: ACCESS.find((each) => each === access) ?? "none",
    version: productVersion,
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    port: {
      ...{ type: "integer", minimum: 0, maximum: 65_535, default: PORT },
      title: "Port",
      description: "UDP port. Alexa works with 5540 only.",
    },
    networkInterface: {
      ...{ type: "string", maxLength: 50, pattern: "^[A-Za-z0-9_.:@-]+$" },
      title: "Network interface",
      description: "Name of the only network interface on which it is announced, such as eth0. Empty: all.",
    },
    nodesMax: {
      ...{ type: "integer", minimum: 1, maximum: NODES_MAX, default: NODES_MAX },
      title: "Nodes at most",
      description: "Nodes that are shown at most. Without a choice of nodes it is 64.",
    },
    nodes: {
      ...{ type: "array", items: ADDRESS, maxItems: NODES_MAX },
      title: "Nodes",
      description: "Addresses of the nodes that are shown. Empty: all that fit, up to 64.",
    },
    secured: {
      ...{ type: "boolean", default: false },
      title: "Locks and alarms",
      description: "Whether locks, garage doors and sirens are shown. Only a user can command them.",
    },
    contacts: {
      ...{ type: "array", items: ADDRESS, maxItems: NODES_MAX },
      title: "As contact sensors",
      description: "Addresses of leak and freeze sensors that are shown as contact sensors, for Alexa.",
    },
    access: {
      ...{ type: "string", enum: ACCESS, default: "user" },
      title: "Access",
      description: "Whose rights commands from Matter have: none are taken, or those of a guest or a user.",
    },
  },
};
