/** Simulated Insteon devices: what they answer to the bytes of a message, and how they follow their links. */

import { type Frame, type Reaction, refuse } from "./frames.ts";
import { CONTROLLER, IN_USE, isControllerRecord, isOfDevice, isOfGroup, LinkTable } from "./link-table.ts";
import { reactToMemory, reactToTable } from "./table-commands.ts";

export type DeviceKind =
  | "dimmer"
  | "relay"
  | "outlet"
  | "keypad"
  | "fan"
  | "io"
  | "motion"
  | "leak"
  | "door"
  | "thermostat";

export type DevicePlan = {
  readonly id: readonly [number, number, number];
  readonly kind: DeviceKind;
  /** Default: a usual one of its kind. */
  readonly product?: readonly [category: number, subcategory: number];
  /** Groups in which it sends. Default: those of its kind. */
  readonly groups?: readonly number[];
  /** Engine: 0 i1, 1 i2, 2 i2CS. Default: 2. */
  readonly engine?: 0 | 1 | 2;
  /** Asleep unless it has just sent something. Default: true for sensors. */
  readonly sleeps?: boolean;
  /** Address of the highest byte of its link database. Default: 0FFF. */
  readonly top?: number;
  /** Value of memory that was never written. Default: 0; newest devices: FF. */
  readonly erased?: number | readonly number[];
};

/** Category and subcategory of each kind. */
const PRODUCTS: Readonly<Record<DeviceKind, readonly [category: number, subcategory: number]>> = {
  dimmer: [1, 32],
  relay: [2, 42],
  outlet: [2, 57],
  keypad: [1, 65],
  fan: [1, 46],
  io: [7, 0],
  motion: [16, 1],
  leak: [16, 8],
  door: [16, 9],
  thermostat: [5, 11],
};
/** Groups in which each kind sends, and which it links with its SET button. */
const GROUPS: Readonly<Record<DeviceKind, readonly number[]>> = {
  dimmer: [1],
  relay: [1],
  outlet: [1, 2],
  keypad: [1, 2, 3, 4, 5, 6, 7, 8],
  fan: [1],
  io: [1],
  motion: [1, 2, 3],
  leak: [1, 2, 4],
  door: [1, 2, 4],
  thermostat: [1, 2],
};
const FIRMWARE = 0x45;
const SENSORS = 16;
const REMOTES = 0;
const AWAKE_MS = 3000;
const SET_AWAKE_MS = 240_000;
const FLAGS = { controller: IN_USE | CONTROLLER | 0x22, responder: IN_USE | 0x22 } as const;
/** Places of settings by the number that sets them; those of an I/O module differ. */
const SETTINGS: Readonly<Record<number, number>> = { 2: 3, 3: 4, 7: 9, 8: 10, 11: 13 };
const IO_SETTINGS: Readonly<Record<number, number>> = { 6: 4, 7: 3 };
/** The command that sets each flag, from bit 0; the next odd one clears it. Those of an I/O module are among them. */
const FLAGS_BY_COMMAND: readonly number[] = [0x00, 0x02, 0x04, 0x06, 0x08, 0x0a, 0x0e, 0x14];
/** Commands for single bytes of the memory. */
const MEMORY: ReadonlySet<number> = new Set([0x28, 0x29, 0x2b]);
const MOMENTARY = 8;
/** Commands that a device takes from a modem that it does not know: those that link and unlink. */
const FOR_ALL: ReadonlySet<number> = new Set([0x09, 0x0a]);

export class SimulatedDevice {
  readonly plan: DevicePlan;
  readonly product: readonly [number, number, number];
  /** Levels by load; keypad buttons by group from 2 on. */
  readonly levels = new Map<number, number>();
  onLevel = 255;
  rampRate = 0x1c;
  /** The byte of its operating flags. */
  flags = 0;
  /** Bytes of its settings by button, from D1. */
  readonly settings = new Map<number, number[]>();
  #memoryAt = 0;
  #onUntilMs = Number.POSITIVE_INFINITY;
  /** Of a thermostat, in tenths of a degree Celsius, and whole degrees of its own unit. */
  climate = { tenthsCelsius: 215, cool: 76, heat: 68, mode: 2, fan: 0, humidity: 44, isCelsius: false };
  /** Of its status. Default: heating, and the unit of its climate. */
  climateFlags: number | null = null;
  /** It hears nothing. */
  isDeaf = false;
  /** It refuses requests for its records, and sends them all the same. */
  refusesReads = false;
  /** It refuses, for this reason, to read memory that was never written. */
  refusesBeyond: number | null = null;
  /** It sends erased memory with this address, whatever it was asked for. */
  erasedAt: number | null = null;
  /** Addresses of records that it never sends. */
  readonly omitted = new Set<number>();
  /** It takes no writes. */
  isLocked = false;
  awakeUntilMs = 0;
  readonly links: LinkTable;
  /** Counts changes of its link database. */
  delta = 0x2b;
  /** Commands that it has carried out. */
  readonly received: Frame[] = [];

