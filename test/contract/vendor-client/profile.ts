/**
 * How the vendor's client reads `/rest/profiles`: strictly, with the editors of all families in one table without regard to
 * case, in the order of the document. It decodes no editor ids and reads no other document for nodedefs.
 */

import { isObject } from "../modern-client/session.ts";

type Json = Readonly<Record<string, unknown>>;

type VendorRange = {
  readonly uom: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly subset: string | null;
  readonly names: Readonly<Record<string, string>>;
};
type VendorEditor = { readonly id: string; readonly ranges: readonly VendorRange[] };
type VendorParameter = {
  readonly id: string;
  readonly name: string | null;
  readonly init: string | null;
  readonly optional: boolean;
  /** null: not found; the parameter is then free text to the client. */
  readonly editor: VendorEditor | null;
};
export type VendorCommand = {
  readonly id: string;
  readonly name: string | null;
  readonly parameters: readonly VendorParameter[];
};
type VendorProperty = Omit<VendorParameter, "init" | "optional">;
export type VendorNodedef = {
  readonly id: string;
  readonly properties: readonly VendorProperty[];
  readonly accepts: readonly VendorCommand[];
  readonly sends: readonly VendorCommand[];
};
export type VendorLinkdef = {
  readonly id: string;
  readonly protocol: string;
  readonly parameters: readonly { readonly id: string; readonly name: string | null }[];
};
export type VendorProfile = {
  /** By `<id>.<family>.<instance>`. */
  readonly nodedefs: ReadonlyMap<string, VendorNodedef>;
  readonly linkdefs: ReadonlyMap<string, VendorLinkdef>;
};

/** @throws Error for a member that the client cannot do without. */
export function readVendorProfile(document: unknown): VendorProfile {
  const nodedefs = new Map<string, VendorNodedef>();
  const linkdefs = new Map<string, VendorLinkdef>();
  const editors = new Map<string, VendorEditor>();
  for (const family of list(document, "families")) {
    for (const instance of list(family, "instances")) {
      const scope = `${required(family, "id")}.${required(instance, "id")}`;
      required(instance, "name");
      for (const editor of list(instance, "editors")) addEditor(editors, editor);
      for (const linkdef of list(instance, "linkdefs")) linkdefs.set(`${linkdef.id}.${scope}`, readLinkdef(linkdef));
      for (const nodedef of list(instance, "nodedefs"))
        nodedefs.set(`${nodedef.id}.${scope}`, readNodedef(nodedef, editors));
    }
  }
  return { nodedefs, linkdefs };
}

export function list(of: unknown, member: string): readonly Json[] {
  const items = isObject(of) ? of[member] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

export function required(of: Json, member: string): unknown {
  if (of[member] === undefined) throw new Error(`The client misses "${member}" of ${JSON.stringify(of).slice(0, 80)}.`);
  return of[member];
}

/** A later editor replaces an earlier one, unless its id is all lower case. */
function addEditor(editors: Map<string, VendorEditor>, editor: Json): void {
  const id = String(editor.id);
  const key = id.toLowerCase();
  if (id === key && editors.has(key)) return;
  editors.set(key, { id, ranges: list(editor, "ranges").flatMap(readRange) });
}

/** A range without bounds and without a subset is dropped. */
function readRange(range: Json): readonly VendorRange[] {
  const uom = String(required(range, "uom"));
  const names = isObject(range.names) ? (range.names as Record<string, string>) : {};
  const hasBounds = range.min !== undefined && range.max !== undefined;
  if (!hasBounds && range.subset === undefined) return [];
  return [
    {
      uom,
      names,
      min: hasBounds ? Number(range.min) : null,
      max: hasBounds ? Number(range.max) : null,
      subset: hasBounds ? null : String(range.subset),
    },
  ];
}

function readLinkdef(linkdef: Json): VendorLinkdef {
  const parameters = list(linkdef, "parameters").map((each) => ({
    id: String(required(each, "id")),
    name: textOrNull(each.name),
  }));
  return { id: String(required(linkdef, "id")), protocol: String(required(linkdef, "protocol")), parameters };
}

function readNodedef(nodedef: Json, editors: ReadonlyMap<string, VendorEditor>): VendorNodedef {
  const editorOf = (each: Json) => editors.get(String(required(each, "editor")).toLowerCase()) ?? null;
  const commands = (member: string): readonly VendorCommand[] =>
    list(nodedef.cmds, member).map((command) => ({
      id: String(required(command, "id")),
      name: textOrNull(command.name),
      parameters: list(command, "parameters").map((parameter) => ({
        id: String(required(parameter, "id")),
        name: textOrNull(parameter.name),
        init: textOrNull(parameter.init),
        optional: parameter.optional === true,
        editor: editorOf(parameter),
      })),
    }));
  return {
    id: String(nodedef.id),
    properties: list(nodedef, "properties").map((property) => ({
      id: String(property.id),
      name: textOrNull(property.name),
      editor: editorOf(property),
    })),
    accepts: commands("accepts"),
    sends: commands("sends"),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
