import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { Replays } from "../../src/stream/replay.ts";
import { createZone } from "../../src/util/zone.ts";
import {
  CONTROLLER,
  createGround,
  type Ground,
  level,
  nodeRecord,
  openStreamServices,
  type Reader,
  type StreamServices,
} from "./services.ts";

const LAMP = "5C 2 D1 1";
const LARGE = 50_000;

let services: StreamServices;
afterEach(() => services.close());

function furnish({ commit }: Ground, nodes: number): void {
  for (let index = 0; index < nodes; index += 1) {
    commit({ type: "node-added", node: nodeRecord(`n001_${index}`, { family: 10 }) });
    for (const id of ["ST", "OL", "RR"])
      commit({ type: "property-changed", address: `n001_${index}`, property: level(index % 256, { id }) });
  }
}

/** Events so large that a few hundred fill every buffer on the way. */
function shout(count: number): void {
  for (let index = 0; index < count; index += 1) {
    services.commit({ type: "node-renamed", address: LAMP, name: String(index).padEnd(LARGE, ".") });
  }
}

const counted = (reader: Reader) => reader.messages.filter((message) => message.length > LARGE).length;
const waiting = (index: number) => services.sockets[index]?.writableLength ?? -1;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Shouts until the paused client's socket is full; the other one takes everything. @returns how many events it took. */
async function shoutUntilFull(lively: Reader, index: number, socketBytesMax: number): Promise<number> {
  let told = 0;
  while (waiting(index) <= socketBytesMax) {
    shout(10);
    told += 10;
    await lively.until((reader) => counted(reader) >= told);
  }
  return told;
}

describe("a client that takes nothing", () => {
  const SOCKET_BYTES_MAX = 262_144;

  test("is cut when it falls behind the ring; its socket stays bounded and the others get everything", async () => {
    services = await openStreamServices({ streamSocketBytesMax: SOCKET_BYTES_MAX, streamRingFrames: 256 });
    const [stalled, lively] = [await services.follow().untilReplayed(), await services.follow().untilReplayed()];
    stalled.ws.pause();
    let told = await shoutUntilFull(lively, 0, SOCKET_BYTES_MAX);
    for (let round = 0; round < 30; round += 1) {
      shout(10);
      told += 10;
      await lively.until((reader) => counted(reader) >= told);
      expect(waiting(0)).toBeLessThan(SOCKET_BYTES_MAX + 65_536 + 2 * LARGE);
    }
    expect(services.streams.subscribers().map(({ sid }) => sid)).toEqual([2]);
    expect(lively.events().map(({ seqnum }) => seqnum)).toEqual(lively.events().map((_, index) => index));
    stalled.ws.resume();
    expect((await stalled.untilClosed()).code).toBe(1013);
  });

  test("is cut after a while also when it has lost nothing, and its socket is destroyed", async () => {
    services = await openStreamServices({ streamSocketBytesMax: SOCKET_BYTES_MAX, streamStallMs: 25_000 });
    const [stalled, lively] = [await services.follow().untilReplayed(), await services.follow().untilReplayed()];
    stalled.ws.pause();
    await shoutUntilFull(lively, 0, SOCKET_BYTES_MAX);
    await services.clock.advance(24_000);
    expect(services.streams.subscribers()).toHaveLength(2);
    await services.clock.advance(3000);
    expect(services.streams.subscribers().map(({ sid }) => sid)).toEqual([2]);
    expect(services.sockets[0]?.destroyed).toBe(true);
    expect(lively.closed).toBeNull();
  });

  test("and goes on in time gets everything, in order", async () => {
    services = await openStreamServices({ streamSocketBytesMax: SOCKET_BYTES_MAX, streamStallMs: 25_000 });
    const [slow, lively] = [await services.follow().untilReplayed(), await services.follow().untilReplayed()];
    slow.ws.pause();
    const told = await shoutUntilFull(lively, 0, SOCKET_BYTES_MAX);
    await services.clock.advance(20_000);
    slow.ws.resume();
    await slow.until((reader) => counted(reader) === told);
    await services.clock.advance(20_000);
    const events = slow.events();
    expect(events.map(({ seqnum }) => seqnum)).toEqual(events.map((_, index) => index));
    expect(services.streams.subscribers()).toHaveLength(2);
  });
});

describe("10,000 reports a second", () => {
  const PER_TICK = 100;
  const TICK_MS = 10;
  const TICKS = 300;
  const NODES = 100;
  const limits = { streamSocketBytesMax: 65_536, streamRingFrames: 1024, streamStallMs: 30_000 };

  test("leave no gap for clients that read, and no more than the limits for those that do not", async () => {
    services = await openStreamServices(limits);
    furnish(services, NODES);
    const lively = [services.follow(), services.follow("/api/events/subscribe")];
    const stalled = Array.from({ length: 8 }, () => services.follow());
    for (const reader of [...lively, ...stalled]) await reader.untilReplayed();
    const before = lively.map((reader) => reader.messages.length);
    for (const { ws } of stalled) ws.pause();
    let worst = 0;
    for (let tick = 1; tick <= TICKS; tick += 1) {
      for (let index = 0; index < PER_TICK; index += 1) {
        const report = level((tick + index) % 256, { id: "ST" });
        services.commit({ type: "property-changed", address: `n001_${index % NODES}`, property: report });
      }
      await services.clock.advance(TICK_MS);
      // The readers of this process share its loop; a reader elsewhere would have all of it.
      await Promise.all(
        lively.map((reader, at) =>
          reader.until(({ messages }) => messages.length >= (before[at] ?? 0) + tick * PER_TICK),
        ),
      );
      worst = Math.max(worst, ...services.sockets.map((socket) => socket.writableLength));
    }
    expect(worst).toBeLessThan(limits.streamSocketBytesMax + 131_072);
    expect(services.streams.subscribers().map(({ sid }) => sid)).toEqual([1, 2]);
    for (const reader of lively) {
      const events = reader.events();
      expect(events.length).toBeGreaterThanOrEqual(TICKS * PER_TICK);
      expect(events.map(({ seqnum }) => seqnum)).toEqual(events.map((_, index) => index));
      expect(reader.closed).toBeNull();
    }
  });
});

