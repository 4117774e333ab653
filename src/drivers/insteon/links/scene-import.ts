/** Makes scenes of the home from the links that modem and devices have already. */

import type { LinkBlock, SceneLink } from "../../../home/groups.ts";
import { UOM } from "../../../profile/uom.ts";
import type { ProposedScene } from "../../driver.ts";
import type { Device } from "../devices/device-book.ts";
import { type DeviceNode, groupOfNode, isX10, linkdefOf } from "../devices/products.ts";
import type { DeviceId } from "../line/messages.ts";
import type { Running } from "../running.ts";
import { percentOf, RATE_OF_ZERO } from "./held-records.ts";
import { nodeOfButton } from "./link-plan.ts";
import { roleOf } from "./link-records.ts";
import type { LinkTurn } from "./linking.ts";

/** What one controller does: the modem's group, or a button. */
type Found = { readonly controller: DeviceNode | null; readonly group: number; readonly links: readonly SceneLink[] };

const MEMBERS_MIN = 2;
/** Linking with the SET button of the modem uses them. */
const OWN_GROUPS: ReadonlySet<number> = new Set([0, 1]);

export async function importScenes({ running, tell, signal }: LinkTurn): Promise<string> {
  const { book, tables, host } = running;
  tell({ stage: "working", detail: "Looking for scenes in the links of modem and devices." });
  const unread = book.devices().filter((each) => !isX10(each.product) && tables.links(each.id) === null).length;
  let imported = 0;
  for (const { scene, group } of scenesOf(running)) {
    signal.throwIfAborted();
    const address = host.proposeScene(scene);
    if (address === null) continue;
    imported += 1;
    if (group !== null) running.groups.claim(address, group);
    running.links.refresh();
    await running.links.adopt(address);
  }
  tell({ result: { imported, unread } });
  const left =
    unread === 0 ? "" : ` The links of ${unread} devices are not known yet; start again later to find theirs.`;
  return `${imported === 1 ? "1 scene was" : `${imported} scenes were`} made.${left}`;
}

/** Controllers with the same members are one scene. */
function scenesOf(running: Running): readonly { readonly scene: ProposedScene; readonly group: number | null }[] {
  const found = [...modemScenes(running), ...buttonScenes(running)];
  const withoutSelf = Map.groupBy(found, ({ controller, links }) => {
    const members = new Set([...links.map(({ node }) => node), ...(controller ? [controller.address] : [])]);
    return [...members].sort().join("/");
  });
  return [...withoutSelf].flatMap(([key, controllers]) => {
    const addresses = key.split("/");
    if (addresses.length < MEMBERS_MIN) return [];
    const buttons = controllers.flatMap(({ controller }) => controller?.address ?? []);
    const own = controllers.find(({ controller }) => controller === null) ?? null;
    const blocks = controllers.map(({ controller, links }) => ({ controller: controller?.address ?? null, links }));
    const canonical = own ? [] : [{ controller: null, links: allLinks(blocks) }];
    const name = nameOf(running, buttons[0] ?? null, own?.group ?? 0);
    const members = addresses.map((address) => ({ address, isController: buttons.includes(address) }));
    const scene: ProposedScene = { name, deviceGroup: own?.group ?? null, members, blocks: [...blocks, ...canonical] };
    return [{ scene, group: own?.group ?? null }];
  });
}

/** What a command to the scene does, where only buttons control it: the same as the first button that links a member. */
function allLinks(blocks: readonly Pick<LinkBlock, "links">[]): readonly SceneLink[] {
  const byNode = new Map(blocks.flatMap(({ links }) => links.map((link) => [link.node, link] as const)).toReversed());
  return [...byNode.values()];
}

function nameOf({ host }: Running, button: string | null, group: number): string {
  const name = button === null ? null : host.seen(button)?.name;
  return name ? `${name} scene` : `Insteon scene ${group}`;
}

function modemScenes(running: Running): readonly Found[] {
  const { modemLinks } = running;
  const controlling = (modemLinks.records() ?? []).filter((record) => roleOf(record) === "controller");
  const groups = new Set(controlling.map(({ group }) => group).filter((group) => !OWN_GROUPS.has(group)));
  return [...groups].map((group) => {
    const devices = controlling.filter((record) => record.group === group).map(({ device }) => device);
    return { controller: null, group, links: respondersOf(running, new Set(devices), modemLinks.id, group) };
  });
}

function buttonScenes(running: Running): readonly Found[] {
  const { book, tables, modemLinks } = running;
  return book.devices().flatMap((device) =>
    device.nodes.flatMap((node) => {
      const group = groupOfNode(device.product, node);
      const own = (tables.links(device.id) ?? []).filter(
        (record) => record.group === group && roleOf(record) === "controller" && record.device !== modemLinks.id,
      );
      const links = respondersOf(running, new Set(own.map((record) => record.device)), device.id, group);
      return links.length > 0 ? [{ controller: node, group, links }] : [];
    }),
  );
}

/** Only where both sides have the link. */
function respondersOf(
  { book, tables }: Running,
  devices: ReadonlySet<DeviceId>,
  controller: DeviceId,
  group: number,
): readonly SceneLink[] {
  return [...devices].flatMap((id) => {
    const device = book.device(id);
    if (!device) return [];
    const own = (tables.links(id) ?? []).filter(
      (record) => record.group === group && record.device === controller && roleOf(record) === "responder",
    );
    return own.flatMap(({ data }) => linkOf(device, data) ?? []);
  });
}

function linkOf(device: Device, data: readonly number[]): SceneLink | null {
  const node = nodeOfButton(device, data);
  if (!node) return null;
  const linkdef = linkdefOf(node);
  const [level = 0, rate = 0] = data;
  if (linkdef === null) return { kind: "default", node: node.address };
  const onLevel = {
    id: "OL",
    value: node.role === "dimmer" ? percentOf(level) : stepOf(node, level),
    uom: UOM.percent,
    prec: 0,
  };
  const ramp = { id: "RR", value: rate === 0 ? RATE_OF_ZERO : rate & 0x1f, uom: UOM.index, prec: 0 };
  return {
    kind: "native",
    node: node.address,
    linkdef,
    parameters: node.role === "dimmer" ? [onLevel, ramp] : [onLevel],
  };
}

/** A relay knows on and off, a fan three speeds. */
function stepOf({ role }: DeviceNode, level: number): number {
  if (role !== "fan") return level > 0 ? 100 : 0;
  if (level === 0) return 0;
  if (level < 0x80) return 25;
  return level < 255 ? 75 : 100;
}