  constructor(plan: DevicePlan) {
    this.plan = plan;
    const [category, subcategory] = plan.product ?? PRODUCTS[plan.kind];
    this.product = [category, subcategory, FIRMWARE];
    this.links = new LinkTable(plan.top, plan.erased);
  }

  /** Of its own messages. */
  get groups(): readonly number[] {
    return this.plan.groups ?? GROUPS[this.plan.kind];
  }

  get id(): readonly number[] {
    return this.plan.id;
  }

  get engine(): number {
    return this.plan.engine ?? 2;
  }

  /** The group's own paddle or button switches a load. */
  hasLoad(group: number): boolean {
    return group === 1 ? this.product[0] === 1 || this.product[0] === 2 : this.plan.kind === "outlet";
  }

  level(load = 1): number {
    return this.levels.get(load) ?? 0;
  }

  hears(nowMs: number): boolean {
    const sleeps = this.plan.sleeps ?? (this.product[0] === SENSORS || this.product[0] === REMOTES);
    return !this.isDeaf && (!sleeps || nowMs <= this.awakeUntilMs);
  }

  wake(nowMs: number): void {
    this.awakeUntilMs = Math.max(this.awakeUntilMs, nowMs + AWAKE_MS);
  }

  /** A person holds its SET button. */
  pressSet(nowMs: number): void {
    this.awakeUntilMs = nowMs + SET_AWAKE_MS;
  }

  linkAsController(group: number, responder: readonly number[]): void {
    this.links.put([FLAGS.controller, group, ...responder, 3, 0x1c, group]);
    this.delta = (this.delta + 1) & 0xff;
  }

  linkAsResponder(group: number, controller: readonly number[], data: readonly number[] = [255, 0x1c, 1]): void {
    this.links.put([FLAGS.responder, group, ...controller, ...data]);
    this.delta = (this.delta + 1) & 0xff;
  }

  unlink(group: number, other: readonly number[]): void {
    this.links.remove(group, other);
    this.delta = (this.delta + 1) & 0xff;
  }

  /** A group that it responds to was commanded. @returns false when it has no such link */
  follow(controller: readonly number[], group: number, cmd1: number): boolean {
    const links = this.links
      .records()
      .filter((record) => isOfGroup(record, group, controller) && !isControllerRecord(record));
    for (const [, , , , , level = 0, , button = 0] of links) {
      const load = Math.max(1, button);
      if (cmd1 === 0x11 || cmd1 === 0x12) this.levels.set(load, level);
      if (cmd1 === 0x13 || cmd1 === 0x14) this.levels.set(load, 0);
      if (cmd1 === 0x15) this.levels.set(load, Math.min(255, this.level(load) + 8));
      if (cmd1 === 0x16) this.levels.set(load, Math.max(0, this.level(load) - 8));
    }
    return links.length > 0;
  }

