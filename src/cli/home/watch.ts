/**
 * `domovoi watch`: what happens, a line each. Into a pipe or a file nothing is left out. On a terminal what a person could
 * not read is put together: of several reports of one property within a moment the last one is shown, with their number.
 */

import type { Home, HomeEvent, StreamStatus, Why } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withHome } from "../connection/with-home.ts";
import { onInterrupt } from "../interrupts.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { painted } from "../show/table.ts";
import { eventJson, eventLine, type PrintedEvent } from "./event-line.ts";
import { findCommanded } from "./find.ts";
import { Replayed } from "./replayed.ts";

type WatchOptions = ConnectionOptions & {
  readonly kind?: readonly string[];
  readonly count?: string;
  readonly why?: boolean;
};

const USUAL_KINDS = ["property", "control", "program", "variable", "lifecycle", "parameter", "operation"] as const;
const ALL_KINDS = [...USUAL_KINDS, "system"] as const satisfies readonly PrintedEvent["kind"][];

/** @param keys nodes or groups; none = everything */
export function watch(keys: readonly string[], options: WatchOptions): Promise<void> {
  return withHome(options, { stream: "rest" }, async (home) => {
    if (options.why && options.json) throw usageFailure("--why is for people: leave out --json.");
    const wanted = new Set(keys.map((key) => addressOf(home, key)));
    const isWanted = (event: PrintedEvent) => wanted.size === 0 || ("address" in event && wanted.has(event.address));
    const watching = new Watching(home, isWanted, options, countOf(options.count));
    try {
      await watching.watch(kindsOf(options.kind));
    } finally {
      watching.stop();
    }
  });
}

class Watching {
  readonly #home: Home;
  readonly #isWanted: (event: PrintedEvent) => boolean;
  readonly #isJson: boolean;
  readonly #countMax: number;
  readonly #lines: Lines;
  readonly #explained: ExplainedLines | null;
  readonly #replayed: Replayed;
  readonly #over = Promise.withResolvers<void>();
  readonly #endings: (() => void)[] = [];
  #count = 0;
  #isLost = false;
  #isRefreshing = false;

  constructor(
    home: Home,
    isWanted: (event: PrintedEvent) => boolean,
    { json = false, why = false }: WatchOptions,
    countMax: number,
  ) {
    this.#home = home;
    this.#isWanted = isWanted;
    this.#isJson = json;
    this.#countMax = countMax;
    this.#lines = process.stdout.isTTY && !json ? new MergingLines() : new EveryLine();
    this.#explained = why ? new ExplainedLines() : null;
    this.#replayed = new Replayed(home);
  }

  /**
   * Runs until enough was printed, a signal arrives, or the reader closes the output. @throws CommandFailure when the
   * stream is refused
   */
  async watch(kinds: readonly PrintedEvent["kind"][]): Promise<void> {
    this.#awaitEnd();
    for (const kind of kinds) this.#endings.push(this.#home.on(kind, (event) => this.#tell(event)));
    this.#endings.push(this.#home.on("stream", ({ status }) => this.#printStreamStatus(status)));
    if (!kinds.includes("lifecycle")) this.#endings.push(this.#home.on("lifecycle", (event) => this.#readAgain(event)));
    await this.#over.promise;
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#lines.end();
  }

  /** Called while the records are as the event left them, so what is read of them here is of this very event. */
  #tell(event: PrintedEvent): void {
    const isOld = this.#replayed.isOld(event);
    if (event.kind === "lifecycle") this.#readAgain(event);
    if (isOld || !this.#isWanted(event) || this.#count >= this.#countMax) return;
    const text = this.#isJson ? plainJson(eventJson(this.#home, event)) : eventLine(this.#home, event);
    this.#count += 1;
    const isLast = this.#count === this.#countMax;
    const written = () => isLast && this.#over.resolve();
    if (this.#explained) {
      this.#explained.add(text, this.#question(event), written);
      return;
    }
    this.#lines.write(text, event.kind === "property" ? `${event.address} ${event.property.id}` : null);
    written();
  }

