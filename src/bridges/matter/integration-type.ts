/** The Matter bridge as an integration. Its library is imported when it starts, in its thread, and may not be installed. */

import { join } from "node:path";
import type { CommandPorts } from "../../commands/ports.ts";
import { SETTINGS as CONTROLLER, type Config } from "../../config.ts";
import type { IntegrationSettings, IntegrationType } from "../../drivers/integration-type.ts";
import { productVersion } from "../../version.ts";
import { shownOf, shownSettings, textsOf } from "../shown-nodes.ts";

const NODES_MAX = CONTROLLER.matterNodesMax.max;
const ADDRESS = { type: "string", maxLength: 100 } as const;

export function matterBridgeType(ports: CommandPorts): IntegrationType {
  return {
    type: "matterbridge",
    name: "Matter bridge",
    about: "Shows the nodes of the home in Apple Home, Google Home, Alexa and other Matter controllers.",
    families: [],
    instancesMax: 1,
    settings: SETTINGS,
    wanted: [
      {
        setting: "matterBridge",
        from: {
          port: "matterPort",
          networkInterface: "matterInterface",
          nodesMax: "matterNodesMax",
          nodes: "matterNodes",
          secured: "matterSecured",
          contacts: "matterContacts",
        },
      },
    ],
    async create({ id, settings }) {
      const { MatterBridge } = await import("./matter-bridge.ts");
      const bridge = new MatterBridge(ports, { ...optionsOf(settings, ports.config), name: id });
      return { bridge, matter: bridge };
    },
  };
}

function optionsOf(settings: IntegrationSettings, { data }: Pick<Config, "data">) {
  const { networkInterface, contacts, port, nodesMax } = settings;
  return {
    storage: join(data, "matter"),
    port: Number(port),
    networkInterface: networkInterface === undefined ? null : String(networkInterface),
    ...shownOf(settings),
    contacts: textsOf(contacts),
    nodesMax: Number(nodesMax),
    version: productVersion,
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    port: {
      ...{ type: "integer", minimum: 0, maximum: 65_535, default: CONTROLLER.matterPort.fallback },
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
    ...shownSettings(NODES_MAX, "user"),
    contacts: {
      ...{ type: "array", items: ADDRESS, maxItems: NODES_MAX },
      title: "As contact sensors",
      description: "Addresses of leak and freeze sensors that are shown as contact sensors, for Alexa.",
    },
  },
};
