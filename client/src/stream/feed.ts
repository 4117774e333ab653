/**
 * Takes the messages of the stream, updates the state, then notifies listeners. A changed table of variables is read
 * again first; values of that type wait meanwhile, because they may belong to a new variable. Messages during a
 * reload are applied to the new state too, because the documents may be older.
 */

import { type EventFrame, readFrame } from "../documents/frames.ts";
import type { ClientLog } from "../log.ts";
import type { HomeEvent } from "../model/events.ts";
import type { VariableRecord, VariableType } from "../model/records.ts";
import type { HomeState } from "../model/state.ts";
import { applyFrame, variableOf } from "./apply-frame.ts";

type FeedParts = {
  readonly state: () => HomeState;
  readonly tell: (event: HomeEvent) => void;
  readonly readVariables: (type: VariableType) => Promise<ReadonlyMap<string, VariableRecord>>;
  /** Whether the stream still sends the current values. */
  readonly isReplaying: () => boolean;
  readonly onReplayed: () => void;
  readonly onHeartbeat: (nextS: number) => void;
  readonly log: ClientLog;
};

type Rereading = { readonly held: EventFrame[]; isAgain: boolean };

export class Feed {
  readonly #parts: FeedParts;
  readonly #rereading = new Map<VariableType, Rereading>();
  readonly #recordings = new Set<EventFrame[]>();

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  take(message: string): void {
    const frame = readFrame(message);
    if (frame === null) return;
    if (frame.kind === "replayed") this.#parts.onReplayed();
    else if (frame.kind === "plugin-services") this.#parts.tell(frame);
    else this.#takeEvent(frame);
  }

  #takeEvent(frame: EventFrame): void {
    for (const recording of this.#recordings) recording.push(frame);
    if (frame.control === "_0") this.#parts.onHeartbeat(Number(frame.action) || 0);
    this.#apply(frame);
  }

  /** Keeps the frames that come until `stop`, which gives them. */
  record(): { stop(): readonly EventFrame[] } {
    const recording: EventFrame[] = [];
    this.#recordings.add(recording);
    return {
      stop: () => {
        this.#recordings.delete(recording);
        return recording;
      },
    };
  }

  #apply(frame: EventFrame): void {
    const type = variableOf(frame)?.type;
    const rereading = type && this.#rereading.get(type);
    if (rereading) return void rereading.held.push(frame);
    const applied = applyFrame(this.#parts.state(), frame);
    if (applied.kind === "event" && !this.#isRepeated(applied.event)) this.#parts.tell(applied.event);
    if (applied.kind === "reread") void this.#reread(applied.type, frame);
  }

  /** A stream begins with all current values; those that the state had already are no news. */
  #isRepeated(event: HomeEvent): boolean {
    if (event.kind !== "property" || !event.previous || !this.#parts.isReplaying()) return false;
    const { property, previous } = event;
    return property.value === previous.value && property.uom === previous.uom && property.prec === previous.prec;
  }

  async #reread(type: VariableType, { timestamp: at, seqnum }: EventFrame): Promise<void> {
    const running = this.#rereading.get(type);
    if (running) {
      running.isAgain = true;
      return;
    }
    const rereading: Rereading = { held: [], isAgain: true };
    this.#rereading.set(type, rereading);
    while (rereading.isAgain) {
      rereading.isAgain = false;
      await this.#replaceTable(type);
    }
    this.#rereading.delete(type);
    this.#parts.tell({ kind: "variables", type, at, seqnum });
    for (const frame of rereading.held) this.#apply(frame);
  }

  async #replaceTable(type: VariableType): Promise<void> {
    try {
      const table = await this.#parts.readVariables(type);
      this.#parts.state().variables[type] = table;
    } catch (error) {
      const why = error instanceof Error ? error.message : "";
      this.#parts.log.warn("the table of variables could not be read again", { type, error: why });
    }
  }
}
