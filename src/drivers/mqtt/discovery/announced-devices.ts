/**
 * Devices that announce themselves the way of Home Assistant: which entities each has, where their values come from, whether they can be
 * reached, and what a command publishes. An announcement that is withdrawn removes its entities.
 *
 * @see docs/announced-devices.md
 */

import type { Timer } from "../../../util/clock.ts";
import { readForeignJson } from "../../../util/foreign-value.ts";
import { doneInTurn, type Slices } from "../../../util/slices.ts";
import { failed, type Outcome } from "../../command.ts";
import type { DriverHost } from "../../driver.ts";
import type { Message } from "../../exposed/feature.ts";
import { isNear, listedOf } from "../../exposed/listed-device.ts";
import type { NumberedDevice, NumberedDevices, NumberedNode } from "../../exposed/numbered-devices.ts";
import { UNSUPPORTED } from "../../exposed/outcomes.ts";
import { WaitingCommands } from "../../exposed/waiting-commands.ts";
import type { NetworkTrouble } from "../../network-facts.ts";
import type { Received } from "../inbox.ts";
import { type AnnouncedDevice, type Announcement, announcementOf } from "./announcement.ts";
import { madeOf } from "./component-table.ts";
import { type Made, type Publication, scopeOf } from "./entity.ts";
import { type Availability, EntityConfig, isMeant, isPattern, Refusal } from "./entity-config.ts";
import { Templates } from "./templates.ts";

type AnnouncedPorts = {
  readonly host: DriverHost;
  readonly devices: NumberedDevices;
  /** Entities of all devices together. */
  readonly entitiesMax: number;
  /** Topics below which no announced device may be commanded; see EntityConfig. */
  readonly reserved: readonly string[];
  /** Whether another part follows this device already, or it is our own. */
  isForeign(announcement: Announcement): boolean;
  subscribe(topics: readonly string[]): void;
  unsubscribe(topics: readonly string[]): void;
  publish(publication: Publication): void;
};

type Part = Made & {
  readonly id: string;
  readonly availability: readonly Availability[];
  readonly mode: string;
  readonly expireMs: number | null;
  readonly offMs: number | null;
  /** By topic, as far as they have said so. */
  readonly available: Map<string, boolean>;
  latest: boolean | null;
};
type Entry = { readonly path: string; readonly about: AnnouncedDevice; readonly parts: readonly Part[] };

/** Announcements of a device come one after the other. */
const GATHER_MS = 500;
const ECHO_MS = 1500;
const FINDINGS_MAX = 200;
const CONFIG_BYTES_MAX = 262_144;
const SUBSCRIBED_AT_ONCE = 100;
/** Topics of all devices that stand for several; each message is compared with all of them. */
const PATTERNS_MAX = 100;
/** With the path of an announcement: the device that it announced last. */
const ANNOUNCED_AT = "announced at ";
/** With a further identity of a device: its id. */
const SAME_AS = "announced too as ";
const IDENTITIES_MAX = 20_000;
const NO_STATE: Outcome = { kind: "sent", detail: "It was sent. The device does not report this state." };
const UNANNOUNCED = failed("unreachable", "The device has not announced itself since the broker was connected.", true);

export class AnnouncedDevices {
  readonly #ports: AnnouncedPorts;
  readonly #waiting: WaitingCommands;
  /** By the path of their announcements. */
  readonly #entries = new Map<string, Entry>();
  /** Paths of the announcements of each device. */
  readonly #paths = new Map<string, Set<string>>();
  /** Devices of each topic. */
  readonly #byTopic = new Map<string, Set<string>>();
  /** Those of them that stand for several topics. */
  readonly #patterns = new Set<string>();
  readonly #findings = new Map<string, NetworkTrouble>();
  readonly #templates = new Templates();
  readonly #changed = new Set<string>();
  /** Devices whose last announcement was withdrawn. */
  readonly #withdrawn = new Set<string>();
  #declaring: Slices<void> | null = null;
  readonly #timers = new Map<string, Timer>();
  #gathering: Timer | null = null;
  /** The id of a device by each of its further identities. */
  readonly #identities = new Map<string, string>();
  /** Entities of all devices. */
  #count = 0;

  constructor(ports: AnnouncedPorts) {
    this.#ports = ports;
    this.#waiting = new WaitingCommands(ports.host.clock);
    const { store } = ports.host;
    for (const key of store.keys().filter((each) => each.startsWith(SAME_AS))) {
      const id = store.get(key);
      if (typeof id === "string") this.#identities.set(key.slice(SAME_AS.length), id);
    }
  }