  #knows(sender: readonly number[]): boolean {
    return this.links.records().some((record) => isOfDevice(record, sender));
  }

  /** null: no answer at all. */
  react(frame: Frame, sender: readonly number[], nowMs: number): Reaction | null {
    if (this.engine === 2 && !FOR_ALL.has(frame.cmd1) && !this.#knows(sender)) return refuse(frame, 0xff);
    if (frame.data && this.engine === 0) return null;
    if (frame.data && this.engine === 2 && !isProtected(frame)) return refuse(frame, 0xfd);
    this.received.push(frame);
    const { cmd1, cmd2 } = frame;
    if (cmd1 === 0x0d) return { answer: { cmd1, cmd2: this.engine } };
    if (cmd1 === 0x0f || cmd1 === 0x30) return { answer: { cmd1, cmd2 } };
    if (cmd1 === 0x10) return { answer: { cmd1, cmd2 }, then: [{ kind: "identification", cmd1: 1, cmd2: 0 }] };
    if (nowMs >= this.#onUntilMs) this.levels.set(1, 0);
    if (cmd1 === 0x19) return { answer: { cmd1: this.delta, cmd2: this.#status(cmd2) } };
    if (cmd1 === 0x1f) return { answer: { cmd1, cmd2: this.flags } };
    if (cmd1 === 0x20) return this.#setFlag(frame);
    if (cmd1 === 0x2e) return this.#settings(frame, nowMs);
    if (cmd1 === 0x2f) return reactToTable(this, frame);
    if (this.engine === 0 && MEMORY.has(cmd1)) {
      const reaction = reactToMemory(this, frame, this.#memoryAt);
      this.#memoryAt = reaction.at;
      return reaction;
    }
    if (cmd1 === 0x09 || cmd1 === 0x0a) return { answer: { cmd1, cmd2 } };
    return this.plan.kind === "thermostat" ? this.#climate(frame) : this.#load(frame, nowMs);
  }

  #status(which: number): number {
    if (this.plan.kind === "fan" && which === 3) return this.level(2);
    if (which !== 1) return this.level();
    if (this.plan.kind === "io") return this.level(2);
    return Array.from(this.levels).reduce((bits, [load, level]) => (level > 0 ? bits | (1 << (load - 1)) : bits), 0);
  }

  #settings({ cmd1, cmd2, data = [] }: Frame, nowMs: number): Reaction {
    const answer = { cmd1, cmd2 };
    if (this.plan.kind === "thermostat" && cmd2 === 2) {
      return { answer, then: [{ kind: "direct", cmd1, cmd2, data: this.#climateData() }] };
    }
    const [group = 1, number = 0, value = 0] = data;
    if (number === 4) this.awakeUntilMs = nowMs + value * 1000;
    const own = this.#settingsOf(group);
    if (number === 0) return { answer, then: [{ kind: "direct", cmd1, cmd2: 0, data: this.#told(group, own) }] };
    const at = (this.plan.kind === "io" ? IO_SETTINGS : SETTINGS)[number];
    if (number === 5) this.rampRate = value;
    else if (number === 6 && this.plan.kind !== "io") this.onLevel = value;
    else if (number === 9)
      for (let button = 2; button <= 8; button += 1) this.levels.set(button, bit(value, button - 1) * 255);
    else if (at !== undefined) this.settings.set(group, own.with(at - 1, value));
    return { answer };
  }

  #settingsOf(group: number): number[] {
    return this.settings.get(group) ?? Array.from({ length: 14 }, () => 0);
  }

  #told(group: number, own: readonly number[]): readonly number[] {
    const told = [group, 1, ...own.slice(2)];
    return this.plan.kind === "io" ? told : told.with(6, this.rampRate).with(7, this.onLevel);
  }

  #momentaryMs(): number {
    const [, , scale = 0, tenths = 0] = this.#settingsOf(1);
    return Math.max(1, scale) * tenths * 100;
  }

  #setFlag({ cmd1, cmd2 }: Frame): Reaction {
    const at = FLAGS_BY_COMMAND.indexOf(cmd2 & 0xfe);
    const isSet = (cmd2 & 1) === 0;
    if (at >= 0) this.flags = isSet ? this.flags | (1 << at) : this.flags & ~(1 << at);
    return { answer: { cmd1, cmd2 } };
  }

  #climateData(): readonly number[] {
    const { tenthsCelsius, cool, heat, mode, fan, humidity, isCelsius } = this.climate;
    const flags = this.climateFlags ?? 2 | (isCelsius ? 8 : 0);
    return [1, 0, 0, 0, 0, mode * 16 + fan, cool, humidity, tenthsCelsius >> 8, tenthsCelsius & 255, flags, heat, 0, 0];
  }

  #climate(frame: Frame): Reaction {
    const { cmd1, cmd2 } = frame;
    if (cmd1 === 0x6c) this.climate.cool = cmd2 / 2;
    else if (cmd1 === 0x6d) this.climate.heat = cmd2 / 2;
    else if (cmd1 === 0x68 || cmd1 === 0x69) {
      const degrees = (cmd1 === 0x68 ? cmd2 : -cmd2) / 2;
      this.climate.cool += degrees;
      this.climate.heat += degrees;
    } else if (cmd1 === 0x6b) this.#choose(cmd2);
    else return refuse(frame, 0xfb);
    return { answer: { cmd1, cmd2 } };
  }

  #choose(number: number): void {
    const modes: Readonly<Record<number, number>> = { 4: 2, 5: 3, 6: 1, 9: 0, 10: 4 };
    if (number === 7 || number === 8) this.climate.fan = 8 - number;
    else this.climate.mode = modes[number] ?? this.climate.mode;
  }

  #load(frame: Frame, nowMs: number): Reaction {
    const { cmd1, cmd2, data } = frame;
    const load = data?.[0] === 2 ? 2 : 1;
    const level = this.level(load);
    const next: Readonly<Record<number, number>> = {
      17: cmd2,
      18: 255,
      19: 0,
      20: 0,
      21: Math.min(255, level + 8),
      22: Math.max(0, level - 8),
      23: level,
      24: level,
    };
    const reached = next[cmd1];
    if (reached === undefined) return refuse(frame, 0xfb);
    this.levels.set(load, reached);
    const isMomentary = this.plan.kind === "io" && (this.flags & MOMENTARY) !== 0;
    this.#onUntilMs = isMomentary && reached > 0 ? nowMs + this.#momentaryMs() : Number.POSITIVE_INFINITY;
    return { answer: { cmd1, cmd2 } };
  }
}

/** A checksum in D14, or a CRC in D13 and D14, which the simulation takes as it comes. */
function isProtected({ cmd1, cmd2, data = [] }: Frame): boolean {
  if (cmd1 === 0x2e && cmd2 === 2) return data[12] !== 0 || data[13] !== 0;
  return ([cmd1, cmd2, ...data].reduce((sum, byte) => sum + byte, 0) & 0xff) === 0;
}

function bit(bits: number, at: number): number {
  return (bits >> at) & 1;
}
