/** Configuration parameters on the page of a node: chosen by name, read from the device, written. */

import axe from "axe-core";
import { expect, test } from "vitest";
import { overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

test("a parameter is chosen by its name, shows what the device has, and is written with its unit", async () => {
  await using visitor = await visitSignedIn("/node/ZW002_1", PHONE);
  const { page } = visitor;
  await page.getByText("Configuration parameter").click();
  const known = page.locator("form").filter({ hasText: "Report interval" });
  const names = known.locator("select");
  await names.selectOption({ label: "13 – Report interval" });
  const value = known.getByLabel("Value (s)");
  await expect.poll(() => value.inputValue(), { timeout: 10_000 }).toBe("86400");
  await value.fill("3600");
  await known.getByRole("button", { name: "Write" }).click();
  await expect.poll(() => known.getByRole("button", { name: "Write" }).isEnabled()).toBe(true);
  await names.selectOption({ label: "1 – Indicator light" });
  await expect.poll(() => known.getByLabel("Value").inputValue()).toBe("0");
  await names.selectOption({ label: "13 – Report interval" });
  await expect.poll(() => value.inputValue()).toBe("3600");
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a device without parameters says so", async () => {
  await using visitor = await visitSignedIn("/node/1A%202B%203C%201", PHONE);
  await visitor.page.getByText("Configuration parameter").click();
  await visitor.page.getByText("No parameters of this device are known.").waitFor();
}, 60_000);
