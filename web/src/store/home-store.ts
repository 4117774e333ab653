/**
 * The home as signals. The client library keeps the records; here they become one signal a property, and one for the tree.
 * Changes are collected and published once a frame, so that a burst of reports costs one rendering.
 */

import { connect, type Home, type Place, type Property, type StreamStatus } from "@domovoi/client";
import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { tokenStore } from "../session/token-store.ts";
import { setUnits } from "../text/home-units.ts";
import { homeZone, setHomeZone } from "../text/home-zone.ts";
import { problemText } from "../text/problem.ts";
import { setShownNodes } from "../text/shown-nodes.ts";
import { t } from "../text/text.ts";
import { CommandStates } from "./command-states.ts";
import { type LastSeen, readLastSeen, writeLastSeen } from "./last-seen.ts";
import { PageLayer } from "./page-layer.ts";

type Connection = "connecting" | "live" | "waiting" | "refused";

/** The last edit in words, and the number with which a button undoes it. */
type Notice = { readonly text: string; readonly edit: number | null };

/** A command that a device sent by itself: a button was pressed, something moved. */
type DeviceEvent = {
  readonly atMs: number;
  readonly address: string;
  readonly control: string;
  readonly value: string;
};

/** A past moment that is shown. */
export type PastView = {
  readonly atMs: number;
  /** While another moment is loaded the one before; null before the first. */
  readonly home: Home | null;
  readonly isLoading: boolean;
  readonly problem: string | null;
};

const RETRY_MS = 3_000;
/** A heartbeat takes this long on its way, at most. */
const CLOCK_SLACK_MS = 1_000;
/** Events of an edit come within this time of its answer, and of each other. */
const TOGETHER_MS = 60;
const SETTLED_AFTER_MS = 300;
const SETTLING_MS_MAX = 2_000;
const NOTICE_MS = 10_000;
/** Keys of changes that are not those of one property. */
const [TREE, STATES, LINES, REPORTS, LINKS] = ["tree", "states", "lines", "reports", "links"];
const [INTEGRATIONS, OPERATIONS] = ["integrations", "operations"];
/** A line about the state of an integration begins so. */
const INTEGRATION_LINE = "Integration ";
/** The control of a line for people on the stream. */
const LINE = "_7";
const DEVICE_EVENTS_MAX = 200;
/** Verbs of events after which a node may have a device. */
const MOVES_IN: ReadonlySet<string> = new Set(["ND", "RV", "NR"]);

export class HomeStore {
  /** Null until it is loaded. */
  readonly home: Signal<Home | null> = signal(null);
  /** The home shown in place of the present one; null: none. */
  readonly past: Signal<PastView | null> = signal(null);
  readonly connection: Signal<Connection> = signal("connecting");
  /** Why the home could not be loaded; null when it was, or is not yet. */
  readonly problem: Signal<string | null> = signal(null);
  /** The last state in this browser, until the home is loaded. */
  readonly lastSeen: LastSeen | null = readLastSeen();
  /** Moves when there are other nodes, scenes, folders, programs or variables, or other names of them. */
  readonly revision: Signal<number> = signal(0);
  /** Moves when a program has run or a variable was written. */
  readonly states: Signal<number> = signal(0);
  /** Moves when the controller sent a line for people: a program ran, did not run, or a statement of it failed. */
  readonly lines: Signal<number> = signal(0);
  /** Moves when a device reported a new state or sent a command; not when it only measured. */
  readonly reports: Signal<number> = signal(0);
  /** Moves when a device fell asleep, woke, was lost or came back. */
  readonly links: Signal<number> = signal(0);
  /** Moves when an integration, channel or plugin came to another state, or has other things to show. */
  readonly integrations: Signal<number> = signal(0);
  /** Moves with every step of an operation of an integration. */
  readonly operations: Signal<number> = signal(0);
  /** Nodes of a moved-in home that have no device here yet. */
  readonly simulated: Signal<ReadonlySet<string>> = signal(new Set());
  /** What energy costs; null: not said. */
  readonly tariff: Signal<Place["tariff"]> = signal(null);
  /** Moves when the home has other units. */
  readonly unitsRevision: Signal<number> = signal(0);
  readonly notice: Signal<Notice | null> = signal(null);
  /** Newest first, since the page was opened. */
  readonly deviceEvents: Signal<readonly DeviceEvent[]> = signal([]);
  /** By how much this device's clock is ahead of the controller's; null until the controller's is known. */
  readonly clockAheadMs: Signal<number | null> = signal(null);
  readonly commands: CommandStates;
  readonly layer = new PageLayer(() => this.home.value);
  readonly #reportedAtMs = new Map<string, number>();
  readonly #properties = new Map<string, Signal<Property | null>>();
  readonly #changed = new Set<string>();
  /** A load that begins soon. */
  #soon: Promise<void> | null = null;
  #frame = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #movedAtMs: number | null = null;
  #isStarting = false;
  #isEnded = false;

