/**
 * Everyone who follows the streams. The feed's listener only records: the events of a change go into the ring. A later
 * turn hands them to all clients, each at its own pace; many clients and many events are spread over several turns, so
 * that the loop stays free for commands.
 */

import type { Config } from "../config.ts";
import type { Entry } from "../home/change.ts";
import type { Home } from "../home/home.ts";
import type { LimitedHome } from "../home/limited-home.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { eventTimestamp } from "../wire/times.ts";
import { Audience, type RingEvent } from "./audience.ts";
import { Client, type Follower } from "./client.ts";
import { CLOSE } from "./connection.ts";
import { EventBody, insideJson } from "./event-body.ts";
import { heartbeatBody, progressBody } from "./events/event.ts";
import { eventBodies } from "./frame.ts";
import { HeldEvents } from "./held-events.ts";
import { type LastSent, lastSentOf, remember } from "./last-sent.ts";
import type { BodiesOf } from "./limited-events.ts";
import type { ReplaySources } from "./replay.ts";

type HubPorts = ReplaySources & { readonly config: Config; readonly clock: Clock; readonly log: Log };

/** Events handed to clients in one turn of the loop; a few milliseconds of work. */
const EFFORT_PER_TURN = 8192;
/** How often clients that take nothing are looked for. */
const WATCH_MS = 1000;

/** The part of an event in front of its body. */
const HEAD_BYTES_MAX = 256;
/** Characters below U+10000 are 3 bytes at most, those that JSON escapes 6. */
const JSON_BYTES_PER_CHAR = 6;

