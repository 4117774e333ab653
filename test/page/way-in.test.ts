/** The way in from a connected system on the page: a plan line by line, and a button that carries it out. */

import axe from "axe-core";
import { expect, test } from "vitest";
import { overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

test("what a connected system has to move in from is shown line by line, and taken over at once", async () => {
  await using visitor = await visitSignedIn("/system/move-in", PHONE, {});
  const { page } = visitor;
  const line = { at: "triggers[0]", text: "mqtt topic: bell", fate: "out", becomes: [], notes: [] };
  const automation = {
    ...{
      id: "automation.bell",
      name: "Doorbell",
      kind: "automation",
      isOn: true,
      state: "new",
      verdict: "differences",
    },
    ...{ programs: [{ id: "0040", name: "Doorbell", part: "starts" }], lines: [line] },
  };
  const plan = {
    ...{ integration: "homeassistant", system: "Home Assistant", digest: "d1", problems: [], nodes: [], scenes: [] },
    ...{
      folders: [{ address: "1", path: ["Upstairs"], state: "new" }],
      automations: [automation],
      switchOff: ["automation.bell"],
    },
  };
  const taken: unknown[] = [];
  await page.route("**/api/move-in/from", (route) =>
    route.fulfill({
      json: { successful: true, data: [{ id: "homeassistant", name: "HA", system: "Home Assistant" }] },
    }),
  );
  await page.route("**/api/move-in/from/homeassistant", (route) => {
    if (route.request().method() === "POST") taken.push(route.request().postDataJSON());
    const data = route.request().method() === "POST" ? { edit: 7, plan } : plan;
    return route.fulfill({ json: { successful: true, data, findings: [] } });
  });
  await page.reload();
  await page.getByRole("button", { name: "Show what comes over" }).click();
  await page.getByText("translated, with differences").waitFor();
  await page.getByText("Line by line").click();
  await page.getByText("triggers[0] mqtt topic: bell").waitFor();
  await page.getByText("switch off in Home Assistant: automation.bell").waitFor();
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "Take it over" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take it over" }).click();
  await expect.poll(() => taken).toEqual([{ digest: "d1" }]);
}, 60_000);
