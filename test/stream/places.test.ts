/** Places of the event streams: no account takes all of them. */

import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openStreamServices, type Reader, type StreamServices } from "./services.ts";

const API = "/api/events/subscribe";

let services: StreamServices;
beforeEach(async () => {
  services = await openStreamServices({
    streamClientsMax: 12,
    streamClientsPerAccountMax: 5,
    streamClientsPerAddressMax: 6,
    streamPlacesForOwners: 3,
  });
});
afterEach(() => services.close());

const by = (authorization: string, from: string) => ({ headers: { authorization, "x-from": from } });
const join = (authorization: string, from: string) => services.follow(API, by(authorization, from)).untilReplayed();

async function joinMany(count: number, authorization: string, from = (n: number) => `10.0.${n}.1`): Promise<void> {
  for (let n = 0; n < count; n += 1) await join(authorization, from(n));
}

async function refusal(authorization: string, from: string): Promise<number> {
  const ws = new WebSocket(`${services.url}${API}`, by(authorization, from));
  ws.on("error", () => {});
  const [, response] = await once(ws, "unexpected-response");
  return response.statusCode;
}

const count = () => services.streams.subscribers().length;

describe("places of the event streams", () => {
  test("of one account are limited, from any address", async () => {
    await joinMany(5, "guest");
    expect(await refusal("guest", "10.9.9.9")).toBe(503);
    await join("user", "10.9.9.9");
    expect(count()).toBe(6);
  });

  test("of one address are limited, for any login there, and a /64 of IPv6 is one", async () => {
    const neighbors = (n: number) => `2001:db8::${n + 1}`;
    await joinMany(3, "guest", neighbors);
    await joinMany(3, "user", neighbors);
    expect(await refusal("user", "2001:db8::77")).toBe(503);
    expect(await refusal("good", "2001:db8::78")).toBe(503);
    await join("user", "2001:db8:0:1::1");
    expect(count()).toBe(7);
  });

  test("are kept for owners when others take all they can", async () => {
    await joinMany(5, "guest");
    await joinMany(4, "user");
    expect(await refusal("user", "10.9.9.9")).toBe(503);
    await joinMany(3, "good");
    expect(await refusal("good", "10.9.9.9")).toBe(503);
    expect(count()).toBe(12);
  });

  test("that become free are taken by the next", async () => {
    const first = await join("guest", "10.0.9.1");
    await joinMany(4, "guest");
    expect(await refusal("guest", "10.9.9.9")).toBe(503);
    first.ws.terminate();
    await once(services.sockets[0] as NonNullable<(typeof services.sockets)[0]>, "close");
    await join("guest", "10.9.9.9");
    expect(count()).toBe(5);
  });
});

describe("pages that log in by their first message", () => {
  const page = async (from: string): Promise<Reader> => {
    const reader = services.follow(API, { headers: { "x-from": from } });
    await once(reader.ws, "open");
    return reader;
  };
  const login = (reader: Reader) => reader.ws.send(JSON.stringify({ auth: { token: "good" } }));

  test("are closed when their account has no place left", async () => {
    await joinMany(5, "good");
    const late = await page("10.9.9.9");
    login(late);
    expect(await late.untilClosed()).toMatchObject({ code: 1013 });
    expect(count()).toBe(5);
  });

  test("and wait make room for others from their own address, the longest first", async () => {
    const other = await page("10.0.1.1");
    const mine: Reader[] = [];
    while (mine.length < 8) mine.push(await page("10.0.2.1"));
    const next = await page("10.0.2.1");
    expect(await mine[0]?.untilClosed()).toMatchObject({ code: 1013 });
    for (const reader of [other, next, mine[1]]) login(reader as Reader);
    await Promise.all([other.untilReplayed(), next.untilReplayed(), mine[1]?.untilReplayed()]);
    expect(count()).toBe(3);
    expect(mine.slice(2).map(({ closed }) => closed)).toEqual(Array(6).fill(null));
  });

  test("and wait make room one each, also when one does not answer that it is closed", async () => {
    const mine: Reader[] = [];
    while (mine.length < 8) mine.push(await page("10.0.2.1"));
    mine[0]?.ws.pause();
    for (let n = 0; n < 2; n += 1) await page("10.0.2.1");
    expect(await mine[1]?.untilClosed()).toMatchObject({ code: 1013 });
    expect(mine.slice(2).map(({ closed }) => closed)).toEqual(Array(6).fill(null));
  });

  test("and wait make room for other addresses when all places of waiting are taken", async () => {
    const waiting: Reader[] = [];
    for (let n = 0; n < 12; n += 1) waiting.push(await page(`10.0.${n}.1`));
    const late = await page("10.1.1.1");
    expect(await waiting[0]?.untilClosed()).toMatchObject({ code: 1013 });
    login(late);
    await late.untilReplayed();
    expect(waiting.slice(1).map(({ closed }) => closed)).toEqual(Array(11).fill(null));
  });
});
