/** Which nodes a bridge shows, and whose rights its commands have: the same settings for every bridge. */

import type { IntegrationSettings } from "../drivers/integration-type.ts";
import type { SettingsSchema } from "../drivers/settings-schema.ts";
import type { Home } from "../home/home.ts";
import type { Node } from "../home/nodes.ts";
import type { Profile } from "../profile/profile.ts";
import { isSecured } from "../profile/roles.ts";

const ACCESS = ["none", "guest", "user"] as const;
/** Whose rights commands have; "none": none are taken. */
export type Access = (typeof ACCESS)[number];

export type Shown = {
  /** Addresses that the owner chose; empty: every node that fits. */
  readonly nodes: readonly string[];
  /** Locks, garage doors, sirens and alarms too. */
  readonly secured: boolean;
};

/** Settings of a bridge. @param nodesMax longest list of nodes */
export function shownSettings(nodesMax: number, access: Access): SettingsSchema["properties"] {
  return {
    nodes: {
      ...{ type: "array", items: { type: "string", maxLength: 100 }, maxItems: nodesMax },
      title: "Nodes",
      description: "Addresses of the nodes that are shown. Empty: all that fit.",
    },
    secured: {
      ...{ type: "boolean", default: false },
      title: "Locks and alarms",
      description: "Whether locks, garage doors, sirens and alarms are shown. Only a user can command them.",
    },
    access: {
      ...{ type: "string", enum: ACCESS, default: access },
      title: "Access",
      description: "Whose rights commands have: none are taken, or those of a guest or a user.",
    },
  };
}

export function shownOf({ nodes, secured, access }: IntegrationSettings): Shown & { readonly access: Access } {
  return { nodes: textsOf(nodes), secured: secured === true, access: ACCESS.find((each) => each === access) ?? "none" };
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function isShown(
  { profile }: { readonly home: Home; readonly profile: Profile },
  node: Node,
  { nodes, secured }: Shown,
): boolean {
  const isChosen = nodes.length === 0 || nodes.includes(node.address);
  return node.enabled && isChosen && (secured || !isSecured(profile, node));
}
