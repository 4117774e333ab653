/**
 * Decides whose request is parsed next. Tasks run at once while the event loop has time for them. Otherwise they
 * wait, one queue per source, and the sources take turns, so a source that sends thousands of requests delays only
 * its own.
 *
 * The first task of an account in a turn of the loop never waits, so a client with occasional requests does not
 * notice a flood. Accounts and strangers' addresses alternate, so a flood from many addresses does not outnumber
 * accounts.
 */

/** Where requests come from: an account that has proved who it is, or an address. */
export type Source = { readonly kind: "account" | "address"; readonly id: string };

type Task = () => void;

/** Milliseconds of work per turn of the event loop, after which sockets and timers are looked at again. */
const TURN_MS = 5;
/** Tasks scheduled for one turn; those beyond the time keep waiting. */
const TASKS_PER_TURN = 64;
/** Turns in a row in which waiting tasks let new connections be accepted first. */
const ACCEPTING_TURNS_MAX = 32;

export class FairQueue {
  readonly #waiting: Readonly<Record<Source["kind"], Map<string, Task[]>>> = { account: new Map(), address: new Map() };
  #count = 0;
  #next: Source["kind"] = "account";
  /** When the current turn of the loop began its first task; null before that. */
  #turnStartMs: number | null = null;
  /** Accounts that had a task in the current turn. */
  readonly #served = new Set<string>();
  #hasAccepted = false;
  #acceptingTurns = 0;

  /** Runs the task now or in a later turn of the loop. */
  run(source: Source, task: Task): void {
    const hasTime = this.#hasTime();
    if ((this.#count === 0 && hasTime) || this.#isFirstInTurn(source)) {
      task();
      return;
    }
    const tasks = this.#waiting[source.kind].get(source.id);
    if (tasks) tasks.push(task);
    else this.#waiting[source.kind].set(source.id, [task]);
    this.#count += 1;
  }

  /**
   * A connection was accepted. Node accepts one in a turn of the loop, and the system hands them over in their order. So
   * waiting tasks, such as handshakes, leave the next turns to further connections. Otherwise a new connection would wait in
   * the system's queue behind a flood, where sources do not take turns.
   */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** Each account once, so what it adds to a turn is bounded by the number of accounts. */
  #isFirstInTurn({ kind, id }: Source): boolean {
    if (kind !== "account" || this.#served.has(id)) return false;
    this.#served.add(id);
    return !this.#waiting.account.has(id);
  }

  #hasTime(): boolean {
    if (this.#turnStartMs === null) {
      this.#turnStartMs = performance.now();
      setImmediate(() => this.#endTurn());
    }
    return performance.now() - this.#turnStartMs < TURN_MS;
  }

  #endTurn(): void {
    this.#turnStartMs = null;
    this.#served.clear();
    const isAccepting = this.#hasAccepted && this.#acceptingTurns < ACCEPTING_TURNS_MAX;
    this.#hasAccepted = false;
    this.#acceptingTurns = isAccepting ? this.#acceptingTurns + 1 : 0;
    if (isAccepting && this.#count > 0) {
      this.#hasTime();
      return;
    }
    // One immediate per task: what a handler does after an await runs between two of them and counts as well.
    const tasks = Math.min(this.#count, TASKS_PER_TURN);
    for (let index = 0; index < tasks; index += 1) setImmediate(() => this.#runNext());
  }

  #runNext(): void {
    if (this.#hasTime()) this.#take()?.();
  }

  #take(): Task | undefined {
    const first = this.#next;
    const second = first === "account" ? "address" : "account";
    this.#next = second;
    const task = takeFrom(this.#waiting[first]) ?? takeFrom(this.#waiting[second]);
    if (task) this.#count -= 1;
    return task;
  }
}

/** The oldest task of the source that was not served for longest. */
function takeFrom(queues: Map<string, Task[]>): Task | undefined {
  for (const [id, tasks] of queues) {
    const task = tasks.shift();
    queues.delete(id);
    if (tasks.length > 0) queues.set(id, tasks);
    return task;
  }
  return undefined;
}
