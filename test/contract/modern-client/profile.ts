/**
 * The modern client's reading of what can exist: editors, nodedefs, their labels, also from the XML of radio networks.
 * It is strict where the library is: a definition without an id, a label whose key is no integer, a precision that is no
 * number end the whole load.
 */

import { child, children, type XmlElement } from "../../support/read-xml.ts";
import { ClientError, isObject } from "./session.ts";

export type Range = {
  readonly uom: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly prec: number;
  readonly subset: string | null;
  readonly names: ReadonlyMap<number, string>;
};
type Editor = { readonly id: string; readonly ranges: readonly Range[] };
type Parameter = {
  readonly id: string;
  readonly editor: string;
  readonly init: string | null;
  readonly optional: boolean;
};
export type CommandDef = { readonly id: string; readonly name: string; readonly parameters: readonly Parameter[] };
type PropertyDef = {
  readonly id: string;
  readonly editor: string;
  readonly name: string;
  readonly hide: boolean;
};
export type NodeDef = {
  readonly id: string;
  /** Key of its labels; null where labels come with it. */
  readonly nls: string | null;
  readonly properties: readonly PropertyDef[];
  readonly sends: readonly CommandDef[];
  readonly accepts: readonly CommandDef[];
};

type Instance = {
  readonly editors: ReadonlyMap<string, Editor>;
  readonly nodedefs: ReadonlyMap<string, NodeDef>;
};
/** By family and instance. */
export type Profile = ReadonlyMap<string, Instance>;
export type Labels = ReadonlyMap<string, string>;

export const profileKey = (family: string, instance: string) => `${family}/${instance}`;

type Json = Record<string, unknown>;

export function readProfile(document: unknown): Profile {
  if (!isObject(document)) throw new ClientError("The profile is no object.");
  const profile = new Map<string, Instance>();
  for (const family of list(document.families)) {
    for (const instance of list(family.instances)) {
      profile.set(profileKey(String(family.id), String(instance.id)), {
        editors: byId(list(instance.editors).map(readEditor)),
        nodedefs: byId(list(instance.nodedefs).map(readNodeDef)),
      });
      for (const linkdef of list(instance.linkdefs)) requiredId(linkdef);
    }
  }
  return profile;
}

/** Looks in the node's own instance, then in the shared ones; an encoded id needs no editor. */
export function findEditor(profile: Profile, family: string, instance: string, id: string): Editor | null {
  return (
    decodeEditor(id) ??
    profile.get(profileKey(family, instance))?.editors.get(id) ??
    profile.get(profileKey("common", "1"))?.editors.get(id) ??
    null
  );
}

/** `nodeDefs` of a radio network. */
export function readRadioNodeDefs(root: XmlElement): readonly NodeDef[] {
  const named = [...children(root, "nodedef"), ...children(root, "nodeDef")];
  return named.map((element) => {
    const commands = children(element, "cmds")[0];
    return {
      id: element.attributes.id ?? "",
      nls: element.attributes.nls ?? null,
      properties: within(element, "sts", "st").map(({ attributes }) => ({
        id: attributes.id ?? "",
        editor: attributes.editor ?? "",
        name: attributes.name ?? "",
        hide: isTrue(attributes.hide),
      })),
      sends: commands ? within(commands, "sends", "cmd").map(readRadioCommand) : [],
      accepts: commands ? within(commands, "accepts", "cmd").map(readRadioCommand) : [],
    };
  });
}

/** One `KEY = VALUE` a line; the later ones win. */
export function readLabels(text: string): Labels {
  const labels = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    const key = line.slice(0, at).trim();
    if (at < 0 || key === "" || key.startsWith("#")) continue;
    labels.set(key, line.slice(at + 1).trim());
  }
  return labels;
}

/** The label of a command of a radio nodedef; its id without one. */
export function commandLabel(labels: Labels, { nls }: NodeDef, id: string): string {
  return labels.get(`CMD-${nls ?? ""}-${id}-NAME`) ?? labels.get(`CMD-${id}-NAME`) ?? id;
}

export function propertyLabel(labels: Labels, { nls }: NodeDef, id: string): string {
  return labels.get(`ST-${nls ?? ""}-${id}-NAME`) ?? labels.get(`ST-${id}-NAME`) ?? id;
}

