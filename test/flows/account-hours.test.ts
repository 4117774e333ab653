/** Hours of accounts: outside of them nothing works, whatever the credentials are, and open streams end. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { hoursText, isOpen } from "../../src/auth/hours.ts";
import { WEEKDAYS } from "../../src/home/program-syntax.ts";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/http/routes.ts";
import { startTestController, type TestController, type Tokens } from "../support/controller.ts";

const MINUTE = 60_000;
const PASSWORD = "a key under the mat";

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

/** Minutes of the home's day, now. */
function minuteNow(): number {
  const { home } = controller.services;
  const time = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: home.controller.timeZone, hour: "2-digit", minute: "2-digit", hour12: false },
  }).format(controller.clock.now());
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

const text = (minute: number) =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
/** Open now, for so many minutes. */
const openFor = (minutes: number) => [
  { days: [...WEEKDAYS], from: text(minuteNow()), to: text(minuteNow() + minutes) },
];
/** Opens in an hour. */
const closed = () => [{ days: [...WEEKDAYS], from: text(minuteNow() + 60), to: text(minuteNow() + 120) }];

async function add(kind: "portal" | "local", login: string, hours: unknown) {
  const answer = await controller.portal.post("/api/accounts", {
    kind,
    login,
    role: "user",
    password: PASSWORD,
    hours,
  });
  expect(answer.status).toBe(200);
  return answer.json<{ data: { id: string } }>().data.id;
}

const basic = (login: string) => ({ Authorization: `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString("base64")}` });
const asLocal = (login: string, path = "/rest/nodes") =>
  controller.local.request("GET", path, { headers: basic(login) });
const signIn = (username: string) =>
  controller.portal.request("POST", "/api/login", {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: PASSWORD }),
  });

describe("which minutes are open", () => {
  const NIGHT = [{ days: ["fri"], fromMinute: 22 * 60, toMinute: 6 * 60 }] as const;
  test.each<readonly [string, number, number, boolean]>([
    ["the first minute", 4, 22 * 60, true],
    ["the minute before", 4, 22 * 60 - 1, false],
    ["after midnight, on the next day", 5, 5 * 60 + 59, true],
    ["the end, which is no part of it", 5, 6 * 60, false],
    ["after midnight of the day itself", 4, 60, false],
  ])("%s", (_what, weekday, minute, open) => {
    expect(isOpen(NIGHT, weekday, minute)).toBe(open);
  });

  test("the text names days and times", () => {
    expect(hoursText(NIGHT)).toBe("fri 22:00–06:00");
  });
});

test("outside of its hours an account gets its sentence with each kind of credentials, and the hours open it again", async () => {
  await add("local", "cleaner", closed());
  await add("portal", "cleaner@example.org", closed());
  const refused = await asLocal("cleaner");
  expect(refused.status).toBe(403);
  const login = await signIn("cleaner@example.org");
  expect(login.json()).toMatchObject({
    code: "OUT_OF_HOURS",
    error: expect.stringMatching(/^Your account can be used daily/),
  });
  await controller.clock.advance(61 * MINUTE);
  await controller.login();
  expect((await asLocal("cleaner")).status).toBe(200);
  expect((await signIn("cleaner@example.org")).status).toBe(200);
});

test("a wrong password says nothing about hours", async () => {
  const answer = await controller.portal.request("POST", "/api/login", {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "cleaner@example.org", password: "not it at all" }),
  });
  expect(answer.status).toBe(401);
});

test("a token that was good a minute ago is refused, and its stream is closed in the minute in which the hours end", async () => {
  const id = await add("local", "child", openFor(10));
  expect((await asLocal("child")).status).toBe(200);
  const socket = new WebSocket(`${controller.local.url.replace("https", "wss")}/rest/subscribe`, {
    ...{ headers: basic("child"), rejectUnauthorized: false },
  });
  const ended = new Promise<number>((resolve) => socket.once("close", resolve));
  await new Promise((resolve, reject) => socket.once("message", resolve).once("error", reject));
  await controller.clock.advance(9 * MINUTE);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await controller.clock.advance(MINUTE);
  expect(await ended).toBe(1008);
  expect((await asLocal("child")).status).toBe(403);
  await controller.portal.post(`/api/accounts/${id}`, { hours: null });
  expect((await asLocal("child")).status).toBe(200);
});

test("a guest link has hours too", async () => {
  const [lamp = ""] = [...controller.services.home.nodes.keys()];
  const body = { name: "Dog walker", limits: { nodes: [lamp] }, hours: openFor(5) };
  const { token } = (await controller.portal.post("/api/guests", body)).json<{ data: { token: string } }>().data;
  const visit = () => controller.portal.request("GET", "/api/nodes", { headers: { Authorization: `Bearer ${token}` } });
  expect((await visit()).status).toBe(200);
  await controller.clock.advance(6 * MINUTE);
  expect((await visit()).json()).toMatchObject({ code: "OUT_OF_HOURS" });
});

test("in the minute in which its hours end, every route refuses every credential of the account, and public ones stay open", async () => {
  const hours = openFor(10);
  await add("portal", "tenant@example.org", hours);
  await add("local", "tenant", hours);
  const [lamp = ""] = [...controller.services.home.nodes.keys()];
  const guest = { name: "Plumber", limits: { nodes: [lamp] }, hours };
  const { token } = (await controller.portal.post("/api/guests", guest)).json<{ data: { token: string } }>().data;
  const { accessToken } = (await signIn("tenant@example.org")).json<{ data: Tokens }>().data;
  const credentials = [
    ["portal", { Authorization: `Bearer ${accessToken}` }],
    ["portal", basic("tenant")],
    ["portal", { Authorization: `Bearer ${token}` }],
    ["local", basic("tenant")],
  ] as const;
  const outcomes = async (asked: readonly Route[]) => {
    const found = new Set<string>();
    for (const { method, path } of asked) {
      for (const [listener, headers] of credentials) {
        if (listener === "local" && /^\/(?:api|mcp)/.test(path)) continue;
        const target = path.replace(/:\w+/g, "x").replace("*", "x");
        const answer = await controller[listener].request(method, target, { headers });
        const isOut = answer.status === 403 && answer.text.includes("Your account can be used daily");
        found.add(isOut ? "refused" : `${answer.status} ${listener} ${method} ${path}`);
      }
    }
    return [...found];
  };
  const guarded = routes.filter(({ access }) => access !== "public");
  await controller.clock.advance(9 * MINUTE);
  expect(await outcomes(guarded.filter(({ method }) => method === "GET").slice(0, 20))).not.toContain("refused");
  await controller.clock.advance(MINUTE);
  expect(await outcomes(guarded)).toEqual(["refused"]);
  expect(guarded.length).toBeGreaterThan(250);
  expect((await controller.portal.request("GET", "/api/config", { headers: {} })).status).toBe(200);
});

test.each([
  ["an owner", { role: "owner", hours: [{ days: ["mon"], from: "08:00", to: "09:00" }] }, "An owner has no hours"],
  ["no span", { role: "user", hours: [] }, "1 to 14 spans"],
  ["a span without days", { role: "user", hours: [{ days: [], from: "08:00", to: "09:00" }] }, "names a day"],
  ["a time that is none", { role: "user", hours: [{ days: ["mon"], from: "24:00", to: "09:00" }] }, "from"],
])("hours of %s are refused", async (_what, given, sentence) => {
  const body = { kind: "local", login: "nobody", password: PASSWORD, ...given };
  const answer = await controller.portal.post("/api/accounts", body);
  expect(answer.status).toBe(400);
  expect(answer.json<{ error: string }>().error).toContain(sentence);
});
