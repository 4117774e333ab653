/** Actions at simulated devices. */

import { expect, test } from "vitest";
import { actAtNode, actionsAtNode } from "../../src/commands/act-at-node.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import { createServices, REQUEST, spec } from "./command-services.ts";

const LAMP = "ZW002_1";

async function lampServices(more: Partial<Driver>) {
  const services = await createServices({}, more);
  services.host.node(spec(LAMP, "DIMMER", { name: "Lamp" }));
  return services;
}

test("the driver acts with the value, and refuses what it has no action for", async () => {
  const acts: unknown[] = [];
  const services = await lampServices({
    simulation: { actions: () => ["DON", "CODE"], act: (...act) => acts.push(act) > 0 && act[1] !== "DON" },
  });
  expect(actionsAtNode(services, LAMP)).toEqual(["DON", "CODE"]);
  actAtNode(services, LAMP, "CODE", 3);
  const act = (control: string) => () => actAtNode(services, LAMP, control, null);
  expect(act("BEEP")).toThrow("Lamp has no action BEEP. Its actions are DON, CODE.");
  expect(acts).toEqual([[LAMP, "CODE", 3]]);
  expect(act("DON")).toThrow("Lamp does nothing on DON now. It may be unplugged; PLUG connects it again.");
  services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
  expect(act("CODE")).toThrow(expect.objectContaining({ code: "NODE_DISABLED" }));
});

test("a device without actions says so, and a real device has none", async () => {
  const idle = await lampServices({ simulation: { actions: () => [], act: () => true } });
  expect(() => actAtNode(idle, LAMP, "DON", null)).toThrow("Lamp has no action DON. It has no actions.");
  const real = await lampServices({});
  expect(() => actionsAtNode(real, LAMP)).toThrow(expect.objectContaining({ code: "NOT_SIMULATED" }));
});
