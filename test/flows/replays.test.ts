/** Replays over the API: of a home with radio nodes, whose nodedefs are generated. */

import type { Replay, ReplayResult } from "@domovoi/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedProfile } from "../../src/replays/run-replay.ts";
import { openRecording } from "../../src/store/recording/open-recording.ts";
import { createLog } from "../../src/util/log.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { interviewed } from "../support/demo-radio.ts";
import { idsOf } from "../support/profile-ids.ts";

const MINUTE_MS = 60_000;
const iso = (atMs: number) => new Date(atMs).toISOString();

let home: TestController;
/** A dimmer of the radio network. */
const lamp = "Living room lamp";

const program = (statements: readonly string[]) =>
  [
    "Program 'Evening'",
    "If",
    "  State variable 'Guests' is 1",
    "Then",
    ...statements.map((line) => `  ${line}`),
    "",
  ].join("\n");

async function begin(body: object): Promise<Replay> {
  const reply = await home.portal.post("/api/replays", body);
  expect(reply.status).toBe(200);
  return reply.json<{ data: Replay }>().data;
}

async function ended(id: string): Promise<Replay> {
  let replay: Replay;
  do replay = (await home.portal.get(`/api/replays/${id}?wait=15`)).json<{ data: Replay }>().data;
  while (replay.state === "running");
  return replay;
}

async function result(changes: readonly object[] = []): Promise<ReplayResult> {
  const replay = await ended((await begin({ from: iso(START_MS + MINUTE_MS), changes })).id);
  expect(replay.failure).toBeNull();
  if (!replay.result) throw new Error("A replay that is done has a result.");
  return replay.result;
}

beforeAll(async () => {
  home = await startTestController({ demo: false, demoRadio: true, replaysKept: 3 });
  await home.login();
  const { portal, clock } = home;
  await interviewed(home);
  expect((await portal.put("/api/variables/2", { name: "Guests" })).status).toBe(200);
  const written = await portal.post("/api/programs/text", { text: program([`Set '${lamp}' 'On' 60%`]) });
  expect(written.text).toContain('"successful":true');
  for (const value of [1, 0, 1, 0]) {
    await clock.advance(10 * MINUTE_MS);
    expect((await portal.post("/api/variables/2/1", { value })).status).toBe(200);
  }
  await clock.advance(10 * MINUTE_MS);
}, 120_000);
afterAll(() => home[Symbol.asyncDispose]());

test("the unchanged programs send again what they sent, shown with names, values and local times", async () => {
  const { faithful, actions, programs, zone, differences } = await result();
  expect(faithful).toEqual({ recorded: 2, repeated: 2 });
  expect(programs).toEqual([{ id: "0003", name: "Evening", changed: false, runsBefore: 4, runsAfter: 4 }]);
  expect(zone).toBe("Europe/Berlin");
  expect(differences).toEqual([]);
  expect(
    actions.map(({ localTime, target, command, values, text }) => [
      localTime,
      target?.name,
      command?.name,
      values,
      text,
    ]),
  ).toEqual([
    ["2026-05-02 14:10:00", lamp, "On", ["60%"], `Set '${lamp}' 'On' 60%`],
    ["2026-05-02 14:30:00", lamp, "On", ["60%"], `Set '${lamp}' 'On' 60%`],
  ]);
});

