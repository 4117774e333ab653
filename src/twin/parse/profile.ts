/** The profile as it was told: nodedefs, editors and linkdefs by family and instance. */

import type { Editor, EditorRange } from "../../profile/editor.ts";
import type { Linkdef } from "../../profile/linkdef.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "../../profile/nodedef.ts";
import type { Definitions, FamilyId } from "../../profile/profile.ts";
import { isObject, type Tree, type TreeObject } from "../../wire/spelling/tree.ts";
import { number, object, objects, text, truth, whole } from "./loose.ts";

export type ReceivedInstance = {
  readonly family: FamilyId;
  readonly instance: number;
  readonly definitions: Definitions;
};

/** A family or instance whose id is no number is passed over; no node can name it. */
export function readProfile(document: Tree): readonly ReceivedInstance[] {
  return objects(object(document).families).flatMap((family) => {
    const id = text(family.id) === "common" ? "common" : whole(family.id);
    if (id === null) return [];
    return objects(family.instances).flatMap((instance): readonly ReceivedInstance[] => {
      const number = whole(instance.id);
      return number === null ? [] : [{ family: id, instance: number, definitions: definitions(instance) }];
    });
  });
}

function definitions(instance: TreeObject): Definitions {
  return {
    nodedefs: identified(instance.nodedefs).map(nodedef),
    editors: identified(instance.editors).map(editor),
    linkdefs: identified(instance.linkdefs).map(linkdef),
  };
}

function identified(tree: Tree | undefined): readonly TreeObject[] {
  return objects(tree).filter(({ id }) => text(id) !== "");
}

function editor(told: TreeObject): Editor {
  return { id: text(told.id), ranges: objects(told.ranges).map(range) };
}

function range(told: TreeObject): EditorRange {
  const { uom, prec, min, max, step, subset, names } = told;
  const labels = Object.entries(object(names)).flatMap(([key, label]): readonly [number, string][] => {
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
/** Values and runs of values; anything else would leave no value allowed. */
function isSubset(told: string): boolean {
  return told !== "" && told.split(",").every((part) => RUN.test(part.trim()));
}

const RUN = /^\d*(?:-\d*)?$/;

function linkdef(told: TreeObject): Linkdef {
  return {
    id: text(told.id),
    name: text(told.name),
    protocol: text(told.protocol),
    cmd: truth(told.cmd),
    format: optional(told.format),
    parameters: objects(told.parameters).map(({ id, editor, name }) => ({
      id: text(id),
      editor: text(editor),
      name: text(name),
    })),
  };
}

function nodedef(told: TreeObject): Nodedef {
  const { sends, accepts } = object(told.cmds);
  const { ctl, rsp } = object(told.links);
  return {
    id: text(told.id),
    name: text(told.name),
    nls: optional(told.nls),
    icon: optional(told.icon),
    properties: identified(told.properties).map((property) => ({
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

function command(told: TreeObject): CommandDefinition {
  return {
    id: text(told.id),
    name: text(told.name),
    native: truth(told.native),
    format: optional(told.format),
    parameters: objects(told.parameters)
      .filter(({ editor }) => text(editor) !== "")
      .map(parameter),
  };
}

function parameter(told: TreeObject): CommandParameter {
  return {
    id: text(told.id),
    editor: text(told.editor),
    name: text(told.name),
    init: optional(told.init),
    optional: truth(told.optional),
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
