/** `/rest/profiles`: nodedefs, editors and linkdefs of every family as JSON, without an envelope. @see docs/interface/profiles.md */

import { ControllerError } from "../../errors.ts";
import type { Editor, EditorRange } from "../../profile/editor.ts";
import type { Linkdef } from "../../profile/linkdef.ts";
import { nlsText } from "../../profile/nls.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "../../profile/nodedef.ts";
import type { ProfileInstance } from "../../profile/profile.ts";
import { createZone } from "../../util/zone.ts";
import { eventTimestamp } from "../../wire/times.ts";
import { JSON_TYPE } from "../envelope.ts";
import type { Services } from "../services.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
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

/** The timestamp tells when this version of the profile was first asked for; the document is kept until it changes. */
function encodeProfiles({ profile, clock, home }: Services, parts: readonly Part[]): string {
  const byFamily = Map.groupBy(profile.instances(), ({ family }) => family);
  return JSON.stringify({
    timestamp: eventTimestamp(clock.now(), createZone(home.controller.timeZone)),
    families: Array.from(byFamily, ([family, instances]) => ({
      id: String(family),
      name: family === "common" ? "Common" : "",
      instances: instances.map((instance) => instanceJson(instance, parts)),
    })),
  });
}

/** Definitions that were generated for radio devices are left to `def/get`: nodes without a nodedef here make clients ask there. */
function instanceJson(instance: ProfileInstance, parts: readonly Part[]): object {
  const shown = instance.family === "common" ? parts.filter((part) => part === "editors") : parts;
  return {
    id: String(instance.instance),
    name: "",
    ...(shown.includes("editors") && { editors: Array.from(instance.editors.values(), editorJson) }),
    ...(shown.includes("linkdefs") && { linkdefs: Array.from(instance.linkdefs.values(), linkdefJson) }),
    ...(shown.includes("nodedefs") && { nodedefs: Array.from(instance.nodedefs.values(), nodedefJson) }),
  };
}

function editorJson({ id, ranges }: Editor): object {
  return { id, ranges: ranges.map(rangeJson) };
}

function rangeJson({ uom, prec, step, subset, min, max, names }: EditorRange): object {
  return {
    uom: String(uom),
    ...(prec !== 0 && { prec }),
    ...(step !== null && { step }),
    ...(subset !== null && { subset }),
    ...(min !== null && { min }),
    ...(max !== null && { max }),
    ...(names.size > 0 && { names: Object.fromEntries(names) }),
  };
}

function linkdefJson({ id, protocol, name, cmd, format, parameters }: Linkdef): object {
  return {
    id,
    protocol,
    ...(name !== "" && { name }),
    ...(cmd && { cmd }),
    ...(format !== null && { format }),
    ...(parameters.length > 0 && { parameters }),
  };
}

function nodedefJson(nodedef: Nodedef): object {
  const { id, nls, icon, properties, sends, accepts, controlLinks, respondLinks, name } = nodedef;
  return {
    id,
    ...(nls !== null && { nls }),
    ...(icon !== null && { icon }),
    properties: properties.map((property) => ({
      id: property.id,
      editor: property.editor,
      ...(property.hide && { hide: true }),
      name: property.name,
    })),
    cmds: { sends: sends.map(commandJson), accepts: accepts.map(commandJson) },
    links: { ctl: controlLinks, rsp: respondLinks },
    ...(name !== "" && { name }),
  };
}

function commandJson({ id, native, name, format, parameters }: CommandDefinition): object {
  return {
    id,
    native: String(native),
    name,
    ...(format !== null && { format }),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterJson) }),
  };
}

function parameterJson({ id, editor, init, optional, name }: CommandParameter): object {
  return {
    id,
    editor,
    ...(init !== null && { init }),
    ...(optional && { optional }),
    ...(name !== "" && { name }),
  };
}
