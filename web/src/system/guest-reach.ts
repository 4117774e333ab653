/** Which devices a guest link reaches only through scenes, as the controller decides it. */

import type { Group, Home, Node } from "@domovoi/client";

/** Addresses. */
export type GuestThings = {
  readonly folders: readonly string[];
  readonly scenes: readonly string[];
  readonly nodes: readonly string[];
};

type SceneBeyond = { readonly scene: Group; readonly devices: readonly Node[] };

/** The scenes of the link that also command devices outside of it, with these devices. */
export function scenesBeyond(home: Home, { folders, scenes, nodes }: GuestThings): readonly SceneBeyond[] {
  const isWithin = (address: string | null): boolean =>
    address !== null &&
    (folders.includes(address) ||
      isWithin(home.folders.find(address)?.parent ?? home.nodes.find(address)?.parent ?? null));
  const isReached = ({ address }: Node) => nodes.includes(address) || isWithin(address);
  return [...home.groups]
    .filter(({ address, parent }) => scenes.includes(address) || isWithin(parent))
    .map((scene) => ({ scene, devices: commanded(home, scene).filter((node) => !isReached(node)) }))
    .filter(({ devices }) => devices.length > 0);
}

function commanded(home: Home, { members, intents, targetsResolved }: Group): readonly Node[] {
  return members
    .filter((address) => !targetsResolved || intents.has(address))
    .flatMap((address) => home.nodes.find(address) ?? []);
}
