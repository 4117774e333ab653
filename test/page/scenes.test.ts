/** Scenes as an owner makes them. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn, url } = usePages();

const owner = () => connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
const dialog = (page: Page) => page.getByRole("dialog");
const box = (page: Page, name: string) => dialog(page).getByRole("checkbox", { name: new RegExp(`(^|/ )${name}$`) });

test("several members are found by name, get levels with sliders, and are added as one edit", async () => {
  await using home = await owner();
  const { address } = await home.edits.createScene("Reading Corner");
  await using visitor = await visitSignedIn(`/scene/${address}`, PHONE);
  const { page } = visitor;
  await page.getByRole("button", { name: "Add members" }).click();
  await dialog(page).getByRole("searchbox").fill("hall");
  expect(
    await dialog(page)
      .getByRole("checkbox", { name: /Kitchen/ })
      .count(),
  ).toBe(0);
  await box(page, "Hall Ceiling").check();
  await dialog(page).getByRole("slider").fill("35");
  await dialog(page).getByRole("searchbox").fill("counter");
  await box(page, "Kitchen Counter").check();
  await dialog(page).getByRole("searchbox").fill("");
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await dialog(page).getByRole("button", { name: "Add 2" }).click();
  const row = (name: string) =>
    page.locator(".rows > li").filter({ has: page.getByRole("link", { name, exact: true }) });
  await row("Hall Ceiling").getByText("goes to 35 %").waitFor();
  await row("Kitchen Counter").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row("Kitchen Counter").waitFor({ state: "detached" });
  expect(await row("Hall Ceiling").count()).toBe(0);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a room is taken as it is now", async () => {
  await using home = await owner();
  const { address } = await home.edits.createScene("As It Is");
  await home.node("Hall Ceiling").send("DON", 40);
  await expect.poll(() => home.node("Hall Ceiling").value("ST"), { timeout: 10_000 }).toBe(40);
  await using visitor = await visitSignedIn(`/scene/${address}`, PHONE);
  const { page } = visitor;
  await page.getByRole("button", { name: "Add members" }).click();
  await dialog(page).getByRole("combobox", { name: "Room" }).selectOption({ label: "Hall" });
  await dialog(page).getByRole("button", { name: "Take the room as it is now" }).click();
  expect(await box(page, "Hall Ceiling").isChecked()).toBe(true);
  expect(
    await dialog(page)
      .getByRole("slider", { name: /Hall Ceiling/ })
      .inputValue(),
  ).toBe("40");
  await dialog(page)
    .getByRole("button", { name: /^Add \d+$/ })
    .click();
  await page.getByText("goes to 40 %").waitFor();
  await home.node("Hall Ceiling").send("DOF");
  expect(visitor.problems).toEqual([]);
}, 60_000);
