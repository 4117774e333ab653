/** Persons in the page: adding one, the phone's address as a QR code, a press, in both languages. */

import axe from "axe-core";
import { expect, test } from "vitest";
import { DESK, open, overflow, PHONE, request, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

test("an owner adds a person, makes the phone's address, and presses Home", async () => {
  await using visitor = await visitSignedIn("/", DESK);
  const { page } = visitor;
  await request(page, "PATCH", "/api/place", { latitude: 53.1, longitude: 10.2 });
  await request(page, "POST", "/api/integrations", { type: "presence" });
  await open(page, "/system/integrations/presence");
  await page.getByText("Nobody yet.").waitFor();
  await page.getByRole("button", { name: "Begin: Add a person" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: /^Name/ }).fill("Ada");
  await page.getByRole("dialog").getByRole("button", { name: "Begin" }).click();
  await page.getByRole("link", { name: "Ada" }).waitFor();
  await page.getByRole("button", { name: "Address for the phone of Ada" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make a new address" }).click();
  await dialog.getByRole("img", { name: "QR code" }).waitFor();
  const address = await dialog.getByLabel("Address").inputValue();
  expect(new URL(address).origin).toBe(new URL(page.url()).origin);
  await page.evaluate(axe.source);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    expect({ viewport, faults: await seriousFaults(page) }).toEqual({ viewport, faults: [] });
    expect({ viewport, overflow: await overflow(page) }).toEqual({ viewport, overflow: 0 });
  }
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Ada" }).click();
  await page.getByRole("button", { name: "Home", exact: true }).click();
  await page.getByRole("main").getByText("Home", { exact: true }).first().waitFor();
  const tst = Math.floor(Date.now() / 1000);
  const fix = { _type: "location", lat: 53.1, lon: 10.2, acc: 5, tst };
  await request(page, "POST", new URL(address).pathname, fix);
  await open(page, "/system/integrations/presence");
  await page.getByText("Its fix is within the home.").waitFor();
  expect(visitor.problems).toEqual([]);
}, 120_000);
