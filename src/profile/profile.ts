/**
 * WHAT CAN EXIST: nodedefs, editors and linkdefs by family and instance. Built-in definitions come from `builtin/`,
 * the rest is declared by drivers before the nodes that use it, and retracted when an integration is removed.
 */

import { isDeepStrictEqual } from "node:util";
import { commonLabel } from "./builtin/command-ids-table.ts";
import type { Editor } from "./editor.ts";
import { decodeEditorId } from "./encoded-editor.ts";
import type { Linkdef } from "./linkdef.ts";
import type { Nodedef } from "./nodedef.ts";

/** Source of definitions: "builtin", or the id of an integration. */
type DefinitionOwner = string;

const BUILTIN: DefinitionOwner = "builtin";

/** "common" holds editors that every family may use. */
export type FamilyId = number | "common";

export type Definitions = {
  readonly nodedefs?: readonly Nodedef[];
  readonly editors?: readonly Editor[];
  readonly linkdefs?: readonly Linkdef[];
  /** NLS entries: key → text, for encoded editors' `_N_` prefixes and labels. */
  readonly names?: ReadonlyMap<string, string>;
};

export type ProfileInstance = {
  readonly family: FamilyId;
  readonly instance: number;
  readonly nodedefs: Map<string, Nodedef>;
  /** Generated for one radio's devices; served by `def/get` too. */
  readonly dynamicNodedefs: Map<string, Nodedef>;
  readonly editors: Map<string, Editor>;
  readonly linkdefs: Map<string, Linkdef>;
  readonly names: Map<string, string>;
};

type Tables = Pick<ProfileInstance, (typeof TABLES)[number]>;

const TABLES = ["nodedefs", "dynamicNodedefs", "editors", "linkdefs", "names"] as const;

/**
 * The definitions of an instance as everybody sees them, and the owner of each, in the order of their first
 * declarations.
 */
type Layers = { readonly shown: ProfileInstance; readonly byOwner: Map<DefinitionOwner, Tables> };

export class Profile {
  /** Moves with every declaration that changed something; encoders cache by it. */
  version = 1;
  readonly #instances = new Map<string, Layers>();

  /** Adds or replaces definitions. `dynamic`: see ProfileInstance. `owner`: who may retract them. */
  declare(family: FamilyId, instance: number, definitions: Definitions, dynamic = false, owner = BUILTIN): void {
    const { shown, byOwner } = this.#layers(family, instance);
    let isNew = byOwner.size === 0;
    const own = byOwner.get(owner) ?? noTables();
    byOwner.set(owner, own);
    const put = (table: (typeof TABLES)[number], key: string, definition: unknown) => {
      // The tables hold different definitions; each is put into the one of its own kind below.
      (own[table] as Map<string, unknown>).set(key, definition);
      if (isDeepStrictEqual(shown[table].get(key), definition)) return;
      (shown[table] as Map<string, unknown>).set(key, definition);
      isNew = true;
    };
    const nodedefs = dynamic ? "dynamicNodedefs" : "nodedefs";
    for (const [key, text] of definitions.names ?? []) put("names", key, text);
    for (const nodedef of definitions.nodedefs ?? []) put(nodedefs, nodedef.id, labelled(nodedef, shown.names));
    for (const editor of definitions.editors ?? []) put("editors", editor.id, editor);
    for (const linkdef of definitions.linkdefs ?? []) put("linkdefs", linkdef.id, linkdef);
    if (isNew) this.version += 1;
  }

  /**
   * Retracts the definitions of an owner, of one family and instance or of all. Definitions that others declared too
   * stay.
   */
  retract(owner: DefinitionOwner, of?: { readonly family: FamilyId; readonly instance: number }): void {
    for (const [key, { shown, byOwner }] of this.#instances) {
      if (of && (of.family !== shown.family || of.instance !== shown.instance)) continue;
      const own = byOwner.get(owner);
      if (!own) continue;
      byOwner.delete(owner);
      for (const table of TABLES) takeOut(table, own, shown, [...byOwner.values()]);
      if (byOwner.size === 0) this.#instances.delete(key);
      this.version += 1;
    }
  }

  instance(family: FamilyId, instance: number): ProfileInstance | null {
    return this.#instances.get(`${family}/${instance}`)?.shown ?? null;
  }

  /** Every instance, "common" first, then by family number. */
  instances(): readonly ProfileInstance[] {
    const rank = (family: FamilyId) => (family === "common" ? -1 : family);
    return [...this.#instances.values()]
      .map(({ shown }) => shown)
      .sort((a, b) => rank(a.family) - rank(b.family) || a.instance - b.instance);
  }

  nodedef(id: string, family: number, instance: number): Nodedef | null {
    const home = this.instance(family, instance);
    return home?.nodedefs.get(id) ?? home?.dynamicNodedefs.get(id) ?? null;
  }

  /** An encoded id is decoded; a named one is looked up in the instance, then in family `common`. */
  editor(id: string, family: number, instance: number): Editor | null {
    const home = this.instance(family, instance);
    return (
      decodeEditorId(id, home?.names ?? new Map()) ??
      home?.editors.get(id) ??
      this.instance("common", 1)?.editors.get(id) ??
      null
    );
  }

  #layers(family: FamilyId, instance: number): Layers {
    const key = `${family}/${instance}`;
    const known = this.#instances.get(key);
    if (known) return known;
    const created = { shown: { family, instance, ...noTables() }, byOwner: new Map() };
    this.#instances.set(key, created);
    return created;
  }
}

/** A property or command without a label has that of the names, or else the common one of its id. */
function labelled(nodedef: Nodedef, names: ReadonlyMap<string, string>): Nodedef {
  const { nls, properties, sends, accepts } = nodedef;
  const label = (kind: "ST" | "CMD", id: string) =>
    names.get(`${kind}-${nls}-${id}-NAME`) ?? names.get(`${kind}-${id}-NAME`) ?? commonLabel(id);
  const each = <T extends { readonly id: string; readonly name: string }>(kind: "ST" | "CMD", all: readonly T[]) =>
    all.map((one) => (one.name === "" ? { ...one, name: label(kind, one.id) } : one));
  return { ...nodedef, properties: each("ST", properties), sends: each("CMD", sends), accepts: each("CMD", accepts) };
}

function noTables(): Tables {
  return {
    nodedefs: new Map(),
    dynamicNodedefs: new Map(),
    editors: new Map(),
    linkdefs: new Map(),
    names: new Map(),
  };
}

/** The latest owner that declares the same key too has its own definition shown. */
function takeOut(table: (typeof TABLES)[number], own: Tables, shown: Tables, others: readonly Tables[]): void {
  for (const key of own[table].keys()) {
    const other = others.findLast((tables) => tables[table].has(key))?.[table].get(key);
    if (other === undefined) shown[table].delete(key);
    else (shown[table] as Map<string, unknown>).set(key, other);
  }
}
