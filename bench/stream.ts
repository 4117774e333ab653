/**
 * The event stream, P7, P8, R10 and R11 of the promises: throughput to 100 clients beside a bare `ws` loop that sends the same
 * frames, the way of one event at 200 reports a second, stalled clients, the
 * replay, and 200 clients that come at once.
 * The clients are another process. Run: node bench/stream.ts
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type WebSocket, WebSocketServer } from "ws";
import { eventTails } from "../src/stream/frame.ts";
import { tellAll } from "../src/stream/last-told.ts";
import { createZone } from "../src/util/zone.ts";
import { level, nodeRecord, openStreamHouse, type StreamHouse } from "../test/stream/house.ts";
import { type ClientOrder, type ClientReport, nowMs } from "./stream-clients.ts";

const CLIENTS = 100;
const EVENTS = 20_000;
const LAMP = "5C 2 D1 1";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

class Clients {
  readonly #child: ChildProcess = fork(new URL("./stream-clients.ts", import.meta.url));
  readonly #reports: ClientReport[] = [];
  #wake = () => {};

  constructor() {
    this.#child.on("message", (report: ClientReport) => {
      this.#reports.push(report);
      this.#wake();
    });
  }

  order(order: ClientOrder): void {
    this.#child.send(order);
  }

  async next(): Promise<ClientReport> {
    for (;;) {
      const report = this.#reports.shift();
      if (report) return report;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async done(): Promise<Extract<ClientReport, { is: "done" }>> {
    const report = await this.next();
    return report.is === "done" ? report : this.done();
  }

  end(): void {
    this.#child.disconnect();
  }
}

const portOf = (url: string) => Number(new URL(url).port);
const report = (house: StreamHouse, id: string, value: number) =>
  house.commit({
    type: "property-changed",
    address: LAMP,
    property: level(value, { id, uom: 51, changedAtMs: house.clock.now() }),
  });

async function furnished(nodes: number, settings = {}): Promise<StreamHouse> {
  const house = await openStreamHouse(settings);
  house.commit({ type: "node-added", node: nodeRecord(LAMP) });
  for (let index = 1; index < nodes; index += 1) {
    const address = `n001_${index}`;
    house.commit({ type: "node-added", node: nodeRecord(address) });
    for (const id of ["ST", "OL", "RR", "CLITEMP", "GV1"]) {
      house.commit({ type: "property-changed", address, property: level(index % 256, { id }) });
    }
  }
  return house;
}

/** @returns events a second and client, times clients. */
async function domovoiThroughput(clients: Clients, perTurn: number): Promise<number> {
  const house = await furnished(1);
  clients.order({ do: "follow", port: portOf(house.url), clients: CLIENTS, mark: "<control>END</control>" });
  await clients.next();
  while (house.streams.subscribers().length < CLIENTS) await turn();
  const startMs = nowMs();
  for (let index = 0; index < EVENTS; index += 1) {
    report(house, "N", index);
    if (index % perTurn === 0) await turn();
  }
  report(house, "END", 1);
  const { atMs } = await clients.done();
  await house.close();
  return (EVENTS * CLIENTS) / ((atMs - startMs) / 1000);
}

