/** "Is all well?" at first sight: words for what is as it should be, an act for what is not, and an alarm above everything. */

import { connect } from "@domovoi/client";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { PHONE, usePages } from "./visits.ts";

const pages = usePages();

test("all lamps go off in two presses, and what is well is said", async () => {
  await using visitor = await pages.visitSignedIn("/", PHONE);
  const { page } = visitor;
  const overview = page.getByRole("region", { name: "Overview" });
  await overview.getByText("All locked.").waitFor();
  await overview.getByRole("button", { name: /lights? on/ }).click();
  await overview.getByRole("button", { name: "All off" }).click();
  await overview.getByText("No lights on.").waitFor();
  expect(await overview.getByRole("button", { name: /lights? on/ }).count()).toBe(0);
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
  await alarm.getByText("Kitchen Leak: Wet").waitFor();
  expect(await alarm.textContent()).toMatch(/Kitchen · Close the water valve/);
  await home.node("Kitchen Leak").act("DRY");
  await alarm.waitFor({ state: "detached" });
}, 60_000);
