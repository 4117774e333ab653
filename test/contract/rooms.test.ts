/** Clients that do not know programs by room and role load a home with one, as any other. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import { loadPyIsy } from "./legacy-readers/pyisy.ts";
import { loadPyx1 } from "./legacy-readers/pyx1.ts";
import { loadV5 } from "./legacy-readers/v5.ts";
import { ModernClient } from "./modern-client/client.ts";
import { loadAsVendorClient } from "./vendor-client/load.ts";

const NAME = "By room and role";
const TEXT = [
  `Program '${NAME}'`,
  "If",
  "Status of any lock in 'Hall' is Unlocked for 10 minutes",
  "And Number of lamps that are On > 2",
  "Or Status 'Hall Ceiling' ST > 0% for 5 minutes",
  "Then",
  "Set all lamps in 'Kitchen' On 40%",
].join("\n");

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  expect((await controller.portal.post("/api/programs/text", { text: TEXT })).status).toBe(200);
});
afterAll(() => controller[Symbol.asyncDispose]());

const get = async (path: string) => {
  const answer = await controller.local.get(path);
  return answer.status === 404 ? null : answer.text;
};
const count = () => controller.services.home.programs.size;

test("PyISY, ISY994v5 and pyisyox 1 find every program", async () => {
  expect((await loadPyIsy(get)).programs.size).toBe(count());
  expect((await loadV5(get)).programs).toBe(count());
  expect((await loadPyx1(get)).programs).toHaveLength(count());
});

test("the modern client finds it by its name", async () => {
  const { portal, clock } = controller;
  const client = new ModernClient({ url: portal.url, mode: "portal", credentials: OWNER, clock });
  await client.connect();
  expect([...client.home.programs.values()].map(({ name }) => name)).toContain(NAME);
  await client.stop();
});

test("the vendor's newest client passes over nothing, and finds it", async () => {
  await using client = await loadAsVendorClient(controller.portal.url);
  expect(client.home.problems).toEqual([]);
  expect(client.home.routines.map(({ name }) => name)).toContain(NAME);
});
