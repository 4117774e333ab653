import { expect, test } from "vitest";
import { takeNodes } from "../../src/commands/move-in.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { createServices, memoryStore, REQUEST, scriptedDriver, settle, spec } from "./command-services.ts";

test("devices that an integration takes over are queried for their state, but not the disabled ones", async () => {
  const services = await createServices({}, { mirror: () => {} });
  const radio = scriptedDriver("radio");
  const host = new HomeHost(services, radio.name, memoryStore());
  services.drivers.add(radio, host);
  await services.drivers.start();
  for (const address of ["ZW002_1", "ZW003_1"]) {
    services.host.node(spec(address));
    host.node(spec(address));
  }
  services.feed.commit({ type: "node-enabled", address: "ZW003_1", enabled: false }, REQUEST);
  const { addresses } = await takeNodes(services, radio.name, { mapping: null, isForced: false }, REQUEST);
  await settle();
  expect([addresses, radio.queried, services.driver.queried]).toEqual([["ZW002_1", "ZW003_1"], ["ZW002_1"], []]);
});
