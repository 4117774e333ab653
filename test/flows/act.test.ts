/**
 * Actions of a person at a simulated device, over the API: the device reports, programs follow, real devices refuse.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const [MOTION, DARK, CEILING] = ["2D 7F E1 1", "2D 7F E1 2", "1A 2B 3C 1"] as const;

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

const pathOf = (address: string) => `/api/nodes/${encodeURIComponent(address)}/act`;
const act = (address: string, body: object) => controller.portal.post(pathOf(address), body);
const level = (address: string) => controller.services.home.nodes.get(address)?.properties.get("ST")?.value;

describe("acting at a simulated device", () => {
  test("motion in the dark turns on the lamp of the program that waits for it", async () => {
    expect(level(CEILING)).toBe(0);
    for (const address of [DARK, MOTION]) expect((await act(address, { control: "DON" })).status).toBe(200);
    await controller.clock.advance(10);
    expect(level(MOTION)).toBe(255);
    expect(level(CEILING)).toBeGreaterThan(0);
  });

  test("the paddle of a dimmer reports its press, and the dimmer its level", async () => {
    const stream = await controller.subscribe("api");
    expect((await act("1A 2F 91 1", { control: "DFON" })).status).toBe(200);
    await stream.next(({ control, node }) => control === "DFON" && node === "1A 2F 91 1");
    await stream.next(({ control, node, action }) => control === "ST" && node === "1A 2F 91 1" && action === "255");
    await stream.close();
  });

  test("says what can be done at a device", async () => {
    const answer = await controller.portal.get(pathOf(MOTION));
    expect(answer.json()).toEqual({ successful: true, data: { actions: ["DON", "DOF", "UNPLUG", "PLUG"] } });
  });
});

describe("acting is refused", () => {
  test.each([
    [
      "for an action that the node does not have",
      MOTION,
      { control: "OPEN" },
      404,
      "COMMAND_NOT_ACCEPTED",
      /Its actions are DON, DOF, UNPLUG, PLUG\./,
    ],
    ["an unknown node", "ZW999_1", { control: "DON" }, 404, "NODE_NOT_FOUND", /./],
    ["a body without an action", MOTION, {}, 400, "BAD_BODY", /./],
  ])("for %s", async (_what, address, body, status, code, sentence) => {
    const answer = await act(address, body);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([status, code]);
    expect(answer.json<{ error: string }>().error).toMatch(sentence);
  });

  test("at a device without power, with the way to connect it again", async () => {
    await act(MOTION, { control: "UNPLUG" });
    const answer = await act(MOTION, { control: "DON" });
    expect(answer.json()).toMatchObject({
      code: "DEVICE_UNREACHABLE",
      error: expect.stringMatching(/PLUG connects it again/),
    });
    expect((await act(MOTION, { control: "PLUG" })).status).toBe(200);
  });

  test("at the node of a real device", async () => {
    // A driver of real devices has no such capability.
    const driver = controller.services.drivers.of("virtual");
    const { simulation } = driver;
    Object.defineProperty(driver, "simulation", { value: undefined, configurable: true });
    const answer = await act(MOTION, { control: "DON" });
    Object.defineProperty(driver, "simulation", { value: simulation });
    expect(answer.json()).toMatchObject({
      code: "NOT_SIMULATED",
      error: expect.stringMatching(/Hall Motion is a real device/),
    });
  });
});
