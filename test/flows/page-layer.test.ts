/** A person's marks on the page follow the account, are limited, and are removed with it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const PATH = "/api/me/page";
const NOTHING = { favorites: [], order: [], hidden: [], used: [] };
const LAMP = "1A 2B 3C 1";

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const layer = async (headers: Readonly<Record<string, string>> = controller.bearer()) =>
  (await controller.portal.request("GET", PATH, { headers })).json<{ data: unknown }>().data;

const change = (body: object, headers: Readonly<Record<string, string>> = controller.bearer()) =>
  controller.portal.request("PATCH", PATH, {
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("is empty at first, takes one list at a time, and is there after a restart and with another password", async () => {
  expect(await layer()).toEqual(NOTHING);
  await change({ favorites: [LAMP] });
  expect((await change({ order: ["11001"] })).json()).toMatchObject({ data: { favorites: [LAMP], order: ["11001"] } });
  await controller.restart();
  await controller.login();
  expect(await layer()).toEqual({ ...NOTHING, favorites: [LAMP], order: ["11001"] });
  expect((await controller.portal.get("/api/accounts")).text).not.toContain("favorites");
});

test("a limited account has its own, and no account sees that of another", async () => {
  const { token } = (await controller.portal.post("/api/guests", { name: "Walker", limits: { nodes: [LAMP] } })).json<{
    data: { token: string };
  }>().data;
  const guest = { Authorization: `Bearer ${token}` };
  expect(await layer(guest)).toEqual(NOTHING);
  expect((await change({ hidden: ["11001"] }, guest)).status).toBe(200);
  expect(await layer(guest)).toEqual({ ...NOTHING, hidden: ["11001"] });
  expect(await layer()).toMatchObject({ hidden: [] });
});

test("longer lists, longer entries and other members are refused and change nothing", async () => {
  const before = await layer();
  const long = Array.from({ length: 301 }, (_one, index) => `${index}`);
  for (const body of [{ used: long }, { used: ["x".repeat(51)] }, { theme: "dark" }, { used: "19 x" }])
    expect((await change(body)).status).toBe(400);
  expect(await layer()).toEqual(before);
});
