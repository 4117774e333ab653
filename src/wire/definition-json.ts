/**
 * Nodedefs, editors and linkdefs as JSON: as `/rest/profiles` shows them, and as other controllers and plugins write
 * them.
 */

import type { Editor, EditorRange } from "../profile/editor.ts";
import type { Linkdef } from "../profile/linkdef.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "../profile/nodedef.ts";
import type { Definitions } from "../profile/profile.ts";
import { number, objects, readObject, text, truth, whole } from "./loose.ts";
import { isObject, type Tree, type TreeObject } from "./spelling/tree.ts";

/** A member of an unexpected form counts as absent. */
export function readDefinitions(instance: TreeObject): Definitions {
  return {
    nodedefs: identified(instance.nodedefs).map(nodedef),
    editors: identified(instance.editors).map(editor),
    linkdefs: identified(instance.linkdefs).map(linkdef),
  };
}

function identified(tree: Tree | undefined): readonly TreeObject[] {
  return objects(tree).filter(({ id }) => text(id) !== "");
}

function editor(received: TreeObject): Editor {
  return { id: text(received.id), ranges: objects(received.ranges).map(range) };
}

function range(received: TreeObject): EditorRange {
  const { uom, prec, min, max, step, subset, names } = received;
  const labels = Object.entries(readObject(names)).flatMap(([key, label]): readonly [number, string][] => {
    return /^-?\d{1,15}$/.test(key) ? [[Number(key), text(label)]] : [];
  });
  return {
    uom: whole(uom) ?? 0,
    prec: Math.min(whole(prec) ?? 0, PREC_MAX),
    min: number(min),
    max: number(max),
    step: number(step),
    subset: isSubset(text(subset)) ? text(subset) : null,
    names: new Map(labels),
  };
}

const PREC_MAX = 9;
/** Accepts values and ranges of values. Anything else would leave no value allowed. */
function isSubset(received: string): boolean {
  return received !== "" && received.split(",").every((part) => RUN.test(part.trim()));
}

const RUN = /^\d*(?:-\d*)?$/;

function linkdef(received: TreeObject): Linkdef {
  return {
    id: text(received.id),
    name: text(received.name),
    protocol: text(received.protocol),
    cmd: truth(received.cmd),
    format: optional(received.format),
    parameters: objects(received.parameters).map(({ id, editor, name }) => ({
      id: text(id),
      editor: text(editor),
      name: text(name),
    })),
  };
}

function nodedef(received: TreeObject): Nodedef {
  const { sends, accepts } = readObject(received.cmds);
  const { ctl, rsp } = readObject(received.links);
  return {
    id: text(received.id),
    name: text(received.name),
    nls: optional(received.nls),
    icon: optional(received.icon),
    properties: identified(received.properties).map((property) => ({
      id: text(property.id),
      editor: text(property.editor),
      name: text(property.name),
      hide: truth(property.hide),
    })),
    sends: identified(sends).map(command),
    accepts: identified(accepts).map(command),
    controlLinks: linkIds(ctl),
    respondLinks: linkIds(rsp),
  };
}

function command(received: TreeObject): CommandDefinition {
  return {
    id: text(received.id),
    name: text(received.name),
    native: truth(received.native),
    format: optional(received.format),
    parameters: objects(received.parameters)
      .filter(({ editor }) => text(editor) !== "")
      .map(parameter),
  };
}

function parameter(received: TreeObject): CommandParameter {
  return {
    id: text(received.id),
    editor: text(received.editor),
    name: text(received.name),
    init: optional(received.init),
    optional: truth(received.optional),
  };
}

/** Ids, or objects that have one. */
function linkIds(tree: Tree | undefined): readonly string[] {
  if (!Array.isArray(tree)) return [];
  return tree.map((each: Tree) => (isObject(each) ? text(each.id) : text(each))).filter((id) => id !== "");
}

function optional(tree: Tree | undefined): string | null {
  return text(tree) || null;
}

/** The id by which a document names an editor. */
type EditorSpelling = (id: string) => string;

function same(id: string): string {
  return id;
}

export function editorJson({ id, ranges }: Editor): object {
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

export function linkdefJson(
  { id, protocol, name, cmd, format, parameters }: Linkdef,
  spell: EditorSpelling = same,
): object {
  return {
    id,
    protocol,
    ...(name !== "" && { name }),
    ...(cmd && { cmd }),
    ...(format !== null && { format }),
    ...(parameters.length > 0 && { parameters: parameters.map((each) => ({ ...each, editor: spell(each.editor) })) }),
  };
}

export function nodedefJson(nodedef: Nodedef, spell: EditorSpelling = same): object {
  const { id, nls, icon, properties, sends, accepts, controlLinks, respondLinks, name } = nodedef;
  return {
    id,
    ...(nls !== null && { nls }),
    ...(icon !== null && { icon }),
    properties: properties.map((property) => ({
      id: property.id,
      editor: spell(property.editor),
      ...(property.hide && { hide: true }),
      name: property.name,
    })),
    cmds: {
      sends: sends.map((command) => commandJson(command, spell)),
      accepts: accepts.map((command) => commandJson(command, spell)),
    },
    links: { ctl: controlLinks, rsp: respondLinks },
    ...(name !== "" && { name }),
  };
}

function commandJson({ id, native, name, format, parameters }: CommandDefinition, spell: EditorSpelling): object {
  return {
    id,
    native: String(native),
    name,
    ...(format !== null && { format }),
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => parameterJson(parameter, spell)) }),
  };
}

function parameterJson({ id, editor, init, optional, name }: CommandParameter, spell: EditorSpelling): object {
  return {
    id,
    editor: spell(editor),
    ...(init !== null && { init }),
    ...(optional && { optional }),
    ...(name !== "" && { name }),
  };
}
