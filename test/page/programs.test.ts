/** The list of programs, programs to begin with, and another device in all programs. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn, url } = usePages();

const owner = () => connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
const dialog = (page: Page) => page.getByRole("dialog");
const list = (page: Page) => page.getByRole("navigation", { name: "Programs" });

/** What is chosen for each program to begin with, and lines of the saved text. */
const STARTS = [
  [
    "Light when something moves",
    { Room: "Hall" },
    [],
    /Control any motion sensor in 'Hall'.*Set all lamps in 'Hall' \[11001\] On.*Wait 5 minutes.*Off/s,
  ],
  [
    "Everything off when nobody is home",
    { "Variable that": "Away" },
    ["Front Door Lock"],
    /variable 'Away'.* is 1.*Set all lamps Off.*Lock/s,
  ],
  ["Lamps from sunset on", {}, [], /From sunset to 23:00.*Set all lamps On.*Else.*Set all lamps Off/s],
  ["Alarm when water leaks", {}, [], /Status of any leak sensor is Wet/],
  ["Message when a door is left open", { "Door or window": "Front Door" }, [], /Status 'Front Door'.* for 10 minutes/s],
] as const;

describe("a program to begin with", () => {
  test.each(STARTS)(
    "%s asks for its devices by their role, and opens in the editor as a valid program",
    async (kind, chosen, checked, saved) => {
      await using visitor = await visitSignedIn("/programs", PHONE);
      const { page } = visitor;
      await page.getByRole("button", { name: "New program" }).click();
      await dialog(page).getByLabel("Name").fill(`Begun: ${kind}`);
      await dialog(page).getByLabel("Kind").selectOption({ label: kind });
      for (const [label, name] of Object.entries(chosen)) {
        const select = dialog(page).getByLabel(label);
        const value = await select
          .locator("option")
          .filter({ hasText: new RegExp(`(^|/ )${name}$`) })
          .getAttribute("value");
        await select.selectOption(value);
      }
      for (const name of checked)
        await dialog(page)
          .getByRole("checkbox", { name: new RegExp(`(^|/ )${name}$`) })
          .check();
      await page.evaluate(axe.source);
      expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
      await dialog(page).getByRole("button", { name: "Create" }).click();
      await page.getByRole("button", { name: "Blocks", exact: true }).waitFor();
      await page.getByRole("region", { name: "If", exact: true }).locator(".sentence").first().waitFor();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
      await using home = await owner();
      const program = home.programs.get(`Begun: ${kind}`);
      expect(await program.text()).toMatch(saved);
      // The page asks again for a program that it shows, also when it is gone.
      expect(visitor.problems).toEqual([]);
      await program.remove();
    },
    60_000,
  );
});

describe("the list", () => {
  test("shows that a program runs, and that it has ended", async () => {
    await using home = await owner();
    await home.programs.applyText("Program 'Short Run'\n\nThen\n    Wait 3 seconds\n    Wait 1 second\n");
    await using visitor = await visitSignedIn("/programs", DESK);
    const row = list(visitor.page).locator(".leaf").filter({ hasText: "Short Run" });
    await row.waitFor();
    await using later = await owner();
    await later.programs.get("Short Run").runThen();
    await row.getByText("running").waitFor();
    await row.getByText("running").waitFor({ state: "detached" });
    await later.programs.get("Short Run").remove();
  }, 60_000);

  test("has the last and the next run, programs that can run before disabled ones, and those that use a device", async () => {
    await using home = await owner();
    const first = home.programs.get("0008");
    await first.disable();
    await using visitor = await visitSignedIn("/programs", DESK);
    const { page } = visitor;
    await list(page).getByText(/next/).first().waitFor();
    const rows = list(page).locator(".leaf");
    await page.getByLabel("Uses").selectOption({ label: "Hall/Hall Ceiling" });
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    const states = await rows.locator(".hidden").allTextContents();
    expect(states.toSorted((one, other) => Number(one === "disabled") - Number(other === "disabled"))).toEqual(states);
    expect(states.at(-1)).toBe("disabled");
    expect(new URL(page.url()).searchParams.get("touches")).toBe("1A 2B 3C 1");
    await page.evaluate(axe.source);
    expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
    await first.enable();
  }, 60_000);

  test("another device takes the place of one in all programs, and Undo takes it back", async () => {
    await using home = await owner();
    const text = async () => (await Promise.all([...home.programs].map((program) => program.text()))).join("\n");
    await using visitor = await visitSignedIn("/programs", PHONE);
    const { page } = visitor;
    await page.getByRole("button", { name: "Replace a device" }).click();
    await dialog(page).getByLabel("Device in the programs").selectOption("1A 2B 3C 1");
    await dialog(page)
      .getByText(/^in \d+ programs$/)
      .waitFor();
    const by = dialog(page).getByLabel("Other device");
    const address = await by.locator("optgroup").first().locator("option").first().getAttribute("value");
    await by.selectOption(address ?? "");
    await dialog(page).getByRole("checkbox").check();
    await dialog(page).getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByText("Replaced in all programs").waitFor();
    expect(await text()).not.toContain("[1A 2B 3C 1]");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await text()).toContain("[1A 2B 3C 1]");
    await open(page, "/programs");
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

test("a program can be watched: each condition with its value now, the line that runs, and how long its wait takes", async () => {
  await using home = await owner();
  await using visitor = await visitSignedIn("/program/0008", DESK);
  const { page } = visitor;
  const condition = page.locator(".sentences > li").filter({ hasText: "Night Mode" });
  await condition.getByText("now 0").waitFor();
  expect(await condition.getAttribute("class")).toContain("yes");
  await home.variable("Night Mode").set(1);
  await condition.getByText("now 1").waitFor();
  expect(await condition.getAttribute("class")).toContain("no");
  await home.variable("Night Mode").set(0);
  await page.getByRole("button", { name: "Run now" }).click();
  const line = page.locator(".sentences > .under-way");
  await line.getByText("Wait 5 minutes").waitFor();
  const left = async () =>
    /(\d):(\d\d) left/
      .exec((await line.textContent()) ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  await expect.poll(async () => (await left())[0], { timeout: 10_000 }).toBe(4);
  const [, before = 0] = await left();
  await expect.poll(async () => (await left())[1], { timeout: 10_000 }).not.toBe(before);
  await page.getByRole("button", { name: "Stop" }).click();
  await line.waitFor({ state: "detached" });
  expect(visitor.problems).toEqual([]);
}, 60_000);
