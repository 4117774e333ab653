/**
 * The entities of a Home Assistant: their states as they are told, which of them are shown, the devices that they make, and what their
 * changes say. Changes are read a slice at a time, because thousands may come at once.
 */

import type { Origin } from "../../home/origin.ts";
import { isRecord } from "../../util/is-record.ts";
import { doneInTurn, type Slices } from "../../util/slices.ts";
import type { DriverHost } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import { keyOf, listedOf } from "../exposed/listed-device.ts";
import type { NumberedDevice, NumberedDevices, NumberedNode } from "../exposed/numbered-devices.ts";
import { type Made, madeOf, shapeOf } from "./domain-table.ts";
import { changedState, type EntityState, isKnown, isReachable, stateIn, textOf } from "./entity.ts";
import type { PlacedEntity, Registries } from "./registries.ts";
import type { KnownEntity } from "./way-in/entity-words.ts";

type Shown = { readonly placed: PlacedEntity; readonly made: Made; readonly shape: string };
type Change = {
  readonly entity: string;
  readonly before: EntityState | undefined;
  readonly now: EntityState | undefined;
};
type Answered = { readonly cause: "ack"; readonly commandId: string };

type EntityPorts = {
  readonly host: DriverHost;
  readonly devices: NumberedDevices;
  /** Whether locks, doors of garages and sirens are taken. */
  readonly secured: boolean;
  readonly isOver: () => boolean;
  /** Something new, or another shape: all of it has to be planned again. */
  readonly planSoon: () => void;
  /** The command that the message is the effect of, or null. */
  readonly answered: (entity: string, message: Message) => Answered | null;
};

export type FoundEntity = { readonly entity: string; readonly made: Made; readonly state: EntityState };

const CONNECTION = { from: "the connection to Home Assistant" };
const CHANGES_MAX = 50_000;
const READ_IN_TURN_MAX = 20;
const CONTEXTS_MAX = 1000;
const AUTOMATIONS = /^(?:automation|script)\./;

export class SuppliedEntities {
  readonly #ports: EntityPorts;
  readonly #states = new Map<string, EntityState>();
  /** By `light.kitchen`. */
  #shown: ReadonlyMap<string, Shown> = new Map();
  #byDevice: ReadonlyMap<string, readonly string[]> = new Map();
  #changes: Change[] = [];
  #reading: Slices<void> | null = null;
  #isAwake = false;
  /** Messages that this turn of the event loop has read. */
  #readInTurn = 0;
  #isReady = false;
  /** Names of automations and scripts by the contexts that they began, the latest last. */
  readonly #automations = new Map<string, string>();
  /** Id of the account whose token this is. */
  ownUser = "";

  constructor(ports: EntityPorts) {
    this.#ports = ports;
  }

  /** Everything is there: what changes from now on happens. */
  begin(): void {
    this.#isReady = true;
  }

  stateOf(entity: string): EntityState | null {
    return this.#states.get(entity) ?? null;
  }

