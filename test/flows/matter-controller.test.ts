/** The Matter controller of a whole service: the thread itself with its library, on the loopback interface, behind the API. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { passingUntil, passUntil } from "../support/passing-time.ts";

const OPERATION = "/api/radios/matter/operation";
const clock = new VirtualClock(START_MS);
let controller: TestController;

beforeAll(async () => {
  const settings = { demo: false, matterController: true, matterInterface: "lo" };
  controller = await passingUntil(clock, startTestController(settings, { clock }));
  await controller.login();
  await passUntil(clock, () => state() === "ready");
}, 60_000);

afterAll(() => controller[Symbol.asyncDispose]());

test("the setting makes the integration that the API makes too", async () => {
  const made = await passingUntil(clock, controller.portal.get("/api/integrations/matter"));
  expect(made.json<{ data: object }>().data).toMatchObject({ type: "matter", settings: { networkInterface: "lo" } });
  const radios = await passingUntil(clock, controller.portal.get("/api/radios"));
  expect(radios.json<{ data: object }>().data).toMatchObject([{ name: "matter", protocol: "Matter", state: "ready" }]);
});

test("keys lie in a directory for the service's account alone", () => {
  expect(existsSync(join(controller.services.config.data, "matter", "controller"))).toBe(true);
});

test("a code that is none is refused with a code of its own", async () => {
  const reply = await passingUntil(clock, begin("3497011233X"));
  expect([reply.status, reply.json<{ code: string }>().code]).toEqual([400, "PAIRING_CODE_INVALID"]);
  expect(reply.text).toContain("its 11 or 21 digits");
});

test("a device is looked for in the network until the operation is canceled", async () => {
  const begun = await passingUntil(clock, begin("3497-011-2332"));
  expect(begun.json<{ data: object }>().data).toMatchObject({ kind: "include", question: null });
  const second = await passingUntil(clock, begin("34970112332"));
  expect(second.json<{ code: string }>().code).toBe("RADIO_BUSY");
  await passingUntil(clock, controller.portal.delete(OPERATION));
  await passUntil(clock, () => operation()?.stage === "cancelled");
});

test("when it is stopped, its commands are not ready, and it starts again", async () => {
  const cause = { kind: "system", id: "x", by: null } as const;
  await passingUntil(clock, controller.services.integrations.stop("matter", cause));
  const reply = await passingUntil(clock, begin("34970112332"));
  expect(reply.json<{ code: string }>().code).toBe("DRIVER_UNAVAILABLE");
  await passingUntil(clock, controller.services.integrations.start("matter", cause));
  await passUntil(clock, () => state() === "ready");
});

function begin(code: string) {
  return controller.portal.post(OPERATION, { kind: "include", input: { code } });
}

function state() {
  return controller.services.drivers.find("matter")?.state;
}

function operation() {
  return controller.services.drivers.find("matter")?.driver?.commissioning?.operation();
}
