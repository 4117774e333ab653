/**
 * The states of the latest commands, and how many are under way. The feed carries a command's beginning, its wait for
 * a sleeping device, and its end. The steps between, and a report that confirms later, stay in memory. `busy-changed`
 * spans from the first command under way to the end of the last, so overlapping commands share one pair.
 * command-life.ts moves a command through its states.
 */

import type { CommandParameterValue } from "../drivers/command.ts";
import { type ErrorCode, invariant } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { CommandState } from "../home/change.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Clock } from "../util/clock.ts";

export type CommandLife = {
  readonly id: string;
  /** Address of a node or a group. */
  readonly address: string;
  readonly command: string;
  readonly parameters?: readonly CommandParameterValue[];
  readonly state: CommandState;
  /** A sentence on how it went, or empty. */
  readonly detail: string;
  readonly cause: Cause;
  readonly acceptedAtMs: number;
  readonly movedAtMs: number;
  /** Of a group's command that has ended: how many members it was sent to, and how many took it. */
  readonly members?: MemberCount;
};

export type MemberCount = { readonly accepted: number; readonly all: number };

/** How far the command had come when its request was answered. */
export type CommandReceipt = {
  readonly commandId: string;
  readonly address: string;
  readonly command: string;
  readonly state: CommandState;
  readonly detail: string;
  /** The outcome at each member of a group; empty for a node. */
  readonly members: readonly MemberResult[];
};

export type MemberResult = {
  readonly address: string;
  /** The command that this member was sent, which its link may have chosen. */
  readonly command: string;
  /** `skipped`: the scene's link sends this member nothing. */
  readonly state: CommandState | "skipped";
  /** The code of the failure, or null. */
  readonly code: ErrorCode | null;
  readonly detail: string;
};

/** A command to a node or a group. `detail` is noted from the start. Neither it nor a parameter is a secret. */
export type NewCommand = {
  readonly address: string;
  readonly command: string;
  readonly parameters?: readonly CommandParameterValue[];
  readonly detail?: string;
};

/** Belongs to the command queue. */
export class CommandLives {
  readonly #clock: Clock;
  readonly #keptMax: number;
  readonly #kept = new Map<string, CommandLife>();
  /** Commands without an answer so far; `shown`: a report already shows the effect. */
  readonly #unanswered = new Map<string, { life: CommandLife; shown: boolean }>();
  /** The last answered command of a node, which its next report confirms. */
  readonly #awaiting = new Map<string, CommandLife>();
  #underWay = 0;
  #version = 0;

  constructor(clock: Clock, keptMax: number) {
    this.#clock = clock;
    this.#keptMax = keptMax;
  }

  /** Moves with every step of every command that is kept. */
  get version(): number {
    return this.#version;
  }

  find(id: string): CommandLife | null {
    return this.#kept.get(id) ?? null;
  }

  /** The latest commands, newest first, as many as `commandsKept`. */
  recent(): readonly CommandLife[] {
    return [...this.#kept.values()].reverse();
  }

  begin(feed: ChangeFeed, id: string, { detail = "", ...command }: NewCommand, cause: Cause): void {
    const nowMs = this.#clock.now();
    const life: CommandLife = {
      ...command,
      id,
      state: "accepted",
      detail,
      cause,
      acceptedAtMs: nowMs,
      movedAtMs: nowMs,
    };
    this.#unanswered.set(id, { life, shown: false });
    this.#add(life);
    publish(feed, life);
  }

  sent(id: string): void {
    const pending = this.#unanswered.get(id);
    if (pending) pending.life = this.#move(pending.life, "sent", "");
  }

  /** The device's side has answered; a report that came before the answer confirms now. */
  end(feed: ChangeFeed, id: string, state: CommandState, detail: string, members?: MemberCount): CommandLife {
    const pending = this.#unanswered.get(id);
    invariant(pending, "A command ends once.");
    this.#unanswered.delete(id);
    const isShown = state !== "failed" && pending.shown;
    const counted = members ? { ...pending.life, members } : pending.life;
    const life = this.#move(counted, isShown ? "confirmed" : state, detail);
    if (state !== "failed" && !isShown) this.#awaiting.set(life.address, life);
    publish(feed, life);
    return life;
  }

  /** Ends a command that waited for its device. A previous run of the service may have sent it. */
  settle(
    feed: ChangeFeed,
    { id, address, command }: Pick<CommandLife, "id" | "address" | "command">,
    state: CommandState,
    detail: string,
    cause: Cause,
  ): void {
    const nowMs = this.#clock.now();
    const isOld = !this.#kept.has(id);
    const times = { acceptedAtMs: nowMs, movedAtMs: nowMs };
    const life = this.#kept.get(id) ?? { id, address, command, state: "queued", detail: "", cause, ...times };
    // A report that shows the effect may come before the answer.
    if (life.state === "confirmed" || life.state === "failed") return;
    if (isOld) this.#add(life);
    if (this.#awaiting.get(address)?.id === id) this.#awaiting.delete(address);
    const moved = this.#move(life, state, detail);
    if (isOld || life.state !== state) publish(feed, moved);
    if (state !== "failed") this.#awaiting.set(address, moved);
  }

  /** A report came: of the command with this id, or (null) of the node's last answered command. */
  confirm(address: string, commandId: string | null): void {
    const pending = commandId === null ? undefined : this.#unanswered.get(commandId);
    if (pending) {
      pending.shown = true;
      return;
    }
    const life = this.#awaiting.get(address);
    // A command that still waits for its device has had no effect that a report could show.
    if (!life || (commandId === null ? life.state === "queued" : life.id !== commandId)) return;
    this.#awaiting.delete(address);
    this.#move(life, "confirmed", "");
  }

  enter(feed: ChangeFeed, cause: Cause): void {
    this.#underWay += 1;
    if (this.#underWay === 1) feed.commit({ type: "busy-changed", busy: true }, cause);
  }

  leave(feed: ChangeFeed, cause: Cause): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) feed.commit({ type: "busy-changed", busy: false }, cause);
  }

  #add(life: CommandLife): void {
    this.#version += 1;
    this.#kept.set(life.id, life);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#keptMax) break;
      this.#kept.delete(oldest);
    }
  }

  #move(before: CommandLife, state: CommandState, detail: string): CommandLife {
    const life = { ...before, state, detail: detail || before.detail, movedAtMs: this.#clock.now() };
    this.#version += 1;
    if (this.#kept.has(life.id)) this.#kept.set(life.id, life);
    return life;
  }
}

function publish(feed: ChangeFeed, life: CommandLife): void {
  const { id, address, command, parameters = [], state, detail, acceptedAtMs, cause } = life;
  const values = parameters.length > 0 && { parameters };
  feed.commit(
    { type: "command-moved", commandId: id, address, command, ...values, state, detail, acceptedAtMs },
    cause,
  );
}
