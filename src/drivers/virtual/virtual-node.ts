/** One node of one virtual device: stores and reports its values. Its model has the behavior. */

import type { DriverHost } from "../driver.ts";
import type { PropertyReport } from "../report.ts";
import { BY_ITSELF, type DeviceNode, type NodeModel, type Occasion } from "./device-model.ts";
import type { Movements } from "./movements.ts";

/** A movement this short is not shown in steps. */
const AT_ONCE_MS = 500;

/** The dependencies of a node. */
export type NodeSurroundings = {
  readonly host: DriverHost;
  readonly movements: Movements;
  /** Devices do nothing by themselves. */
  readonly still: boolean;
  /** Keeps the values of the node's device over restarts. */
  keep(node: VirtualNode): void;
  sibling(node: VirtualNode, suffix: string): VirtualNode;
};

export class VirtualNode implements DeviceNode {
  readonly address: string;
  readonly model: NodeModel;
  /** Address of the device's first node. */
  readonly deviceAddress: string;
  /** An unplugged node says nothing. */
  plugged = true;
  readonly #values: (number | null)[];
  readonly #around: NodeSurroundings;

  constructor(address: string, deviceAddress: string, model: NodeModel, around: NodeSurroundings) {
    this.address = address;
    this.deviceAddress = deviceAddress;
    this.model = model;
    this.#values = model.properties.map((property) => property.value);
    this.#around = around;
  }

  value(id: string): number {
    return this.#values[this.#indexOf(id)] ?? 0;
  }

  change(values: Readonly<Record<string, number | null>>, occasion: Occasion): void {
    this.#set(values);
    this.#around.keep(this);
    this.#report(Object.keys(values), occasion);
  }

  move(id: string, goal: number, durationMs: number, occasion: Occasion): void {
    this.#around.movements.cancel(this);
    const from = this.value(id);
    if (durationMs <= AT_ONCE_MS || from === goal) {
      this.change({ [id]: goal }, occasion);
      return;
    }
    const onStep = (value: number, arrived: boolean) => this.#step(id, value, arrived, occasion);
    this.#around.movements.begin(this, { property: id, from, goal, durationMs, goesOn: true, onStep });
    this.#around.keep(this);
  }

  drift(id: string, goal: number, durationMs: number, arrived: () => void): void {
    const underWay = this.#around.movements.of(this);
    if (this.#around.still || (underWay?.property === id && underWay.goal === goal)) return;
    const onStep = (value: number, isThere: boolean) => {
      this.#step(id, value, isThere, BY_ITSELF);
      if (isThere) arrived();
    };
    this.#around.movements.begin(this, { property: id, from: this.value(id), goal, durationMs, goesOn: false, onStep });
  }

  after(delayMs: number, then: () => void): void {
    this.#around.movements.wait(this, delayMs, then);
  }

  halt(occasion: Occasion): void {
    const halted = this.#around.movements.halt(this);
    if (halted) this.change({ [halted.movement.property]: halted.value }, occasion);
  }

  send(control: string, value = 0): void {
    if (this.plugged) this.#around.host.control(this.address, control, value);
  }

  tell(occasion: Occasion): void {
    this.#report(
      this.model.properties.map((property) => property.id),
      occasion,
    );
  }

  write(): void {
    this.#around.host.writes(this.address, "writing", true);
    this.#around.host.writes(this.address, "writing", false);
  }

  sibling(suffix: string): DeviceNode {
    return this.#around.sibling(this, suffix);
  }

  /** Everything that is reported, as it is now. */
  reports(occasion: Occasion): readonly PropertyReport[] {
    return this.model.properties.flatMap((property, at) => {
      const { id, uom, prec, text } = property;
      const value = this.#values[at] ?? null;
      if (property.inner || (property.untilValue && value === null)) return [];
      const inWords = text !== undefined && value === property.value ? { text } : {};
      return [{ address: this.address, id, value, uom, prec, ...inWords, ...occasion }];
    });
  }

  /** The values to keep: a lamp that fades is kept as what it will be, because the lamp itself goes on. */
  snapshot(): Readonly<Record<string, number | null>> {
    const values = Object.fromEntries(
      this.model.properties.map((property, at) => [property.id, this.#values[at] ?? null]),
    );
    const movement = this.#around.movements.of(this);
    return movement?.goesOn ? { ...values, [movement.property]: movement.goal } : values;
  }

  /** Takes kept values; those of properties that the model no longer has are left out. */
  restore(values: Readonly<Record<string, unknown>>): void {
    for (const [at, property] of this.model.properties.entries()) {
      const kept = values[property.id];
      if (kept === null || Number.isInteger(kept)) this.#values[at] = kept as number | null;
    }
  }

  /** Adopts a value from elsewhere without reporting it; a value without a property in the model is ignored. */
  adopt(id: string, value: number | null): void {
    this.#around.movements.cancel(this);
    this.restore({ [id]: value });
    this.#around.keep(this);
  }

  #set(values: Readonly<Record<string, number | null>>): void {
    for (const [id, value] of Object.entries(values)) this.#values[this.#indexOf(id)] = value;
  }

  #step(id: string, value: number, arrived: boolean, occasion: Occasion): void {
    if (arrived) this.change({ [id]: value }, occasion);
    else if (value !== this.value(id)) {
      this.#set({ [id]: value });
      this.#report([id], occasion);
    }
  }

  #report(ids: readonly string[], occasion: Occasion): void {
    if (!this.plugged) return;
    const reports = this.reports(occasion).filter((report) => ids.includes(report.id));
    if (reports.length > 0) this.#around.host.report(reports);
  }

  #indexOf(id: string): number {
    const at = this.model.properties.findIndex((property) => property.id === id);
    if (at < 0) throw new Error(`The model of ${this.address} has no ${id}.`);
    return at;
  }
}
