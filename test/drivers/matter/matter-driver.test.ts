/** The Matter driver keeps the contract of drivers, over the library's own messages on a simulated network. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import type { Driver } from "../../../src/drivers/driver.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { MANUAL_CODE, type SimulatedMatter, simulateMatter } from "../../support/matter-home.ts";
import { describeDriver } from "../conformance.ts";
import { memoryStore } from "../recording-host.ts";

const { DimmableLightDevice } = await import("@matter/main/devices/dimmable-light");

// The library has the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let storage: string;
let home: SimulatedMatter;
let commissioned: ServiceStore;
const drivers: Driver[] = [];
/** The lamp answers nothing until it resolves. */
let deafness = Promise.withResolvers<void>();

const Deafening = DimmableLightDevice.requirements.OnOffServer.with("Lighting");

class LampSwitch extends Deafening {
  override async on() {
    await answer();
    await super.on();
  }

  override async off() {
    await answer();
    await super.off();
  }
}

async function answer() {
  await deafness.promise;
}

beforeAll(async () => {
  deafness.resolve();
  storage = await mkdtemp(join(tmpdir(), "matter-"));
  home = await simulateMatter(storage);
  const device = await home.device({ name: "Lamp" });
  await device.add(DimmableLightDevice.with(LampSwitch), { id: "lamp", levelControl: { currentLevel: 254 } });
  await device.start();
  commissioned = memoryStore();
  const { driver, host } = home.driver(commissioned);
  await driver.start(host, new AbortController().signal);
  driver.commissioning.begin("include", { code: MANUAL_CODE });
  await until(() => {
    if (host.operations.at(-1)?.stage === "asking") driver.commissioning.answer({ kind: "confirm" });
    return host.operations.at(-1)?.stage === "done";
  });
  await driver.stop();
});

afterAll(async () => {
  for (const driver of drivers) await driver.stop();
  await rm(storage, { recursive: true });
});

describeDriver("matter", async (store) => {
  // Those of the tests before have the same controller.
  for (const driver of drivers.splice(0)) await driver.stop();
  deafness.resolve();
  if (store.keys().length === 0) for (const key of commissioned.keys()) store.set(key, commissioned.get(key));
  const { driver, host, clock } = home.driver(store);
  drivers.push(driver);
  return {
    driver,
    host,
    async advance(spanMs) {
      await home.linked();
      await clock.advance(spanMs);
      // The library has a clock of its own; it gathers reports for 50 ms.
      await new Promise((resolve) => setTimeout(resolve, spanMs >= 1000 ? 150 : 5));
      if (spanMs >= 1000) await home.rest();
    },
    lamp: "ZM00001_001_1",
    deafen: () => {
      deafness = Promise.withResolvers();
    },
    press: null,
    parameters: null,
    lock: null,
  };
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
