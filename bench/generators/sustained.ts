/** Reports at a sustained rate on the line, and clients of the event stream that look for each of them. */

import { once } from "node:events";
import { connect as connectTo, type Socket } from "node:net";
import { pause } from "../harness/arrivals.ts";
import type { Target } from "../harness/https-connection.ts";
import { type LineHome, numberedReport, PROPERTY } from "../harness/line-devices.ts";
import { Buckets, type Spread } from "../harness/statistics.ts";
import { Subscriber } from "../harness/subscriber.ts";
import { serveCalls } from "../harness/worker.ts";

export type FollowInput = {
  readonly target: Target;
  readonly path: string;
  readonly authorization: string;
  readonly clients: number;
  /** A text in the frame that ends the replay. */
  readonly replayEnd: string;
};
export type SustainedInput = { readonly home: LineHome; readonly perSecond: number; readonly seconds: number };
export type SustainedOutput = {
  /** When the first report was due, on the machine's monotonic clock; the others follow at equal distances. */
  readonly startNs: number;
  readonly reports: number;
  /** Milliseconds from when a report was due to its frame at a client; one sample for each report and client. */
  readonly seen: Spread;
  /** Reports that a client did not see, of all clients together. */
  readonly unseen: number;
};

const TICK_MS = 1;
const LAST_FRAMES_MS = 30_000;
const CONTROL_OPEN = Buffer.from("<control>");
const VALUE_OPEN = Buffer.from('prec="0">');
const [WATCHED, METERED] = [PROPERTY.watched, PROPERTY.metered].map((id) => id.charCodeAt(0));
const MINUS = 45;

type Follower = { readonly subscriber: Subscriber; next: number; unseen: number; isCut: boolean };

const followers: Follower[] = [];
let line: Socket | null = null;
/** When the report with this number was due; null: no numbered reports are under way. */
let dueMsOf: ((index: number) => number) | null = null;
let seen = new Buckets();

serveCalls({
  connect,
  follow,
  run,
  /** Clients that are still followed. */
  following: () => followers.filter(({ isCut }) => !isCut).length,
});

async function connect({ host, port }: Target): Promise<void> {
  const socket = connectTo({ host, port, noDelay: true });
  await once(socket, "connect");
  socket.resume();
  line = socket;
}

async function follow({ clients, ...input }: FollowInput): Promise<void> {
  await Promise.all(Array.from({ length: clients }, () => open(input)));
}

/** Settles when the replay has come. */
function open({ replayEnd, ...target }: Omit<FollowInput, "clients">): Promise<void> {
  return new Promise((resolve, reject) => {
    let isLive = false;
    const subscriber = new Subscriber({
      ...target,
      onFrame(bytes, start, end) {
        if (isLive) takeFrame(follower, bytes, start, end);
        else if (bytes.toString("latin1", start, end).includes(replayEnd)) {
          isLive = true;
          resolve();
        }
      },
      onClose() {
        follower.isCut = true;
      },
    });
    const follower: Follower = { subscriber, next: 0, unseen: 0, isCut: false };
    followers.push(follower);
    subscriber.upgraded().catch(reject);
  });
}

async function run({ home, perSecond, seconds }: SustainedInput): Promise<SustainedOutput> {
  const reports = Math.round(perSecond * seconds);
  const startMs = performance.now() + 20;
  const startNs = Number(process.hrtime.bigint()) + (startMs - performance.now()) * 1e6;
  dueMsOf = (index) => startMs + (index * 1000) / perSecond;
  seen = new Buckets();
  for (const follower of followers) follower.next = 0;
  for (let sent = 0; sent < reports; ) {
    await pause(TICK_MS);
    const due = Math.min(reports, Math.floor(((performance.now() - startMs) * perSecond) / 1000) + 1);
    let lines = "";
    for (; sent < due; sent += 1) {
      const { device, property, value } = numberedReport(home, sent);
      lines += `${device} ${property} ${value}\n`;
    }
    if (lines !== "") line?.write(lines);
  }
  const lateMs = performance.now() + LAST_FRAMES_MS;
  while (followers.some(({ next, isCut }) => next < reports && !isCut) && performance.now() < lateMs) await pause(20);
  const unseen = followers.reduce((sum, follower) => sum + follower.unseen + (reports - follower.next), 0);
  dueMsOf = null;
  return { startNs, reports, seen: seen.spread(), unseen };
}

/** Frames of numbered reports must come in order; a number that was skipped was not seen. */
function takeFrame(follower: Follower, bytes: Buffer, start: number, end: number): void {
  if (!dueMsOf) return;
  const control = bytes.indexOf(CONTROL_OPEN, start) + CONTROL_OPEN.length;
  if (bytes[control] !== WATCHED && bytes[control] !== METERED) return;
  const index = numberAt(bytes, bytes.indexOf(VALUE_OPEN, control) + VALUE_OPEN.length, end) - 1;
  if (index < follower.next) throw new Error(`Report ${index} was seen again.`);
  follower.unseen += index - follower.next;
  follower.next = index + 1;
  seen.add(performance.now() - dueMsOf(index));
}

/** Without its sign. */
function numberAt(bytes: Buffer, at: number, end: number): number {
  let value = 0;
  for (let place = bytes[at] === MINUS ? at + 1 : at; place < end; place += 1) {
    const digit = (bytes[place] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
}
