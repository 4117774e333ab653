/**
 * `/rest/profiles`: nodedefs, editors and linkdefs of every family. Entries without an id are left out. @see
 * docs/interface/profiles.md
 */

import type {
  CommandDefinition,
  Definitions,
  EditorDefinition,
  EditorRange,
  Linkdef,
  Nodedef,
  ParameterDefinition,
} from "../model/profile.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

export function readProfile(document: unknown): readonly Definitions[] {
  const families = isObject(document) ? objectsOf(document.families) : [];
  return families.flatMap((family) =>
    objectsOf(family.instances).map((instance) => {
      const key = { family: textOf(family.id), instance: textOf(instance.id) };
      return {
        ...key,
        nodedefs: identified(instance.nodedefs).map((nodedef) => readNodedef(nodedef, key)),
        editors: identified(instance.editors).map(readEditor),
        linkdefs: identified(instance.linkdefs).map(readLinkdef),
      };
    }),
  );
}

function identified(value: unknown): readonly Json[] {
  return objectsOf(value).filter(({ id }) => textOf(id) !== "");
}

function readNodedef(nodedef: Json, key: { readonly family: string; readonly instance: string }): Nodedef {
  const commands = isObject(nodedef.cmds) ? nodedef.cmds : {};
  const links = isObject(nodedef.links) ? nodedef.links : {};
  return {
    id: textOf(nodedef.id),
    ...key,
    name: textOf(nodedef.name),
    nls: textOrNull(nodedef.nls),
    properties: identified(nodedef.properties).map((property) => ({
      id: textOf(property.id),
      name: textOf(property.name),
      editor: textOf(property.editor),
      hide: booleanOf(property.hide, false),
    })),
    sends: identified(commands.sends).map(readCommand),
    accepts: identified(commands.accepts).map(readCommand),
    controlLinks: linkIds(links.ctl),
    respondLinks: linkIds(links.rsp),
  };
}

function readCommand(command: Json): CommandDefinition {
  return { id: textOf(command.id), name: textOf(command.name), parameters: readParameters(command.parameters) };
}

function readParameters(parameters: unknown): readonly ParameterDefinition[] {
  return objectsOf(parameters)
    .filter(({ editor }) => textOf(editor) !== "")
    .map((parameter) => ({
      id: textOf(parameter.id),
      name: textOf(parameter.name),
      editor: textOf(parameter.editor),
      optional: booleanOf(parameter.optional, false),
      init: textOrNull(parameter.init),
    }));
}

/** Ids as they stand, or objects with one. */
function linkIds(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((link) => (isObject(link) ? textOf(link.id) : textOf(link))).filter((id) => id !== "");
}

function readLinkdef(linkdef: Json): Linkdef {
  const { id, name, protocol, parameters } = linkdef;
  return { id: textOf(id), name: textOf(name), protocol: textOf(protocol), parameters: readParameters(parameters) };
}

function readEditor(editor: Json): EditorDefinition {
  return { id: textOf(editor.id), ranges: objectsOf(editor.ranges).map(readRange) };
}

function readRange(range: Json): EditorRange {
  const names = isObject(range.names) ? Object.entries(range.names) : [];
  const integers = names.filter(([key]) => /^-?\d+$/.test(key));
  const bound = (value: unknown) => {
    const read = numberOf(value, Number.NaN);
    return Number.isNaN(read) ? null : read;
  };
  return {
    uom: textOf(range.uom, "0") || "0",
    prec: numberOf(range.prec),
    min: bound(range.min),
    max: bound(range.max),
    step: bound(range.step),
    subset: textOrNull(range.subset),
    names: new Map(integers.map(([key, name]) => [Number(key), textOf(name)])),
  };
}
