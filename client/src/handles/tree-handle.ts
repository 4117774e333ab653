/** The common part of the handles on nodes, groups and folders. */

import { rename } from "../commands/tree.ts";
import { pathOf } from "../model/place.ts";
import type { FolderRecord } from "../model/records.ts";
import type { Keeper } from "./keeper.ts";

export class TreeHandle {
  readonly address: string;
  readonly #kind: "node" | "group" | "folder";
  readonly #keeper: Keeper;
  readonly #record: () => FolderRecord;

  /** @param record looks the record up at every access, because a load replaces it. */
  constructor(keeper: Keeper, kind: "node" | "group" | "folder", address: string, record: () => FolderRecord) {
    this.address = address;
    this.#kind = kind;
    this.#keeper = keeper;
    this.#record = record;
  }

  get name() {
    return this.#record().name;
  }

  get path() {
    return pathOf(this.#keeper.state(), this.#record());
  }

  get family() {
    return this.#record().family;
  }

  get parent() {
    return this.#record().parent;
  }

  rename(name: string): Promise<void> {
    return rename(this.#keeper.session, this.address, this.#kind, name);
  }
}
