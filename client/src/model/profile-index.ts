/** The profile, to be looked things up in. */

import { createEditor } from "./editor.ts";
import { decodeEditorId } from "./encoded-editor.ts";
import type { Definitions, Editor, EditorDefinition, Nodedef, Profile } from "./profile.ts";

type Labels = ReadonlyMap<string, string>;

const NO_LABELS: Labels = new Map();
/** Where editors are that every family may use, and where those of the radios are that are not in their own. */
const SHARED = [
  ["common", "1"],
  ["4", "1"],
] as const;

export class ProfileIndex implements Profile {
  readonly #nodedefs = new Map<string, Nodedef>();
  readonly #editors = new Map<string, EditorDefinition>();
  readonly #labels = new Map<string, Labels>();
  readonly #made = new Map<string, Editor>();

  constructor(definitions: readonly Definitions[] = []) {
    for (const { family, instance, nodedefs, editors } of definitions) {
      for (const nodedef of nodedefs) this.addNodedef(nodedef);
      for (const editor of editors) this.#editors.set(key(family, instance, editor.id), editor);
    }
  }

  get nodedefs(): Iterable<Nodedef> {
    return this.#nodedefs.values();
  }

  nodedef(id: string, family: string, instance: string): Nodedef | null {
    return this.#nodedefs.get(key(family, instance, id)) ?? null;
  }

  addNodedef(nodedef: Nodedef): void {
    this.#nodedefs.set(key(nodedef.family, nodedef.instance, nodedef.id), nodedef);
  }

  /** Labels of the values of encoded editors in this instance. */
  setLabels(family: string, instance: string, labels: Labels): void {
    this.#labels.set(key(family, instance, ""), labels);
  }

  editor(id: string, family = "", instance = "1"): Editor | null {
    const own = key(family, instance, id);
    const made = this.#made.get(own);
    if (made) return made;
    const definition = this.#define(id, family, instance);
    if (!definition) return null;
    const editor = createEditor(definition);
    this.#made.set(own, editor);
    return editor;
  }

  /** The ranges of an editor; none when it is unknown. */
  ranges(id: string, family: string, instance: string): EditorDefinition["ranges"] {
    return this.#define(id, family, instance)?.ranges ?? [];
  }

  #define(id: string, family: string, instance: string): EditorDefinition | null {
    const labels = this.#labels.get(key(family, instance, "")) ?? NO_LABELS;
    const encoded = id.startsWith("_") ? decodeEditorId(id, labels) : null;
    if (encoded) return encoded;
    for (const [eachFamily, eachInstance] of [[family, instance], ...SHARED] as const) {
      const found = this.#editors.get(key(eachFamily, eachInstance, id));
      if (found) return found;
    }
    return null;
  }
}

function key(family: string, instance: string, id: string): string {
  return `${family}/${instance}/${id}`;
}
