/** The Matter bridge in the page: its codes, as a QR code and in digits, and the way to add a device by its code. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { DESK, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages(async (data) => {
  const config = join(data, "settings.json");
  const settings = { matterBridge: true, matterController: true, matterInterface: "lo", matterPort: await freePort() };
  await writeFile(config, JSON.stringify(settings));
  return ["--config", config];
});

test("an owner sees the codes of the bridge, as a QR code and in digits", async () => {
  await using visitor = await visitSignedIn("/system/integrations/matterbridge", DESK);
  const { page } = visitor;
  await page.getByRole("img", { name: "QR code" }).waitFor({ timeout: 60_000 });
  expect(await page.getByLabel("Digits").inputValue()).toMatch(/^\d{11}$/);
  await page.evaluate(axe.source);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    expect({ viewport, faults: await seriousFaults(page) }).toEqual({ viewport, faults: [] });
    expect({ viewport, overflow: await overflow(page) }).toEqual({ viewport, overflow: 0 });
  }
  // While its library starts, the health of the controller is not good.
  expect(visitor.problems.filter((problem) => !problem.includes("503"))).toEqual([]);
}, 120_000);

test("a device is added by its code, and a code that is none is said to be none", async () => {
  await using visitor = await visitSignedIn("/system/integrations/matter", DESK);
  const { page } = visitor;
  await page.getByRole("button", { name: "Begin: Add a device" }).click({ timeout: 60_000 });
  await page.getByRole("dialog").getByLabel("Code").fill("12345");
  await page.getByRole("dialog").getByRole("button", { name: "Begin" }).click();
  await page.getByText("This is not the code of a Matter device.").waitFor();
}, 120_000);
