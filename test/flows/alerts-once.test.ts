/** Every home gets the integration of alerts once: a new one, and one that exists; never again after its owner removed it. */

import { expect, test } from "vitest";
import { startTestController } from "../support/controller.ts";

test("a home that exists gets it at its next start, and keeps it removed", async () => {
  await using controller = await startTestController({ alerts: false });
  const has = () => controller.services.home.integrations.has("alerts");
  const nodes = () => [...controller.services.home.nodes.values()].filter(({ role }) => role === "alert");
  expect([has(), nodes()]).toEqual([false, []]);
  await controller.restart({ alerts: true });
  await controller.login();
  expect([has(), nodes().map(({ name }) => name)]).toEqual([true, ["Jammed lock", "Water"]]);
  expect((await controller.portal.delete("/api/integrations/alerts?nodes=remove")).status).toBe(200);
  await controller.restart({ alerts: true });
  expect([has(), nodes()]).toEqual([false, []]);
});

test("one setting of it keeps sensors from raising alerts, and programs go on", async () => {
  await using controller = await startTestController({ alerts: true });
  await controller.login();
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const body = JSON.stringify({ settings: { sensors: false } });
  expect((await controller.portal.request("PATCH", "/api/integrations/alerts", { body, headers })).status).toBe(200);
  const { home } = controller.services;
  const [leak = ""] = [...home.nodes.values()].flatMap(({ address, name }) => (name === "Kitchen Leak" ? address : []));
  const alert = [...home.nodes.values()].find(({ name }) => name === "Water")?.address ?? "";
  const status = () => home.nodes.get(alert)?.properties.get("ST")?.value;
  await controller.portal.post(`/api/nodes/${encodeURIComponent(leak)}/act`, { control: "WET" });
  await controller.clock.advance(1000);
  expect(status()).toBe(0);
  expect((await controller.local.get(`/rest/nodes/${alert}/cmd/DON`)).status).toBe(200);
  expect(status()).toBe(1);
});