  constructor() {
    if (this.lastSeen?.zone !== undefined) setHomeZone(this.lastSeen.zone);
    const isConnected = () => navigator.onLine && this.connection.value !== "waiting";
    const refusal = () => (this.past.value ? t("past.about") : isConnected() ? null : t("command.offline"));
    this.commands = new CommandStates(
      (path) => this.#loaded.request("GET", path),
      refusal,
      (address) => this.layer.noteUsed(address),
    );
  }

  /** Loads the home, or connects it again: at the start, after signing in again, and when the network is back. */
  connect(): void {
    const home = this.home.value;
    if (home) home.reconnect();
    else if (!this.#isStarting && !this.#isEnded) void this.#start();
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    while (!this.#isEnded && tokenStore.read() !== null) {
      try {
        const home = await connect({ url: location.origin, tokenStore });
        // Every time on the page is in this zone.
        if (this.lastSeen?.zone === undefined) await this.#readPlace(home);
        else void this.#readPlace(home);
        if (!this.#isEnded) this.#follow(home);
        break;
      } catch (error) {
        this.problem.value = problemText(error);
        this.connection.value = "waiting";
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.#isStarting = false;
  }

  /** By the clock of the controller, and no later. */
  nowMs(): number {
    return Date.now() - (this.clockAheadMs.value ?? 0) - CLOCK_SLACK_MS;
  }

  /** @param atMs null: the present. Needs the loaded home. */
  async show(atMs: number | null): Promise<void> {
    const before = this.past.value;
    if (atMs === (before?.atMs ?? null)) return;
    const view = atMs === null ? null : { atMs, home: before?.home ?? null, isLoading: true, problem: null };
    this.past.value = view;
    if (view) this.past.value = await this.#load(view);
    this.#publishAll();
  }

  /** @returns the current place: the person may have moved on */
  async #load(view: PastView): Promise<PastView | null> {
    try {
      const home = await this.#loaded.at(new Date(view.atMs));
      return this.past.value === view ? { ...view, home, isLoading: false } : this.past.value;
    } catch (error) {
      return this.past.value === view ? { ...view, isLoading: false, problem: problemText(error) } : this.past.value;
    }
  }

  /** The latest value; null without one. Follows reports. */
  property(address: string, id: string): ReadonlySignal<Property | null> {
    const key = `${address} ${id}`;
    let found = this.#properties.get(key);
    if (!found) {
      found = signal(this.#read(key));
      this.#properties.set(key, found);
    }
    return found;
  }

  /** When the value was reported; null when that was before this page was opened. */
  reportedAtMs(address: string, id: string): number | null {
    return this.past.value ? null : (this.#reportedAtMs.get(`${address} ${id}`) ?? null);
  }

  /** Shown for a while. */
  say(notice: Notice): void {
    this.notice.value = notice;
    setTimeout(() => {
      if (this.notice.value === notice) this.notice.value = null;
    }, NOTICE_MS);
  }

  /** Loads the home again, after an edit. The event of the same edit, which comes at the same time, loads it once with this. */
  refresh(): Promise<void> {
    const home = this.#loaded;
    this.#soon ??= new Promise((resolve) => setTimeout(resolve, TOGETHER_MS)).then(() => {
      this.#soon = null;
      return this.#refresh(home);
    });
    return this.#soon;
  }

  get #loaded(): Home {
    const home = this.home.value;
    if (!home) throw new Error("The home is not loaded.");
    return home;
  }

  /** Ends the login at the controller too. */
  async signOut(): Promise<void> {
    this.#isEnded = true;
    await this.home.value?.close();
    tokenStore.write(null);
  }

  #follow(home: Home): void {
    home.on("property", ({ address, property, previous, at }) => {
      const key = `${address} ${property.id}`;
      this.#changed.add(key);
      // The stream begins with the values that the home has already.
      if (previous?.value !== property.value) {
        this.#reportedAtMs.set(key, Date.parse(at) || Date.now());
        if (isState(home.nodes.find(address)?.role, property.id)) this.#changed.add(REPORTS);
      }
      this.commands.reported(address, property.id);
      this.#schedule();
    });
    const moves = { program: STATES, variable: STATES, programs: TREE, variables: TREE } as const;
    for (const [kind, key] of Object.entries(moves) as [keyof typeof moves, string][]) {
      home.on(kind, () => {
        this.#changed.add(key);
        this.#schedule();
      });
    }
    home.on("system", ({ control, info }) => {
      if (control !== LINE) return;
      if (info.startsWith(INTEGRATION_LINE)) return this.#integrationsMoved();
      this.#changed.add(LINES).add(OPERATIONS);
      this.#schedule();
    });
    home.on("plugin-services", () => this.#integrationsMoved());
    home.on("control", ({ address, control, value, at }) => {
      const event = { atMs: Date.parse(at) || Date.now(), address, control, value };
      this.deviceEvents.value = [event, ...this.deviceEvents.value].slice(0, DEVICE_EVENTS_MAX);
      this.reports.value += 1;
    });
    home.on("heartbeat", ({ at }) => {
      this.clockAheadMs.value = Date.now() - Date.parse(at);
    });
    home.on("lifecycle", ({ needsRefresh, verb }) => {
      if (verb === "LS") {
        this.#changed.add(LINKS);
        this.#schedule();
      }
      if (needsRefresh) void this.refresh();
      if (MOVES_IN.has(verb)) void this.#readSimulated(home);
    });
    home.on("stream", ({ status, isAgain }) => {
      this.connection.value = connectionOf(status);
      if (status !== "connected" || !isAgain) return;
      void this.refresh();
      void this.layer.sync();
      void this.#readSimulated(home);
    });
    // Signing out forgets what was shown.
    addEventListener("pagehide", () => tokenStore.read() && writeLastSeen(home));
    batch(() => {
      this.home.value = home;
      setShownNodes((key) => home.nodes.find(key));
      this.problem.value = null;
      this.connection.value = connectionOf(home.stream.status);
    });
    this.#publishAll();
    void this.layer.sync();
    void this.#readSimulated(home);
  }

  async #readSimulated(home: Home): Promise<void> {
    const { data } = await home.request("GET", "/api/nodes/simulated").catch(() => ({ data: [] }));
    this.simulated.value = new Set(data as readonly string[]);
  }

  async #readPlace(home: Home): Promise<void> {
    const place = await home.edits.place().catch(() => null);
    if (!place) return;
    this.tariff.value = place.tariff;
    const hasOtherUnits = setUnits(place.units);
    if (hasOtherUnits) this.unitsRevision.value += 1;
    if (place.timeZone === homeZone() && !hasOtherUnits) return;
    setHomeZone(place.timeZone);
    this.#publishAll();
  }

