/**
 * The persons of the home and their sources: phones over HTTP and at a broker, nodes that say it, commands of the person's node. The
 * rule is in rule.ts, what a message says in owntracks.ts.
 */

import type { Config } from "../../config.ts";
import { badValue, ControllerError } from "../../errors.ts";
import type { Timer } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import { type DriverCommand, failed, type Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import { type MqttConnection, openMqtt } from "../mqtt-connection.ts";
import type { Person, PresencePort, PresenceSource } from "../presence-port.ts";
import { type Fix, type HomePlace, MESSAGE_BYTES_MAX, readOwnTracks } from "./owntracks.ts";
import { addressOf, hashOfToken, PersonBook, type PersonGiven, type PersonRecord } from "./person-book.ts";
import { PersonOperations } from "./person-operations.ts";
import { dueAtMs, type PresenceInput, type PresenceRules, step, type Whereabouts, whereaboutsOf } from "./rule.ts";

/** The nodes of the home, as far as they say where a person is. */
export type SaidByNodes = {
  /** null: the node does not say it now, or there is none. */
  says(address: string): Whereabouts | null;
  /** @param placed the place of the home may be another one @returns what ends it. */
  follow(changed: (address: string) => void, placed: () => void): () => void;
};

export type PresenceOptions = {
  readonly name: string;
  readonly rules: PresenceRules;
  readonly place: () => HomePlace;
  readonly nodes: SaidByNodes;
  /** null: no broker. */
  readonly broker: {
    readonly url: string;
    readonly user: string;
    readonly password: string;
    readonly ca: string;
  } | null;
  readonly baseTopic: string;
  readonly uuid: string;
  /** How long what an owner cannot remove is kept. */
  readonly retention: Pick<Config, "journalDaysMax" | "historyDaysMax">;
};

type Running = {
  readonly host: DriverHost;
  readonly book: PersonBook;
  readonly stopping: AbortController;
  readonly unfollow: () => void;
};

const UNPLACED =
  "The home still has the default place, so phones count by their own region only. Set it with: domovoi place --latitude N --longitude N";
const PHONE = "phone";
const BROKER = "broker";
const TOKEN_BYTES = 24;
const TOKEN_CHARS_MAX = 100;
/** Of one person and source in a minute. */
const MESSAGES_MAX = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const RETRY_MS = 60_000;
const COMMANDS: Readonly<Record<string, Whereabouts>> = { HOME: "home", AWAY: "away" };

export class PresenceDriver implements Driver, PresencePort {
  readonly name: string;
  readonly commissioning = new PersonOperations(
    () => (this.#running ? { ...this.#running, lost: this.#running.stopping.signal } : null),
    {
      add: (given) => this.#add(given),
      change: (person, given) => this.#change(person, given),
      forget: (person) => this.#forget(person),
    },
  );
  readonly #options: PresenceOptions;
  #running: Running | null = null;
  #connection: MqttConnection | null = null;
  #timer: Timer | null = null;
  /** Why phones at the broker are not heard; "": they are, or there is none. */
  #brokerTrouble = "";
  /** What became of the latest message, by person and source. */
  readonly #notes = new Map<string, string>();
  readonly #rates = new Map<string, { minute: number; count: number }>();

  constructor(options: PresenceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const book = new PersonBook(host);
    const changed = new Set<string>();
    // Listeners of the home only record; the reports have a turn of their own.
    const unfollow = this.#options.nodes.follow(
      (address) => {
        if (changed.size === 0) host.clock.setTimer(() => this.#readNodes(changed), 0);
        changed.add(address);
      },
      () => host.clock.setTimer(() => this.#showState(), 0),
    );
    this.#running = { host, book, stopping: new AbortController(), unfollow };
    for (const each of book.all()) {
      book.tell(this.#stepped(each, { kind: "time" }), "restore");
      this.#readNodesOf(each.number, each.nodes);
    }
    this.#schedule();
    this.#showState();
    if (this.#options.broker) void this.#connect(this.#running);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.unfollow();
    running?.stopping.abort();
    this.#timer?.cancel();
    await this.#connection?.end();
    this.#connection = null;
    running?.host.status("stopped", "");
  }

  async send({ address, command, id, signal }: DriverCommand): Promise<Outcome> {
    const running = this.#running;
    const person = running?.book.ofAddress(address);
    const says = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!running) return failed("not-ready", "The integration is not running.", true);
    if (signal.aborted) return failed("timeout", "The command was given up.", true);
    if (!person) return failed("unreachable", "There is no such person.");
    if (says === undefined) return failed("unsupported", "A person takes Home and Away.");
    running.book.tell(this.#stepped(person, { kind: "chosen", says }), "ack", id);
    this.#schedule();
    return { kind: "acked" };
  }

  async query(address: string): Promise<Outcome> {
    const person = this.#running?.book.ofAddress(address);
    if (!person) return failed("unreachable", "There is no such person.");
    this.#running?.book.tell(person, "query");
    return { kind: "acked" };
  }

  home() {
    return this.#options.place();
  }

  persons(): readonly Person[] {
    const { book } = this.#required();
    return book.all().map((record) => ({
      id: String(record.number),
      name: book.nameOf(record),
      account: record.account,
      node: addressOf(record),
      channels: record.channels ?? [],
      says: whereaboutsOf(record.state),
      sinceMs: book.sinceMs(record),
      sources: this.#sourcesOf(record),
    }));
  }

  take(token: string, message: string): void {
    const { book } = this.#required();
    const person = token.length > TOKEN_CHARS_MAX ? null : book.ofToken(token);
    if (!person) throw new ControllerError("PERSON_NOT_FOUND");
    if (!this.#admits(person, PHONE)) throw new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 60 });
    if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) throw new ControllerError("BODY_TOO_LARGE");
    const fix = readOwnTracks(message, this.#options.place());
    if (fix === undefined) throw new ControllerError("BAD_BODY", "The body is no message of OwnTracks.");
    if (fix) this.#hear(person, PHONE, fix, false);
  }

  async renewToken(id: string): Promise<string> {
    const { book, host } = this.#required();
    const person = book.find(id);
    const token = host.randomness.bytes(TOKEN_BYTES).toString("base64url");
    book.put({ ...person, tokenHash: hashOfToken(token) });
    await host.store.saved();
    return token;
  }

  #showState(trouble = this.#brokerTrouble): void {
    this.#brokerTrouble = trouble;
    const reason = trouble !== "" || this.#options.place().isPlaced ? trouble : UNPLACED;
    this.#running?.host.status(reason === "" ? "ready" : "degraded", reason);
  }

  #required(): Running {
    if (!this.#running) throw new ControllerError("DRIVER_UNAVAILABLE");
    return this.#running;
  }

  #add(given: PersonGiven): PersonRecord {
    this.#checkNodes(given.nodes);
    const added = this.#required().book.add(given);
    this.#readNodesOf(added.number, added.nodes);
    return added;
  }

  #change(person: string, given: Partial<PersonGiven>): PersonRecord {
    const { book } = this.#required();
    const before = book.find(person);
    const after = { ...before, ...given };
    this.#checkNodes(after.nodes);
    book.put(after);
    const former = before.nodes.filter((node) => !after.nodes.includes(node));
    if (before.topic !== after.topic) former.push(BROKER);
    for (const source of former) this.#take(before.number, { kind: "removed", source });
    this.#readNodesOf(before.number, after.nodes);
    return after;
  }

  /** @returns what remains, a sentence. */
  async #forget(person: string): Promise<string> {
    const { book, host } = this.#required();
    const record = book.find(person);
    book.forget(record);
    for (const key of this.#notes.keys()) if (key.startsWith(`${record.number} `)) this.#notes.delete(key);
    await host.store.saved();
    const { journalDaysMax, historyDaysMax } = this.#options.retention;
    return `Forgotten: record, node and token. What remains ends by itself: in the journal the name and when the person came and left, after ${journalDaysMax} days; in the charts when the person came and left, after ${historyDaysMax} days. Backups and programs that name the person stay as they are.`;
  }

  #checkNodes(nodes: readonly string[]): void {
    const own = nodes.find((node) => this.#required().book.ofAddress(node));
    if (own !== undefined) throw badValue(`${own} is a person, and no source of another one.`);
  }

  #sourcesOf({ number, tokenHash, topic, nodes, state }: PersonRecord): readonly PresenceSource[] {
    const shown = (kind: PresenceSource["kind"], from: string, key: string): PresenceSource => {
      const source = state.sources[key];
      const isSilent = source?.isPhone === true && this.#isSilent(source.heardAtMs);
      const hours = this.#options.rules.silentMs / HOUR_MS;
      const reason = isSilent
        ? `It has been silent for ${hours} hours.`
        : (this.#notes.get(`${number} ${key}`) ??
          (source ? "It has said nothing since the start." : "It has said nothing yet."));
      return { kind, from, says: source?.says ?? null, heardAtMs: source?.heardAtMs ?? null, reason };
    };
    return [
      ...(tokenHash === "" ? [] : [shown("phone", "", PHONE)]),
      ...(topic === "" ? [] : [shown("broker", topic, BROKER)]),
      ...nodes.map((node) => shown("node", node, node)),
    ];
  }

  #isSilent(heardAtMs: number): boolean {
    return this.#required().host.clock.now() - heardAtMs >= this.#options.rules.silentMs;
  }

  #hear(person: PersonRecord, source: string, { note, atMs: fixAtMs, ...said }: Fix, isKept: boolean): void {
    const nowMs = this.#required().host.clock.now();
    this.#notes.set(`${person.number} ${source}`, note);
    this.#showState();
    this.#take(person.number, {
      kind: "fix",
      source,
      fixAtMs,
      ...said,
      heardAtMs: isKept ? Math.min(fixAtMs, nowMs) : nowMs,
    });
  }

  #readNodes(changed: Set<string>): void {
    const all = new Set(changed);
    changed.clear();
    for (const { number, nodes } of this.#running?.book.all() ?? []) {
      this.#readNodesOf(
        number,
        nodes.filter((node) => all.has(node)),
      );
    }
  }

  #readNodesOf(number: number, nodes: readonly string[]): void {
    for (const node of nodes) {
      const says = this.#options.nodes.says(node);
      this.#notes.set(`${number} ${node}`, says === null ? "The node says neither now." : "The node says it.");
      this.#take(number, { kind: "node", source: node, says });
    }
  }

  #take(number: number, input: PresenceInput): void {
    const running = this.#running;
    const person = running?.book.all().find((each) => each.number === number);
    if (!running || !person) return;
    running.book.tell(this.#stepped(person, input), "report");
    this.#schedule();
  }

  #stepped(person: PersonRecord, input: PresenceInput): PersonRecord {
    const { book, host } = this.#required();
    const after = { ...person, state: step(person.state, input, host.clock.now(), this.#options.rules) };
    book.put(after);
    return after;
  }

  /** One timer, for whoever changes next without an input. */
  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const running = this.#running;
    if (!running) return;
    const due = running.book.all().flatMap(({ state }) => dueAtMs(state, this.#options.rules) ?? []);
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - running.host.clock.now());
    this.#timer = running.host.clock.setTimer(() => {
      for (const each of running.book.all()) this.#take(each.number, { kind: "time" });
    }, waitMs);
  }

  #admits({ number }: PersonRecord, source: string): boolean {
    const key = `${number} ${source}`;
    const minute = Math.floor(this.#required().host.clock.elapsed() / MINUTE_MS);
    const rate = this.#rates.get(key);
    const count = rate?.minute === minute ? rate.count + 1 : 1;
    this.#rates.set(key, { minute, count });
    return count <= MESSAGES_MAX;
  }

  async #connect(running: Running): Promise<void> {
    const { broker, uuid, baseTopic } = this.#options;
    const { host, stopping } = running;
    if (!broker || stopping.signal.aborted) return;
    const show = (trouble: string) => stopping.signal.aborted || this.#showState(trouble);
    try {
      const connection = await openMqtt(
        {
          ...broker,
          clientId: `domovoi_presence_${uuid.replaceAll(":", "")}`,
          key: "",
          cert: "",
          messageBytesMax: MESSAGE_BYTES_MAX,
        },
        {
          log: host.log,
          received: (topic, payload, isKept) => this.#receive(running, topic, payload, isKept),
          connected: () => show(""),
          disconnected: () => show("The connection to the broker is lost. Phones at the broker are not heard."),
        },
      );
      if (stopping.signal.aborted) return await connection.end();
      this.#connection = connection;
      await connection.subscribe([`${baseTopic}/+/+`, `${baseTopic}/+/+/event`]);
    } catch (error) {
      show(messageOf(error));
      host.clock.setTimer(() => void this.#connect(running), RETRY_MS);
    }
  }

  #receive({ host, book }: Running, topic: string, payload: Buffer, isKept: boolean): void {
    void host.guard({ from: "the broker", isOfDevice: true }, () => {
      const [user = "", device = ""] = topic.slice(this.#options.baseTopic.length + 1).split("/");
      const person = book.all().find((each) => each.topic !== "" && each.topic === `${user}/${device}`);
      if (!person || payload.length > MESSAGE_BYTES_MAX || !this.#admits(person, BROKER)) return;
      const fix = readOwnTracks(payload.toString("utf8"), this.#options.place());
      if (fix) this.#hear(person, BROKER, fix, isKept);
    });
  }
}