export class Hub {
  readonly #ports: HubPorts;
  /** The ring of clients that see the whole home. */
  readonly #everything: Audience;
  /** By what they see of the home; only with clients, and without `#everything`. */
  readonly #limited = new Map<LimitedHome, Audience>();
  readonly #sent: LastSent;
  readonly #held: HeldEvents<RingEvent>;
  readonly #clients = new Set<Client>();
  readonly #timers = new Map<string, Timer>();
  #endListening: (() => void) | null = null;
  #isScheduled = false;
  #pluginStatus: string;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.#pluginStatus = pluginStatus(ports.home);
    this.#everything = new Audience(null, ports, ports.config);
    this.#sent = lastSentOf(ports.home);
    this.#held = new HeldEvents(ports.config.streamRingFrames);
  }

  start(): void {
    this.#endListening = this.#ports.feed.listen((entry) => this.#record(entry));
  }

  stop(): void {
    this.#endListening?.();
    for (const client of [...this.#clients]) this.#end(client, CLOSE.goingAway, "The controller is stopping.");
    this.#everything.forget();
  }

  /** In the order in which they came. */
  followers(): readonly Follower[] {
    return Array.from(this.#clients, (client) => client.about).sort((a, b) => a.sid - b.sid);
  }

  /** Closes the streams of sessions that ended. */
  endSessions(sessionIds: readonly string[]): void {
    const ended = new Set<string | null>(sessionIds);
    for (const client of [...this.#clients]) {
      if (ended.has(client.about.principal.sessionId)) this.#end(client, CLOSE.policy, "The session has ended.");
    }
  }

  /** Closes the streams of an account whose credentials are worth nothing any more. */
  endAccount(accountId: string): void {
    for (const client of [...this.#clients]) {
      if (client.about.principal.accountId === accountId)
        this.#end(client, CLOSE.policy, "The account's credentials or rights have changed.");
    }
  }

  /** See `Streams.endSubscriber`. */
  endSubscriber(accountId: string, sid: number): boolean {
    const client = [...this.#clients].find(({ about }) => about.sid === sid && about.principal.accountId === accountId);
    if (client) this.#end(client, CLOSE.goingAway, "The client has ended its subscription.");
    return client !== undefined;
  }

  get isFull(): boolean {
    return this.#clients.size >= this.#ports.config.streamClientsMax;
  }

  /**
   * From this call on the client receives everything: the current state, then all events. @returns a function that
   * ends the subscription.
   */
  add(follower: Follower): () => void {
    this.#tell(this.#held.releaseAll());
    const audience = this.#audienceOf(follower.principal.view);
    const client = new Client(follower, audience.ring, audience.replay(), this.#heartbeat());
    if (this.#clients.size === 0) this.#startTimers();
    this.#clients.add(client);
    audience.clients += 1;
    client.reportPlugins(pluginStatus(this.#ports.home));
    client.greet();
    this.flushSoon();
    return () => this.#remove(client);
  }

  /** See `Streams.say`. */
  say(line: () => string | null, atMs: number): void {
    const { clients, ring } = this.#everything;
    const text = clients > 0 ? line() : null;
    if (!text) return;
    const bodies = this.#fitting([progressBody(eventTimestamp(atMs, this.#ports.zone()), text)]);
    this.#tell(bodies.map((body) => ({ ring, body })));
  }

  /** See `HeldEvents`. */
  beginEdit(requestId: string): void {
    this.#held.begin(requestId);
  }

  /** See `HeldEvents`. */
  editAnswered(requestId: string): void {
    this.#tell(this.#held.answered(requestId));
  }

  /** Lets clients write in a later turn. */
  flushSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #remove(client: Client): void {
    if (!this.#clients.delete(client)) return;
    const { view } = client.about.principal;
    const audience = this.#audienceOf(view);
    audience.clients -= 1;
    if (audience.clients === 0) {
      audience.release();
      if (view && this.#limited.delete(view)) audience.forget();
    }
    if (this.#clients.size > 0) return;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** A limited one is made for its first client. */
  #audienceOf(view: LimitedHome | null): Audience {
    if (!view) return this.#everything;
    const known = this.#limited.get(view);
    if (known) return known;
    const made = new Audience(view, this.#ports, this.#ports.config);
    this.#limited.set(view, made);
    return made;
  }

  #record(entry: Entry): void {
    try {
      if (this.#clients.size > 0) this.#tell(this.#held.offer(entry, this.#eventsOf(entry)));
    } catch (error) {
      // The home must go on when a picture of it fails.
      this.#ports.log.error("A change could not be sent to the event streams.", { change: entry.change.type, error });
    }
    remember(this.#sent, entry.change);
    if (entry.change.type.startsWith("integration-")) this.#reportPlugins();
  }

  #reportPlugins(): void {
    const status = pluginStatus(this.#ports.home);
    if (status === this.#pluginStatus) return;
    this.#pluginStatus = status;
    for (const client of this.#clients) client.reportPlugins(status);
  }

  #eventsOf(entry: Entry): readonly RingEvent[] {
    const { home, profile, zone } = this.#ports;
    const common = { profile, zone: zone() };
    const bodiesOf: BodiesOf<EventBody> = (changed, sources) =>
      this.#fitting(eventBodies(changed, { ...common, ...sources }));
    const shared = bodiesOf(entry, { home, sent: this.#sent });
    const events = this.#everything.clients > 0 ? this.#everything.eventsOf(entry, shared, bodiesOf) : [];
    if (this.#limited.size === 0) return events;
    const limited = Array.from(this.#limited.values(), (audience) => audience.eventsOf(entry, shared, bodiesOf));
    return [...events, ...limited.flat()];
  }

  #fitting(bodies: readonly string[]): readonly EventBody[] {
    return bodies.filter((body) => this.#fitsFrame(body)).map((body) => new EventBody(body));
  }

  #tell(events: readonly RingEvent[]): void {
    for (const { ring, body } of events) ring.push(body);
    if (events.length > 0) this.flushSoon();
  }

  /** The JSON stream spells the longer frames; what cannot come near the limit is not measured. */
  #fitsFrame(body: string): boolean {
    const { config, log } = this.#ports;
    const bytesMax = config.streamFrameBytesMax - HEAD_BYTES_MAX;
    if (body.length * JSON_BYTES_PER_CHAR <= bytesMax || Buffer.byteLength(insideJson(body)) <= bytesMax) return true;
    log.error("An event is longer than a frame may be; clients do not get it.", { characters: body.length });
    return false;
  }

  #flush(): void {
    this.#isScheduled = false;
    let left = EFFORT_PER_TURN;
    let waiting = false;
    for (const client of [...this.#clients]) {
      if (client.hasLost) {
        this.#cut(client, "Too far behind.");
        continue;
      }
      left -= this.#pump(client, left);
      waiting ||= client.isReady;
    }
    if (waiting) this.flushSoon();
  }

  /** Whoever wrote goes to the end, so that the next turn begins with those that had none. @returns the effort. */
  #pump(client: Client, effortMax: number): number {
    if (effortMax <= 0) return 0;
    const effort = client.pump(effortMax);
    if (effort > 0 && this.#clients.delete(client)) this.#clients.add(client);
    return effort;
  }

  #cut(client: Client, reason: string): void {
    const { sid, remoteAddress } = client.about;
    this.#ports.log.warn("A client of the event stream is disconnected; it may reconnect.", {
      sid,
      remoteAddress,
      reason,
    });
    this.#end(client, CLOSE.tryAgainLater, reason);
  }

  #end(client: Client, code: number, reason: string): void {
    client.about.connection.close(code, reason);
    this.#remove(client);
  }

  #heartbeat(): EventBody {
    const { clock, zone, config } = this.#ports;
    return new EventBody(heartbeatBody(eventTimestamp(clock.now(), zone()), config.heartbeatIntervalMs));
  }

  /** Only while there are clients; an idle controller sleeps. */
  #startTimers(): void {
    const { config } = this.#ports;
    this.#every("heartbeat", config.heartbeatIntervalMs, () => {
      const heartbeat = this.#heartbeat();
      for (const { ring } of [this.#everything, ...this.#limited.values()]) ring.push(heartbeat);
      this.flushSoon();
    });
    this.#every("ping", config.streamPingIntervalMs, () => {
      for (const client of [...this.#clients])
        if (!client.about.connection.ping()) this.#cut(client, "No answer to a ping.");
    });
    this.#every("watch", WATCH_MS, () => {
      for (const client of [...this.#clients])
        if (client.about.connection.hasStalled()) this.#cut(client, "The client accepted no data in time.");
    });
  }

  #every(name: string, intervalMs: number, act: () => void): void {
    const again = () => {
      this.#timers.set(name, this.#ports.clock.setTimer(again, intervalMs));
      act();
    };
    this.#timers.set(name, this.#ports.clock.setTimer(again, intervalMs));
  }
}

/** `active` as long as a plugin is switched on. */
function pluginStatus({ integrations }: Home): "active" | "inactive" {
  const isActive = [...integrations.values()].some(({ type, enabled }) => type === "plugin" && enabled);
  return isActive ? "active" : "inactive";
}
