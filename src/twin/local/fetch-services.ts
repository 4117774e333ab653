/**
 * What a controller without a portal says by `/services` alone: its programs, and the levels of its scenes. One request after the
 * other, because such a controller is small.
 */

import { hexId } from "../../home/programs.ts";
import { childElements } from "../../util/read-xml.ts";
import { escapeXml } from "../../util/xml.ts";
import { type Original, xmlDocument } from "../original.ts";
import { readTreeXml } from "../parse/nodes.ts";
import { programId } from "../parse/programs.ts";
import { programsDocument } from "./programs.ts";
import { sceneDocument } from "./scenes.ts";

/** Resolves to the text of an answer; null: the controller has no such operation, or refuses it. */
export type Call = (operation: string, content: string) => Promise<string | null>;

/** Stores a document; `shown` names it to a person. */
type Take = (name: string, shown: string, body: string | null) => boolean;

/** @param documents what was read by `/rest`. @throws ControllerError BAD_VALUE for a document of them that cannot be read */
export async function fetchServices(documents: Original, call: Call, take: Take): Promise<void> {
  const all = withElement("trigger", await call("GetAllD2D", ""));
  if (!take(programsDocument(null), "programs", all)) await fetchPrograms(documents, call, take);
  const nodes = xmlDocument(documents, "/rest/nodes");
  for (const { address, members } of nodes ? readTreeXml(nodes).groups : []) {
    const controllers = members.filter(({ isController }) => isController);
    for (const controller of [null, ...controllers.map((member) => member.address)]) {
      const name = sceneDocument(address, controller);
      take(name, name, await fetchScene(address, controller, call));
    }
  }
}

/** Each by itself, from the files of the controller. */
async function fetchPrograms(documents: Original, call: Call, take: Take): Promise<void> {
  const listed = xmlDocument(documents, "/rest/programs");
  for (const { attributes } of listed ? childElements(listed, "program") : []) {
    const id = programId(attributes.get("id"));
    if (id === null) continue;
    const file = `${hexId(id)}.PGM`;
    const content = await call("GetSysConf", `<name>/CONF/D2D/${file}</name>`);
    take(programsDocument(file), `program ${file}`, withElement("trigger", content));
  }
}

/** Two spellings of the same question; the second one only about the scene by itself. */
async function fetchScene(scene: string, controller: string | null, call: Call): Promise<string | null> {
  const of = `<node>${escapeXml(controller ?? "none")}</node><controller>${escapeXml(scene)}</controller>`;
  const profiles = withElement("SceneProfiles", await call("GetSceneProfiles", of));
  if (profiles !== null || controller !== null) return profiles;
  const again = `<command>G_SP</command><scene>${escapeXml(scene)}</scene>`;
  return withElement("SceneProfiles", await call("DeviceSpecific", again));
}

/** An answer without the element is a refusal in an envelope. One that cannot be read is kept, so that it is named. */
function withElement(name: string, answer: string | null): string | null {
  return answer?.includes(`<${name}`) ? answer : null;
}
