/** Handles on groups and folders. */

import type { Folder, Group } from "../api.ts";
import { order } from "../commands/acknowledge.ts";
import { groupCommandPath } from "../commands/node-command.ts";
import type { FolderRecord, GroupRecord } from "../model/records.ts";
import { hasDimmableMembers, hasStateTarget, isAllOn, isAnyOn, membersOn } from "../model/scenes.ts";
import { folderSnapshot, groupSnapshot } from "../model/snapshot.ts";
import { type Keeper, present } from "./keeper.ts";
import { TreeHandle } from "./tree-handle.ts";

export class GroupHandle extends TreeHandle implements Group {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, address: string) {
    super(keeper, "group", address, () => this.#record);
    this.#keeper = keeper;
  }

  get #record(): GroupRecord {
    return present(this.#keeper.state().groups.get(this.address), "group", this.address);
  }

  get nodeDefId() {
    return this.#record.nodeDefId;
  }

  get instance() {
    return this.#record.instance;
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

  get membersOn() {
    return membersOn(this.#keeper.state(), this.#record);
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

  toJSON(): object {
    return groupSnapshot(this.#keeper.state(), this.#record);
  }
}

export class FolderHandle extends TreeHandle implements Folder {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, address: string) {
    super(keeper, "folder", address, () => this.#record);
    this.#keeper = keeper;
  }

  get #record(): FolderRecord {
    return present(this.#keeper.state().folders.get(this.address), "folder", this.address);
  }

  toJSON(): object {
    return folderSnapshot(this.#keeper.state(), this.#record);
  }
}