  async #refresh(home: Home): Promise<void> {
    try {
      // No event announces another time zone or other units.
      await Promise.all([home.refresh(), this.#readPlace(home)]);
      this.problem.value = null;
      this.#publishAll();
    } catch (error) {
      this.problem.value = problemText(error);
    }
  }

  /** A restart is several states in a moment; the last one counts. */
  #integrationsMoved(): void {
    const nowMs = Date.now();
    this.#movedAtMs ??= nowMs;
    clearTimeout(this.#settling);
    const restMs = Math.min(SETTLED_AFTER_MS, Math.max(0, this.#movedAtMs + SETTLING_MS_MAX - nowMs));
    this.#settling = setTimeout(() => {
      this.#movedAtMs = null;
      this.#changed.add(INTEGRATIONS).add(OPERATIONS);
      this.#schedule();
    }, restMs);
  }

  #schedule(): void {
    // A hidden tab gets no frames; it publishes when it is looked at again.
    this.#frame ||= requestAnimationFrame(() => this.#publish());
  }

  #publish(): void {
    this.#frame = 0;
    batch(() => {
      for (const key of this.#changed) {
        if (key === TREE) this.revision.value += 1;
        if (key === STATES) this.states.value += 1;
        if (key === LINES) this.lines.value += 1;
        if (key === REPORTS) this.reports.value += 1;
        if (key === LINKS) this.links.value += 1;
        if (key === INTEGRATIONS) this.integrations.value += 1;
        if (key === OPERATIONS) this.operations.value += 1;
        const known = this.#properties.get(key);
        if (known) known.value = this.#read(key);
      }
    });
    this.#changed.clear();
  }

  #publishAll(): void {
    for (const key of this.#properties.keys()) this.#changed.add(key);
    this.#changed.add(TREE).add(STATES).add(INTEGRATIONS).add(OPERATIONS);
    this.#schedule();
  }

  #read(key: string): Property | null {
    const at = key.lastIndexOf(" ");
    const shown = this.past.value ? this.past.value.home : this.home.value;
    return shown?.nodes.find(key.slice(0, at))?.properties.get(key.slice(at + 1)) ?? null;
  }
}

const MEASURING: ReadonlySet<string> = new Set(["meter", "temperature", "humidity", "light", "weather", "thermostat"]);

function isState(role: string | null | undefined, property: string): boolean {
  return /^CLI(?:MD|FS|HCS|SP)/.test(property) || (property === "ST" && !MEASURING.has(role ?? ""));
}

function connectionOf(status: StreamStatus): Connection {
  if (status === "connected" || status === "syncing") return "live";
  return status === "refused" ? "refused" : status === "connecting" ? "connecting" : "waiting";
}
