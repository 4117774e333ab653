/**
 * The time of day is set while the controller runs: by a person, by a time server after a start without a battery-backed
 * clock. Whatever it is set to, the home goes on at once: nothing that takes a while takes an hour longer, or is given up.
 */

import { afterEach, describe, expect, test } from "vitest";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";

const [LAMP, RELAY] = ["1A 2B 3C 1", "1A 30 1 1"] as const;
/** It takes seconds to its level. */
const SLOW_LAMP = "1A 2F 90 1";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The last minute before the clocks of Berlin go forward, and back. */
const SPRING_MS = Date.UTC(2026, 2, 29, 0, 59);
const AUTUMN_MS = Date.UTC(2026, 9, 25, 0, 59);

const JUMPS: readonly (readonly [what: string, toMs: number])[] = [
  ["an hour forward", START_MS + HOUR_MS],
  ["an hour back", START_MS - HOUR_MS],
  ["to 1970", 0],
  ["ten years forward", START_MS + 3650 * DAY_MS],
  ["to the last minute of winter time", SPRING_MS],
  ["to the last minute of summer time", AUTUMN_MS],
];

let controller: TestController | null = null;
afterEach(async () => {
  await controller?.[Symbol.asyncDispose]();
  controller = null;
});

async function started(settings = {}): Promise<TestController> {
  controller = await startTestController(settings);
  await controller.login();
  return controller;
}

const lampAt = (level: number) => `/rest/nodes/${encodeURIComponent(LAMP)}/cmd/DON/${level}/51`;
const heartbeats = (stream: FrameStream) => stream.frames.filter(({ control }) => control === "_0").length;

describe.each(JUMPS)("the clock is set %s", (_what, toMs) => {
  test("writes are acknowledged, commands reach their device, and both are on the open stream", async () => {
    const home = await started();
    const stream = await home.subscribe("rest", { listener: "local", headers: home.basic() });
    await stream.next(({ control }) => control === "_0");
    home.clock.moveTo(toMs);
    expect((await home.local.get("/rest/vars/set/1/1/77")).status).toBe(200);
    await stream.next(({ control, action }) => control === "_1" && action === "6");
    expect((await home.local.get(lampAt(30))).status).toBe(200);
    await home.clock.advance(10_000);
    const { value } = home.services.home.nodes.get(LAMP)?.properties.get("ST") ?? {};
    expect(value).toBe(77);
    expect((await home.portal.get("/api/config")).status).toBe(200);
  });

  test("an open stream has its heartbeats, and its messages are counted by the minute that passes", async () => {
    const home = await started({ streamMessagesPerMinute: 30 });
    const stream = await home.subscribe("rest", { listener: "local", headers: home.basic() });
    await stream.next(({ control }) => control === "_0");
    home.clock.moveTo(toMs);
    const before = heartbeats(stream);
    for (let minute = 0; minute < 3; minute += 1) {
      for (let message = 0; message < 20; message += 1) stream.send("x");
      await pongOf(stream);
      for (let beat = 0; beat < 3; beat += 1) {
        await home.clock.advance(20_000);
        await pongOf(stream);
      }
    }
    expect(heartbeats(stream)).toBeGreaterThanOrEqual(before + 9);
    await stream.close();
  });

  test("a device that reports often is held back by the second, not by the hour", async () => {
    const home = await started({ nodeReportsPerSecond: 10 });
    const press = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        await home.local.get(`/rest/nodes/${encodeURIComponent(RELAY)}/cmd/${time % 2 === 0 ? "DON" : "DOF"}`);
      }
    };
    await press(8);
    home.clock.moveTo(toMs);
    await press(25);
    await home.clock.advance(2000);
    expect(home.services.home.nodes.get(RELAY)?.properties.get("ST")?.value).toBe(255);
  });

  test("a lamp that is on its way arrives", async () => {
    const home = await started();
    const level = () => home.services.home.nodes.get(SLOW_LAMP)?.properties.get("ST")?.value;
    await home.local.get(`/rest/nodes/${encodeURIComponent(SLOW_LAMP)}/cmd/DON`);
    await home.clock.advance(100);
    expect(level()).not.toBe(255);
    home.clock.moveTo(toMs);
    await home.clock.advance(60_000);
    expect(level()).toBe(255);
  });

  test("the owner logs in, and stays so", async () => {
    const home = await started();
    home.clock.moveTo(toMs);
    await home.login();
    await home.clock.advance(60_000);
    expect((await home.portal.get("/api/nodes")).status).toBe(200);
  });

  test("no request ends in a negative time, and nothing is logged as a fault", async () => {
    const home = await started({ logLevel: "debug" });
    home.clock.moveTo(toMs);
    await home.portal.get("/api/config");
    await home.clock.advance(DAY_MS);
    const errors = home.lines.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(errors[0]).toMatch(/^The clock of the machine was set/);
    expect(errors.filter((message) => !message.startsWith("The clock of the machine"))).toEqual([]);
  });
});

/** Settles when the other side has read all that was sent. */
async function pongOf(stream: FrameStream): Promise<void> {
  const pong = new Promise<void>((resolve, reject) => {
    stream.socket.once("pong", () => resolve());
    stream.socket.once("close", () => reject(new Error("The stream was closed.")));
  });
  stream.socket.ping();
  await pong;
}
