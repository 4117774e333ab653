/**
 * A system with a home of its own that its owner may move in from: its places, scenes and automations, translated by the driver that
 * knows the system. Nothing here is written anywhere; `commands/way-in.ts` plans what becomes of it.
 *
 * @see docs/home-assistant.md
 */

import type { SceneLink } from "../home/groups.ts";
import type { Action, Condition, ProgramTree } from "../home/program-syntax.ts";
import type { Message } from "../messages.ts";

export type HomeSource = {
  /** As its owner calls it: "Home Assistant". */
  readonly system: string;
  /** Reads all of it. @throws ControllerError DRIVER_UNAVAILABLE */
  read(signal: AbortSignal): Promise<SourceHome>;
};

export type SourceHome = {
  readonly floors: readonly SourcePlace[];
  readonly areas: readonly (SourcePlace & { readonly floor: string | null })[];
  /** Nodes of the driver that have an area there. */
  readonly nodes: readonly { readonly address: string; readonly area: string }[];
  readonly scenes: readonly SourceScene[];
  readonly automations: readonly SourceAutomation[];
  /** What could not be read, and why. */
  readonly problems: readonly Message[];
};

type SourcePlace = { readonly id: string; readonly name: string };

export type SourceScene = SourcePlace & {
  readonly area: string | null;
  /** One for each node. */
  readonly links: readonly SceneLink[];
  readonly lines: readonly SourceLine[];
};

/** Whether all of it is the same here. `none`: no program was made. */
export type Verdict = "exact" | "differences" | "none";

export type SourceAutomation = SourcePlace & {
  /** Stays, whatever the id becomes. */
  readonly key: string;
  readonly kind: "automation" | "script";
  readonly isOn: boolean;
  readonly verdict: Verdict;
  readonly programs: readonly SourceProgram[];
  readonly lines: readonly SourceLine[];
};

/**
 * `starts`: it has the triggers. `called`: others run it; enabled or not is the same. `waits`: it stays disabled, because others run it
 * with its conditions.
 */
export type ProgramPart = "starts" | "called" | "waits";

/** Ids of programs in trees are those of `number`; scenes are named by `sceneAddress`; a message to the channel "" is to any. */
export type SourceProgram = {
  readonly number: number;
  readonly name: string;
  readonly part: ProgramPart;
  readonly runAtStartup: boolean;
  readonly tree: ProgramTree;
};

/** `same`: as there. `differs`: not quite. `out`: it was left out. */
export type LineFate = "same" | "differs" | "out";

/** A line of the original with what became of it. */
export type SourceLine = {
  /** `actions[2].then[0]`. */
  readonly at: string;
  /** In the words of the system, cut. */
  readonly text: string;
  readonly fate: LineFate;
  readonly conditions: readonly Condition[];
  readonly actions: readonly Action[];
  readonly notes: readonly Message[];
};

/** Not only a wait, or a program that is run. */
export function isAct({ kind }: Action): boolean {
  return kind !== "program" && kind !== "wait" && !kind.startsWith("repeat");
}

/** Stands for the address of a scene that is not here yet. */
export function sceneAddress(id: string): string {
  return `scene ${id}`;
}