/** The same frames, each made once and sent to every client by `ws`. */
async function bareThroughput(clients: Clients, perTurn: number): Promise<number> {
  const house = await furnished(1);
  const told = tellAll(house.home);
  const zone = createZone(house.home.controller.timeZone);
  const server = createServer();
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const followers: WebSocket[] = [];
  let seqnum = 0;
  house.feed.listen((entry) => {
    for (const tail of eventTails(entry, { ...house, zone, told })) {
      const frame = Buffer.from(
        `<?xml version="1.0" encoding="UTF-8"?><Event seqnum="${seqnum++}" sid="uuid:12"${tail}`,
      );
      for (const follower of followers) follower.send(frame, { binary: false });
    }
  });
  server.on("upgrade", (request, socket, head) => wss.handleUpgrade(request, socket, head, (ws) => followers.push(ws)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  clients.order({
    do: "follow",
    port: (server.address() as AddressInfo).port,
    clients: CLIENTS,
    mark: "<control>END</control>",
  });
  await clients.next();
  const startMs = nowMs();
  for (let index = 0; index < EVENTS; index += 1) {
    report(house, "N", index);
    if (index % perTurn === 0) await turn();
    while (followers.some((follower) => follower.bufferedAmount > 1_048_576)) await turn();
  }
  report(house, "END", 1);
  const { atMs } = await clients.done();
  server.close();
  await house.close();
  return (EVENTS * CLIENTS) / ((atMs - startMs) / 1000);
}

/** 200 reports a second in an open loop; every client's arrivals count. */
async function eventLatency(clients: Clients): Promise<string> {
  const house = await furnished(500);
  clients.order({ do: "time", port: portOf(house.url), clients: CLIENTS, mark: "<control>END</control>" });
  await clients.next();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const sentMs: number[] = [];
  const startMs = nowMs();
  for (let index = 0; index < 2000; index += 1) {
    const dueMs = startMs + index * 5;
    while (nowMs() < dueMs) await new Promise((resolve) => setTimeout(resolve, 1));
    sentMs.push(dueMs);
    report(house, "N", index);
  }
  report(house, "END", 1);
  const { arrivals } = await clients.done();
  await house.close();
  const spans = arrivals.map(([index, atMs]) => atMs - (sentMs[index] ?? 0)).sort((a, b) => a - b);
  const at = (share: number) => spans[Math.floor((spans.length - 1) * share)]?.toFixed(1);
  return `p50 ${at(0.5)} p99 ${at(0.99)} p99.9 ${at(0.999)} max ${at(1)} ms, ${spans.length} arrivals`;
}

/** Events of 1.8 KB at 400 a second and a small ring: the stalled clients' buffers on the way fill within seconds. */
async function stalledClients(clients: Clients, stalled: number): Promise<string> {
  const house = await furnished(1, { streamRingFrames: 4096 });
  const port = portOf(house.url);
  if (stalled > 0) {
    clients.order({ do: "stall", port, clients: stalled, mark: "" });
    await clients.next();
  }
  clients.order({ do: "time", port, clients: CLIENTS - stalled, mark: "<control>END</control>" });
  await clients.next();
  const text = "x".repeat(1500);
  const sentMs: number[] = [];
  const before = process.memoryUsage.rss();
  let most = before;
  const startMs = nowMs();
  for (let index = 0; index < 12_000; index += 1) {
    const dueMs = startMs + index * 2.5;
    while (nowMs() < dueMs) await new Promise((resolve) => setTimeout(resolve, 1));
    sentMs.push(dueMs);
    house.commit({ type: "property-changed", address: LAMP, property: level(index, { id: "N", uom: 51, text }) });
    most = Math.max(most, process.memoryUsage.rss());
  }
  const left = house.streams.subscribers().length;
  report(house, "END", 1);
  const { arrivals } = await clients.done();
  await house.close();
  const spans = arrivals.map(([index, atMs]) => atMs - (sentMs[index] ?? 0)).sort((a, b) => a - b);
  const megabytes = ((most - before) / 1_048_576).toFixed(0);
  return `${CLIENTS - left} cut; the others p99 ${spans[Math.floor(spans.length * 0.99)]?.toFixed(1)} ms; memory + ${megabytes} MiB at most`;
}

async function replayTime(clients: Clients, nodes: number, crowd: number): Promise<string> {
  const house = await furnished(nodes);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await turn();
  delay.enable();
  const startMs = nowMs();
  clients.order({ do: "follow", port: portOf(house.url), clients: crowd, mark: "<control>_0</control>" });
  const { atMs, bytes } = await clients.done();
  delay.disable();
  await house.close();
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `${(atMs - startMs).toFixed(0)} ms, ${megabytes} MB; longest pause of the loop ${(delay.max / 1e6).toFixed(0)} ms`;
}

const clients = new Clients();
for (const perTurn of [1, 1, 20, 20]) {
  const bare = await bareThroughput(clients, perTurn);
  const ours = await domovoiThroughput(clients, perTurn);
  const rates = `${Math.round(ours)} frames/s, bare ws ${Math.round(bare)}, ratio ${(ours / bare).toFixed(2)}`;
  console.log(`throughput to ${CLIENTS} clients, ${perTurn} events a turn: ${rates}`);
}
console.log(`an event at 200/s to ${CLIENTS} clients: ${await eventLatency(clients)}`);
for (const stalled of [0, 0, 10]) {
  console.log(
    `${stalled} of ${CLIENTS} clients stalled, 400 events of 1.8 KB a second: ${await stalledClients(clients, stalled)}`,
  );
}
for (const nodes of [500, 500, 10_000, 10_000])
  console.log(`replay of ${nodes} nodes: ${await replayTime(clients, nodes, 1)}`);
for (const nodes of [500, 10_000])
  console.log(`200 clients at once, ${nodes} nodes: ${await replayTime(clients, nodes, 200)}`);
clients.end();
