/**
 * All devices of a home behind one line protocol: sensors report, and the commands that arrive for their lamps are
 * timed. Any program that speaks the protocol can be at the other end (servers/line-driver.ts, servers/node-red.js).
 */

import { once } from "node:events";
import { connect as connectTo, type Socket } from "node:net";
import { arrive, pause } from "../harness/arrivals.ts";
import type { Target } from "../harness/https-connection.ts";
import { PROPERTY } from "../harness/line-devices.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { serveCalls } from "../harness/worker.ts";

export type SteadyInput = { readonly pairs: number; readonly perSecond: number; readonly seconds: number };
export type SteadyOutput = {
  /** Milliseconds from when a report was due to the command at its lamp. */
  readonly spread: Spread;
  readonly missing: number;
};
type FullInput = { readonly pairs: number; readonly seconds: number };
export type FullOutput = { readonly perSecond: number; readonly spread: Spread };

const LAST_COMMANDS_MS = 4000;

let line: Socket | null = null;
/** When the unanswered report of each pair was due, oldest first. */
let waiting: number[][] = [];
let isOn: boolean[] = [];
let samples = new Samples();
let afterCommand: ((pair: number) => void) | null = null;
let afterChunk: (() => void) | null = null;
/** Devices that are no lamps, and when they were commanded first, in milliseconds since 1970. */
const commandedAtMs: Record<string, number> = {};

serveCalls({ connect, steady, full, rest: (ms: number) => pause(ms), commandedAt: () => commandedAtMs });

async function connect({ host, port }: Target): Promise<void> {
  const socket = connectTo({ host, port, noDelay: true });
  await once(socket, "connect");
  line = socket;
  let rest = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) take(text);
    afterChunk?.();
  });
}

/** Sensors report in turn at a steady rate, independent of the answers. */
async function steady({ pairs, perSecond, seconds }: SteadyInput): Promise<SteadyOutput> {
  begin(pairs);
  await arrive({ perSecond, seconds }, async (index, dueMs) => {
    line?.write(report(index % pairs, dueMs));
  });
  const expected = Math.round(perSecond * seconds);
  const lateMs = performance.now() + LAST_COMMANDS_MS;
  while (samples.count < expected && performance.now() < lateMs) await pause(5);
  return { spread: samples.spread(), missing: expected - samples.count };
}

/** Every sensor reports again as soon as its lamp was commanded. */
async function full({ pairs, seconds }: FullInput): Promise<FullOutput> {
  begin(pairs);
  let next: string[] = Array.from({ length: pairs }, (_, pair) => report(pair, performance.now()));
  afterCommand = (pair) => next.push(report(pair, performance.now()));
  afterChunk = () => {
    line?.write(next.join(""));
    next = [];
  };
  afterChunk();
  await pause(1000);
  samples = new Samples();
  const startMs = performance.now();
  await pause(seconds * 1000);
  const output = { perSecond: (samples.count / (performance.now() - startMs)) * 1000, spread: samples.spread() };
  afterCommand = null;
  afterChunk = null;
  await pause(LAST_COMMANDS_MS / 4);
  return output;
}

function begin(pairs: number): void {
  waiting = Array.from({ length: pairs }, () => []);
  isOn.length = pairs;
  isOn = Array.from(isOn, (on) => on ?? false);
  samples = new Samples();
}

function report(pair: number, dueMs: number): string {
  isOn[pair] = !isOn[pair];
  waiting[pair]?.push(dueMs);
  return `s${pair} ${PROPERTY.watched} ${isOn[pair] ? 1 : 0}\n`;
}

function take(text: string): void {
  const [device = "", command = ""] = text.split(" ");
  if (!device.startsWith("l")) {
    commandedAtMs[device] ??= Date.now();
    return;
  }
  // Somebody else's sensors may be at the same line.
  if (waiting.length === 0) return;
  const pair = Number(device.slice(1));
  const dueMs = waiting[pair]?.shift();
  // The reports of a pair take turns, and so must the commands: of the latest report, or an odd number before it.
  const isExpected = ((waiting[pair]?.length ?? 0) % 2 === 0) === (isOn[pair] === (command === "DON"));
  if (dueMs === undefined || !isExpected) throw new Error(`The command "${text}" answers no report.`);
  samples.add(performance.now() - dueMs);
  afterCommand?.(pair);
}
