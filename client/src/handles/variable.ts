/** Handles on variables. */

import type { Variable, Variables } from "../api.ts";
import { change, create, remove, setNumber } from "../commands/variables.ts";
import { scaled } from "../model/editor.ts";
import type { VariableRecord, VariableType } from "../model/records.ts";
import type { HomeState } from "../model/state.ts";
import { type Keeper, present } from "./keeper.ts";
import { HandleRegister } from "./register.ts";

export class VariableRegister extends HandleRegister<Variable> implements Variables {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    const all = () => [...keeper.state().variables[1].values(), ...keeper.state().variables[2].values()];
    super({
      what: "variable",
      keys: () => all().map(({ key }) => key),
      size: () => keeper.state().variables[1].size + keeper.state().variables[2].size,
      has: (key) => findVariable(keeper.state(), key) !== null,
      // A variable is in no folder: its path is its name.
      named: () => all().map(({ key, name }) => ({ key, name, path: name })),
      make: (key) => new VariableHandle(keeper, key),
    });
    this.#keeper = keeper;
  }

  async create(type: VariableType, name: string, prec = 0, init = 0): Promise<string> {
    return `${type}.${await create(this.#keeper.session, type, { name, prec, init })}`;
  }
}

/** @param key `<type>.<id>` */
function findVariable(state: HomeState, key: string): VariableRecord | null {
  const [, type, id = ""] = /^([12])\.(.+)$/.exec(key) ?? [];
  return state.variables[type === "2" ? 2 : 1].get(id) ?? null;
}

class VariableHandle implements Variable {
  readonly key: string;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, key: string) {
    this.key = key;
    this.#keeper = keeper;
  }

  get #record(): VariableRecord {
    return present(findVariable(this.#keeper.state(), this.key), "variable", this.key);
  }

  get type() {
    return this.#record.type;
  }

  get id() {
    return this.#record.id;
  }

  get name() {
    return this.#record.name;
  }

  get prec() {
    return this.#record.prec;
  }

  get ts() {
    return this.#record.ts;
  }

  get raw() {
    return this.#record.value;
  }

  get rawInit() {
    return this.#record.init;
  }

  get value() {
    return scaled(this.raw, this.prec);
  }

  get init() {
    return scaled(this.rawInit, this.prec);
  }

  get valueNames() {
    return this.#record.valueNames;
  }

  get valueName() {
    return this.valueNames[this.raw] ?? null;
  }

  async set(value: number | string): Promise<void> {
    if (typeof value === "string") return change(this.#keeper.session, this.#record, { value });
    return setNumber(this.#keeper.session, this.#record, "value", value);
  }

  setInit(value: number): Promise<void> {
    return setNumber(this.#keeper.session, this.#record, "init", value);
  }

  rename(name: string): Promise<void> {
    return change(this.#keeper.session, this.#record, { name });
  }

  nameValues(valueNames: Readonly<Record<string, string>>): Promise<void> {
    return change(this.#keeper.session, this.#record, { valueNames });
  }

  setPrecision(prec: number): Promise<void> {
    return change(this.#keeper.session, this.#record, { prec });
  }

  remove(): Promise<void> {
    return remove(this.#keeper.session, this.#record);
  }

  toJSON(): object {
    return { ...this.#record };
  }
}