  stop(): void {
    this.#gathering?.cancel();
    this.#waiting.end();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** Announcements that are not shown, or not whole, and why. */
  findings(): readonly NetworkTrouble[] {
    return [...this.#findings.values()];
  }

  /** @param path between the prefix and `/config` */
  announce(path: string, { payload, isRetained }: Received): void {
    const before = this.#entries.get(path);
    const read = payload.length > CONFIG_BYTES_MAX ? null : announcementOf(path, readForeignJson(payload.toString()));
    if (read?.isMigrating) {
      if (before) this.#leave(path, before);
      return;
    }
    for (const key of [...this.#findings.keys()]) if (key.startsWith(`${path} `)) this.#findings.delete(key);
    const announcement = read && this.#identified(read);
    const entry = announcement && !this.#ports.isForeign(announcement) ? this.#entryOf(path, announcement) : null;
    if (payload.length > 0 && !announcement) this.#find(path, "", "Its announcement cannot be read.");
    if (before) this.#leave(path, before);
    if (entry) {
      this.#entries.set(path, entry);
      this.#paths.set(entry.about.id, (this.#paths.get(entry.about.id) ?? new Set()).add(path));
      this.#count += entry.parts.length;
    }
    for (const each of [before, entry]) if (each) this.#change(each.about.id);
    if (entry || !isRetained) this.#withdraw(path, entry?.about.id ?? null);
  }

  /** Its device keeps its nodes, which another announcement may show again. */
  #leave(path: string, { about, parts }: Entry): void {
    this.#entries.delete(path);
    this.#paths.get(about.id)?.delete(path);
    this.#count -= parts.length;
  }

  /** A device is the same whichever of its identities is named, and whichever comes first. */
  #identified(announcement: Announcement): Announcement {
    const { device } = announcement;
    if (!device) return announcement;
    const { ids } = device;
    const { host, devices } = this.#ports;
    const known = ids.find((id) => devices.ofId(id) !== null || this.#paths.has(id));
    const same = ids.map((id) => this.#identities.get(keyOfId(id))).find((id) => id !== undefined);
    const id = same ?? known ?? device.id;
    for (const each of ids) {
      const key = keyOfId(each);
      if (each === id || this.#identities.has(key) || this.#identities.size >= IDENTITIES_MAX) continue;
      this.#identities.set(key, id);
      host.store.set(SAME_AS + key, id);
    }
    return { ...announcement, device: { ...device, id } };
  }

  /** A path announces one device: what it announced before is withdrawn, also in an earlier run. @param id null: none now */
  #withdraw(path: string, id: string | null): void {
    const { store } = this.#ports.host;
    const key = ANNOUNCED_AT + path;
    const before = store.get(key);
    if (typeof before === "string" && before !== id) {
      this.#withdrawn.add(before);
      this.#change(before);
    }
    if (id === null) store.delete(key);
    else if (before !== id) store.set(key, id);
  }

  /** Whether a message on this topic is of an entity. */
  reads(topic: string): boolean {
    return this.#byTopic.has(topic) || this.#idsByPattern(topic).length > 0;
  }

  #idsByPattern(topic: string): readonly string[] {
    const meant = [...this.#patterns].filter((pattern) => isMeant(pattern, topic));
    return meant.flatMap((pattern) => [...(this.#byTopic.get(pattern) ?? [])]);
  }

  /** A message on a topic of an entity, an entity a slice: thousands may share a topic. */
  *receive({ topic, payload, isRetained }: Received): Slices<void> {
    const scope = scopeOf(payload);
    for (const id of new Set([...(this.#byTopic.get(topic) ?? []), ...this.#idsByPattern(topic)])) {
      const message: Record<string, unknown> = {};
      for (const part of this.#partsOf(id)) {
        this.#readAvailability(part, topic, scope);
        for (const { topic: own, read } of part.sources) {
          if (!isMeant(own, topic)) continue;
          const told = read(scope);
          Object.assign(message, told);
          if (Object.keys(told).length > 0) this.#watch(id, part, told);
          yield;
        }
      }
      yield* this.#show(id, message, isRetained);
    }
  }

  send(
    { node, id, signal }: { readonly node: NumberedNode; readonly id: string; readonly signal: AbortSignal },
    deviceId: string,
    message: Message,
  ): Promise<Outcome> | Outcome {
    const parts = this.#partsOf(deviceId);
    if (parts.length === 0) return UNANNOUNCED;
    const keys = Object.keys(message);
    const part = parts.find((each) => keys.every((key) => key.startsWith(`${each.id}/`)));
    const publications = part?.encode(message);
    if (!part || !publications) return UNSUPPORTED;
    for (const each of publications) this.#ports.publish(each);
    const reported = node.plan.features.some((feature) => feature.read(message) !== undefined);
    if (part.sources.length === 0 || !reported) return NO_STATE;
    const occasion = { cause: "ack", commandId: id } as const;
    const isAnsweredBy = (answer: Message) => keys.every((key) => key in answer && isNear(message[key], answer[key]));
    return this.#waiting.add({ id: deviceId, topic: deviceId, occasion, isAnsweredBy }, ECHO_MS, signal);
  }

  #entryOf(path: string, { device, entities }: Announcement): Entry | null {
    const { reserved, entitiesMax, devices } = this.#ports;
    const parts: Part[] = [];
    let name = "";
    for (const entity of entities) {
      const config = new EntityConfig(entity.config, { templates: this.#templates, reserved, refusals: [] });
      name ||= config.text("name");
      try {
        const made = madeOf(entity, config);
        if (made) parts.push(this.#partOf(entity.id, config, made));
        for (const sentence of made ? config.refusals : [])
          this.#find(path, config.text("name") || entity.id, sentence);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#find(path, config.text("name") || entity.id, error.message);
      }
    }
    if (parts.length === 0) return null;
    const own = this.#entries.get(path)?.parts.length ?? 0;
    const id = entities[0]?.id ?? path;
    const about = device ?? { id, ids: [id], name: name || id, model: "", firmware: null, room: "" };
    // Devices that do not announce themselves any more keep their nodes.
    const isNew = devices.ofId(about.id) === null;
    if (this.#count - own + parts.length > entitiesMax || (isNew && devices.nodeCount >= entitiesMax)) {
      this.#find(path, name, `No more than ${entitiesMax} entities are taken (mqttEntitiesMax).`);
      return null;
    }
    return { path, about, parts };
  }

  #partOf(id: string, config: EntityConfig, made: Made): Part {
    const seconds = (key: string) => {
      const value = config.number(key);
      return value !== null && value > 0 ? value * 1000 : null;
    };
    return {
      ...made,
      id,
      availability: config.availability(),
      mode: config.text("availability_mode", "latest"),
      expireMs: seconds("expire_after"),
      offMs: seconds("off_delay"),
      available: new Map(),
      latest: null,
    };
  }

  #find(path: string, entity: string, sentence: string): void {
    const { host } = this.#ports;
    if (this.#findings.size >= FINDINGS_MAX) return;
    const detail = `${entity || path}: ${sentence}`.slice(0, 400);
    this.#findings.set(`${path} ${entity}`, { atMs: host.clock.now(), address: null, detail });
    host.log.info("An announced device or a part of it is not shown.", { announcement: path.slice(0, 200), detail });
  }

  #entriesOf(id: string): readonly Entry[] {
    return [...(this.#paths.get(id) ?? [])].flatMap((path) => this.#entries.get(path) ?? []);
  }

  #partsOf(id: string): readonly Part[] {
    return this.#entriesOf(id).flatMap(({ parts }) => parts);
  }

  #change(id: string): void {
    this.#changed.add(id);
    this.#gathering ??= this.#ports.host.clock.setTimer(() => this.#declareSome(), GATHER_MS);
  }

  /** At most one device in each turn of the event loop. */
  #declareSome(): void {
    const [id] = this.#changed;
    if (!this.#declaring && id !== undefined) {
      this.#changed.delete(id);
      this.#declaring = this.#declare(id);
    }
    if (this.#declaring && doneInTurn(this.#declaring)) this.#declaring = null;
    const isOver = !this.#declaring && this.#changed.size === 0;
    this.#gathering = isOver ? null : this.#ports.host.clock.setTimer(() => this.#declareSome(), 0);
  }

  *#declare(id: string): Slices<void> {
    const { devices, subscribe, unsubscribe } = this.#ports;
    const parts = this.#partsOf(id);
    const about = togetherOf(this.#entriesOf(id));
    const topics = new Set(
      parts.flatMap(({ sources, availability }) => [...sources, ...availability].map(({ topic }) => topic)),
    );
    const unused: string[] = [];
    for (const [topic, ids] of this.#byTopic) {
      if (topics.has(topic) || !ids.delete(id) || ids.size > 0) continue;
      this.#byTopic.delete(topic);
      this.#patterns.delete(topic);
      unused.push(topic);
    }
    if (unused.length > 0) unsubscribe(unused);
    const known = devices.ofId(id);
    if (about)
      yield* devices.put(
        listedOf(
          about,
          parts.map(({ expose }) => expose),
          known?.device ?? null,
        ),
      );
    else if (known && this.#withdrawn.has(id)) this.#remove(known);
    this.#withdrawn.delete(id);
    const wanted = [...topics].filter((topic) => !this.#byTopic.get(topic)?.has(id));
    for (const topic of wanted) {
      if (!this.#hasRoomFor(topic)) continue;
      this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(id));
      if (isPattern(topic)) this.#patterns.add(topic);
    }
    // Again, also where another device has the topic: the broker then sends what it has kept.
    for (let at = 0; at < wanted.length; at += SUBSCRIBED_AT_ONCE) {
      yield;
      subscribe(wanted.slice(at, at + SUBSCRIBED_AT_ONCE).filter((topic) => this.#byTopic.has(topic)));
    }
  }

  #remove(device: NumberedDevice): void {
    const { host, devices } = this.#ports;
    for (const [key, id] of this.#identities) {
      if (id !== device.device.id) continue;
      this.#identities.delete(key);
      host.store.delete(SAME_AS + key);
    }
    devices.remove(device);
  }

  #hasRoomFor(topic: string): boolean {
    if (!isPattern(topic) || this.#patterns.size < PATTERNS_MAX || this.#patterns.has(topic)) return true;
    this.#find(topic, "", `No more than ${PATTERNS_MAX} topics with wildcard characters are read.`);
    return false;
  }

  #readAvailability(part: Part, topic: string, scope: ReturnType<typeof scopeOf>): void {
    for (const { topic: own, template, available, notAvailable } of part.availability) {
      if (!isMeant(own, topic)) continue;
      const word = template ? template(scope) : String(scope.value);
      if (word !== available && word !== notAvailable) continue;
      part.latest = word === available;
      part.available.set(own, part.latest);
    }
  }

  *#show(id: string, message: Message, isRetained: boolean): Slices<void> {
    const { devices } = this.#ports;
    const device = devices.ofId(id);
    if (!device) return;
    const cause = isRetained ? "restore" : "report";
    const isReached = reachedBy(this.#partsOf(id));
    if (isReached !== null) devices.reach(device, isReached, cause);
    if (Object.keys(message).length === 0) return;
    const answered = isRetained ? null : this.#waiting.answer(id, message);
    yield* devices.receiveInSlices(device, message, answered ?? { cause }, !isRetained);
  }

  /** Some values are only good for a while, and some sensors never say that it is over. */
  #watch(id: string, part: Part, told: Message): void {
    const after = (kind: string, delayMs: number | null, message: Message) => {
      const key = `${part.id} ${kind}`;
      this.#timers.get(key)?.cancel();
      this.#timers.delete(key);
      if (delayMs === null) return;
      const timer = this.#ports.host.clock.setTimer(() => {
        this.#timers.delete(key);
        const device = this.#ports.devices.ofId(id);
        if (device) this.#ports.devices.receive(device, message, { cause: "report" }, true);
      }, delayMs);
      this.#timers.set(key, timer);
    };
    const [property = ""] = Object.keys(told);
    const idle = part.expose.name === "contact";
    after("expire", part.expireMs, Object.fromEntries(Object.keys(told).map((key) => [key, null])));
    after("off", told[property] === !idle ? part.offMs : null, { [property]: idle });
  }
}

/** Connections are written in letters of either size. */
function keyOfId(id: string): string {
  return id.startsWith("mac ") ? id.toLowerCase() : id;
}

/** What a device says of itself is in all its announcements, whose order is the broker's. undefined: there is none */
function togetherOf(entries: readonly Entry[]): AnnouncedDevice | undefined {
  const all = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ about }) => about);
  const [first] = all;
  if (!first) return undefined;
  const model = all.find((each) => each.model !== "")?.model ?? "";
  const name = all.find((each) => each.name !== "")?.name ?? "";
  const firmware = all.find((each) => each.firmware !== null)?.firmware ?? null;
  const room = all.find((each) => each.room !== "")?.room ?? "";
  return { ...first, name: name || model || first.id, model, firmware, room };
}

/** Whether the device is reachable; null: not known. A device that announces no availability is. */
function reachedBy(parts: readonly Part[]): boolean | null {
  const states = parts.map(({ availability, mode, available, latest }) => {
    if (availability.length === 0) return null;
    const known = availability.map(({ topic }) => available.get(topic) ?? null);
    if (mode === "all") return known.includes(false) ? false : known.includes(null) ? null : true;
    if (mode === "any") return known.includes(true) ? true : known.includes(null) ? null : false;
    return latest;
  });
  if (states.includes(true)) return true;
  if (states.includes(false)) return false;
  return parts.every(({ availability }) => availability.length === 0) ? true : null;
}
