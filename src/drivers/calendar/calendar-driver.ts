/**
 * A calendar as a node that is on while an event lasts, with its title and the next beginning. What was read last is stored, so that
 * the node is right after a restart and while the address does not answer.
 */

import { extname } from "node:path";
import { PLUGINS } from "../../families.ts";
import { editor, nodedef } from "../../profile/builtin/definition-text.ts";
import { FLAGGED } from "../../profile/state-shapes.ts";
import { deadlineIn, type Timer } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import type { TargetRules } from "../../util/network-target.ts";
import { runInThread } from "../../util/thread-task.ts";
import { type DriverCommand, failed, type Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { PropertyReport, ReportCause } from "../report.ts";
import { fetchCalendar, readCalendarFile, UNKNOWN_VERSION, type Version } from "./fetch-calendar.ts";
import type { CalendarRead, CalendarTask, Occurrence } from "./occurrences.ts";

export type CalendarOptions = {
  readonly name: string;
  /** Name of a new node. */
  readonly title: string;
  readonly source: { readonly url: string } | { readonly file: string };
  readonly words: readonly string[];
  readonly everyMs: number;
  readonly zone: () => string;
  readonly rules: () => TargetRules;
};

type Stored = CalendarRead & { readonly version: Version; readonly readAtMs: number; readonly zone: string };
type Running = { readonly host: DriverHost; readonly stopping: AbortController };

const KEY = "calendar";
const SLOT = { family: PLUGINS.id, instance: 0 } as const;
const NODEDEF = "Calendar";
const UNITS = { text: 145, timestamp: 151 } as const;
const THREAD = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;
const READ_MS = 30_000;
const FETCH_MS = 30_000;
/** An unchanged calendar is read whole again after this, because further occurrences come into view. */
const WHOLE_AGAIN_MS = 86_400_000;
const TIMER_MAX_MS = 86_400_000;

export class CalendarDriver implements Driver {
  readonly name: string;
  readonly #options: CalendarOptions;
  #running: Running | null = null;
  #stored: Stored | null = null;
  #reading: Promise<void> | null = null;
  #timers: { readonly read: Timer | null; readonly edge: Timer | null } = { read: null, edge: null };

  constructor(options: CalendarOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#running = { host, stopping: new AbortController() };
    host.define(SLOT.family, SLOT.instance, DEFINITIONS, false);
    const address = this.#address();
    const node = { ...SLOT, address, name: this.#options.title, nodeDefId: NODEDEF, type: "0.0.0.0" };
    host.node({ ...node, primary: address, devtype: null });
    host.link(address, "online");
    // Written by this class.
    this.#stored = (host.store.get(KEY) as Stored | undefined) ?? null;
    this.#show("restore");
    void this.#read();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.stopping.abort();
    this.#timers.read?.cancel();
    this.#timers.edge?.cancel();
    await this.#reading;
    running?.host.status("stopped", "");
  }

  async send({ signal }: DriverCommand): Promise<Outcome> {
    if (!this.#running) return failed("not-ready", "The integration is not running.", true);
    return signal.aborted
      ? failed("timeout", "The command was given up.", true)
      : failed("unsupported", "A calendar takes no command but Query.");
  }

  /** Reads the calendar again. */
  async query(address: string, signal: AbortSignal): Promise<Outcome> {
    if (!this.#running || address !== this.#address()) return failed("unreachable", "There is no such calendar.");
    await this.#read();
    if (signal.aborted) return failed("timeout", "The calendar was not read in time.", true);
    this.#show("query");
    return { kind: "acked" };
  }

  #address(): string {
    return `n000_${this.name}`;
  }

  /** One reading at a time. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    const { host, stopping } = running;
    this.#timers.read?.cancel();
    try {
      const read = await this.#fetchAndRead(running);
      if (stopping.signal.aborted) return;
      if (read) {
        this.#stored = read;
        host.store.set(KEY, read);
      }
      const { leftOut = 0 } = this.#stored ?? {};
      const some = `${leftOut} events were left out: they repeat more often than every hour, or cannot be read.`;
      host.status(leftOut === 0 ? "ready" : "degraded", leftOut === 0 ? "" : some);
      this.#show("report");
    } catch (error) {
      if (stopping.signal.aborted) return;
      const trouble = messageOf(error);
      host.status("degraded", this.#stored ? `${trouble} What was read last still counts.` : trouble);
    }
    const read = host.clock.setTimer(() => void this.#read(), this.#options.everyMs);
    this.#timers = { ...this.#timers, read };
  }

  /** null: it is as it was. */
  async #fetchAndRead({ host, stopping }: Running): Promise<Stored | null> {
    const { source, words, zone: zoneOf } = this.#options;
    const [nowMs, zone] = [host.clock.now(), zoneOf()];
    const isFresh =
      this.#stored !== null && this.#stored.zone === zone && nowMs - this.#stored.readAtMs < WHOLE_AGAIN_MS;
    const before = isFresh && this.#stored ? this.#stored.version : UNKNOWN_VERSION;
    const within = async <T>(ms: number, sentence: string, work: (signal: AbortSignal) => Promise<T>) => {
      using deadline = deadlineIn(host.clock, ms, new Error(sentence));
      try {
        return await work(AbortSignal.any([stopping.signal, deadline.signal]));
      } catch (error) {
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      }
    };
    const fetched = await within(FETCH_MS, "The address does not answer in time.", (signal) =>
      "url" in source
        ? fetchCalendar(source.url, before, this.#options.rules(), signal)
        : readCalendarFile(source.file, before),
    );
    if (!fetched) return null;
    const task: CalendarTask = { text: fetched.text, nowMs, zone, words };
    const read = await within(READ_MS, "The calendar takes too long to read.", (signal) => inThread(task, signal));
    return { ...read, version: fetched.version, readAtMs: nowMs, zone };
  }

  /** Reports what is now, and wakes at the next beginning or end. */
  #show(cause: ReportCause): void {
    const running = this.#running;
    if (!running || !this.#stored) return;
    const nowMs = running.host.clock.now();
    const present = this.#stored.occurrences.filter(({ endMs }) => endMs > nowMs);
    running.host.report(this.#reports(present, nowMs, cause));
    this.#timers.edge?.cancel();
    const edges = present.flatMap(({ startMs, endMs }) => [startMs, endMs]).filter((atMs) => atMs > nowMs);
    const waitMs = Math.min(...edges, nowMs + TIMER_MAX_MS) - nowMs;
    this.#timers = { ...this.#timers, edge: running.host.clock.setTimer(() => this.#show("report"), waitMs) };
  }

  #reports(present: readonly Occurrence[], nowMs: number, cause: ReportCause): readonly PropertyReport[] {
    const lasting = present.find(({ startMs }) => startMs <= nowMs);
    const next = present.find(({ startMs }) => startMs > nowMs);
    const address = this.#address();
    const titled = (id: string, of: Occurrence | undefined) => ({
      ...{ address, id, uom: UNITS.text, prec: 0, cause, value: of ? 0 : null },
      ...(of && { text: of.title }),
    });
    return [
      { address, id: "ST", value: FLAGGED.numberOf(lasting !== undefined), uom: FLAGGED.uom, prec: 0, cause },
      titled("GV1", lasting),
      { ...titled("GV2", undefined), value: next ? Math.floor(next.startMs / 1000) : null, uom: UNITS.timestamp },
      titled("GV3", next),
    ];
  }
}

function inThread(task: CalendarTask, signal: AbortSignal): Promise<CalendarRead> {
  return runInThread<never, CalendarRead>({
    entry: new URL(`./calendar-worker${extname(import.meta.url)}`, import.meta.url),
    task,
    resourceLimits: THREAD,
    onProgress: () => {},
    signal,
  });
}

const DEFINITIONS = {
  editors: [
    editor("CALENDAR_STS", { uom: FLAGGED.uom, subset: "0,1", names: "0 Off, 1 On" }),
    editor("CALENDAR_TIME", { uom: UNITS.timestamp, min: 0, max: 99_999_999_999 }),
  ],
  nodedefs: [
    nodedef(NODEDEF, {
      name: "Calendar",
      properties: "ST:CALENDAR_STS GV1:TEXT GV2:CALENDAR_TIME GV3:TEXT",
      accepts: "QUERY",
      labels: { GV1: "Event", GV2: "Next beginning", GV3: "Next event" },
    }),
  ],
};
