/**
 * Links of scenes as devices could carry them out themselves. What is written into devices follows from the scenes alone, so
 * nothing of it is stored here. A driver decides which of them its devices can hold.
 */

import { type Group, type LinkBlock, type LinkParameter, linksByNode, type SceneLink } from "./groups.ts";
import type { Home } from "./home.ts";

/** What one controller of a scene makes one responder do. A node's address names its device and its button. */
export type DeviceLink = {
  readonly scene: string;
  /** The scene's number in networks that number scenes. */
  readonly deviceGroup: number;
  /** A node; the scene's own address for commands to the scene. */
  readonly controller: string;
  readonly responder: string;
  /** Level after On; null: the responder's own. */
  readonly level: LinkParameter | null;
  /** Ramp to that level; null: the responder's own. */
  readonly ramp: LinkParameter | null;
  /** The responder gets this command instead of On; null: it does what the controller does. */
  readonly command: string | null;
};

export type DeviceLinkState = {
  /**
   * `done`: the device has it and carries it out; `pending`: it is not written, or not removed, yet; `failed`: the device did
   * not take the change; `software`: the controller carries it out.
   */
  readonly state: "done" | "pending" | "failed" | "software";
  /** The reason, a sentence without names; empty when it is done. */
  readonly detail: string;
};

/** The links between two enabled nodes of a driver, and those of scenes to its enabled nodes. */
export function deviceLinksOf(home: Pick<Home, "groups" | "nodes">, driver: string): readonly DeviceLink[] {
  const isOwn = (address: string) => {
    const node = home.nodes.get(address);
    return node?.driver === driver && node.enabled;
  };
  return [...home.groups.values()].flatMap((group) =>
    controllingBlocks(group)
      .filter(({ controller }) => controller === group.address || isOwn(controller))
      .flatMap((block) =>
        respondersOf(group, block)
          .filter(isOwn)
          .flatMap((responder) => deviceLinkOf(group, block, responder) ?? []),
      ),
  );
}

/** null: the controller makes the node do nothing. */
export function deviceLinkOf(group: Group, { controller, links }: LinkBlock, responder: string): DeviceLink | null {
  const { address: scene, deviceGroup, members } = group;
  const isMember = controller === scene && members.some(({ address }) => address === responder);
  const own = linksByNode(links).get(responder) ?? (isMember ? { kind: "default", node: responder } : null);
  if (!own || own.kind === "ignore" || controller === responder) return null;
  return { scene, deviceGroup, controller, responder, ...effectOf(own) };
}

type Effect = Pick<DeviceLink, "level" | "ramp" | "command">;

const RAMP = "RR";

function effectOf(link: SceneLink): Effect {
  if (link.kind === "native" || link.kind === "cmd") {
    const [level = null, ...others] = link.parameters.filter(({ id }) => id !== RAMP);
    const ramp = link.parameters.find(({ id }) => id === RAMP) ?? null;
    if (link.kind === "native")
      return { level: link.parameters.find(({ id }) => id === "OL") ?? null, ramp, command: null };
    const isOn = link.command === "DON" && others.length === 0;
    return isOn ? { level, ramp, command: null } : { level: null, ramp: null, command: link.command };
  }
  return { level: null, ramp: null, command: null };
}

/** A member without a link in the scene's own block does what the scene does. */
function respondersOf({ address, members }: Group, { controller, links }: LinkBlock): readonly string[] {
  const linked = links.map(({ node }) => node);
  return [...new Set(controller === address ? [...linked, ...members.map((each) => each.address)] : linked)];
}

function controllingBlocks({ address, blocks, members }: Group): readonly LinkBlock[] {
  const controllers = new Set(members.filter(({ isController }) => isController).map((each) => each.address));
  return blocks.filter(({ controller }) => controller === address || controllers.has(controller));
}
