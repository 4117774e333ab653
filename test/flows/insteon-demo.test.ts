/** The simulated Insteon network of the demo, in a whole service. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const [LAMP, BUTTON, MOTION] = ["2D 40 11 1", "2D 40 12 3", "2D 40 17 1"] as const;
const clock = new VirtualClock(START_MS);
let controller: TestController;

beforeAll(async () => {
  const settings = { demo: false, demoInsteon: true, still: true };
  controller = await passingUntil(clock, startTestController(settings, { clock }));
  await controller.login();
  await passUntil(clock, () => node("2D 40 1B 1")?.properties.get("ST") !== undefined);
  await pass(clock, 60_000);
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
});

test("has devices that answer commands", async () => {
  const answer = await passingUntil(clock, controller.local.get("/rest/nodes/2D%2040%2011%201/cmd/DON/128"));
  expect([answer.status, node(LAMP)?.properties.get("ST")?.value]).toEqual([200, 128]);
});

test("has devices at which a person can act, and a button moves its lamp", async () => {
  const act = (address: string, action: string) => driver()?.simulation?.act(address, action, null);
  expect(driver()?.simulation?.actions(MOTION)).toEqual(["DON", "DOF"]);
  expect([act(MOTION, "DON"), act(BUTTON, "DOF"), act(BUTTON, "SING"), act("9 9 9 1", "DON")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  await passUntil(clock, () => value(MOTION) === 255 && value(LAMP) === 0);
});

test("has a new device whose SET button is pressed when one is linked, and whose button is pressed to remove it", async () => {
  await operate("include");
  expect(driver()?.commissioning?.operation()).toMatchObject({ stage: "done", address: "2D 40 21 1" });
  await operate("exclude");
  expect(driver()?.commissioning?.operation()?.stage).toBe("done");
  expect(node("2D 40 21 1")).toBeUndefined();
});

test("and a modem exclude each other", async () => {
  const both = startTestController({ demo: false, demoInsteon: true, insteonPort: "/dev/ttyUSB0" });
  await expect(both).rejects.toThrow("demoInsteon and insteonPort exclude each other");
});

async function operate(kind: string): Promise<void> {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const body = JSON.stringify({ kind, input: {} });
  const path = "/api/integrations/insteon/operation";
  const answer = await passingUntil(clock, controller.portal.request("POST", path, { headers, body }));
  expect(answer.status).toBe(200);
  await passUntil(clock, () => ["done", "failed"].includes(driver()?.commissioning?.operation()?.stage ?? ""));
}

function driver() {
  return controller.services.drivers.find("insteon")?.driver;
}

function node(address: string) {
  return controller.services.home.nodes.get(address);
}

function value(address: string): number | null | undefined {
  return node(address)?.properties.get("ST")?.value;
}
