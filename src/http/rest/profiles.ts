/** `/rest/profiles`: nodedefs, editors and linkdefs of every family as JSON, without an envelope. @see docs/interface/profiles.md */

import { ControllerError } from "../../errors.ts";
import { familyOf, PLUGINS } from "../../families.ts";
import type { Editor } from "../../profile/editor.ts";
import { decodeRange } from "../../profile/encoded-editor.ts";
import { nlsText } from "../../profile/nls.ts";
import { editorsOf, type Nodedef, parameterEditors } from "../../profile/nodedef.ts";
import type { Profile, ProfileInstance } from "../../profile/profile.ts";
import { createZone } from "../../util/zone.ts";
import { editorJson, linkdefJson, nodedefJson } from "../../wire/definition-json.ts";
import { eventTimestamp } from "../../wire/times.ts";
import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { TEXT_TYPE } from "./rest-reply.ts";

const PARTS = ["editors", "linkdefs", "nodedefs"] as const;
type Part = (typeof PARTS)[number];

/** `include` names the parts, separated by commas; without it all of them. Parts that do not exist are ignored. */
export function getProfiles(request: HttpRequest, services: Services): Reply {
  const { documents, profile } = services;
  const asked = request.query.get("include")?.split(",");
  const parts = asked ? PARTS.filter((part) => asked.includes(part)) : PARTS;
  const name = parts.length === PARTS.length ? "/rest/profiles" : `/rest/profiles ${parts}`;
  return documents.serve(name, String(profile.version), JSON_TYPE, () => encodeProfiles(services, parts));
}

/**
 * The labels of a family as text. Clients ask for the global ones as family −1 or 1, and do not all write the name of the
 * one file alike.
 */
export function getLabels(request: HttpRequest, { documents, profile }: Services): Reply {
  const { folder = "", file = "" } = request.params;
  const isLabels = folder === "nls" && file.toLowerCase() === "en_us.txt";
  const asked = wholeNumber(request.params.family);
  const family = asked === -1 ? 1 : asked;
  const instance = wholeNumber(request.params.instance);
  if (!isLabels || !profile.instance(family, instance)) throw new ControllerError("PROFILE_NOT_FOUND");
  const name = `labels ${asked} ${instance}`;
  return documents.serve(name, String(profile.version), TEXT_TYPE, () => nlsText(profile, family, instance) ?? "");
}

/** NaN for anything else. */
function wholeNumber(text = ""): number {
  return /^-?[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
}

/** The timestamp is when this version of the profile was first requested; the document is cached until it changes. */
function encodeProfiles({ profile, clock, home }: Services, parts: readonly Part[]): string {
  const byFamily = Map.groupBy(profile.instances(), ({ family }) => family);
  return JSON.stringify({
    timestamp: eventTimestamp(clock.now(), createZone(home.controller.timeZone)),
    families: Array.from(byFamily, ([family, instances]) => {
      const name = family === "common" ? "Common" : familyOf(family).name;
      return { id: String(family), name, instances: instances.map((each) => instanceJson(profile, each, name, parts)) };
    }),
  });
}

/**
 * Definitions that were generated for radio devices are here too, as in `def/get`: some clients read no other document.
 * These clients do not decode encoded editors and look editors up in one table of all families, so each encoded editor
 * is listed, under an id that begins with its family. A plugin's editor without labels means the same everywhere and
 * keeps the id that the plugin wrote.
 */
function instanceJson(profile: Profile, instance: ProfileInstance, name: string, parts: readonly Part[]): object {
  const nodedefs = allNodedefs(instance);
  const encoded = encodedEditors(profile, instance, nodedefs);
  const spell = (id: string) => encoded.get(id)?.id ?? id;
  const shown = instance.family === "common" ? parts.filter((part) => part === "editors") : parts;
  const named = [...instance.editors.values()].filter(({ id }) => !encoded.has(id));
  const editors = [...named, ...encoded.values()];
  return {
    id: String(instance.instance),
    name,
    ...(shown.includes("editors") && { editors: editors.map(editorJson) }),
    ...(shown.includes("linkdefs") && {
      linkdefs: Array.from(instance.linkdefs.values(), (linkdef) => linkdefJson(linkdef, spell)),
    }),
    ...(shown.includes("nodedefs") && { nodedefs: nodedefs.map((nodedef) => nodedefJson(nodedef, spell)) }),
  };
}

function allNodedefs({ nodedefs, dynamicNodedefs }: ProfileInstance): readonly Nodedef[] {
  return [...nodedefs.values(), ...[...dynamicNodedefs.values()].filter(({ id }) => !nodedefs.has(id))];
}

/** By encoded id, in order of first use. */
function encodedEditors(
  profile: Profile,
  { family, instance, linkdefs }: ProfileInstance,
  nodedefs: readonly Nodedef[],
): ReadonlyMap<string, Editor> {
  const found = new Map<string, Editor>();
  if (family === "common") return found;
  const prefix = familyOf(family).prefix ?? `F${family}`;
  for (const id of [...nodedefs.flatMap(editorsOf), ...[...linkdefs.values()].flatMap(parameterEditors)]) {
    const range = found.has(id) ? null : decodeRange(id);
    const editor = range && profile.editor(id, family, instance);
    if (!editor) continue;
    const keepsId = family === PLUGINS.id && range.prefix === null;
    found.set(id, keepsId ? editor : { ...editor, id: `${prefix}${id}` });
  }
  return found;
}
