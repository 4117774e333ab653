/**
 * Uncertainty in a replay with changed programs: a device that got other commands than in the recording would have
 * reported something that the recording does not contain. Such values are in doubt, and so are all decisions of
 * programs by them.
 */

import type { Trigger } from "../home/program-progress.ts";
import type { EngineEffect } from "../programs/engine-effect.ts";
import type { Facts } from "../programs/facts.ts";
import { leafConditions } from "../programs/references.ts";
import type { ConditionValue, TraceRecord } from "../programs/trace-record.ts";

export class Doubt {
  readonly #things = new Set<string>();
  /** Programs whose latest evaluation rests on something in doubt. */
  readonly #programs = new Set<number>();
  readonly #runs = new Set<string>();
  readonly #members: Facts["members"];

  constructor(members: Facts["members"]) {
    this.#members = members;
  }

  get isEmpty(): boolean {
    return this.#things.size === 0;
  }

  addNode(address: string): void {
    this.#things.add(`node ${address}`);
  }

  /** It reported its state by itself. */
  settleNode(address: string): void {
    this.#things.delete(`node ${address}`);
  }

  isProgramInDoubt(id: number): boolean {
    return this.#things.has(`program ${id}`);
  }

  isRunInDoubt(runId: string): boolean {
    return this.#runs.has(runId);
  }

  /** Follows doubt through a step: from conditions to runs, from runs to variables and statuses. In the order of the effects. */
  follow(effect: EngineEffect): void {
    if (effect.kind === "trace") this.#followTrace(effect.record);
    else if (effect.kind === "write-variable")
      this.#put(`variable ${effect.type}/${effect.id}`, this.#runs.has(effect.cause.id));
  }

  #followTrace(record: TraceRecord): void {
    const { programId } = record;
    if (record.kind === "evaluated") {
      const isDoubtful =
        record.conditions.some((value) => this.#isDoubtful(value)) || this.#isTriggered(record.trigger);
      if (isDoubtful) this.#programs.add(programId);
      else this.#programs.delete(programId);
      // A folder's status is its evaluation.
      this.#put(`program ${programId}`, isDoubtful);
    }
    if (record.kind === "run-began") {
      const isDoubtful = this.#programs.has(programId) || this.#isTriggered(record.trigger);
      if (isDoubtful) this.#runs.add(record.runId);
      this.#put(`program ${programId}`, isDoubtful);
      this.#programs.delete(programId);
    }
  }

  #isDoubtful({ condition }: ConditionValue): boolean {
    return leafConditions([condition]).some((leaf) => {
      if (leaf.kind === "roles")
        return this.#members(leaf.selector).some((each) => this.#things.has(`node ${each.address}`));
      if (leaf.kind === "status" || leaf.kind === "held") return this.#things.has(`node ${leaf.node}`);
      if (leaf.kind === "variable") return this.#things.has(`variable ${leaf.type}/${leaf.id}`);
      return leaf.kind === "program" && this.#things.has(`program ${leaf.id}`);
    });
  }

  #isTriggered(trigger: Trigger): boolean {
    switch (trigger.kind) {
      case "status":
      case "held":
        return this.#things.has(`node ${trigger.node}`);
      case "variable":
        return this.#things.has(`variable ${trigger.type}/${trigger.id}`);
      case "program":
        return this.#things.has(`program ${trigger.id}`);
      case "call":
        return this.#runs.has(trigger.runId);
      case "control":
      case "schedule":
      case "order":
      case "startup":
        return false;
    }
  }

  #put(thing: string, isDoubtful: boolean): void {
    if (isDoubtful) this.#things.add(thing);
    else this.#things.delete(thing);
  }
}
