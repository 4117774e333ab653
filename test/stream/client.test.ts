/** How much a client writes at a time. */

import { describe, expect, test } from "vitest";
import { Client, type Follower } from "../../src/stream/client.ts";
import { EventBody } from "../../src/stream/event-body.ts";
import { Ring } from "../../src/stream/ring.ts";
import { OWNER } from "./services.ts";

const RING_FRAMES = 100;
const MANY = 1000;
/** Two of them do not fill a write, three do. */
const LARGE = 30_000;

const bodies = (count: number, characters: number) =>
  Array.from({ length: count }, () => new EventBody("x".repeat(characters)));

function clientWith(replayed: readonly EventBody[], live: readonly EventBody[]) {
  const writes: Buffer[] = [];
  const connection = { isFull: false, write: (bytes: Buffer) => void writes.push(bytes) };
  // The parts of a connection that a client uses.
  const about = { sid: 1, surface: "rest", principal: OWNER, isPortal: true, remoteAddress: "", connection };
  const ring = new Ring(RING_FRAMES, 10_000_000);
  const client = new Client(about as unknown as Follower, ring, [{ bodies: () => replayed }], new EventBody(""));
  for (const body of live) ring.push(body);
  return { client, writes };
}

describe("a replay", () => {
  test("is written in parts of as many events as the effort allows, four of it for each", () => {
    const { client } = clientWith(bodies(5, 10), []);
    expect([client.pump(8), client.pump(9), client.pump(MANY), client.pump(MANY)]).toEqual([8, 12, 0, 0]);
  });

  test("is written in parts of 64 KiB, and the event that fills one is in it", () => {
    const { client, writes } = clientWith(bodies(5, LARGE), []);
    expect([client.pump(MANY), client.pump(MANY)]).toEqual([12, 8]);
    expect(writes.map(({ length }) => Math.floor(length / LARGE))).toEqual([3, 2, 0]);
    expect(client.isReady).toBe(false);
  });
});

describe("live events", () => {
  test("are written in parts of as many as the effort allows", () => {
    const { client } = clientWith([], bodies(5, 10));
    client.pump(1);
    expect([client.pump(2), client.pump(2), client.pump(2), client.pump(2)]).toEqual([2, 2, 1, 0]);
  });

  test("are written in parts of 64 KiB, and the event that fills one is in it", () => {
    const { client, writes } = clientWith([], bodies(5, LARGE));
    client.pump(1);
    expect([client.pump(MANY), client.pump(MANY)]).toEqual([3, 2]);
    expect(writes.slice(1).map(({ length }) => Math.floor(length / LARGE))).toEqual([3, 2]);
    expect(client.isReady).toBe(false);
  });
});
