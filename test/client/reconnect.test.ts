/** Reconnects of the event stream. @see client/RULES.md */

import { expect, test } from "vitest";
import { connectTo, startStage } from "./support/connected.ts";
import { follow, frame, level, next, taken } from "./support/followed.ts";
import { serveLocal } from "./support/local-home.ts";
import { json, status } from "./support/scripted-server.ts";

test("S6 after 1, 2, 5, 10, 30, 60, 60 seconds, and after 1 again once data was received", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const upgrades = () => stage.server.count("UPGRADE /rest/subscribe");
  stage.server.upgrades.push(...Array.from({ length: 7 }, () => 503));
  const waits = [1, 2, 5, 10, 30, 60, 60];
  let lost = next(home, "stream", ({ status: now }) => now === "waiting");
  stage.server.sockets.at(-1)?.terminate();
  for (const [index, seconds] of waits.entries()) {
    await lost;
    await stage.clock.advance(seconds * 1000 - 1);
    expect(upgrades()).toBe(1 + index);
    lost = next(home, "stream", ({ status: now }) => now === "waiting");
    await stage.clock.advance(1);
    await stage.server.until(() => upgrades() === 2 + index);
  }
  await lost;
  const back = next(home, "stream", ({ status: now }) => now === "syncing");
  await stage.clock.advance(60_000);
  await back;
  await taken(stage, home);
  const again = next(home, "stream", ({ status: now }) => now === "waiting");
  stage.server.sockets.at(-1)?.terminate();
  await again;
  await stage.clock.advance(1_000);
  await stage.server.until(() => upgrades() === 10);
});

test("S7 the status and the time of the last event", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  await taken(stage, home);
  expect(home.stream).toEqual({ status: "syncing", lastEventAtMs: stage.clock.now() });
  const connected = next(home, "stream");
  await stage.clock.advance(1_000);
  expect(await connected).toEqual({ kind: "stream", status: "connected", isAgain: false });
  const waiting = next(home, "stream");
  stage.server.sockets.at(-1)?.terminate();
  expect(await waiting).toEqual({ kind: "stream", status: "waiting", isAgain: true });
  expect(home.stream.lastEventAtMs).toBe(stage.clock.now() - 1_000);
  await home.close();
  expect(home.stream.status).toBe("closed");
});

test("S7 the burst ends when the controller marks its end, and at the latest after ten seconds", async () => {
  await using stage = await startStage();
  await using home = await follow(stage, { stream: "api" });
  const connected = next(home, "stream", ({ status: now }) => now === "connected");
  stage.server.send('{"type":"replayed","data":"{\\"seqnum\\":7}"}');
  await connected;
  await using busy = await connectTo(stage, { stream: "rest" });
  await next(busy, "stream", ({ status: now }) => now === "syncing");
  const late = next(busy, "stream", ({ status: now }) => now === "connected");
  for (let spent = 0; spent < 10_000; spent += 500) {
    await taken(stage, busy);
    await stage.clock.advance(500);
  }
  await late;
});

test("S9 both streams take the credentials in the upgrade, and the JSON one carries the same events", async () => {
  await using stage = await startStage();
  await using home = await follow(stage, { stream: "api" });
  expect(stage.server.seen.find(({ method }) => method === "UPGRADE")).toMatchObject({
    path: "/api/events/subscribe",
    authorization: expect.stringMatching(/^Bearer /),
  });
  const heard = next(home, "property");
  stage.server.send(JSON.stringify({ type: "event", data: level("9") }));
  expect((await heard).property.value).toBe("9");
  expect(stage.server.socketMessages).toEqual([]);
});

test("S10 an upgrade that is answered 401 is tried again at once with other tokens, then later", async () => {
  await using stage = await startStage();
  stage.server.upgrades.push(401, 401);
  await using home = await connectTo(stage, { stream: "rest" });
  await next(home, "stream", ({ status: now }) => now === "waiting");
  expect(stage.server.paths().filter((path) => /UPGRADE|jwt/.test(path))).toEqual([
    "UPGRADE /rest/subscribe",
    "POST /api/jwt/refresh",
    "UPGRADE /rest/subscribe",
  ]);
  await stage.clock.advance(1_000);
  await stage.server.until(() => stage.server.sockets.length === 1);
});

test("S10 in local mode a 401 ends it for good", async () => {
  await using stage = await startStage();
  serveLocal(stage.server);
  stage.server.upgrades.push(401);
  await using home = await connectTo(stage, { stream: "rest", mode: "local" });
  await next(home, "stream", ({ status: now }) => now === "refused");
  await stage.clock.advance(3_600_000);
  expect(stage.server.count("UPGRADE /rest/subscribe")).toBe(1);
});

test("S10 a login that fails meanwhile is tried again with the stream", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  stage.server.endTokens("both");
  stage.server.on("POST /api/login", status(503));
  stage.server.upgrades.push(401);
  const waits = () => next(home, "stream", ({ status: now }) => now === "waiting");
  const lost = waits();
  stage.server.sockets.at(-1)?.terminate();
  await lost;
  const refused = waits();
  await stage.clock.advance(1_000);
  await refused;
  stage.server.on("POST /api/login", () => json(stage.server.issue()));
  await stage.clock.advance(2_000);
  await stage.server.until(() => stage.server.sockets.length === 2);
});

test("S11 a connection that dies without a word is found by its silence, after twice what a heartbeat promises", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const heard = next(home, "heartbeat");
  stage.server.send(frame({ control: "_0", action: "90" }));
  await heard;
  const waiting = next(home, "stream", ({ status: now }) => now === "waiting");
  await stage.clock.advance(179_999);
  expect(home.stream.status).toBe("connected");
  await stage.clock.advance(1);
  await waiting;
  await stage.clock.advance(1_000);
  await stage.server.until(() => stage.server.sockets.length === 2);
});

test("S11 an upgrade that is not answered is given up after thirty seconds, and tried again", async () => {
  await using stage = await startStage();
  stage.server.upgrades.push(0);
  await using home = await connectTo(stage, { stream: "rest" });
  await stage.server.until(() => stage.server.count("UPGRADE /rest/subscribe") === 1);
  await stage.clock.advance(29_999);
  expect(home.stream.status).toBe("connecting");
  await stage.clock.advance(1);
  expect(home.stream.status).toBe("waiting");
  await stage.clock.advance(1_000);
  await stage.server.until(() => stage.server.sockets.length === 1);
});

test("S16 a closed home opens nothing any more", async () => {
  await using stage = await startStage();
  const home = await follow(stage);
  const waiting = next(home, "stream", ({ status: now }) => now === "waiting");
  stage.server.sockets.at(-1)?.terminate();
  await waiting;
  await home.close();
  await stage.clock.advance(3_600_000);
  expect(stage.server.count("UPGRADE /rest/subscribe")).toBe(1);
  expect(stage.server.paths().at(-1)).toBe("POST /api/jwt/logout");
});
