/** One account that asks much about the past leaves places for the others, and gets all of its answers. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

/** More than all accounts together may have under way. */
const QUESTIONS = 40;
const STEP_MS = 1000;
const GUEST = { username: "guest@example.org", password: "only for the weekend" } as const;

let controller: TestController;
let guest: Readonly<Record<string, string>>;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  const account = { kind: "portal", login: GUEST.username, password: GUEST.password, role: "guest" };
  await controller.portal.post("/api/accounts", account);
  const headers = { "Content-Type": "application/json" };
  const login = await controller.portal.request("POST", "/api/login", { headers, body: JSON.stringify(GUEST) });
  guest = { Authorization: `Bearer ${login.json<{ data: { accessToken: string } }>().data.accessToken}` };
  await controller.clock.advance(QUESTIONS * STEP_MS);
});

afterAll(() => controller[Symbol.asyncDispose]());

test.each<readonly [what: string, path: (time: string) => string]>([
  ["charts", (time) => `/api/history/1A%202B%203C%201/ST?to=${time}`],
  ["single values", (time) => `/rest/history/node/properties/get?node=1A%202B%203C%201&property=ST&end=${time}`],
  ["moments of the past", (time) => `/api/past?at=${time}`],
  ["homes of the past", (time) => `/api/nodes?at=${time}`],
])("%s", async (_what, path) => {
  const nowMs = controller.clock.now();
  const at = (stepsAgo: number) => path(new Date(nowMs - stepsAgo * STEP_MS).toISOString());
  const ask = (stepsAgo: number) => controller.portal.request("GET", at(stepsAgo), { headers: guest });
  const asked = Array.from({ length: QUESTIONS }, (_, index) => ask(index));
  expect((await controller.portal.get(at(0))).status).toBe(200);
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