describe("a changed program", () => {
  test("that waits sends the same later", async () => {
    const text = program(["Wait 5 minutes", `Set '${lamp}' 'On' 60%`]);
    const { differences, programs, faithful } = await result([{ program: "Evening", text }]);
    expect(faithful).toEqual({ recorded: 2, repeated: 2 });
    expect(programs).toMatchObject([{ name: "Evening", changed: true }]);
    expect(differences.map(({ kind, localTime, localWas, certain }) => [kind, localTime, localWas, certain])).toEqual([
      ["moved", "2026-05-02 14:15:00", "2026-05-02 14:10:00", true],
      ["moved", "2026-05-02 14:35:00", "2026-05-02 14:30:00", true],
    ]);
  });

  test("with another level sends that, and not the recorded one", async () => {
    const { differences } = await result([{ program: "0003", text: program([`Set '${lamp}' 'On' 20%`]) }]);
    const change = ["changed", ["20%"], expect.stringMatching(/60%$/), "Evening"];
    expect(differences.map(({ kind, values, wasText, program }) => [kind, values, wasText, program.name])).toEqual([
      change,
      change,
    ]);
  });

  test("and a new one stand beside each other", async () => {
    const fresh = program([`Set '${lamp}' 'Off'`]).replace("Evening", "Later");
    const { differences, programs } = await result([{ text: program([]) }, { text: fresh }]);
    expect(programs.map(({ name, changed }) => [name, changed])).toEqual([
      ["Evening", true],
      ["Later", true],
    ]);
    expect(new Set(differences.map(({ kind, program: { name } }) => `${kind} ${name}`))).toEqual(
      new Set(["removed Evening", "added Later"]),
    );
  });

  test("whose text is wrong is refused with the position", async () => {
    const text = program(["Set 'Nowhere' 'On'"]);
    const reply = await home.portal.post("/api/replays", { from: iso(START_MS), changes: [{ text }] });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ code: "BAD_PROGRAM_TEXT", problems: [{ line: 5 }] });
  });
});

test.each([
  ["a program that is not there", { from: iso(START_MS), changes: [{ program: "Nothing", text: program([]) }] }, 404],
  ["the same program twice", { from: iso(START_MS), changes: [{ text: program([]) }, { text: program([]) }] }, 409],
  ["a time that is none", { from: "yesterday" }, 400],
  ["an end before the beginning", { from: iso(START_MS + 1), until: iso(START_MS) }, 400],
  ["an end in the future", { from: iso(START_MS), until: iso(START_MS + 86_400_000) }, 400],
  [
    "more programs than allowed",
    { from: iso(START_MS), changes: Array.from({ length: 21 }, () => ({ text: "" })) },
    400,
  ],
])("%s is refused", async (_what, body, status) => {
  expect((await home.portal.post("/api/replays", body)).status).toBe(status);
});

test("a time of which nothing is recorded fails with a sentence", async () => {
  const order = { from: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" };
  const { state, result: found } = await ended((await begin(order)).id);
  // The journal of this home goes back to its first entry, so nothing had happened yet.
  expect([state, found?.entries]).toEqual(["done", 0]);
});

describe("one at a time", () => {
  test("a second one is refused while the first one runs", async () => {
    const order = { from: iso(START_MS) };
    const [first, second] = await Promise.all([
      home.portal.post("/api/replays", order),
      home.portal.post("/api/replays", order),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const [{ id = "" } = {}] = (await home.portal.get("/api/replays")).json<{ data: readonly Replay[] }>().data;
    await ended(id);
  });

  test("removing it cancels it", async () => {
    const { id } = await begin({ from: iso(START_MS) });
    expect((await home.portal.delete(`/api/replays/${id}`)).status).toBe(200);
    expect((await home.portal.get(`/api/replays/${id}`)).status).toBe(404);
  });

  test("one that no client requests is canceled", async () => {
    let replay: Replay | null = null;
    // The thread of the one before may still be ending.
    while (!replay) {
      const reply = await home.portal.post("/api/replays", { from: iso(START_MS) });
      if (reply.status === 200) replay = reply.json<{ data: Replay }>().data;
    }
    await home.clock.advance(31_000);
    expect(await ended(replay.id)).toMatchObject({
      state: "failed",
      failure: "The replay was canceled, because no client requested it.",
    });
  });
});

test("the data directory yields the same definitions as the running controller", async () => {
  const recording = openRecording(home.data, START_MS, START_MS + MINUTE_MS);
  try {
    const stored = await storedProfile(recording.present(), {
      ...recording,
      data: home.data,
      log: createLog("silent"),
    });
    expect(idsOf(stored)).toEqual(idsOf(home.services.profile));
  } finally {
    recording[Symbol.dispose]();
  }
});

test("the newest ones are kept", async () => {
  for (let count = 0; count < 4; count += 1) await result();
  const { data } = (await home.portal.get("/api/replays")).json<{ data: readonly Replay[] }>();
  expect(data.length).toBe(3);
  expect(data[0]).not.toHaveProperty("result");
});
