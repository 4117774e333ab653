/** Faults of a radio network during operations. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { SETTINGS } from "../../src/config.ts";
import { RadioServices } from "../support/radio-services.ts";

describe("faults of a radio network", () => {
  let services: RadioServices;

  beforeAll(async () => {
    services = await RadioServices.open([switchPlan({ name: "Lamp" })]);
    await services.knows("ZW002_1");
  }, 60_000);
  afterAll(() => services[Symbol.asyncDispose]());

  const ping = () => services.controller.portal.post("/api/radios/zwave/nodes/ZW002_1/ping");
  const turnOn = () => services.controller.portal.get("/rest/nodes/ZW002_1/cmd/DON");

  test("a device that has gone silent is found out by a ping, and so is its return", async () => {
    services.network.device("Lamp").condition = "silent";
    expect((await ping()).json()).toMatchObject({ data: { responding: false } });
    services.network.device("Lamp").condition = "awake";
    expect((await ping()).json()).toMatchObject({ data: { responding: true } });
  });

  test("an adapter that refuses frame after frame fails commands, and what comes after them goes through", async () => {
    services.network.adapter.refusedFrames = 3;
    const refused = await Promise.all([turnOn(), turnOn(), turnOn()]);
    expect(refused.map(({ status }) => status)).toContain(503);
    services.network.adapter.refusedFrames = 0;
    expect((await turnOn()).status).toBe(200);
  });

  test.each(["include", "exclude"])(
    "an adapter that refuses to %s fails at once, and includes devices when it can",
    async (kind) => {
      services.network.adapter.isSecondary = true;
      await services.order({ kind });
      expect((await services.reaches("failed")).detail).toContain("The adapter refused");
      services.network.adapter.isSecondary = false;
      await services.order({ kind });
      await services.reaches("waiting");
      await services.cancel();
      await services.reaches("cancelled");
    },
  );

  test.each(["include", "exclude"])(
    "without a device to %s the operation ends with that reason, and the network is closed",
    async (kind) => {
      await services.order({ kind });
      await services.reaches("waiting");
      await services.controller.clock.advance(SETTINGS.zwaveInclusionWaitMs.fallback);
      expect((await services.reaches("failed")).detail).toBe("No device was found in time.");
      const late = await services.network.newcomer(switchPlan({ name: "Late" }));
      await expect(services.network.press(late)).rejects.toThrow("does not wait");
    },
  );

  test("a command waits a jam out", async () => {
    services.network.adapter.isJammed = true;
    const waiting = turnOn();
    await services.network.adapter.hears(0x13);
    await services.network.adapter.hears(0x13);
    services.network.adapter.isJammed = false;
    expect((await waiting).status).toBe(200);
  });

  test("an adapter that is pulled out in the middle ends the operation, and another begins when it is back", async () => {
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    await services.unplug();
    const lost = await services.reaches("failed");
    expect(lost.detail).toBe("The adapter was lost during the operation.");
    await services.replug();
    await services.tells("CE", "ZW002_1");
    expect((await services.order({ kind: "include" })).status).toBe(200);
    await services.reaches("waiting");
    const device = await services.network.newcomer(switchPlan({ name: "New lamp" }));
    await services.network.press(device);
    expect(await services.reaches("done")).toMatchObject({ address: "ZW003_1" });
  });
});
