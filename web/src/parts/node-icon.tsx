/** The picture of a node, from its role and state. */

import type { Node } from "@domovoi/client";
import { useStore } from "../store/context.ts";
import { isActive } from "./activity.ts";
import { ALARMS, LAMPS, lookOf } from "./roles.ts";

export function NodeIcon({ node, isSimulated }: { node: Node; isSimulated: boolean }) {
  const { role } = node;
  const { Icon, Active, words } = lookOf(role);
  const active =
    words !== undefined && isActive(node, useStore().property(node.address, "ST").value) === true && !isSimulated;
  const Shown = (active && Active) || Icon;
  const color = !active ? "" : ALARMS.has(role ?? "") ? "alarm" : LAMPS.has(role ?? "") ? "lit" : "active";
  return <Shown class={`node-icon ${color}`} size={20} aria-hidden />;
}
