/** Handles on programs, and what can be done with all of them. */

import { PROGRAM_COMMANDS, type Program, type ProgramChanges, type ProgramCommand, type Programs } from "../api.ts";
import {
  addFolder,
  applyText,
  fetchText,
  fetchTree,
  remove,
  run,
  update,
  verify,
  writeTree,
} from "../commands/programs.ts";
import type { ProgramRecord } from "../model/records.ts";
import { type Keeper, present } from "./keeper.ts";
import { HandleRegister } from "./register.ts";

export class ProgramRegister extends HandleRegister<Program> implements Programs {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    const programs = () => keeper.state().programs;
    super({
      what: "program",
      keys: () => programs().keys(),
      size: () => programs().size,
      has: (key) => programs().has(key),
      named: () => Array.from(programs().values(), ({ id, name, path }) => ({ key: id, name, path })),
      make: (key) => createProgram(keeper, key),
    });
    this.#keeper = keeper;
  }

  get trees() {
    return this.#keeper.state().trees;
  }

  addFolder(folder: Parameters<Programs["addFolder"]>[0]) {
    return addFolder(this.#keeper.session, folder);
  }

  addTree(tree: object) {
    return writeTree(this.#keeper.session, "PUT", tree);
  }

  replaceTree(tree: object) {
    return writeTree(this.#keeper.session, "POST", tree);
  }

  applyText(text: string, { dryRun = false }: { readonly dryRun?: boolean } = {}) {
    return applyText(this.#keeper.session, text, dryRun);
  }

  verify(what: Parameters<Programs["verify"]>[0] = {}) {
    return verify(this.#keeper.session, what);
  }
}

function createProgram(keeper: Keeper, id: string): Program {
  const handle = new ProgramHandle(keeper, id);
  for (const command of PROGRAM_COMMANDS) {
    Object.defineProperty(handle, command, { value: () => handle.command(command), enumerable: false });
  }
  // The nine methods were added just now.
  return handle as ProgramHandle & { readonly [C in ProgramCommand]: () => Promise<void> };
}

class ProgramHandle {
  readonly id: string;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, id: string) {
    this.id = id;
    this.#keeper = keeper;
  }

  get #record(): ProgramRecord {
    return present(this.#keeper.state().programs.get(this.id), "program", this.id);
  }

  get name() {
    return this.#record.name;
  }

  get path() {
    return this.#record.path;
  }

  get parentId() {
    return this.#record.parentId;
  }

  get isFolder() {
    return this.#record.isFolder;
  }

  get status() {
    return this.#record.status;
  }

  get enabled() {
    return this.#record.enabled;
  }

  get runAtStartup() {
    return this.#record.runAtStartup;
  }

  get running() {
    return this.#record.running;
  }

  get lastRunTime() {
    return this.#record.lastRunTime;
  }

  get lastFinishTime() {
    return this.#record.lastFinishTime;
  }

  get nextScheduledRunTime() {
    return this.#record.nextScheduledRunTime;
  }

  command(command: ProgramCommand): Promise<void> {
    return run(this.#keeper.session, this.id, command);
  }

  tree() {
    return fetchTree(this.#keeper.session, this.id);
  }

  text(): Promise<string> {
    return fetchText(this.#keeper.session, this.id);
  }

  update(changes: ProgramChanges): Promise<void> {
    return update(this.#keeper.session, this.id, changes);
  }

  remove(): Promise<void> {
    return remove(this.#keeper.session, this.id);
  }

  toJSON(): object {
    return { ...this.#record };
  }
}