const ENCODED = /^_(\d+)_(\d+)(?:_R_(m?\d+)_(m?\d+)|_S_([0-9A-Fa-f]+)(?:_([0-9A-Fa-f]+))?)?(?:_N_(.+))?$/;

function decodeEditor(id: string): Editor | null {
  const match = ENCODED.exec(id);
  if (!match) return null;
  const [, uom = "0", prec = "0", low, high, firstMask, secondMask] = match;
  const allowed = [maskValues(firstMask, 0), maskValues(secondMask, 32)].flat();
  const range: Range = {
    uom,
    prec: Number(prec),
    min: low === undefined ? null : bound(low),
    max: high === undefined ? null : bound(high),
    subset: firstMask === undefined ? null : allowed.join(","),
    names: new Map(),
  };
  return { id, ranges: [range] };
}

function bound(text: string): number {
  return Number(text.replace("m", "-"));
}

function maskValues(mask: string | undefined, first: number): readonly number[] {
  const bits = BigInt(`0x${mask ?? "0"}`);
  return Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) =>
    (bits >> BigInt(bit)) & 1n ? [first + bit] : [],
  );
}

function readEditor(editor: Json): Editor {
  return { id: requiredId(editor), ranges: list(editor.ranges).map(readRange) };
}

function readRange(range: Json): Range {
  const names = isObject(range.names) ? Object.entries(range.names) : [];
  return {
    uom: String(range.uom ?? "0"),
    min: optionalNumber(range, "min"),
    max: optionalNumber(range, "max"),
    prec: "prec" in range ? integer(range.prec) : 0,
    subset: typeof range.subset === "string" ? range.subset : null,
    names: new Map(names.map(([key, name]) => [integer(key), String(name)])),
  };
}

function readNodeDef(nodedef: Json): NodeDef {
  const commands = isObject(nodedef.cmds) ? nodedef.cmds : {};
  return {
    id: requiredId(nodedef),
    nls: null,
    properties: list(nodedef.properties)
      .filter(({ id }) => id !== undefined)
      .map((property) => ({
        id: String(property.id),
        editor: String(property.editor ?? ""),
        name: String(property.name ?? ""),
        hide: property.hide === true,
      })),
    sends: list(commands.sends).map(readCommand),
    accepts: list(commands.accepts).map(readCommand),
  };
}

function readCommand(command: Json): CommandDef {
  const parameters = list(command.parameters)
    .filter(({ editor }) => editor !== undefined)
    .map((parameter) => ({
      id: String(parameter.id ?? ""),
      editor: String(parameter.editor),
      init: parameter.init === undefined ? null : String(parameter.init),
      optional: parameter.optional === true,
    }));
  return { id: requiredId(command), name: String(command.name ?? ""), parameters };
}

function readRadioCommand(element: XmlElement): CommandDef {
  const parameters = children(element, "p").map(({ attributes }) => ({
    id: attributes.id ?? "",
    editor: attributes.editor ?? "",
    init: attributes.init ?? null,
    optional: isTrue(attributes.optional),
  }));
  return { id: element.attributes.id ?? "", name: element.attributes.name ?? "", parameters };
}

function within(element: XmlElement, outer: string, inner: string): readonly XmlElement[] {
  return children(child(element, outer), inner);
}

function isTrue(attribute: string | undefined): boolean {
  return ["T", "TRUE", "1"].includes(attribute ?? "");
}

/** Anything but a list of objects is fatal, because the client reads members of each item. */
function list(value: unknown): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) throw new ClientError("A list of the profile is none.");
  return value;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function requiredId(definition: Json): string {
  if (definition.id === undefined || definition.id === null) throw new ClientError("A definition has no id.");
  return String(definition.id);
}

function optionalNumber(range: Json, member: "min" | "max"): number | null {
  const value = range[member];
  if (value === undefined) return null;
  if (typeof value !== "number") throw new ClientError(`The ${member} of a range is no number.`);
  return value;
}

function integer(value: unknown): number {
  const read = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof read !== "number" || !Number.isInteger(read)) throw new ClientError(`${String(value)} is no integer.`);
  return read;
}