  /** Those of some domains with their states, in the order of their names. */
  named(domains: readonly string[]): readonly (readonly [entity: string, state: EntityState])[] {
    const all = [...this.#states].filter(([entity]) => domains.includes(entity.slice(0, entity.indexOf("."))));
    return all.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** null: no node shows it. */
  shownBy(entity: string): KnownEntity | null {
    const shown = this.#shown.get(entity);
    const state = this.#states.get(entity);
    const device = shown && this.#ports.devices.ofId(shown.placed.device);
    if (!shown || !state || !device) return null;
    const { domain, key } = shown.placed;
    return { entity, domain, key, made: shown.made, state, nodes: device.nodes };
  }

  /** First nodes of devices that have an area, with its id. */
  areasOfNodes(): readonly { readonly address: string; readonly area: string }[] {
    return [...this.#byDevice].flatMap(([id, [first = ""]]) => {
      const address = this.#ports.devices.ofId(id)?.nodes[0]?.address;
      const area = this.#shown.get(first)?.placed.area ?? "";
      return address === undefined || area === "" ? [] : [{ address, area }];
    });
  }

  /** The entity that the message is for: its key is what the properties begin with. */
  find({ device }: NumberedDevice, message: Message): FoundEntity | null {
    const [property = ""] = Object.keys(message);
    const key = property.slice(0, property.lastIndexOf("/"));
    for (const entity of this.#byDevice.get(device.id) ?? []) {
      const shown = this.#shown.get(entity);
      const state = this.#states.get(entity);
      if (shown?.placed.key === key && state) return { entity, made: shown.made, state };
    }
    return null;
  }

  /** Those that a node shows. */
  of({ device }: NumberedDevice, { plan }: NumberedNode): readonly string[] {
    const all = this.#byDevice.get(device.id) ?? [];
    const own = all.filter((entity) => this.#shown.get(entity)?.made.expose.label === plan.endpoint);
    return own.length > 0 ? own : all;
  }

  /** What is known of it, once more. */
  repeat(entity: string, cause: "query" | "restore"): void {
    const shown = this.#shown.get(entity);
    const state = this.#states.get(entity);
    const device = shown && this.#ports.devices.ofId(shown.placed.device);
    if (!shown || !state || !device || !isReachable(state) || shown.placed.domain === "event") return;
    this.#ports.devices.receive(device, shown.made.read(state), { cause }, false);
  }

  /** `a` all of an entity, `c` what is different, `r` it is not there now, which is never for good. */
  receive(event: unknown): void {
    if (!isRecord(event)) return;
    for (const [entity, told] of entriesOf(event.a)) {
      const state = stateIn(told);
      if (!state) continue;
      if (this.#isReady && !this.#shown.has(entity)) this.#ports.planSoon();
      this.#note(entity, state);
    }
    for (const [entity, told] of entriesOf(event.c)) {
      const before = this.#states.get(entity);
      if (before) this.#note(entity, changedState(before, told));
    }
    if (Array.isArray(event.r)) for (const name of event.r) if (typeof name === "string") this.#note(name, undefined);
    this.#readSoon();
  }

  /** At once, so that the answer of a command finds the state; but the messages of a flood have one turn together. */
  #readSoon(): void {
    if (this.#isAwake) return;
    this.#readInTurn += 1;
    if (this.#readInTurn === 1) setImmediate(() => (this.#readInTurn = 0));
    if (this.#readInTurn > READ_IN_TURN_MAX) this.#readLater();
    else this.#readOn();
  }

  #note(entity: string, now: EntityState | undefined): void {
    const before = this.#states.get(entity);
    if (now) this.#states.set(entity, now);
    else this.#states.delete(entity);
    if (now && AUTOMATIONS.test(entity)) this.#remember(now);
    if (this.#changes.length < CHANGES_MAX) this.#changes.push({ entity, before, now });
    else this.#ports.planSoon();
  }

  /** It tells of itself before what it does changes. */
  #remember({ context, attributes }: EntityState): void {
    this.#automations.set(context.id, textOf(attributes, "friendly_name"));
    const [oldest = ""] = this.#automations.size > CONTEXTS_MAX ? this.#automations.keys() : [];
    this.#automations.delete(oldest);
  }

  #originOf({ context: { id, user, hasParent } }: EntityState): { readonly origin: Origin } | null {
    const automation = this.#automations.get(id);
    if (automation !== undefined || hasParent) return { origin: { kind: "automation", name: automation ?? "" } };
    return user === null || user === this.ownUser ? null : { origin: { kind: "person", name: "" } };
  }

  /** As much as a turn of the event loop may take, the rest in later ones. */
  #readOn(): void {
    this.#isAwake = false;
    if (this.#ports.isOver()) return;
    this.#reading ??= this.#readChanges();
    if (doneInTurn(this.#reading)) {
      this.#reading = null;
      return;
    }
    this.#readLater();
  }

  #readLater(): void {
    this.#isAwake = true;
    setImmediate(() => this.#ports.host.guard(CONNECTION, () => this.#readOn()));
  }

  *#readChanges(): Slices<void> {
    for (let at = 0; at < this.#changes.length; at += 1) {
      const change = this.#changes[at];
      if (change) yield* this.#show(change);
      yield;
    }
    this.#changes = [];
  }

  *#show({ entity, before, now }: Change): Slices<void> {
    const { devices, planSoon, answered } = this.#ports;
    const shown = this.#shown.get(entity);
    const device = shown && devices.ofId(shown.placed.device);
    if (!shown || !device) return;
    this.#reach(device);
    if (!now || !isReachable(now)) return;
    if (shapeOf(now) !== shown.shape) planSoon();
    const isEvent = this.#isReady && before !== undefined && isKnown(before) && isKnown(now);
    const message = shown.made.read(now);
    if (shown.placed.domain === "event") {
      // Restored times, and those of before, are no events.
      const isLater = isEvent && Date.parse(now.state) > Date.parse(before.state);
      if (isLater) yield* devices.receiveInSlices(device, message, { cause: "report" }, true);
      return;
    }
    const cause = this.#isReady ? "report" : "restore";
    const occasion = answered(entity, message) ?? { cause, ...(isEvent && this.#originOf(now)) };
    yield* devices.receiveInSlices(device, message, occasion, isEvent);
  }

  #reach(device: NumberedDevice): void {
    const entities = this.#byDevice.get(device.device.id) ?? [];
    const isReached = entities.some((entity) => isReachable(this.#states.get(entity)));
    this.#ports.devices.reach(device, isReached, this.#isReady ? "report" : "restore");
  }

  /** Which entities are shown, and the devices that they make. @param unit of temperatures: °C or °F */
  *plan(registries: Registries, unit: string): Slices<void> {
    const { devices } = this.#ports;
    const before = this.#shown;
    const shown = new Map<string, Shown>();
    const byDevice = new Map<string, string[]>();
    for (const [entity, state] of this.#states) {
      const each = this.#shownOf(entity, state, registries, unit);
      if (each) {
        shown.set(entity, each);
        const { device } = each.placed;
        const ofDevice = byDevice.get(device);
        if (ofDevice) ofDevice.push(entity);
        else byDevice.set(device, [entity]);
      }
      yield;
    }
    this.#shown = shown;
    this.#byDevice = byDevice;
    for (const [id, entities] of byDevice) yield* this.#put(id, entities);
    for (const device of devices.all()) if (!byDevice.has(device.device.id)) devices.reach(device, false);
    for (const [entity, { shape }] of shown) {
      if (before.get(entity)?.shape !== shape) this.repeat(entity, "restore");
      yield;
    }
  }

  *#put(id: string, entities: readonly string[]): Slices<void> {
    const { devices } = this.#ports;
    const parts = entities.flatMap((entity) => this.#shown.get(entity) ?? []);
    const [first] = parts;
    if (!first) return;
    const { deviceName: name, model, firmware, room } = first.placed;
    const exposes = parts.map(({ made }) => made.expose);
    yield* devices.put(listedOf({ id, name, model, firmware, room }, exposes, devices.ofId(id)?.device ?? null));
    const device = devices.ofId(id);
    if (device) this.#reach(device);
  }

  /** An entity that cannot be reached may not say what it can: it is as it was. */
  #shownOf(entity: string, state: EntityState, registries: Registries, unit: string): Shown | null {
    const placed = registries.entity(entity, textOf(state.attributes, "friendly_name"));
    const made = placed && madeOf(placed, state, unit);
    if (!placed || !made || (made.isSecured && !this.#ports.secured)) return null;
    if (isReachable(state)) return { placed, made, shape: shapeOf(state) };
    const known = this.#ports.devices.ofId(placed.device)?.device.exposes;
    const before = known?.find((each) => keyOf(each) === keyOf(made.expose));
    return before ? { placed, made: { ...made, expose: before }, shape: "" } : null;
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
