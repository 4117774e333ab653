/** The home as the store knows it: made from the rows that were read at start, then the source of the rows to write. */

import { invariant } from "../errors.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import { ChangeFeed, type Recorder } from "../home/change-feed.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Home } from "../home/home.ts";
import type { Clock } from "../util/clock.ts";
import type { StateRows } from "./database/read-tables.ts";
import { STATE_TABLES, type StateTable } from "./database/tables.ts";
import { HOME_TABLE_NAMES, HOME_TABLES, homeOf, homeRow, isHomeTable } from "./home-tables.ts";

export type NumberedHome = { readonly home: Home; readonly lastSeq: number };

export class StoredHome {
  readonly #rows: StateRows;
  readonly #lastSeq: number;
  readonly #clock: Clock;
  #home: Home | null = null;

  /** @param rows those of the home are given up once it is made; those beside it are kept up to date by their owners. */
  constructor(rows: StateRows, lastSeq: number, clock: Clock) {
    this.#rows = rows;
    this.#lastSeq = lastSeq;
    this.#clock = clock;
  }

  /** IANA zone of the home; UTC until it is there. */
  get timeZone(): string {
    return this.#home?.controller.timeZone ?? "UTC";
  }

  /** The present body of a row; null when the thing does not exist (any more). */
  readonly rowOf = (table: StateTable, key: string): string | null => {
    if (!isHomeTable(table)) return this.#rows[table].get(key) ?? null;
    return this.#home && homeRow(this.#home, table, key);
  };

  *#keysOf(table: StateTable): Iterable<string> {
    if (!isHomeTable(table)) yield* this.#rows[table].keys();
    else if (this.#home) for (const key of HOME_TABLES[table].keys(this.#home)) yield String(key);
  }

  /** Every row there is, by table and key. */
  *keys(): Iterable<readonly [StateTable, string]> {
    for (const table of STATE_TABLES) for (const key of this.#keysOf(table)) yield [table, key];
  }

  /** null on a new data directory. @param variables whether variables take their initial value. */
  load(record: Recorder, variables: "init" | "keep"): NumberedHome | null {
    const home = homeOf(this.#rows);
    if (!home) return null;
    const feed = this.#adopt(home, record);
    if (variables === "init") initVariables(home, feed, this.#clock.now());
    return { home, lastSeq: feed.lastSeq };
  }

  create(record: Recorder, controller: ControllerRecord): NumberedHome {
    // After damage there may be rows of a home whose controller is lost: they find a new one.
    const home = homeOf({
      ...this.#rows,
      controller: new Map([...this.#rows.controller, ["controller", JSON.stringify(controller)]]),
    });
    invariant(home, "A home can be made from its controller.");
    const feed = this.#adopt(home, record);
    feed.commit({ type: "controller-changed", controller }, SYSTEM_CAUSE);
    return { home, lastSeq: feed.lastSeq };
  }

  /** A feed for the store's own changes, before the controller has its own. */
  #adopt(home: Home, record: Recorder): ChangeFeed {
    this.#home = home;
    for (const table of HOME_TABLE_NAMES) this.#rows[table].clear();
    const feed = new ChangeFeed(home, this.#clock, this.#lastSeq);
    feed.record(record);
    return feed;
  }
}

function initVariables(home: Home, feed: ChangeFeed, nowMs: number): void {
  for (const variables of Object.values(home.variables)) {
    for (const { type, id, value, init } of variables.values()) {
      if (value === init) continue;
      const written = { variableType: type, id, value: init, before: value, writtenAtMs: nowMs };
      feed.commit({ type: "variable-written", ...written }, SYSTEM_CAUSE);
    }
  }
}
