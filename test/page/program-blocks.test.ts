/** Programs that are built and changed as blocks, beside their text. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, overflow, seriousFaults, usePages } from "./visits.ts";

const PHONE = { width: 390, height: 844 };
const MOTION_PROGRAM = [
  "If",
  "Control 'Hall Motion' [2D 7F E1 1] is switched 'On' [DON]",
  "And From sunset to sunrise (next day)",
  "Then",
  "Set 'Hall Ceiling' [1A 2B 3C 1] 'On' [DON] 60%",
  "Wait 5 minutes",
  "Set 'Hall Ceiling' [1A 2B 3C 1] 'Off' [DOF]",
  "Else",
];

const { visitSignedIn, url } = usePages();

const dialog = (page: Page) => page.getByRole("dialog");
const clause = (page: Page, name: "If" | "Then" | "Else") => page.getByRole("region", { name, exact: true });
/** The sentences of a clause, in order. */
const sentences = (page: Page, name: "If" | "Then" | "Else") =>
  clause(page, name).locator(".sentence").allTextContents();
const view = (page: Page, name: "Blocks" | "Text") => page.getByRole("button", { name, exact: true }).click();

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New program" }).press("Enter");
  await dialog(page).getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await dialog(page).getByRole("searchbox").waitFor();
  await closeChooser(page);
}

/** The lines of the text view from If on. */
async function textLines(page: Page): Promise<readonly string[]> {
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.waitFor();
  const lines = (await editor.locator(".cm-line").allTextContents()).map((line) => line.trim());
  return lines.slice(lines.indexOf("If")).filter((line) => line !== "");
}

/** The first condition and the first action of a new program are asked for by themselves. */
async function closeChooser(page: Page): Promise<void> {
  await page.waitForTimeout(200);
  if (await dialog(page).isVisible()) await dialog(page).getByRole("button", { name: "Cancel" }).click();
}

async function add(page: Page, to: "If" | "Then", query: string, choice: RegExp): Promise<void> {
  await closeChooser(page);
  await clause(page, to)
    .getByRole("button", { name: `${to}: Add` })
    .click();
  await dialog(page).getByRole("searchbox").fill(query);
  await dialog(page).getByRole("button", { name: choice }).first().click();
}

const done = (page: Page) => dialog(page).getByRole("button", { name: "Add", exact: true }).click();

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      "(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.firstChild?.textContent ?? textContent)(document.activeElement)",
    );
    if (name.test(String(focused).trim())) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

async function addByKeys(
  page: Page,
  button: RegExp,
  query: string,
  fields: readonly (readonly [RegExp, string])[] = [],
) {
  await closeChooser(page);
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("searchbox").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(query);
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Add", exact: true }).waitFor();
  for (const [label, text] of fields) {
    await tabTo(page, label);
    await page.keyboard.type(text);
  }
  await tabTo(page, /^Add$/);
  await page.keyboard.press("Enter");
  await closeChooser(page);
  await dialog(page).waitFor({ state: "detached" });
}

