/**
 * A simulated home: the demo home with the programs of a case, the real runner, the real devices on a virtual clock.
 * The findings of verification are compared with the engine's behavior.
 */

import { sendStatement } from "../../../src/commands/perform-statement.ts";
import type { Cause } from "../../../src/home/cause.ts";
import type { Change } from "../../../src/home/change.ts";
import type { Home } from "../../../src/home/home.ts";
import { type ProgramEntry, type ProgramVerb, ROOT_PROGRAM_ID } from "../../../src/home/programs.ts";
import type { VariableType } from "../../../src/home/variables.ts";
import { ProgramRunner } from "../../../src/programs/runner.ts";
import type { TraceRecord } from "../../../src/programs/trace-record.ts";
import type { VerifyPorts } from "../../../src/programs/verify/model/world.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { prepareForMistakes } from "../../programs/verify/verify-case.ts";
import { seededHome } from "../../support/seeded-home.ts";

/** Small, so that loops are cut soon; far above what a program without one does in a house of five. */
const LIMITS = { programStepsMax: 500, programChainStartsMax: 100, nodeReportsPerSecond: 10_000 };
const OUTSIDE: Cause = { kind: "report", id: "virtual", by: "virtual" };

export class LivedHome {
  readonly home: Home;
  readonly trace: TraceRecord[] = [];
  readonly #services: Awaited<ReturnType<typeof seededHome>>;
  readonly #clock: VirtualClock;
  readonly #runner: ProgramRunner;

  private constructor(services: Awaited<ReturnType<typeof seededHome>>) {
    this.#services = services;
    this.home = services.home;
    const { commands } = services;
    if (!(commands.clock instanceof VirtualClock)) throw new Error("The house stands still until it is told.");
    this.#clock = commands.clock;
    this.#runner = new ProgramRunner({
      ...commands,
      send: (action, cause) => sendStatement(commands, action, cause),
    });
    this.#runner.listenToTrace((record) => void this.trace.push(record));
  }

  static async furnished(entries: readonly ProgramEntry[]): Promise<LivedHome> {
    const services = new LivedHome(await seededHome({ demo: true, ...LIMITS }));
    const demo = [...services.home.programs.keys()].filter((id) => id !== ROOT_PROGRAM_ID);
    prepareForMistakes(services.home);
    for (const id of demo) services.commit({ type: "program-removed", id });
    for (const program of entries) services.commit({ type: "program-added", program });
    return services;
  }

  get ports(): VerifyPorts {
    const { profile, commands } = this.#services;
    return {
      home: this.home,
      profile,
      nowMs: this.nowMs,
      limits: commands.config,
      isChannel: (type: string) => type !== "virtual",
    };
  }

  get nowMs(): number {
    return this.#clock.now();
  }

  /** The controller starts. Before it does, `commit` and `moveTo` say how it finds the home. */
  async start(isCold: boolean): Promise<void> {
    this.#runner.start(isCold);
    await this.settle();
  }

  stop(): void {
    this.#runner.stop();
  }

  moveTo(atMs: number): void {
    this.#clock.moveTo(atMs);
  }

  commit(change: Change): void {
    this.#services.feed.commit(change, OUTSIDE);
  }

  /** The device has this state now and reports it. */
  report(address: string, id: string, value: number): void {
    const known = this.home.nodes.get(address)?.properties.get(id);
    if (!known || known.value === value) return;
    const { uom, prec } = known;
    const report = { address, id, value, uom, prec, cause: "report" } as const;
    this.#services.commands.drivers.of("virtual").simulation?.mirror?.({ kind: "report", report });
  }

  press(address: string, control: string): void {
    this.commit({ type: "control-sent", address, control, value: 0 });
  }

  write(type: VariableType, id: number, value: number): void {
    const before = this.home.variables[type].get(id)?.value ?? 0;
    this.commit({ type: "variable-written", variableType: type, id, value, before, writtenAtMs: this.nowMs });
  }

  order(id: number, verb: ProgramVerb): void {
    this.#runner.order(id, verb, { kind: "request", id: "person", by: null });
  }

  /** Time goes on, and with it everything that is under way. */
  async advance(spanMs: number): Promise<void> {
    await this.settle();
    await this.#clock.advance(spanMs);
    await this.settle();
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** A command is at its device and back after a few of them. */
const TURNS = 3;
