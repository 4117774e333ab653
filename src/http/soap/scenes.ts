/** SOAP operations on scenes: members, and what each does, as raw levels and the numbers of ramps. */

import { addMember, createScene, removeMember, removeScene, setLink, setTarget } from "../../commands/edit-scenes.ts";
import { linkTo } from "../../commands/scene-links.ts";
import { ControllerError } from "../../errors.ts";
import type { Cause } from "../../home/cause.ts";
import { canonicalLinks, type Group, linksByNode, type SceneLink } from "../../home/groups.ts";
import { convertUnit } from "../../profile/convert-unit.ts";
import { UOM } from "../../profile/uom.ts";
import { escapeXml } from "../../util/xml.ts";
import { xmlReply } from "../rest/rest-reply.ts";
import type { Services } from "../services.ts";
import { does, type SoapOperation, shows } from "./operation.ts";

const LEVEL_MAX = 255;
const CONTROLLER = "16";
const MEMBER = { node: "node", scene: "scene", value: "value" };
const PROFILE = { node: "node", scene: "controller", control: "control", value: "action" };

export const sceneOperations: readonly SoapOperation[] = [
  does("AddGroup", { address: "id", name: "name" }, "edit-home", (given, { cause }, services) =>
    createScene(services, { name: given.text("name"), parent: null }, cause, given.find("address")),
  ),
  does("RemoveGroup", { address: "id" }, "edit-home", (given, { cause }, services) =>
    removeScene(services, given.text("address"), cause),
  ),
  does(
    "MoveNode",
    { node: "node id", group: "group name", role: "flag" },
    "edit-home",
    (given, { cause }, services) => {
      const member = { address: given.text("node"), isController: given.find("role") === CONTROLLER, target: null };
      return addMember(services, given.text("group"), member, cause);
    },
  ),
  does("RemoveFromGroup", { node: "node id", group: "group name" }, "edit-home", (given, { cause }, services) =>
    removeMember(services, given.text("group"), given.text("node"), cause),
  ),
  shows("DeviceSpecific:G_SP", { scene: "scene" }, (given, _request, services) =>
    xmlReply(sceneProfiles(services, given.text("scene"), null)),
  ),
  shows("GetSceneProfiles", { node: "node", scene: "controller" }, (given, _request, services) =>
    xmlReply(sceneProfiles(services, given.text("scene"), given.find("node"))),
  ),
  does("DeviceSpecific:S_OL_SP", MEMBER, "edit-home", (given, { cause }, services) =>
    setLevel(services, given.text("scene"), given.text("node"), given.integer("value"), cause),
  ),
  does("DeviceSpecific:S_RR_SP", MEMBER, "edit-home", (given, { cause }, services) =>
    setRamp(services, given.text("scene"), given.text("node"), given.integer("value"), cause),
  ),
  does("SetSceneProfile", PROFILE, "edit-home", (given, { cause }, services) => {
    const control = given.text("control");
    if (control !== "OL" && control !== "RR") throw new ControllerError("BAD_BODY", "A profile has OL and RR.");
    const set = control === "OL" ? setLevel : setRamp;
    return set(services, given.text("scene"), given.text("node"), given.integer("value"), cause);
  }),
];

function sceneOf({ home }: Services, address: string): Group {
  const group = home.groups.get(address);
  if (!group) throw new ControllerError("NODE_NOT_FOUND");
  return group;
}

/** @param controller of the scene, whose block is meant; null, `none` or another node: the scene by itself. */
function sceneProfiles(services: Services, scene: string, controller: string | null): string {
  const group = sceneOf(services, scene);
  const block = group.blocks.find((each) => each.controller === controller);
  const links = linksByNode(block?.links ?? canonicalLinks(group));
  const profiles = group.members.flatMap(({ address }) => {
    const link = links.get(address);
    return link && link.kind !== "ignore" ? [profileElement(link)] : [];
  });
  return `<SceneProfiles>${profiles.join("")}</SceneProfiles>`;
}

/** Without a ramp of its own a member has none here. */
function profileElement(link: SceneLink): string {
  const ramp = parametersOf(link).find(({ id, uom }) => id === "RR" && uom === UOM.index);
  const rate = ramp ? `<RR>${ramp.value}</RR>` : "";
  return `<SP><node>${escapeXml(link.node)}</node><OL>${rawLevel(link)}</OL>${rate}</SP>`;
}

function rawLevel(link: SceneLink): number {
  if (link.kind === "cmd" && link.command === "DOF") return 0;
  const level = parametersOf(link).find(({ id }) => id === "OL" || id === "");
  return (level && convertUnit(level.value / 10 ** level.prec, level.uom, UOM.level)) ?? LEVEL_MAX;
}

function parametersOf(link: SceneLink) {
  return link.kind === "native" || link.kind === "cmd" ? link.parameters : [];
}

async function setLevel(services: Services, scene: string, node: string, level: number, cause: Cause): Promise<void> {
  if (level < 0 || level > LEVEL_MAX) throw new ControllerError("BAD_VALUE", "A level is a number from 0 to 255.");
  const levelPercent = Math.round((level * 100) / LEVEL_MAX);
  await setTarget(services, scene, scene, { node, target: { levelPercent, rampS: null } }, cause);
}

/** @param ramp its number in the list of the device. */
async function setRamp(services: Services, scene: string, node: string, ramp: number, cause: Cause): Promise<void> {
  const before = linksByNode(canonicalLinks(sceneOf(services, scene))).get(node) ?? null;
  const link = linkTo(services, node, { levelPercent: null, rampS: null }, before);
  const others = parametersOf(link).filter(({ id }) => id !== "RR");
  const parameters = [...others, { id: "RR", value: ramp, uom: UOM.index, prec: 0 }];
  await setLink(services, scene, scene, { ...link, parameters } as SceneLink, cause);
}
