/**
 * WHAT CAN EXIST: nodedefs, editors and linkdefs by family and instance. Built-in definitions come from `builtin/`,
 * the rest is declared by drivers before the nodes that use it.
 */

import type { Editor } from "./editor.ts";
import { decodeEditorId } from "./encoded-editor.ts";
import type { Linkdef } from "./linkdef.ts";
import type { Nodedef } from "./nodedef.ts";

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

export class Profile {
  /** Moves with every declaration that changed something; encoders cache by it. */
  version = 1;
  readonly #instances = new Map<string, ProfileInstance>();

  /** Adds or replaces definitions; repeating equal ones moves nothing but the version. `dynamic`: see ProfileInstance. */
  declare(family: FamilyId, instance: number, definitions: Definitions, dynamic = false): void {
    const home = this.instance(family, instance) ?? this.#create(family, instance);
    const nodedefs = dynamic ? home.dynamicNodedefs : home.nodedefs;
    for (const nodedef of definitions.nodedefs ?? []) nodedefs.set(nodedef.id, nodedef);
    for (const editor of definitions.editors ?? []) home.editors.set(editor.id, editor);
    for (const linkdef of definitions.linkdefs ?? []) home.linkdefs.set(linkdef.id, linkdef);
    for (const [key, text] of definitions.names ?? []) home.names.set(key, text);
    this.version += 1;
  }

  instance(family: FamilyId, instance: number): ProfileInstance | null {
    return this.#instances.get(`${family}/${instance}`) ?? null;
  }

  /** Every instance, "common" first, then by family number. */
  instances(): readonly ProfileInstance[] {
    const rank = (family: FamilyId) => (family === "common" ? -1 : family);
    return [...this.#instances.values()].sort((a, b) => rank(a.family) - rank(b.family) || a.instance - b.instance);
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

  #create(family: FamilyId, instance: number): ProfileInstance {
    const created = {
      family,
      instance,
      nodedefs: new Map(),
      dynamicNodedefs: new Map(),
      editors: new Map(),
      linkdefs: new Map(),
      names: new Map(),
    };
    this.#instances.set(`${family}/${instance}`, created);
    return created;
  }
}
