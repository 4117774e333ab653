/**
 * Replays that the API started: each in a thread, canceled when its status is no longer read, dropped when newer ones
 * come.
 */

import { extname } from "node:path";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import type { Profile } from "../profile/profile.ts";
import type { ReplayJob, ReplayJobs, ReplayOrder } from "../replay/replay-job.ts";
import type { ReplayResult } from "../replay/replay-result.ts";
import { readChanges } from "../replay/revision.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { runInThread } from "../util/thread-task.ts";
import type { ReplayTask } from "./replay-worker.ts";

type StoredReplaysPorts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly home: Home;
  readonly profile: Profile;
  /** Settles when all that was recorded is on disk. @throws ControllerError STORE_UNAVAILABLE */
  readonly saved: () => Promise<void>;
};

type Running = { readonly abort: AbortController; readonly ended: Promise<void>; unread: Timer };

export class StoredReplays implements ReplayJobs {
  readonly #ports: StoredReplaysPorts;
  /** Oldest first. */
  readonly #jobs = new Map<string, ReplayJob>();
  readonly #running = new Map<string, Running>();
  #lastId = 0;

  constructor(ports: StoredReplaysPorts) {
    this.#ports = ports;
  }

  list(): readonly ReplayJob[] {
    return [...this.#jobs.values()].toReversed();
  }

  read(id: string): ReplayJob {
    const job = this.#jobs.get(id);
    if (!job) throw new ControllerError("REPLAY_NOT_FOUND");
    const running = this.#running.get(id);
    running?.unread.cancel();
    if (running) running.unread = this.#cancelUnread(id);
    return job;
  }

  async begin({ fromMs, untilMs, changes: texts }: ReplayOrder): Promise<ReplayJob> {
    const { config, home, profile, clock } = this.#ports;
    if (untilMs <= fromMs) throw badValue("The end of a replay is later than its beginning.");
    if (untilMs > clock.now()) throw badValue("The end of a replay is not in the future.");
    const changes = texts.length === 0 ? null : readChanges(home, profile, texts);
    if (this.#running.size >= config.replaysAtOnce) throw new ControllerError("REPLAYS_UNDER_WAY");
    this.#lastId += 1;
    const id = String(this.#lastId);
    const job: ReplayJob = { id, state: "running", fromMs, untilMs, progress: 0, failure: null, result: null };
    this.#jobs.set(id, job);
    const abort = new AbortController();
    const ended = this.#run(job, { config, fromMs, untilMs, changes }, abort);
    this.#running.set(id, { abort, ended, unread: this.#cancelUnread(id) });
    this.#dropOldest();
    return job;
  }

  async settled(id: string, signal: AbortSignal): Promise<void> {
    const running = this.#running.get(id);
    if (!running || signal.aborted) return;
    await Promise.race([running.ended, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
  }

  remove(id: string): void {
    if (!this.#jobs.delete(id)) throw new ControllerError("REPLAY_NOT_FOUND");
    this.#running.get(id)?.abort.abort();
  }

  /** Ends those that run. */
  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  /** Never rejects. */
  async #run(job: ReplayJob, task: ReplayTask, abort: AbortController): Promise<void> {
    const { config, clock, saved } = this.#ports;
    const deadline = clock.setTimer(() => abort.abort(TOO_LONG), config.replaySecondsMax * 1000);
    try {
      await saved();
      const result = await runInThread<number, ReplayResult>({
        entry: new URL(`./replay-worker${extname(import.meta.url)}`, import.meta.url),
        task,
        resourceLimits: { maxOldGenerationSizeMb: config.replayMemoryMb, maxYoungGenerationSizeMb: 16 },
        onProgress: (progress) => this.#put({ ...job, progress }),
        signal: abort.signal,
      });
      this.#put({ ...job, state: "done", progress: 1, result });
    } catch (error) {
      this.#put({ ...job, state: "failed", failure: this.#failureOf(error, abort.signal) });
    } finally {
      deadline.cancel();
      this.#running.get(job.id)?.unread.cancel();
      this.#running.delete(job.id);
    }
  }

  #failureOf(error: unknown, { aborted, reason }: AbortSignal): string {
    if (aborted) return reason === TOO_LONG ? TOO_LONG : CANCELED;
    if (error instanceof ControllerError) return error.message;
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return TOO_LARGE;
    this.#ports.log.error("A replay failed.", { error });
    return "The replay failed. The log of the controller has the reason.";
  }

  /** One that was removed meanwhile stays so. */
  #put(job: ReplayJob): void {
    if (this.#jobs.has(job.id)) this.#jobs.set(job.id, job);
  }

  #cancelUnread(id: string): Timer {
    const { clock, config } = this.#ports;
    return clock.setTimer(() => this.#running.get(id)?.abort.abort(), config.replayUnreadSeconds * 1000);
  }

  #dropOldest(): void {
    const ended = [...this.#jobs.keys()].filter((id) => !this.#running.has(id));
    const excess = this.#jobs.size - this.#ports.config.replaysKept;
    for (const id of ended.slice(0, Math.max(0, excess))) this.#jobs.delete(id);
  }
}

const TOO_LONG = "The replay took longer than replaySecondsMax allows. Choose a shorter span.";
const TOO_LARGE = "The replay needs more memory than replayMemoryMb allows. Choose a shorter span.";
const CANCELED = "The replay was canceled, because no client requested it.";
