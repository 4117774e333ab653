import { expect, test } from "vitest";
import { radioNetworkOf } from "../../src/commands/radio/radio-network.ts";
import { codeOf, createServices } from "./command-services.ts";

test.each(["nowhere", "scripted"])("%s is no radio network", async (name) => {
  const services = await createServices();
  expect(await codeOf((async () => radioNetworkOf(services, name))())).toBe("RADIO_NOT_FOUND");
});