describe("the motion program", () => {
  test("is built by mouse on a phone, seen as text, saved, run, and its run is laid over the blocks", async () => {
    await using visitor = await visitSignedIn("/programs", PHONE);
    const { page } = visitor;
    await page.evaluate(axe.source);
    await create(page, "By mouse");

    await add(page, "If", "hall motion", /^Hall\/Hall Motion ?device/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await dialog(page).getByLabel("What").selectOption({ label: "On" });
    await done(page);
    await add(page, "If", "sun", /^time or sun/);
    await done(page);
    await add(page, "Then", "hall ceiling", /^Hall\/Hall Ceiling/);
    await dialog(page).getByLabel("Command").selectOption({ label: "On" });
    await dialog(page).getByRole("spinbutton").first().fill("60");
    await done(page);
    await add(page, "Then", "wait", /^wait/);
    await done(page);
    await add(page, "Then", "hall ceiling", /^Hall\/Hall Ceiling/);
    await dialog(page).getByLabel("Command").selectOption({ label: "Off" });
    await done(page);
    await clause(page, "Then").getByText("Set Hall Ceiling Off").waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);

    await view(page, "Text");
    expect(await textLines(page)).toEqual(MOTION_PROGRAM);
    await view(page, "Blocks");
    await clause(page, "Then").getByText("Set Hall Ceiling Off").waitFor();
    expect(await sentences(page, "Then")).toEqual([
      "Set Hall Ceiling On 60%",
      "Wait 5 minutes",
      "Set Hall Ceiling Off",
    ]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();

    await page.getByRole("button", { name: "Run now" }).click();
    const runs = page.getByRole("region", { name: "What it did, and when it did nothing" });
    await runs.getByText("ran", { exact: true }).waitFor();
    await runs.getByRole("button").first().click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.locator('[data-path="then[0]"]').getByText("✓").waitFor();
    expect(await page.locator('[data-path="then[2]"].not-reached').count()).toBe(1);
    await page.getByRole("button", { name: "Stop" }).click();
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("is built with the keyboard alone on a desk, also put into another order", async () => {
    await using visitor = await visitSignedIn("/programs", DESK);
    const { page } = visitor;
    await page.evaluate(axe.source);
    await create(page, "By keyboard");
    await clause(page, "If").waitFor();

    const wait = page.locator(".blocks:not([aria-busy=true])");
    const focused = (path: string) => page.locator(`[data-path="${path}"] :focus`).waitFor();
    await addByKeys(page, /^If: Add/, "hall motion", [[/^What/, "On"]]);
    await addByKeys(page, /^If: Add/, "time");
    await addByKeys(page, /^Then: Add/, "wait");
    await addByKeys(page, /^Then: Add/, "hall ceiling", [[/^Command/, "Off"]]);
    await addByKeys(page, /^Then: Add/, "hall ceiling", [
      [/^Value/, ""],
      [/^Value/, "60"],
    ]);
    await wait.waitFor();
    for (const path of ["then[2]", "then[1]"]) {
      await focused(path);
      await page.keyboard.press("Alt+ArrowUp");
    }
    await expect
      .poll(() => sentences(page, "Then"))
      .toEqual(["Set Hall Ceiling On 60%", "Wait 5 minutes", "Set Hall Ceiling Off"]);
    expect(await seriousFaults(page)).toEqual([]);
    await focused("then[0]");
    await page.keyboard.press("Delete");
    await expect.poll(() => sentences(page, "Then")).toEqual(["Wait 5 minutes", "Set Hall Ceiling Off"]);
    await page.locator(".blocks :focus").waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(() => sentences(page, "Then")).toHaveLength(3);

    for (let presses = 0; presses < 2; presses++) await page.keyboard.press("Shift+Tab");
    await tabTo(page, /^Save$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await wait.waitFor();
    await view(page, "Text");
    await expect.poll(() => textLines(page)).toEqual(MOTION_PROGRAM);
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

test("a block by room and role shows the devices that it means, also when one is moved meanwhile", async () => {
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  await using visitor = await visitSignedIn("/programs", PHONE);
  const { page } = visitor;
  await page.evaluate(axe.source);
  await create(page, "By room");
  await add(page, "If", "kitchen", /^Kitchen\s*devices of a room/);
  await dialog(page).getByLabel("How many").selectOption({ label: "none of them is" });
  await dialog(page).getByLabel("Kind of device").selectOption({ label: "lamps" });
  await dialog(page).getByLabel("State").selectOption({ label: "on" });
  await dialog(page).getByLabel("for a time").check();
  await dialog(page)
    .getByText(/^Now: (?!.*Desk Lamp).*Kitchen Ceiling, Kitchen Counter/)
    .waitFor();
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await done(page);
  await add(page, "If", "devices of a room", /^devices of a room/);
  await dialog(page).getByLabel("How many").selectOption({ label: "the average" });
  await done(page);
  await add(page, "Then", "kitchen", /^Kitchen\s*devices of a room/);
  await dialog(page)
    .getByText(/^Now: (?!.*Desk Lamp).*Kitchen Ceiling, Kitchen Counter/)
    .waitFor();
  const kitchen = [...home.folders].find(({ name }) => name === "Kitchen")?.address ?? "";
  const { edit } = await home.edits.move("1A 2F A2 1", kitchen);
  await dialog(page)
    .getByText(/^Now: .*Desk Lamp.*Kitchen Ceiling, Kitchen Counter/)
    .waitFor();
  await dialog(page).getByText("Without some devices").click();
  await dialog(page)
    .getByRole("checkbox", { name: /Kitchen Counter$/ })
    .check();
  await dialog(page).getByLabel("at a level").check();
  await done(page);
  await expect.poll(() => sentences(page, "Then")).toEqual(["Set all lamps in Kitchen except Kitchen Counter On 50%"]);
  await view(page, "Text");
  expect(await textLines(page)).toEqual([
    "If",
    `Status of no lamp in 'Kitchen' [${kitchen}] is On for 10 minutes`,
    "And Average temperature < 20°C",
    "Then",
    `Set all lamps in 'Kitchen' [${kitchen}] except 'Kitchen Counter' [1A 30 F4 1] On 50%`,
    "Else",
  ]);
  expect(visitor.problems).toEqual([]);
  await home.edits.undo(edit ?? undefined);
}, 60_000);

test("what a program can do is done with devices that act, not with sensors", async () => {
  await using visitor = await visitSignedIn("/programs", DESK);
  const { page } = visitor;
  await create(page, "Acts");
  const offered = async (to: "If" | "Then", query: string) => {
    await clause(page, to)
      .getByRole("button", { name: `${to}: Add` })
      .click();
    await dialog(page).getByRole("searchbox").fill(query);
    await dialog(page).getByRole("button", { name: "Cancel" }).waitFor();
    const texts = await dialog(page).locator(".choices button").allTextContents();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    return texts.filter((text) => text.includes(query));
  };
  expect((await offered("If", "Kitchen Leak")).length).toBeGreaterThan(0);
  expect(await offered("Then", "Kitchen Leak")).toEqual([]);
  expect(await offered("Then", "Heartbeat")).toEqual([]);
  expect((await offered("Then", "Kitchen Ceiling")).length).toBe(1);
}, 60_000);

test("a notification with a text to a channel is made and changed in blocks", async () => {
  await using visitor = await visitSignedIn("/programs", DESK);
  const { page } = visitor;
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const settings = { url: "http://127.0.0.1:9/" };
  // Of a try before this one.
  for (const { id, name } of await owner.integrations.list()) if (name === "Jane") await owner.integrations.remove(id);
  const channel = await owner.integrations.add({ type: "webhook", name: "Jane", settings });
  await create(page, "Says");
  await add(page, "Then", "text", /^notification with a text/);
  const fields = dialog(page);
  // A text until the list of channels is there.
  await fields.locator("select").first().waitFor();
  await fields.getByLabel("Channel").selectOption({ label: "Jane" });
  expect(await fields.getByLabel("Channel").locator("option").allTextContents()).not.toContain("Virtual devices");
  await fields.getByLabel("Text").fill("It's on");
  await done(page);
  const sentence = clause(page, "Then").getByText("Send notification It's on to Jane");
  await sentence.waitFor();
  await sentence.click();
  await fields.getByLabel("Text").fill("It's off");
  await fields.getByRole("button", { name: "Apply" }).click();
  await view(page, "Text");
  await expect.poll(() => textLines(page)).toContain(`Send notification 'It\\'s off' to 'Jane' [${channel.id}]`);
  await owner.integrations.remove(channel.id);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("conditions are joined by or, put into parentheses and taken out; the text follows, and Undo takes each back", async () => {
  await using visitor = await visitSignedIn("/program/0008", DESK);
  const { page } = visitor;
  const third = page.locator('[data-path="if[2]"]');
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await third.getByRole("button", { name: /^Joined/ }).click();
  await page.getByText("“And” binds before “or”.").waitFor();
  await third.getByRole("button", { name: /^Move or remove/ }).click();
  await page.getByRole("button", { name: "Parentheses with the one above" }).click();
  await page.locator('[data-path="if[1].conditions[1]"]').waitFor();
  await view(page, "Text");
  expect((await textLines(page)).slice(0, 6).map((line) => line.replace(/'.*/, "").trim())).toEqual([
    "If",
    "Control",
    "And (",
    "Status",
    "Or State variable",
    ")",
  ]);
  await view(page, "Blocks");
  for (const conditions of [3, 3]) {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => sentences(page, "If")).toHaveLength(conditions);
  }
  expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Close" }).click();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a finding stands at its block, a wrong text stays text until it is corrected, and a reload keeps the edit", async () => {
  await using visitor = await visitSignedIn("/program/000A", DESK);
  const { page } = visitor;
  const editor = page.getByRole("textbox", { name: "Text" });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator('[data-path="then[0]"] .sentence').click();
  await dialog(page).getByLabel("Device or scene").selectOption("1A 60 A 1");
  await dialog(page).getByLabel("Command").selectOption({ label: "On" });
  await dialog(page).getByRole("button", { name: "Apply" }).click();
  await page.locator('[data-path="then[0]"]').getByText("Set Porch Light On").waitFor();

  await view(page, "Text");
  await editor.press("Control+End");
  await editor.pressSequentially("\nWait 5 apples");
  await page.getByText(/^Line \d+, column/).waitFor();
  expect(await page.getByRole("button", { name: "Blocks", exact: true }).isDisabled()).toBe(true);
  await page.getByText("Correct the text to see it as blocks.").waitFor();
  await page.reload();
  await page.getByText(/^Line \d+, column/).waitFor();
  await editor.press("Control+End");
  for (let presses = 0; presses < "5 apples".length; presses++) await page.keyboard.press("Backspace");
  await page.keyboard.type("2 seconds\nSet [1A 60 A 1] [DON] 50%");
  await page.locator(".findings").getByText("Porch Light refuses").waitFor();
  await view(page, "Blocks");
  const found = page.locator('[data-path="else[1]"] .findings');
  await found.getByText("Show how").click();
  await found.getByRole("listitem").nth(1).waitFor();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
  expect(visitor.problems.filter((problem) => !problem.includes("400"))).toEqual([]);
}, 60_000);

test("a value in another unit than that of the device keeps its unit", async () => {
  await using visitor = await visitSignedIn("/program/000E", PHONE);
  const { page } = visitor;
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator('[data-path="if[0]"] > .block-line .sentence').click();
  await dialog(page).getByText("The value stays in the unit").waitFor();
  await dialog(page).getByLabel("Comparison").selectOption({ label: "is at least" });
  await dialog(page).getByLabel("Value").fill("150");
  await dialog(page).getByRole("button", { name: "Apply" }).click();
  await page.locator('[data-path="if[0]"]').getByText(">= 23.9 °C").waitFor();
  await page.getByRole("button", { name: "Discard changes" }).click();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a statement that blocks have no fields for is shown, and can be changed as text", async () => {
  await using visitor = await visitSignedIn("/program/0002", PHONE);
  const { page } = visitor;
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const block = page.locator('[data-path="then[0]"]');
  await block.getByText("Can be changed in the text.").waitFor();
  expect(await block.getByRole("button").count()).toBe(1);
  expect(visitor.problems).toEqual([]);
}, 60_000);
