/**
 * A device of the simulated network: its values, received and sent commands, and its condition. `device-acts.ts` has
 * the actions of people, `models/` the answers.
 */

import type { CommandClass } from "@zwave-js/cc";
import { CommandClasses, dskToString } from "@zwave-js/core";
import type { SimulatorClock } from "../clock.ts";
import { createBehavior } from "./behavior.ts";
import type { ClassName, DevicePlan } from "./device-plan.ts";
import { deliver, type MockController, type MockNode } from "./mocks.ts";
import type { Body, Heard } from "./model.ts";
import { MODELS } from "./models-table.ts";
import { speak } from "./speech.ts";
import { Values } from "./values.ts";

/** A command as it reached the device, inside all encapsulations. */
export type Received = {
  readonly endpoint: number;
  /** "Binary Switch"; a hexadecimal number when the library has no name. */
  readonly className: string;
  readonly command: number;
  /** Hexadecimal. */
  readonly payload: string;
};

const RECEIVED_MAX = 2000;
/** Time after which the device sleeps again if the controller does not send it to sleep. */
const AWAKE_MS = 10_000;
const DSK_BYTES = 16;
const WAKE_UP_NOTIFICATION = 7;

type Watcher = (received: Received) => void;

export class SimulatedDevice implements Body {
  readonly plan: DevicePlan;
  readonly node: MockNode;
  readonly values: Values;
  /** Everything that reached it, oldest first; the oldest of many are forgotten. */
  readonly received: Received[] = [];
  /** `silent`: out of reach, broken, without power. */
  condition: "awake" | "asleep" | "silent";
  /** Classes whose commands it refuses, although it knows them. */
  readonly refuses = new Set<ClassName>();
  readonly #controller: MockController;
  readonly #clock: SimulatorClock;
  readonly #neighbor: (id: number) => SimulatedDevice | undefined;
  readonly #timers = new Set<ReturnType<SimulatorClock["setTimer"]>>();
  readonly #watchers = new Set<Watcher>();
  #speech: Promise<void> = Promise.resolve();

  /** @param neighbor finds another device of its network. */
  constructor(
    plan: DevicePlan,
    node: MockNode,
    controller: MockController,
    clock: SimulatorClock,
    neighbor: (id: number) => SimulatedDevice | undefined,
  ) {
    this.#clock = clock;
    this.#neighbor = neighbor;
    this.plan = plan;
    this.node = node;
    this.#controller = controller;
    this.values = new Values(plan);
    this.condition = plan.listening === "sleeping" ? "asleep" : "awake";
    node.defineBehavior(createBehavior(this, controller));
  }

  get id(): number {
    return this.node.id;
  }

  /** The key that is printed on the device. The mock's own is off by one byte. */
  get dsk(): string {
    return dskToString(this.node.ecdhKeyPair.publicKey.slice(0, DSK_BYTES));
  }

  /** The five digits that people type. */
  get pin(): string {
    return this.dsk.slice(0, 5);
  }

  get endpoints(): readonly number[] {
    return [...this.node.endpoints.keys()];
  }

  /** 0 when the class is not there. */
  version(endpoint: number, cc: number): number {
    const place = endpoint === 0 ? this.node : this.node.endpoints.get(endpoint);
    const implemented = place?.implementedCCs.get(cc);
    return implemented?.isSupported ? implemented.version : 0;
  }

  /** Receives a command from the adapter. An unreadable command is not answered. */
  take(command: CommandClass): void {
    deliver(this.node, command, () => {});
  }

  /** Turns the members of its second association group on or off, as a person at the device does. @param value of Basic. */
  control(endpoint: number, value: number): void {
    const set = { endpoint: 0, cc: CommandClasses.Basic, command: 1, payload: Buffer.of(value) };
    for (const id of this.linked(endpoint)) this.#neighbor(id)?.receiveFromNeighbor(set);
  }

  /** Members of its second association group. */
  linked(endpoint = 0): readonly number[] {
    return this.values.list(endpoint, CommandClasses.Association, "members 2");
  }

  /** A command of another device: nothing is answered. */
  receiveFromNeighbor(heard: Heard): void {
    if (this.condition !== "awake") return;
    this.note(heard);
    MODELS.get(heard.cc)?.hear(this, heard);
  }

  /** Takes note of a command that reached it. */
  note({ endpoint, cc, command, payload }: Heard): void {
    const className = CommandClasses[cc] ?? `0x${cc.toString(16)}`;
    const received = { endpoint, className, command, payload: payload.toString("hex") };
    if (this.received.push(received) > RECEIVED_MAX) this.received.shift();
    for (const tell of [...this.#watchers]) tell(received);
  }

  /** Resolves with the next command of this kind. @throws Error when none comes in time. */
  hears(className: ClassName, command: number, withinMs = 5000): Promise<Received> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#watchers.delete(watcher);
        settle();
      };
      const watcher: Watcher = (received) => {
        if (received.className === className && received.command === command) end(() => resolve(received));
      };
      const late = new Error(`${this.plan.name} heard no ${className} ${command} within ${withinMs} ms.`);
      const timer = setTimeout(() => end(() => reject(late)), withinMs);
      this.#watchers.add(watcher);
    });
  }

  /** Sends a command by itself, in its turn, encapsulated as the device has learned it. Resolves when it is out. */
  say(endpoint: number, cc: number, command: number, payload: readonly number[] | Uint8Array): Promise<void> {
    const turn = this.#speech.then(async () => {
      if (this.condition !== "silent") await speak(this.node, this.#controller, { endpoint, cc, command, payload });
    });
    // Nobody listened: the device leaves it at that.
    this.#speech = turn.catch(() => {});
    return this.#speech;
  }

  /** Tells how a class is now, unless the device keeps its changes to itself. */
  report(endpoint: number, cc: number): void {
    if (this.plan.reportsChanges) void this.tell(endpoint, cc);
  }

  /** Tells how a class is now. */
  async tell(endpoint: number, cc: number): Promise<void> {
    const state = MODELS.get(cc)?.state?.(this, endpoint);
    if (state) await this.say(endpoint, cc, state.command, state.payload);
  }

  fallAsleep(): void {
    if (this.plan.listening === "sleeping" && this.condition === "awake") this.condition = "asleep";
  }

  /** Says that it is awake, and stays so until it is sent to sleep. */
  async wakeUp(): Promise<void> {
    this.condition = "awake";
    this.later(() => this.fallAsleep(), AWAKE_MS);
    await this.say(0, CommandClasses["Wake Up"], WAKE_UP_NOTIFICATION, []);
  }

  later(act: () => void, delayMs: number): void {
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(timer);
      act();
    }, delayMs);
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.condition = "silent";
  }
}
