/** Many clients of an event stream in one process: how late frames come, and how many a second. */

import { arrive, pause } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import { requestHead, type Target } from "../harness/https-connection.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { NUMBER_MARK, Subscriber } from "../harness/subscriber.ts";
import { serveCalls, tellParent } from "../harness/worker.ts";

export type ConnectInput = {
  readonly target: Target;
  readonly path: string;
  readonly authorization?: string;
  readonly clients: number;
  /** A text in the last frame of the replay; empty without a replay. */
  readonly replayEnd: string;
};

type LatencyInput = {
  /** How a frame with `<val>NUMBER</val>` is caused: by writing a variable, or by a message of the first client. */
  readonly cause:
    | { readonly kind: "variable"; readonly target: Target; readonly authorization: string; readonly path: string }
    | { readonly kind: "message"; readonly text: string };
  readonly perSecond: number;
  readonly seconds: number;
};
export type LatencyOutput = {
  /** Milliseconds from when the cause was due to the frame at a client; one sample per frame and client. */
  readonly spread: Spread;
  readonly missing: number;
};

export type CauseInput = { readonly target: Target; readonly heads: readonly string[] };
type CountInput = { readonly frames: number };
export type CountOutput = { readonly framesPerSecond: number; readonly bytes: number; readonly seconds: number };

const WRITE_CONNECTIONS = 8;
const OPENED_AT_ONCE = 20;
const LAST_FRAMES_MS = 4000;
const PROGRESS_MS = 10;
const VALUE_OPEN = Buffer.from("<val>");

type Follower = { readonly subscriber: Subscriber; frames: number; closed: boolean };

const healthy: Follower[] = [];
const stalled: Follower[] = [];
let onValue: ((value: number) => void) | null = null;
let onFrames: (() => void) | null = null;

serveCalls({ connect, connectStalled, countCut, cause, latency, count });

async function connect(input: ConnectInput): Promise<void> {
  for (let at = 0; at < input.clients; at += OPENED_AT_ONCE) {
    const size = Math.min(OPENED_AT_ONCE, input.clients - at);
    const opened = await Promise.all(Array.from({ length: size }, () => open(input)));
    healthy.push(...opened);
  }
}

/** Clients that take nothing from their upgrade on, not even the replay. */
async function connectStalled(input: ConnectInput): Promise<void> {
  for (let index = 0; index < input.clients; index += 1) {
    const follower = await open({ ...input, replayEnd: "" });
    follower.subscriber.stall();
    stalled.push(follower);
  }
}

/** Stalled clients read again. @returns how many of them the server has cut. */
async function countCut(): Promise<number> {
  for (const { subscriber } of stalled) subscriber.resume();
  await pause(LAST_FRAMES_MS);
  return stalled.filter(({ closed }) => closed).length;
}

/** Settles when the replay has come. */
function open({ target, path, authorization, replayEnd }: ConnectInput): Promise<Follower> {
  return new Promise((resolve, reject) => {
    let isLive = false;
    const subscriber = new Subscriber({
      target,
      path,
      ...(authorization === undefined ? {} : { authorization }),
      onFrame(bytes, start, end) {
        follower.frames += 1;
        if (isLive) {
          if (onValue) readValue(bytes, start, end, onValue);
          onFrames?.();
        } else if (bytes.toString("latin1", start, end).includes(replayEnd)) {
          isLive = true;
          resolve(follower);
        }
      },
      onClose() {
        follower.closed = true;
      },
    });
    const follower: Follower = { subscriber, frames: 0, closed: false };
    subscriber.upgraded().then(() => {
      isLive = replayEnd === "";
      if (isLive) resolve(follower);
    }, reject);
  });
}

async function latency({ cause: source, perSecond, seconds }: LatencyInput): Promise<LatencyOutput> {
  const samples = new Samples();
  const dueMsOf = new Map<number, number>();
  const base = Math.floor(performance.now()) % 1_000_000;
  onValue = (value) => {
    const dueMs = dueMsOf.get(value);
    if (dueMs !== undefined) samples.add(performance.now() - dueMs);
  };
  const write = await opener(source);
  await arrive({ perSecond, seconds }, async (index, dueMs) => {
    dueMsOf.set(base + index, dueMs);
    await write.send(base + index);
  });
  const expected = dueMsOf.size * healthy.length;
  const lateMs = performance.now() + LAST_FRAMES_MS;
  while (samples.count < expected && performance.now() < lateMs) await pause(20);
  onValue = null;
  write.close();
  return { spread: samples.spread(), missing: expected - samples.count };
}

/** Requests one after the other on every connection, for what they lead to on the streams. */
async function cause({ target, heads }: CauseInput): Promise<void> {
  const pool = await ConnectionPool.open(target, WRITE_CONNECTIONS);
  await Promise.all(heads.map((head) => pool.request(head)));
  pool.close();
}

type Writer = { send(value: number): Promise<void>; close(): void };

async function opener(cause: LatencyInput["cause"]): Promise<Writer> {
  if (cause.kind === "message") {
    const speaker = healthy[0]?.subscriber;
    return { send: async (value) => speaker?.send(cause.text.replace(NUMBER_MARK, String(value))), close() {} };
  }
  const pool = await ConnectionPool.open(cause.target, WRITE_CONNECTIONS);
  const { authorization } = cause;
  return {
    async send(value) {
      const path = cause.path.replace(NUMBER_MARK, String(value));
      await pool.request(requestHead({ path, authorization }));
    },
    close: () => pool.close(),
  };
}

/** Until every client has so many more frames. Tells the parent how far the slowest is. */
async function count({ frames }: CountInput): Promise<CountOutput> {
  for (const follower of healthy) follower.frames = 0;
  const bytesBefore = bytesOfAll();
  let startMs = 0;
  onFrames = () => {
    startMs = performance.now();
    onFrames = null;
  };
  for (let slowest = 0; slowest < frames; ) {
    await pause(PROGRESS_MS);
    slowest = Math.min(...healthy.map((follower) => follower.frames));
    if (healthy.some(({ closed }) => closed)) throw new Error("A client was cut in the middle of the flood.");
    tellParent("taken", slowest);
  }
  const seconds = (performance.now() - startMs) / 1000;
  return { framesPerSecond: (frames * healthy.length) / seconds, bytes: bytesOfAll() - bytesBefore, seconds };
}

function bytesOfAll(): number {
  return healthy.reduce((sum, { subscriber }) => sum + subscriber.bytes, 0);
}

function readValue(bytes: Buffer, start: number, end: number, tell: (value: number) => void): void {
  const at = bytes.indexOf(VALUE_OPEN, start);
  if (at < 0 || at >= end) return;
  let value = 0;
  for (let index = at + VALUE_OPEN.length; index < end; index += 1) {
    const digit = (bytes[index] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  tell(value);
}
