/**
 * Who writes the home. The row of the home has an epoch, which every change of the writer counts up, and a beat, which the writer
 * counts up several times a lease. A machine takes over after it has seen both unchanged for a whole lease of its own even clock:
 * no time of day decides.
 */

import { ControllerError } from "../../errors.ts";
import type { Fence } from "../../home/durability.ts";
import type { Clock, Timer } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import type { Authority } from "../engine.ts";
import type { Connection, Row, Statements } from "./connection.ts";

/** The row of the home. */
export type HomeRow = {
  readonly id: string;
  readonly epoch: number;
  readonly beat: number;
  readonly writer: string | null;
  readonly writerUrl: string | null;
  readonly sinceMs: number | null;
  readonly commits: number;
  readonly lastSeq: number;
};

type LeasePorts = {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of this machine. */
  readonly machine: string;
  readonly leaseMs: number;
  /** Another machine writes the home now: nothing that this process still does may have an effect. */
  readonly onLost: () => void;
};

const BEATS_A_LEASE = 4;
/** A standby looks so often that it notices when it was stopped itself. */
const LOOKS_A_LEASE = 8;
/** Between the last look at the authority and the moment in which the effect leaves the machine. */
const MARGIN_MS = 100;

export async function readHomeRow(statements: Statements, answerMs?: number): Promise<HomeRow> {
  const [row] = await statements.run("SELECT * FROM domovoi.home", [], answerMs);
  if (!row) throw new Error("the row of the home is missing");
  return homeRowOf(row);
}

function homeRowOf(row: Row): HomeRow {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    id: String(row.id),
    epoch: Number(row.epoch),
    beat: Number(row.beat),
    writer: text(row.writer),
    writerUrl: text(row.writer_url),
    sinceMs: row.since_ms === null ? null : Number(row.since_ms),
    commits: Number(row.commits),
    lastSeq: Number(row.last_seq),
  };
}

/** Watches for a writer that is gone. */
export class WriterWatch {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  #seen: HomeRow | null = null;
  #sinceMs = 0;
  #lookedMs = 0;

  constructor({ clock, leaseMs }: Pick<LeasePorts, "clock" | "leaseMs">) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  get lookEveryMs(): number {
    return this.#leaseMs / LOOKS_A_LEASE;
  }

  /** @returns whether the writer of this row may be taken for gone. */
  look(row: HomeRow): boolean {
    const nowMs = this.#clock.elapsed();
    const wasAway = nowMs - this.#lookedMs > this.#leaseMs / 2;
    this.#lookedMs = nowMs;
    if (row.writer === null) return true;
    const isSame = this.#seen?.epoch === row.epoch && this.#seen.beat === row.beat;
    if (!isSame || wasAway) this.#sinceMs = nowMs;
    this.#seen = row;
    return nowMs - this.#sinceMs >= this.#leaseMs;
  }
}

export class Lease implements Authority {
  readonly #ports: LeasePorts;
  #epoch: number | null = null;
  #timer: Timer | null = null;
  /** When the newest beat that the database took was sent: on the even clock, and by the time of day. */
  #sentMs = Number.NEGATIVE_INFINITY;
  #sentAtMs = 0;
  #isLost = false;
  #isDoubtful = false;

  constructor(ports: LeasePorts) {
    this.#ports = ports;
  }

  /** Null until it is held. */
  get epoch(): number | null {
    return this.#epoch;
  }

  /** @returns false when the row has changed meanwhile. */
  async take(seen: HomeRow): Promise<boolean> {
    const { connection, clock, machine } = this.#ports;
    const sent = this.#now();
    const [taken] = await connection.run(
      `UPDATE domovoi.home SET epoch = epoch + 1, beat = beat + 1, writer = $3, writer_url = NULL, since_ms = $4
       WHERE epoch = $1 AND beat = $2 RETURNING epoch`,
      [seen.epoch, seen.beat, machine, Math.round(clock.now())],
    );
    if (!taken) return false;
    this.#epoch = Number(taken.epoch);
    this.#renewed(sent);
    // The statements of the writer before have no effect any more; its connections only hold the server up.
    await connection.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND application_name = $1`,
      [writerName(seen.epoch)],
    );
    this.#beatLater();
    return true;
  }

  mayAct(fence: Fence): boolean {
    if (this.#isLost || this.#epoch === null) return false;
    if (fence !== "none") return true;
    const { clock, leaseMs } = this.#ports;
    const allowedMs = leaseMs - MARGIN_MS;
    // The even clock stands still while the machine sleeps; the time of day does not.
    return clock.elapsed() - this.#sentMs < allowedMs && Math.abs(clock.now() - this.#sentAtMs) < allowedMs;
  }

  /** Says where clients reach this machine. Never throws: it is only shown. */
  async reachableAt(url: string): Promise<void> {
    const values = [this.#epoch, url];
    await this.#ports.connection
      .run("UPDATE domovoi.home SET writer_url = $2 WHERE epoch = $1", values)
      .catch(() => {});
  }

  /** Another writer has the home. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#timer?.cancel();
    this.#ports.log.error("Another machine writes the home now. This one ends, without another effect.");
    this.#ports.onLost();
  }

  /** Lets another machine take over at once. Never throws. */
  async release(): Promise<void> {
    this.#timer?.cancel();
    const epoch = this.#epoch;
    this.#epoch = null;
    if (epoch === null || this.#isLost) return this.#ports.connection.cut();
    await this.#ports.connection
      .run("UPDATE domovoi.home SET writer = NULL, beat = beat + 1 WHERE epoch = $1", [epoch])
      .catch(() => {});
    this.#ports.connection.cut();
  }

  #beatLater(): void {
    const { clock, leaseMs } = this.#ports;
    this.#timer = clock.setTimer(() => void this.#beat(), leaseMs / BEATS_A_LEASE);
  }

  async #beat(): Promise<void> {
    const { connection, log, leaseMs } = this.#ports;
    const sent = this.#now();
    try {
      const rows = await connection.run(
        "UPDATE domovoi.home SET beat = beat + 1 WHERE epoch = $1 RETURNING beat",
        [this.#epoch],
        leaseMs / 2,
      );
      if (rows.length === 0 && this.#epoch !== null) return this.lose();
      this.#renewed(sent);
      if (this.#isDoubtful) log.info("The database answers again.");
      this.#isDoubtful = false;
    } catch (error) {
      if (!this.#isDoubtful)
        log.error("The database does not answer. Devices that only this machine reaches go on; nothing else may act.", {
          error,
        });
      this.#isDoubtful = true;
    }
    if (this.#epoch !== null && !this.#isLost) this.#beatLater();
  }

  #now() {
    const { clock } = this.#ports;
    return { ms: clock.elapsed(), atMs: clock.now() };
  }

  #renewed(sent: { readonly ms: number; readonly atMs: number }): void {
    this.#sentMs = sent.ms;
    this.#sentAtMs = sent.atMs;
  }
}

/** How the server lists the connections of a writer. */
export function writerName(epoch: number): string {
  return `domovoi writer ${epoch}`;
}

/** @throws ControllerError with a sentence for the person who starts the service. */
export function refusedByWriter({ writer, writerUrl }: HomeRow): ControllerError {
  const where = writerUrl === null ? "" : ` at ${writerUrl}`;
  const sentence = `The home is written by "${writer}"${where}. Start this machine with --standby, or stop that one first.`;
  return new ControllerError("STORE_UNAVAILABLE", { sentence });
}
