/** The lines of one automation with what becomes of each, and what they are translated with. */

import { isDeepStrictEqual } from "node:util";
import type { Action, Condition } from "../../../home/program-syntax.ts";
import type { Message } from "../../../messages.ts";
import type { LineFate, SourceLine } from "../../home-source.ts";
import type { KnownEntity } from "./entity-words.ts";
import { lineText } from "./read.ts";

/** What the translation knows of the system and of this controller. */
export type Known = {
  /** null: no node shows it. */
  find(entity: string): KnownEntity | null;
  /** `light.kitchen`, of the id that device automations name. */
  entityOf(id: string): string;
  /** Entities in an area, on a floor, of a device or with a label. */
  entitiesIn(kind: string, id: string): readonly string[];
  /** Id of a scene that comes over, by its entity. */
  sceneOf(entity: string): string | null;
  /** Number of the program that a script becomes; null: it becomes none. */
  scriptOf(entity: string): number | null;
  nextNumber(): number;
};

/** `triggerId`: of the trigger that started it, where the automation asks for it. */
export type Context = { readonly known: Known; readonly lines: Lines; readonly triggerId: string | null };

type Line = { at: string; text: string; fate: LineFate; conditions: Condition[]; actions: Action[]; notes: Message[] };

const WORST: readonly LineFate[] = ["same", "differs", "out"];
const LINES_MAX = 300;
const IN_ORDER = new Intl.Collator("en", { numeric: true });
const SECTIONS: readonly string[] = ["mode", "triggers", "conditions", "variables", "actions"];

export class Lines {
  readonly #lines = new Map<string, Line>();
  /** Something that the rest depends on cannot be said here. */
  isLost = false;

  /** One that is read again, for another trigger, is the same. */
  begin(at: string, raw: unknown): void {
    if (this.#lines.has(at)) return;
    if (this.#lines.size >= LINES_MAX) this.isLost = true;
    else this.#lines.set(at, { at, text: lineText(raw), fate: "same", conditions: [], actions: [], notes: [] });
  }

  note(at: string, fate: LineFate, message: Message): void {
    const line = this.#lines.get(at);
    if (!line) return;
    if (WORST.indexOf(fate) > WORST.indexOf(line.fate)) line.fate = fate;
    addNew(line.notes, message);
  }

  /** The rest cannot be without it. */
  lose(at: string, message: Message): null {
    this.note(at, "out", message);
    this.isLost = true;
    return null;
  }

  becomes(at: string, { conditions = [], actions = [] }: Partial<Pick<SourceLine, "conditions" | "actions">>): void {
    const line = this.#lines.get(at);
    for (const each of conditions) addNew(line?.conditions, each);
    for (const each of actions) addNew(line?.actions, each);
  }

  /** It is part of something that is put in another way. */
  becomesInstead(at: string, condition: Condition): void {
    const line = this.#lines.get(at);
    if (line) line.conditions = [condition];
  }

  all(): readonly SourceLine[] {
    // What is asked comes before what is done.
    const inOrder = ({ at }: Line) => at.replaceAll(".if", ".a").replaceAll(".then", ".b").replaceAll(".else", ".c");
    const section = ({ at }: Line) => SECTIONS.findIndex((name) => at.startsWith(name));
    return [...this.#lines.values()].sort(
      (a, b) => section(a) - section(b) || IN_ORDER.compare(inOrder(a), inOrder(b)),
    );
  }
}

function addNew<T>(list: T[] | undefined, value: T): void {
  if (list && !list.some((each) => isDeepStrictEqual(each, value))) list.push(value);
}
