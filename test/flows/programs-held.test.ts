/** "For 10 minutes" in the whole service: over a restart in both stores, in a backup, and why it ran. */

import { afterEach, describe, expect, test } from "vitest";
import { ENGINES, stopPostgres } from "../store/engines.ts";
import { startTestController, type TestController } from "../support/controller.ts";

const MINUTE = 60_000;
const [FRONT_DOOR, PORCH] = ["2C 10 5 1", "1A 60 A 1"] as const;
const open: TestController[] = [];

stopPostgres();
afterEach(async () => {
  for (const controller of open.splice(0)) await controller[Symbol.asyncDispose]();
});

async function start(settings: object): Promise<TestController> {
  const controller = await startTestController(settings);
  open.push(controller);
  await controller.login();
  const { home, feed } = controller.services;
  const { properties: _p, link: _l, version: _v, ...door } = home.nodes.get(FRONT_DOOR) ?? never();
  feed.commit({ type: "node-revised", node: { ...door, use: "door" } }, { kind: "request", id: "test", by: "owner" });
  const text =
    "Program 'Porch'\nIf\nStatus of any door in 'Hall' is Open for 10 minutes\nThen\nSet all lamps in 'Garden & Garage' On";
  expect((await controller.portal.post("/api/programs/text", { text })).status).toBe(200);
  return controller;
}

function never(): never {
  throw new Error("The demo home has a front door.");
}

/** The contact's device opens or closes. */
function door({ services }: TestController, isOpen: boolean): void {
  services.drivers.of("virtual").simulation?.act(FRONT_DOOR, isOpen ? "DON" : "DOF", null);
}

const porch = ({ services }: TestController) => services.home.nodes.get(PORCH)?.properties.get("ST")?.value ?? 0;
const runs = ({ services }: TestController) =>
  [...services.home.programs.values()].find(({ name }) => name === "Porch")?.lastRunAtMs ?? null;

describe.each(ENGINES)("a time that is under way, in $name", ({ settings }) => {
  test("goes on over a restart, and starts the program once", async () => {
    const controller = await start(await settings());
    door(controller, true);
    await controller.clock.advance(4 * MINUTE);
    expect(controller.services.home.programHolds.size).toBe(1);
    await controller.restart();
    expect(controller.services.home.programHolds.size).toBe(1);
    await controller.clock.advance(5 * MINUTE);
    expect(porch(controller)).toBe(0);
    await controller.clock.advance(2 * MINUTE);
    expect(porch(controller)).toBeGreaterThan(0);
    const ranAtMs = runs(controller);
    await controller.restart();
    await controller.clock.advance(20 * MINUTE);
    expect(runs(controller)).toBe(ranAtMs);
  });

  test("that comes while the controller is down starts the program with the controller", async () => {
    const controller = await start(await settings());
    door(controller, true);
    await controller.clock.advance(4 * MINUTE);
    await controller.stop();
    await controller.clock.advance(30 * MINUTE);
    await controller.restart();
    await controller.clock.advance(10);
    expect(porch(controller)).toBeGreaterThan(0);
  });
});

test("why it ran names the device, the time, and how many were so", async () => {
  const controller = await start({});
  door(controller, true);
  await controller.clock.advance(11 * MINUTE);
  const program = [...controller.services.home.programs.values()].find(({ name }) => name === "Porch")?.id ?? 0;
  const id = program.toString(16).toUpperCase().padStart(4, "0");
  const answer = await controller.portal.get(`/api/why/program/${id}`);
  const { data } = answer.json<{ data: { sentences: string[]; conditions: { found: string | null }[] } }>();
  expect(data.sentences[0]).toMatch(/^Program "Porch" ran at .*, because "Front Door" was .* for 0:10:00, since .*\.$/);
  expect(data.conditions.map(({ found }) => found)).toEqual(["1 / 1 (Front Door)"]);
});
