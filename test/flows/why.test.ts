/** Why a node is as it is, and why a program ran or did not: sentences along the causes, over HTTP. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";

type Why = {
  readonly sentences: readonly string[];
  readonly steps: readonly { readonly kind: string; readonly line: number | null; readonly time: string | null }[];
  readonly missing: string | null;
  readonly value?: string | null;
  readonly answer?: string;
  readonly conditions?: readonly { readonly text: string; readonly isTrue: boolean; readonly found: string | null }[];
};

/** A relay of the demo home: it is on or off at once. */
const LAMP = "1A 44 C 1";
const MOTION = "2D 7F E1 1";
/** A button that controls the scene "All Off", of which the lamp is a responder. */
const KEYPAD_ALL_OFF = "1E 4 A0 6";

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
});
beforeEach(() => controller.login());
afterAll(() => controller[Symbol.asyncDispose]());

async function write(text: string): Promise<string> {
  const answer = await controller.portal.post("/api/programs/text", { text });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: { id: string } }>().data.id;
}

async function why(path: string): Promise<Why> {
  const answer = await controller.portal.get(`/api/why/${path}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: Why }>().data;
}

const ofNode = (address: string, query = "") => why(`node/${encodeURIComponent(address)}${query}`);

function isDisabled(id: string): boolean {
  const entry = controller.services.home.programs.get(Number.parseInt(id, 16));
  return entry?.kind === "program" && !entry.enabled;
}

async function press(command: string): Promise<void> {
  controller.services.feed.commit(
    { type: "control-sent", address: MOTION, control: command, value: 0 },
    { kind: "report", id: "virtual", by: "virtual" },
  );
  await controller.clock.advance(1000);
}

const command = async (path: string) => {
  await controller.local.get(`/rest/nodes/${encodeURIComponent(LAMP)}/cmd/${path}`);
  await controller.clock.advance(1000);
};

const TIME = "\\d\\d:\\d\\d:\\d\\d( yesterday)?";
const sentence = (text: string) => expect.stringMatching(new RegExp(`^${text.replaceAll("TIME", TIME)}$`));

describe("why a node has its state", () => {
  beforeEach(() => command("DOF"));

  test("a person switched it", async () => {
    await command("DON");
    const answer = await ofNode(LAMP);
    expect(answer).toMatchObject({ value: "On", missing: null });
    expect(answer.sentences).toEqual([
      sentence("Closet Light is On since TIME\\."),
      sentence('Account "admin" set it at TIME\\.'),
    ]);
  });

  test("a scene that a person switched is named", async () => {
    const { groups } = controller.services.home;
    const scene = [...groups.values()].find(({ name }) => name === "Good Night");
    await command("DON");
    await controller.local.get(`/rest/nodes/${scene?.address}/cmd/DOF`);
    await controller.clock.advance(5000);
    const off = [...controller.services.home.nodes.values()].find(
      ({ properties }) => properties.get("ST")?.changedAtMs === controller.clock.now() - 5000,
    );
    expect((await ofNode(off?.address ?? "")).sentences[1]).toEqual(
      sentence('Account "admin" set it with the scene "Good Night" at TIME\\.'),
    );
  });

  test("a controller of a scene switched it", async () => {
    await command("DON");
    controller.services.feed.commit(
      { type: "control-sent", address: KEYPAD_ALL_OFF, control: "DON", value: 0 },
      { kind: "report", id: "virtual", by: "virtual" },
    );
    await controller.clock.advance(5000);
    const answer = await ofNode(LAMP);
    expect(answer).toMatchObject({ value: "Off", missing: null });
    const name = controller.services.home.nodes.get(KEYPAD_ALL_OFF)?.name;
    expect(answer.sentences[1]).toEqual(sentence(`"${name}" set it with the scene "All Off" at TIME\\.`));
  });

  test("somebody used its paddle, or a button of a scene that the devices carry out", async () => {
    const cause = { kind: "report", id: "virtual", by: "virtual" } as const;
    const { feed, home } = controller.services;
    const moves = async (address: string, value: number) => {
      feed.commit({ type: "control-sent", address, control: value === 0 ? "DOF" : "DON", value: 0 }, cause);
      await controller.clock.advance(700);
      const known = home.nodes.get(LAMP)?.properties.get("ST");
      const property = {
        id: "ST",
        prec: 0,
        uom: 100,
        text: null,
        ...known,
        value,
        changedAtMs: controller.clock.now(),
      };
      feed.commit({ type: "property-changed", address: LAMP, property }, cause);
      await controller.clock.advance(20_000);
      return (await ofNode(LAMP)).sentences[1];
    };
    expect(await moves(LAMP, 255)).toEqual(sentence('"Closet Light" was used at the device \\(On\\) at TIME\\.'));
    expect(await moves(MOTION, 0)).toEqual(sentence("The device reported it by itself\\."));
  });

  test("a program switched it, in a line, because of another program, because of a device", async () => {
    const id = await write(`Program 'Light'\nIf\nState variable [1] is 7\nThen\nWait 5 seconds\nSet [${LAMP}] DON`);
    await write(`Program 'Seen'\nIf\nControl [${MOTION}] is switched DON\nThen\nState variable [1] = 7`);
    await press("DON");
    await controller.clock.advance(10_000);
    const answer = await ofNode(LAMP);
    expect(answer.missing).toBe(null);
    expect(answer.sentences).toEqual([
      sentence("Closet Light is On since TIME\\."),
      sentence('Program "Light" set it \\(line \\d+\\), because variable "Away" became 7 at TIME\\.'),
      sentence('Program "Seen" wrote the variable "Away", because "Hall Motion" sent On at TIME\\.'),
    ]);
    const { text } = (await controller.portal.get(`/api/programs/${id}/text`)).json<{ data: { text: string } }>().data;
    expect(text.split("\n")[(answer.steps[0]?.line ?? 0) - 1]).toMatch(/^ +Set /);
  });

  test("a person ran the program that switched it", async () => {
    const id = await write(`Program 'Light'\nThen\nWait 1 second\nSet [${LAMP}] DON`);
    await controller.local.get(`/rest/programs/${id}/runThen`);
    await controller.clock.advance(5000);
    expect((await ofNode(LAMP)).sentences[1]).toEqual(
      sentence('Program "Light" set it \\(line \\d+\\), because account "admin" asked for it \\(Run now\\) at TIME\\.'),
    );
  });

  test("a schedule is named by its condition", async () => {
    await write(`Program 'Noon'\nIf\nTime is 18:40\nThen\nSet [${LAMP}] DON`);
    await controller.clock.advance(5 * 3_600_000);
    await controller.login();
    expect((await ofNode(LAMP)).sentences.slice(1)).toEqual([
      sentence('Program "Noon" set it \\(line \\d+\\), because its time came at 18:40:00 \\(Time is 18:40:00\\)\\.'),
    ]);
  });

  test("at an earlier time it was something else, also after a restart", async () => {
    await command("DON");
    const between = new Date(controller.clock.now()).toISOString();
    await controller.clock.advance(60_000);
    await command("DOF");
    await controller.restart();
    await controller.login();
    expect((await ofNode(LAMP)).value).toBe("Off");
    const then = await ofNode(LAMP, `?at=${between}`);
    expect(then).toMatchObject({ value: "On", missing: null });
    expect(then.sentences).toEqual([
      sentence("Closet Light was On at TIME, since TIME\\."),
      sentence('Account "admin" set it at TIME\\.'),
    ]);
  });

  test("a missing record is a sentence", async () => {
    const before = new Date(START_MS - 3_600_000).toISOString();
    const answer = await ofNode(LAMP, `?at=${before}`);
    expect(answer).toMatchObject({ value: null, steps: [], missing: expect.stringContaining("no longer contains") });
    expect(answer.sentences).toEqual([
      expect.stringMatching(/does not hold what Closet Light reported .* It was searched back to [\d:]+\.$/),
    ]);
  });

  test("a guest does not read logins", async () => {
    await command("DON");
    const guest = await controller.portal.post("/api/accounts", {
      login: "visitor",
      password: "a visitor's password",
      role: "guest",
      kind: "local",
    });
    expect(guest.status).toBe(200);
    const headers = { authorization: `Basic ${Buffer.from("visitor:a visitor's password").toString("base64")}` };
    const answer = await controller.portal.request("GET", `/api/why/node/${encodeURIComponent(LAMP)}`, { headers });
    expect(answer.text).toContain("A person or client set it");
    expect(answer.text).not.toContain("ccount ");
    const events = await controller.portal.request("GET", `/api/nodes/${encodeURIComponent(LAMP)}/events?limit=2`, {
      headers,
    });
    expect(events.json()).toMatchObject({ data: { events: [{ by: { kind: "account", name: null } }, {}] } });
    expect(events.text).not.toContain("admin");
  });

  test.each([
    ["node/nobody", 404, "NODE_NOT_FOUND"],
    [`node/${encodeURIComponent(LAMP)}?property=XX`, 400, "BAD_VALUE"],
    [`node/${encodeURIComponent(LAMP)}?at=yesterday`, 400, "BAD_VALUE"],
    ["program/0FFF", 404, "PROGRAM_NOT_FOUND"],
    ["program/none", 404, "PROGRAM_NOT_FOUND"],
  ])("%s is refused", async (path, status, code) => {
    const answer = await controller.portal.get(`/api/why/${path}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(code)]);
  });
});