  #question(event: PrintedEvent): (() => Promise<Why>) | null {
    if (event.kind === "program") return () => this.#home.why(event.id);
    if (event.kind !== "property") return null;
    const { address, property, at } = event;
    // Times of events are cut to the millisecond.
    return () => this.#home.why(address, { property: property.id, at: new Date(Date.parse(at) + 1) });
  }

  /** Refreshes the home, so that added and renamed things are shown by name. */
  #readAgain(event: Extract<HomeEvent, { kind: "lifecycle" }>): void {
    if (!event.needsRefresh || this.#isRefreshing) return;
    this.#isRefreshing = true;
    // A thing that cannot be read is shown by its address; the next change reads it again.
    const done = () => {
      this.#isRefreshing = false;
    };
    this.#home.refresh().then(done, done);
  }

  /** Once when it is lost, once when it is back: on standard error, so that every line of the other is an event. */
  #printStreamStatus(status: StreamStatus): void {
    if (status === "refused") this.#over.reject(new CommandFailure("credentials", "The event stream is refused."));
    if (status === "waiting" && !this.#isLost) {
      this.#isLost = true;
      process.stderr.write("domovoi: The connection is lost; it is tried again.\n");
    }
    if (status === "connected" && this.#isLost) {
      this.#isLost = false;
      process.stderr.write("domovoi: Connected again.\n");
    }
  }

  #awaitEnd(): void {
    const end = () => this.#over.resolve();
    // "| head" closes the pipe: that is an end as good as any.
    const failed = (error: NodeJS.ErrnoException) => (error.code === "EPIPE" ? end() : this.#over.reject(error));
    process.stdout.on("error", failed);
    this.#endings.push(onInterrupt(end));
  }
}

function addressOf(home: Home, key: string): string {
  const found = findCommanded(home, key);
  return found.kind === "node" ? found.node.address : found.group.address;
}

function kindsOf(written: readonly string[] | undefined): readonly PrintedEvent["kind"][] {
  if (written === undefined) return USUAL_KINDS;
  return written
    .flatMap((text) => text.split(","))
    .map((text) => {
      const kind = ALL_KINDS.find((each) => each === text.trim());
      if (kind) return kind;
      const close = closestTo(text, ALL_KINDS);
      throw usageFailure(
        close === null
          ? `--kind is one of ${ALL_KINDS.join(", ")}.`
          : `There is no kind "${text}". Did you mean "${close}"?`,
      );
    });
}

function countOf(written: string | undefined): number {
  if (written === undefined) return Number.POSITIVE_INFINITY;
  const count = Number(written);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw usageFailure("--count is a whole number from 1.");
}

/** Events that wait for their answer. Of further ones only the line is shown. */
const WAITING_MAX = 50;

/** Lines of events, each followed by the causes of the event, in the order of the events. */
class ExplainedLines {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param ask null where nothing explains the event @param written called when the line is out */
  add(line: string, ask: (() => Promise<Why>) | null, written: () => void): void {
    const answer = ask && this.#waiting < WAITING_MAX ? ask().catch(() => null) : Promise.resolve(null);
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      const why = await answer;
      this.#waiting -= 1;
      process.stdout.write([line, ...causesOf(why)].map((each) => `${each}\n`).join(""));
      written();
    });
  }
}

/** The event itself says what happened, and that a device reported it. */
function causesOf(why: Why | null): readonly string[] {
  const steps = why?.steps.filter(({ kind }) => kind !== "device") ?? [];
  const sentences = why?.kind === "program" ? why.sentences : steps.map(({ sentence }) => sentence);
  return sentences.map((sentence) => painted("gray", `                ${plain(sentence)}`));
}

/** Lines on standard output as they come, for programs and files, or put together for a person at a terminal. */
type Lines = {
  /** @param key lines of one key may be merged; null: this line stays on its own */
  write(line: string, key: string | null): void;
  /** Everything is out. */
  end(): void;
};

/** How long the lines of one key are held. */
const HELD_MS = 200;

class EveryLine implements Lines {
  write(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  end(): void {}
}

export class MergingLines implements Lines {
  readonly #held = new Map<string, { readonly line: string; readonly count: number }>();
  readonly #print: (line: string) => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(print = (line: string): void => void process.stdout.write(`${line}\n`)) {
    this.#print = print;
  }

  write(line: string, key: string | null): void {
    if (key === null) {
      this.#flush();
      this.#print(line);
      return;
    }
    const count = (this.#held.get(key)?.count ?? 0) + 1;
    // Moves the line to the end of the map, so that lines stay sorted by time.
    this.#held.delete(key);
    this.#held.set(key, { line, count });
    this.#timer ??= setTimeout(() => this.#flush(), HELD_MS);
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const { line, count } of this.#held.values()) {
      this.#print(count === 1 ? line : `${line} ${painted("gray", `(${count} reports)`)}`);
    }
    this.#held.clear();
  }
}
