/** Handles on groups and folders. */

import type { Folder, Group } from "../api.ts";
import { order } from "../commands/acknowledge.ts";
import { groupCommandPath } from "../commands/node-command.ts";
import { rename } from "../commands/tree.ts";
import { ClientError } from "../errors.ts";
import { pathOf } from "../model/place.ts";
import type { FolderRecord, GroupRecord } from "../model/records.ts";
import { hasDimmableMembers, hasStateTarget, isAllOn, isAnyOn } from "../model/scenes.ts";
import { folderSnapshot, groupSnapshot } from "../model/snapshot.ts";
import type { Keeper } from "./keeper.ts";

export class GroupHandle implements Group {
  readonly address: string;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, address: string) {
    this.address = address;
    this.#keeper = keeper;
  }

  get #record(): GroupRecord {
    const record = this.#keeper.state().groups.get(this.address);
    if (!record) throw new ClientError("NOT_FOUND", `The group ${this.address} is not there any more.`);
    return record;
  }

  get name() {
    return this.#record.name;
  }

  get path() {
    return pathOf(this.#keeper.state(), this.#record);
  }

  get nodeDefId() {
    return this.#record.nodeDefId;
  }

  get family() {
    return this.#record.family;
  }

  get instance() {
    return this.#record.instance;
  }

  get parent() {
    return this.#record.parent;
  }

  get primary() {
    return this.#record.primary;
  }

  get members() {
    return this.#record.members;
  }

  get controllers() {
    return this.#record.controllers;
  }

  get intents() {
    return this.#record.intents;
  }

  get targetsResolved() {
    return this.#record.targetsResolved;
  }

  get anyOn() {
    return isAnyOn(this.#keeper.state(), this.#record);
  }

  get allOn() {
    return isAllOn(this.#keeper.state(), this.#record);
  }

  get hasStateTarget() {
    return hasStateTarget(this.#record);
  }

  get hasDimmableMembers() {
    return hasDimmableMembers(this.#keeper.state(), this.#record);
  }

  async send(command: string, ...values: readonly number[]): Promise<void> {
    await order(this.#keeper.session, groupCommandPath(this.address, command, values));
  }

  rename(name: string): Promise<void> {
    return rename(this.#keeper.session, this.address, "group", name);
  }

  toJSON(): object {
    return groupSnapshot(this.#keeper.state(), this.#record);
  }
}

export class FolderHandle implements Folder {
  readonly address: string;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, address: string) {
    this.address = address;
    this.#keeper = keeper;
  }

  get #record(): FolderRecord {
    const record = this.#keeper.state().folders.get(this.address);
    if (!record) throw new ClientError("NOT_FOUND", `The folder ${this.address} is not there any more.`);
    return record;
  }

  get name() {
    return this.#record.name;
  }

  get path() {
    return pathOf(this.#keeper.state(), this.#record);
  }

  get family() {
    return this.#record.family;
  }

  get parent() {
    return this.#record.parent;
  }

  rename(name: string): Promise<void> {
    return rename(this.#keeper.session, this.address, "folder", name);
  }

  toJSON(): object {
    return folderSnapshot(this.#keeper.state(), this.#record);
  }
}