describe("why a program ran, or did not", () => {
  test("it ran, and what started it", async () => {
    const id = await write(`Program 'Seen'\nIf\nControl [${MOTION}] is switched DON\nThen\nState variable [1] = 7`);
    await press("DON");
    const answer = await why(`program/${id}`);
    expect(answer).toMatchObject({ answer: "then", missing: null });
    expect(answer.sentences).toEqual([
      sentence('Program "Seen" ran at TIME, because "Hall Motion" sent On at TIME\\.'),
      sentence("It finished at TIME\\."),
    ]);
  });

  test("its else ran, and each condition that was false with the value that was found", async () => {
    const id = await write(
      `Program 'Both'\nIf\nControl [${MOTION}] is switched DON\nAnd Status [${LAMP}] ST is 100%\nThen\nState variable [1] = 7`,
    );
    await press("DON");
    const { answer, conditions, sentences } = await why(`program/${id}`);
    expect(answer).toBe("else");
    expect(conditions).toEqual([
      { text: "Control 'Hall Motion' is switched 'On'", isTrue: true, found: null },
      { text: "Status 'Closet Light' 'Status' is 'On'", isTrue: false, found: "Off" },
    ]);
    expect(sentences).toContain("Status 'Closet Light' 'Status' is 'On' was false: it was Off.");
  });

  test("it is disabled", async () => {
    const id = await write(
      `Program 'Seen'\nEnabled no\nIf\nControl [${MOTION}] is switched DON\nThen\nState variable [1] = 7`,
    );
    await press("DON");
    const answer = await why(`program/${id}`);
    expect(answer.answer).toBe("not-run");
    expect(answer.sentences[0]).toEqual(
      sentence(
        'Program "Seen" did not run at TIME: the program is disabled\\. It was to run, because "Hall Motion" .*',
      ),
    );
  });

  test("nothing happened to it then: what would have started it is listed", async () => {
    const id = await write(
      `Program 'Seen'\nIf\nControl [${MOTION}] is switched DON\nOr Status [${LAMP}] ST is 100%\nThen\nState variable [1] = 7`,
    );
    await press("DON");
    await controller.clock.advance(3_600_000);
    await controller.login();
    const at = new Date(controller.clock.now() - 1_800_000).toISOString();
    const answer = await why(`program/${id}?at=${at}`);
    expect(answer.answer).toBe("nothing");
    expect(answer.sentences).toEqual([
      sentence('Nothing started program "Seen" at TIME, as far back as the trace goes\\.'),
      sentence('Before that: Program "Seen" ran at TIME\\.'),
      sentence("These start it: Control .*; Status .* \\(it is Off since TIME\\)\\."),
    ]);
  });

  test("a loop that was cut shows its programs, and which of its starts began it", async () => {
    const id = await write("Program 'Self'\nIf\nState variable [2] > 0\nThen\nState variable [2] += 1");
    await controller.local.get("/rest/vars/set/2/2/1");
    // The loop takes turns of the event loop, and no time of the clock.
    while (!isDisabled(id)) await controller.local.get("/rest/ping");
    const answer = await why(`program/${id}`);
    expect(answer.answer).toBe("cut");
    expect(answer.sentences[0]).toEqual(
      sentence('Program "Self" was stopped and disabled at TIME: .*: "Self" → "Self"\\.'),
    );
  });
});

