/** "Is all well?" at first sight: words for what is as it should be, an act for what is not, and an alarm above everything. */

import { connect } from "@domovoi/client";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { open, PHONE, usePages } from "./visits.ts";

const pages = usePages();

test("all lamps go off in two presses, and what is well is said", async () => {
  await using visitor = await pages.visitSignedIn("/", PHONE);
  const { page } = visitor;
  const overview = page.getByRole("region", { name: "Overview" });
  await overview.getByText("All locked.").waitFor();
  await overview.getByRole("button", { name: /\d lights? on/ }).click();
  await overview.getByRole("button", { name: "All off" }).click();
  await overview.getByText("No lights on.").waitFor();
  expect(await overview.getByRole("button", { name: /\d lights? on/ }).count()).toBe(0);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a leak stands above everything with its room and what to do, until it is over", async () => {
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  await using visitor = await pages.visitSignedIn("/", PHONE);
  const { page } = visitor;
  await home.node("Kitchen Leak").act("WET");
  const alarm = page.getByRole("alert");
  await alarm.getByText("Water: Kitchen Leak: Wet").waitFor();
  expect(await alarm.textContent()).toMatch(/Close the water valve, and look for the leak\. · \d+:\d\d [AP]M/);
  expect(await alarm.count()).toBe(1);
  // Also on other screens, until it is over.
  const mark = page.locator("nav.places").getByRole("link", { name: "Home Alarm" });
  await open(page, "/search");
  await mark.waitFor();
  await home.node("Kitchen Leak").act("DRY");
  await mark.waitFor({ state: "detached" });
  await open(page, "/");
  await alarm.waitFor({ state: "detached" });
}, 60_000);

test("a room's lights go off with its one button, and a tile acts, names its device without the room, and opens its sheet when held", async () => {
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  await home.node("Desk Lamp").send("DON");
  await using visitor = await pages.visitSignedIn("/", PHONE, { hasTouch: true });
  const { page } = visitor;
  const off = page.getByRole("button", { name: "Living Room: lights off" });
  await off.tap();
  await off.waitFor({ state: "detached" });
  expect(home.node("Desk Lamp").value("ST")).toBe(0);
  const ceiling = page.getByRole("switch", { name: "Living Room Ceiling" });
  const tile = page.getByRole("listitem").filter({ has: ceiling });
  expect(await tile.textContent()).toMatch(/^Ceiling/);
  await ceiling.tap();
  await page.getByRole("switch", { name: "Living Room Ceiling", checked: true }).waitFor();
  await ceiling.dispatchEvent("pointerdown", { button: 0, buttons: 1, clientX: 5, clientY: 5 });
  await page.getByRole("dialog", { name: "Living Room Ceiling" }).waitFor();
  await page.keyboard.press("Escape");
  await home.node("Living Room Ceiling").send("DOF");
  expect(visitor.problems).toEqual([]);
}, 60_000);
