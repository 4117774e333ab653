/** Faults of a radio network while somebody works on it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/config.ts";
import { switchPlan } from "../../src/drivers/zwave/simulated/device-kinds.ts";
import { RadioHouse } from "../support/radio-house.ts";

describe("faults of a radio network", () => {
  let house: RadioHouse;

  beforeAll(async () => {
    house = await RadioHouse.open([switchPlan({ name: "Lamp" })]);
    await house.knows("ZW002_1");
  }, 60_000);
  afterAll(() => house[Symbol.asyncDispose]());

  const ping = () => house.controller.portal.post("/api/radios/zwave/nodes/ZW002_1/ping");
  const turnOn = () => house.controller.portal.get("/rest/nodes/ZW002_1/cmd/DON");

  test("a device that has gone silent is found out by a ping, and so is its return", async () => {
    house.network.device("Lamp").condition = "silent";
    expect((await ping()).json()).toMatchObject({ data: { responding: false } });
    house.network.device("Lamp").condition = "awake";
    expect((await ping()).json()).toMatchObject({ data: { responding: true } });
  });

  test("a stick that refuses frame after frame fails commands, and what comes after them goes through", async () => {
    house.network.stick.refusedFrames = 3;
    const refused = await Promise.all([turnOn(), turnOn(), turnOn()]);
    expect(refused.map(({ status }) => status)).toContain(503);
    house.network.stick.refusedFrames = 0;
    expect((await turnOn()).status).toBe(200);
  });

  test.each(["include", "exclude"])(
    "a stick that refuses to %s says so at once, and lets devices in when it may",
    async (kind) => {
      house.network.stick.isSecondary = true;
      await house.order({ kind });
      expect((await house.reaches("failed")).detail).toContain("The stick refused");
      house.network.stick.isSecondary = false;
      await house.order({ kind });
      await house.reaches("waiting");
      await house.cancel();
      await house.reaches("cancelled");
    },
  );

  test.each(["include", "exclude"])(
    "nobody comes to %s within the wait: that is said, and the network is closed",
    async (kind) => {
      await house.order({ kind });
      await house.reaches("waiting");
      await house.controller.clock.advance(SETTINGS.zwaveInclusionWaitMs.fallback);
      expect((await house.reaches("failed")).detail).toBe("No device came.");
      const late = await house.network.newcomer(switchPlan({ name: "Late" }));
      await expect(house.network.press(late)).rejects.toThrow("does not wait");
    },
  );

  test("a command waits a jam out", async () => {
    house.network.stick.isJammed = true;
    const waiting = turnOn();
    await house.network.stick.hears(0x13);
    await house.network.stick.hears(0x13);
    house.network.stick.isJammed = false;
    expect((await waiting).status).toBe(200);
  });

  test("a stick that is pulled out in the middle ends the operation, and another begins when it is back", async () => {
    await house.order({ kind: "include" });
    await house.reaches("waiting");
    await house.unplug();
    const lost = await house.reaches("failed");
    expect(lost.detail).toBe("The stick was lost in the middle.");
    await house.replug();
    await house.tells("CE", "ZW002_1");
    expect((await house.order({ kind: "include" })).status).toBe(200);
    await house.reaches("waiting");
    const device = await house.network.newcomer(switchPlan({ name: "New lamp" }));
    await house.network.press(device);
    expect(await house.reaches("done")).toMatchObject({ address: "ZW003_1" });
  });
});