describe("what happened to a node", () => {
  type Events = {
    readonly events: readonly { readonly id: number; readonly kind: string; readonly by: { readonly kind: string } }[];
    readonly searchedTo: string | null;
  };
  const eventsOf = async (address: string, query = "") => {
    const answer = await controller.portal.get(`/api/nodes/${encodeURIComponent(address)}/events${query}`);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json<{ data: Events }>().data;
  };

  test("commands and the values that they led to, by whom, newest first and in pages", async () => {
    await command("DOF");
    const from = new Date(controller.clock.now()).toISOString();
    await command("DON");
    const { events } = await eventsOf(LAMP, `?from=${from}`);
    const by = { kind: "account", name: "admin", program: null, runId: null };
    const property = { id: "ST", value: 255, uom: 100, prec: 0 };
    const none = {
      address: LAMP,
      property: null,
      parameters: [],
      value: null,
      state: null,
      detail: "",
    };
    expect(events.map(({ id, time, ...event }: (typeof events)[0] & { time?: string }) => event)).toEqual(
      expect.arrayContaining([
        { ...none, kind: "value", control: "ST", name: "Status", property, value: "On", by },
        { ...none, kind: "command", control: "DON", name: "On", state: "confirmed", by },
      ]),
    );
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort((a, b) => b - a));
    const [first, second] = events;
    expect((await eventsOf(LAMP, "?limit=1")).events).toEqual([first]);
    expect((await eventsOf(LAMP, `?limit=1&before=${first?.id}`)).events).toEqual([second]);
    expect(
      (await eventsOf(LAMP, `?until=${new Date(Date.parse(from) - 1).toISOString()}`)).events.map(({ id }) => id),
    ).not.toContain(second?.id);
  });

  test("commands have their values in numbers and words", async () => {
    await controller.local.get("/rest/nodes/1A%202B%203C%201/cmd/DON/102");
    await controller.local.get("/rest/nodes/ZW010_1/cmd/SECMD/0");
    await controller.clock.advance(5000);
    const sent = async (address: string, id: string) =>
      (await eventsOf(address)).events.find((event) => "control" in event && event.control === id);
    const dimmed = { value: "40 %", parameters: [{ name: "", value: 102, uom: 100, prec: 0, text: "40 %" }] };
    expect(await sent("1A 2B 3C 1", "DON")).toMatchObject(dimmed);
    const unlocked = { value: "Unlock", parameters: [{ value: 0, text: "Unlock" }] };
    expect(await sent("ZW010_1", "SECMD")).toMatchObject(unlocked);
  });

  test("are listed for all nodes too, without values that only measure", async () => {
    type All = {
      readonly events: readonly { readonly address: string; readonly property: { readonly id: string } | null }[];
    };
    const of = async (query: string) =>
      (await controller.portal.get(`/api/events?limit=200${query}`)).json<{ data: All }>().data.events;
    await command("DON");
    await command("DOF");
    const [all, states] = [await of(""), await of("&states=true")];
    expect(new Set(all.map(({ address }) => address)).size).toBeGreaterThan(1);
    const measured = (events: All["events"]) =>
      events.filter(({ property }) => property !== null && !/^(ST|CLI)/.test(property.id));
    expect([measured(all).length > 0, measured(states)]).toEqual([true, []]);
    expect(states[0]?.address).toBe(LAMP);
    expect((await controller.portal.get("/api/events?limit=201")).status).toBe(400);
  });

  test("a program's commands, and what the device sent itself", async () => {
    const id = await write(`Program 'Lit'\nIf\nControl [${MOTION}] is switched DON\nThen\nSet [${LAMP}] DON`);
    await command("DOF");
    await press("DON");
    const [value] = (await eventsOf(LAMP)).events.filter(({ kind }) => kind === "value");
    expect(value?.by).toEqual({ kind: "program", name: "Lit", program: id, runId: expect.any(String) });
    const [sent] = (await eventsOf(MOTION)).events;
    expect(sent).toMatchObject({ kind: "sent", name: "On", by: { kind: "device", name: null } });
  });

  test.each([
    ["unknown/events", 404, "NODE_NOT_FOUND"],
    [`${encodeURIComponent(LAMP)}/events?limit=201`, 400, "BAD_VALUE"],
    [`${encodeURIComponent(LAMP)}/events?from=yesterday`, 400, "BAD_VALUE"],
  ])("%s is refused", async (path, status, code) => {
    const answer = await controller.portal.get(`/api/nodes/${path}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(code)]);
  });
});

test("a program at this moment has each condition with its value, and the statement that waits with the end of its wait", async () => {
  type Now = {
    readonly isTrue: boolean;
    readonly conditions: readonly { readonly isTrue: boolean; readonly foundText: string | null }[];
    readonly run: { readonly clause: string; readonly position: number; readonly until: string | null } | null;
  };
  const id = await write(
    "Program 'Waits'\nIf\nState variable [2] is 0\nAnd Control 'Hall Motion' is switched 'On'\nThen\nSet 'Closet Light' 'Off'\nWait 3 minutes\nSet 'Closet Light' 'On'\nElse\n",
  );
  const now = async () => (await controller.portal.get(`/api/programs/${id}/now`)).json<{ data: Now }>().data;
  await controller.local.get("/rest/vars/set/2/2/0");
  const idle = await now();
  expect([idle.isTrue, idle.run]).toEqual([false, null]);
  expect(idle.conditions.map(({ isTrue, foundText }) => [isTrue, foundText])).toEqual([
    [true, "0"],
    [false, null],
  ]);
  await controller.local.get(`/rest/programs/${id}/runThen`);
  await controller.clock.advance(5000);
  const { run } = await now();
  expect(run).toMatchObject({ clause: "then", position: 1 });
  const leftMs = Date.parse(run?.until ?? "") - controller.clock.now();
  expect(leftMs).toBeGreaterThan(170_000);
  expect(leftMs).toBeLessThanOrEqual(180_000);
  expect((await controller.portal.get("/api/programs/0FFF/now")).status).toBe(404);
});
