/** A handle on a node. Its commands are methods too, in lower case, where the nodedef is known. */

import type { Group, Node } from "../api.ts";
import { order } from "../commands/acknowledge.ts";
import { nodeCommandPath } from "../commands/node-command.ts";
import { radioPath } from "../commands/paths.ts";
import {
  deleteUserCode,
  knownParameters,
  readDeviceParameter,
  readParameter,
  setUserCode,
  writeDeviceParameter,
  writeParameter,
} from "../commands/radio.ts";
import { act, actions, query, setEnabled } from "../commands/tree.ts";
import { displayedValue } from "../model/editor.ts";
import type { Editor, Nodedef } from "../model/profile.ts";
import type { Radio } from "../model/radio-network.ts";
import type { NodeRecord, Property } from "../model/records.ts";
import type { CommandValue } from "../model/shape.ts";
import { nodeSnapshot } from "../model/snapshot.ts";
import { type Keeper, present } from "./keeper.ts";
import { TreeHandle } from "./tree-handle.ts";

type NodeKeeper = Keeper & { readonly groupsOf: (address: string) => readonly Group[] };

/** @param address of a node that there is */
export function createNode(keeper: NodeKeeper, address: string): Node {
  return withCommands(keeper, new NodeHandle(keeper, address));
}

class NodeHandle extends TreeHandle {
  readonly #keeper: NodeKeeper;

  constructor(keeper: NodeKeeper, address: string) {
    super(keeper, "node", address, () => this.#record);
    this.#keeper = keeper;
  }

  get #record(): NodeRecord {
    return present(this.#keeper.state().nodes.get(this.address), "node", this.address);
  }

  get nodeDefId() {
    return this.#record.nodeDefId;
  }

  get instance() {
    return this.#record.instance;
  }

  get type() {
    return this.#record.type;
  }

  get primary() {
    return this.#record.primary;
  }

  get enabled() {
    return this.#record.enabled;
  }

  get flag() {
    return this.#record.flag;
  }

  get devtype() {
    return this.#record.devtype;
  }

  get use() {
    return this.#record.use;
  }

  get role() {
    return this.#record.role;
  }

  get linkState() {
    return this.#record.linkState;
  }

  get isSecured() {
    return this.#record.isSecured;
  }

  get properties() {
    return this.#record.properties;
  }

  get nodedef(): Nodedef | null {
    const { nodeDefId, family, instance } = this.#record;
    return this.#keeper.state().profile.nodedef(nodeDefId, family, instance);
  }

  get groups(): readonly Group[] {
    return this.#keeper.groupsOf(this.address);
  }

  get radio(): Radio | null {
    const { session } = this.#keeper;
    const device = radioPath(this.#record.family, this.address);
    if (device === null) return null;
    return {
      readParameter: (number) => readParameter(session, device, number),
      writeParameter: async (number, value, size) => writeParameter(session, device, number, value, size),
      setUserCode: async (slot, code) => setUserCode(session, device, slot, code),
      deleteUserCode: async (slot) => deleteUserCode(session, device, slot),
    };
  }

  parameters() {
    return knownParameters(this.#keeper.session, this.address);
  }

  readParameter(number: number) {
    return readDeviceParameter(this.#keeper.session, this.address, number);
  }

  writeParameter(number: number, value: number): Promise<void> {
    return writeDeviceParameter(this.#keeper.session, this.address, number, value);
  }

  value(id: string): number | null {
    const property = this.properties.get(id);
    return property ? this.#decode(property).value : null;
  }

  label(id: string): string | null {
    const property = this.properties.get(id);
    if (!property || property.value === "") return null;
    const { label, value } = this.#decode(property);
    return label ?? (property.formatted.trim() || String(value ?? ""));
  }

  async send(command: string, ...values: readonly CommandValue[]): Promise<void> {
    await order(this.#keeper.session, nodeCommandPath(this.#keeper.state(), this.#record, command, values));
  }

  query(): Promise<void> {
    return query(this.#keeper.session, this.address);
  }

  enable(): Promise<void> {
    return setEnabled(this.#keeper.session, this.address, true);
  }

  disable(): Promise<void> {
    return setEnabled(this.#keeper.session, this.address, false);
  }

  async actions(): Promise<readonly string[]> {
    return actions(this.#keeper.session, this.address);
  }

  async act(action: string, value?: number): Promise<void> {
    await act(this.#keeper.session, this.address, action, value);
  }

  #decode(property: Property): ReturnType<Editor["decode"]> {
    const { family, instance } = this.#record;
    const editorId = this.nodedef?.properties.find(({ id }) => id === property.id)?.editor ?? "";
    const editor = this.#keeper.state().profile.editor(editorId, family, instance);
    return editor?.decode(property) ?? { value: displayedValue(property), uom: property.uom, label: null };
  }

  toJSON(): object {
    return nodeSnapshot(this.#keeper.state(), this.#record);
  }
}

/** Adds a method for every command that the nodedef accepts, unless the handle has a member of that name. */
function withCommands(keeper: NodeKeeper, handle: NodeHandle): Node {
  const { nodeDefId, family, instance } = handle;
  const nodedef = keeper.state().profile.nodedef(nodeDefId, family, instance);
  for (const { id } of nodedef?.accepts ?? []) {
    const name = id.toLowerCase();
    if (name in handle) continue;
    const value = (...values: readonly CommandValue[]) => handle.send(id, ...values);
    Object.defineProperty(handle, name, { value, enumerable: false });
  }
  // The accepted commands are known only at run time; the type adds them for a program with a shape of the home.
  return handle as Node;
}
