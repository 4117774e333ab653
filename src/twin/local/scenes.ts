/** What the members of a scene do, as older clients read it: levels as raw bytes, and ramps by their number. */

import { linkTo } from "../../commands/scene-links.ts";
import { ControllerError, ifAccepted } from "../../errors.ts";
import type { LinkBlock, SceneLink } from "../../home/groups.ts";
import type { Home } from "../../home/home.ts";
import type { Profile } from "../../profile/profile.ts";
import { UOM } from "../../profile/uom.ts";
import { childText, type XmlElement } from "../../util/read-xml.ts";
import { number, whole } from "../../wire/loose.ts";
import { type Original, xmlDocument } from "../original.ts";
import type { ReceivedGroup } from "../parse/nodes.ts";
import type { Problem } from "../problem.ts";

const LEVEL_MAX = 255;

/** @param controller of the scene; null: the scene by itself */
export function sceneDocument(scene: string, controller: string | null): string {
  return controller === null ? `scene ${scene}` : `scene ${scene} ${controller}`;
}

type Ports = { readonly home: Pick<Home, "nodes">; readonly profile: Profile };

/**
 * The blocks of a scene of which there is a document; members that it does not name do as the scene does.
 *
 * @param leaveOut called for a document that cannot be read, and for values that a scene here cannot have
 */
export function readLocalScene(
  original: Original,
  { address, name, members }: ReceivedGroup,
  ports: Ports,
  leaveOut: (problem: Problem) => void,
): readonly LinkBlock[] {
  const controllers = members.filter(({ isController }) => isController).map((member) => member.address);
  return [...controllers, null].flatMap((controller) => {
    const document = sceneDocument(address, controller);
    const profiles = readProfiles(original, document, leaveOut);
    if (!profiles) return [];
    for (const [node, profile] of profiles) {
      const others = CLIMATE.filter((each) => childText(profile, each) !== null);
      if (others.length === 0) continue;
      const sentence = `The scene ${name} sets ${others.join(", ")} of ${ports.home.nodes.get(node)?.name ?? node}: a program has to do that here.`;
      leaveOut({ document, sentence });
    }
    const responders = members.filter((member) => member.address !== controller);
    const links = responders.map((member) => linkOf(member.address, profiles.get(member.address), ports));
    return [{ controller: controller ?? address, links }];
  });
}

/** Of thermostats; a link here has a level, or is one command. */
const CLIMATE = ["CLISPH", "CLISPC", "CLIMD", "CLIFS"];

/** By address of the member; null without a document. */
function readProfiles(
  original: Original,
  document: string,
  leaveOut: (problem: Problem) => void,
): ReadonlyMap<string, XmlElement> | null {
  try {
    const root = xmlDocument(original, document);
    return root && new Map(profilesIn(root).map((each) => [childText(each, "node") ?? "", each]));
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    leaveOut({ document, sentence: error.message });
    return null;
  }
}

function profilesIn(element: XmlElement): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === "SP" ? [child] : profilesIn(child)));
}

function linkOf(node: string, profile: XmlElement | undefined, ports: Ports): SceneLink {
  const level = profile && number(childText(profile, "OL") ?? undefined);
  if (level === undefined || level === null) return { kind: "default", node };
  const percent = Math.round((Math.min(Math.max(level, 0), LEVEL_MAX) * 100) / LEVEL_MAX);
  // A device that is only on or off has no level between them.
  const link = accepted(node, percent, ports) ?? accepted(node, percent > 0 ? 100 : 0, ports);
  const ramp = whole((profile && childText(profile, "RR")) ?? undefined);
  return link === null ? { kind: "default", node } : withRamp(link, ramp);
}

function accepted(node: string, levelPercent: number, ports: Ports): SceneLink | null {
  return ifAccepted(() => linkTo(ports, node, { levelPercent, rampS: null }));
}

function withRamp(link: SceneLink, ramp: number | null): SceneLink {
  if (ramp === null || link.kind !== "native" || !link.parameters.some(({ id }) => id === "RR")) return link;
  const parameters = link.parameters.map((each) =>
    each.id === "RR" ? { ...each, value: ramp, uom: UOM.index, prec: 0 } : each,
  );
  return { ...link, parameters };
}
