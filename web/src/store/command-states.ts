/**
 * The outcomes of commands from this page. A control shows the value that the device reported, never the sent one; in
 * between it shows the progress of the command.
 */

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { problemText } from "../text/problem.ts";

export type MemberOutcome = { readonly address: string; readonly isDone: boolean; readonly detail: string };

type CommandState =
  /** The command is being sent to the controller. */
  | { readonly phase: "sending"; readonly sinceMs: number }
  /** The device has accepted it; its report is still to come. */
  | { readonly phase: "accepted"; readonly sinceMs: number }
  /** The device sleeps and gets it when it wakes. */
  | { readonly phase: "queued" }
  /** For a scene: the outcome at each member. */
  | {
      readonly phase: "outcome";
      readonly members: readonly MemberOutcome[];
      /** Also of members that this account may not see. */
      readonly count: { readonly done: number; readonly all: number };
      readonly retry: () => void;
    }
  | { readonly phase: "failed"; readonly reason: string; readonly retry: () => void };

/** A device that reports nothing within this time reports nothing: many do when nothing changed. */
const REPORT_MAX_MS = 8_000;
/** Then the controller is queried for the outcome. */
const LOOK_MS = [1_000, 2_500, 5_000, 10_000] as const;

type Fate = {
  readonly address: string;
  readonly state: "accepted" | "sent" | "acknowledged" | "queued" | "confirmed" | "failed";
  readonly detail: string;
  readonly cause: { readonly id: string };
  /** Of a scene's command that has ended. */
  readonly members?: { readonly accepted: number; readonly all: number };
};

/** Reads a path of the JSON surface. */
type Read = (path: string) => Promise<Readonly<Record<string, unknown>>>;

export function isWaiting(state: CommandState | null): state is CommandState & { readonly sinceMs: number } {
  return state?.phase === "sending" || state?.phase === "accepted";
}

export class CommandStates {
  readonly #states = new Map<string, Signal<CommandState | null>>();
  /** Properties beside the status that show the effect of the latest command of an address. */
  readonly #effects = new Map<string, readonly string[]>();
  readonly #read: Read;
  readonly #refusal: () => string | null;
  readonly #onAccepted: (address: string) => void;

  /** @param refusal why nothing can be sent now; null when it can. A command is never kept for later. */
  constructor(read: Read, refusal: () => string | null, onAccepted: (address: string) => void) {
    this.#read = read;
    this.#onAccepted = onAccepted;
    this.#refusal = refusal;
  }

  /** @param address of a node or scene */
  of(address: string): ReadonlySignal<CommandState | null> {
    return this.#of(address);
  }

  /**
   * @param send resolves when the device has accepted the command
   * @param kind a scene has an outcome at each member
   * @param effects properties beside the status that show the effect
   */
  async run(
    address: string,
    send: () => Promise<void>,
    kind: "node" | "scene" = "node",
    effects: readonly string[] = [],
  ): Promise<void> {
    const state = this.#of(address);
    const sending: CommandState = { phase: "sending", sinceMs: Date.now() };
    const retry = () => void this.run(address, send, kind, effects);
    this.#effects.set(address, effects);
    const refusal = this.#refusal();
    if (refusal !== null) {
      state.value = { phase: "failed", reason: refusal, retry };
      return;
    }
    state.value = sending;
    try {
      await send();
      this.#onAccepted(address);
      if (state.value !== sending) return;
      const accepted: CommandState = { phase: "accepted", sinceMs: sending.sinceMs };
      state.value = accepted;
      if (kind === "scene") await this.#followScene(address, accepted, retry);
      else await this.#followNode(address, accepted, retry);
    } catch (error) {
      state.value = { phase: "failed", reason: problemText(error), retry };
    }
  }

  /** The device reported: what it reports is the truth now. */
  reported(address: string, property: string): void {
    if (property !== "ST" && !this.#effects.get(address)?.includes(property)) return;
    const state = this.#states.get(address);
    if (isWaiting(state?.value ?? null) || state?.value?.phase === "queued")
      (state as Signal<CommandState | null>).value = null;
  }

  async #followNode(address: string, accepted: CommandState, retry: () => void): Promise<void> {
    const state = this.#of(address);
    await pause(LOOK_MS[0]);
    if (state.value !== accepted) return;
    const fate = (await this.#fates()).find((some) => some.address === address);
    if (state.value !== accepted) return;
    if (fate?.state === "queued") state.value = { phase: "queued" };
    else if (fate?.state === "failed") state.value = { phase: "failed", reason: fate.detail, retry };
    else {
      await pause(REPORT_MAX_MS - LOOK_MS[0]);
      if (state.value === accepted) state.value = null;
    }
  }

  /** The commands of the members have the cause of the scene's. */
  async #followScene(address: string, accepted: CommandState, retry: () => void): Promise<void> {
    const state = this.#of(address);
    for (const waitMs of [0, ...LOOK_MS]) {
      await pause(waitMs);
      const fates = await this.#fates();
      if (state.value !== accepted && state.value?.phase !== "outcome") return;
      const scene = fates.find((some) => some.address === address);
      const members = fates.filter((some) => some !== scene && some.cause.id === scene?.cause.id);
      const outcomes = members.map(outcomeOf);
      state.value = { phase: "outcome", retry, members: outcomes, count: countOf(outcomes, scene) };
      if (members.every(({ state: reached }) => reached !== "accepted" && reached !== "sent")) break;
    }
    const shown = state.value;
    if (shown?.phase !== "outcome" || shown.count.done < shown.count.all) return;
    await pause(REPORT_MAX_MS);
    if (state.value === shown) state.value = null;
  }

  async #fates(): Promise<readonly Fate[]> {
    return (await this.#read("/api/commands")).data as readonly Fate[];
  }

  #of(address: string): Signal<CommandState | null> {
    let state = this.#states.get(address);
    if (!state) {
      state = signal(null);
      this.#states.set(address, state);
    }
    return state;
  }
}

/** The controller counts the members for accounts that are not shown them. */
function countOf(
  members: readonly MemberOutcome[],
  scene: Fate | undefined,
): { readonly done: number; readonly all: number } {
  if (members.length > 0 || !scene?.members)
    return { done: members.filter(({ isDone }) => isDone).length, all: members.length };
  return { done: scene.members.accepted, all: scene.members.all };
}

function outcomeOf({ address, state, detail }: Fate): MemberOutcome {
  return { address, isDone: state === "acknowledged" || state === "confirmed", detail: detail || state };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