describe("crowds", () => {
  test("200 clients that come at once to a living home are all in step, none refused", async () => {
    services = await openStreamServices();
    furnish(services, 500);
    const readers = Array.from({ length: 200 }, (_, index) =>
      services.follow(index % 2 ? "/rest/subscribe" : "/api/events/subscribe"),
    );
    for (let index = 0; index < 100; index += 1) {
      services.commit({ type: "property-changed", address: "n001_7", property: level(index) });
      await turns(1);
    }
    await Promise.all(readers.map((reader) => reader.until(({ messages }) => messages.length > 0)));
    services.commit({ type: "property-changed", address: "n001_7", property: level(255, { id: "GV9" }) });
    await Promise.all(
      readers.map((reader) =>
        reader.until(({ messages }) => messages.at(-1)?.includes("<control>GV9</control>") === true),
      ),
    );
    const complete = readers.filter((reader) => {
      const values = reader.events().filter(({ control, node }) => control === "ST" && node === "n001_7");
      return (
        values.at(-1)?.action === "99" &&
        values.every(({ action }, index) => index === 0 || Number(action) > Number(values[index - 1]?.action))
      );
    });
    expect(complete).toHaveLength(200);
  });

  test("a burst reaches 80 clients side by side, not the first ones first", async () => {
    const clients = 80;
    services = await openStreamServices({ streamClientsPerAccountMax: clients, streamClientsPerAddressMax: clients });
    services.commit({ type: "node-added", node: nodeRecord(LAMP) });
    const readers = Array.from({ length: clients }, () => services.follow());
    await Promise.all(readers.map((reader) => reader.untilReplayed()));
    const before = services.sockets.map(({ bytesWritten }) => bytesWritten);
    const written = () => services.sockets.map(({ bytesWritten }, index) => bytesWritten - (before[index] ?? 0));
    // More events for all of them than one turn of the loop hands out.
    for (let value = 0; value < 2000; value += 1)
      services.commit({ type: "control-sent", address: LAMP, control: "DON", value });
    const spreads: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      await turns(1);
      spreads.push(Math.max(...written()) - Math.min(...written()));
    }
    expect(Math.min(...written())).toBeGreaterThan(2000 * 200);
    // Each has at most one write more than another, and the events that did not fill the last one.
    expect(Math.max(...spreads)).toBeLessThan(3 * 65_536);
  });

  test("events during a long replay follow it, and the loop is free in between", async () => {
    services = await openStreamServices();
    furnish(services, 3000);
    const reader = services.follow();
    await once(reader.ws, "message");
    const isReplaying = () => !reader.messages.some((message) => message.includes("<control>_0</control>"));
    let happened = 0;
    while (isReplaying() && happened < 10_000) {
      services.commit({ type: "control-sent", address: "n001_1", control: "DON", value: happened++ });
      await turns(1);
    }
    expect(happened).toBeGreaterThan(3);
    await reader.until(({ messages }) => messages.at(-1)?.includes(`<action>${happened - 1}</action>`) === true);
    const events = reader.events();
    expect(events.map(({ seqnum }) => seqnum)).toEqual(events.map((_, index) => index));
    const end = events.findIndex(({ control }) => control === "_0");
    expect(events.slice(0, end).every(({ control }) => control !== "DON")).toBe(true);
    expect(events.slice(end + 1).map(({ action }) => action)).toEqual(
      Array.from({ length: happened }, (_, index) => String(index)),
    );
  });
});

test("a change that cannot be encoded does not stop the home, and the next one is sent", async () => {
  services = await openStreamServices();
  services.commit({ type: "node-added", node: nodeRecord(LAMP) });
  const reader = await services.follow().untilReplayed();
  Object.defineProperty(services.profile, "nodedef", {
    value: () => {
      throw new Error("broken");
    },
    configurable: true,
  });
  services.commit({ type: "property-changed", address: LAMP, property: level(1) });
  Reflect.deleteProperty(services.profile, "nodedef");
  services.commit({ type: "property-changed", address: LAMP, property: level(2) });
  await reader.until(({ messages }) => messages.at(-1)?.includes("<control>ST</control>") === true);
  expect(
    reader
      .events()
      .filter(({ control }) => control === "ST")
      .map(({ action }) => action),
  ).toEqual(["2"]);
});

describe("replays", () => {
  const bodies = (replay: ReturnType<Replays["take"]>) => new Set(replay.flatMap((piece) => piece.bodies()));

  test("are one as long as nothing changes, and share what did not change", async () => {
    services = await openStreamServices();
    const ground = createGround();
    const zone = createZone(CONTROLLER.timeZone);
    const replays = new Replays({ ...ground, zone: () => zone });
    furnish(ground, 10);
    const first = replays.take();
    expect(replays.take()).toBe(first);
    expect(bodies(first).size).toBe(33);
    ground.commit({ type: "property-changed", address: "n001_3", property: level(200) });
    const second = replays.take();
    const shared = [...bodies(second)].filter((body) => bodies(first).has(body));
    expect(shared).toHaveLength(29);
    await ground.clock.advance(10_000);
    expect([...bodies(replays.take())].filter((body) => bodies(second).has(body))).toEqual([]);
  });
});
