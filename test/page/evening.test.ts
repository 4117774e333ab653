/** A new owner's first evening with the page: what it makes works at once, and what it shows follows. */

import { connect } from "@domovoi/client";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, request, usePages } from "./visits.ts";

const { visit, visitSignedIn, url } = usePages();

const MOTION = "/api/nodes/2D%207F%20E1%201/act";
const DUSK = "/api/nodes/2D%207F%20E1%202/act";

test("a program that is made on the page runs when it is saved; its runs, non-runs and reasons follow, also a second text, and a switch at the top stops it", async () => {
  await using visitor = await visitSignedIn("/programs", DESK);
  const { page } = visitor;
  await page.getByRole("button", { name: "New program" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Follows");
  await page.keyboard.press("Enter");
  const isEnabled = page.getByRole("switch", { name: "Enabled" });
  await isEnabled.waitFor();
  // It opens in the editor, and begins with its first condition.
  await page.getByRole("dialog").getByRole("searchbox").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.press("Control+a");
  await page.keyboard.insertText(
    "Program 'Follows'\nIf\nControl 'Hall Motion' is switched 'On'\nThen\nSet 'Hall Ceiling' 'On' 20%\nElse\n",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();

  expect(await isEnabled.getAttribute("aria-checked")).toBe("true");
  const runs = page.getByRole("region", { name: "What it did, and when it did nothing" });
  const why = page.locator(".why");
  await request(page, "POST", MOTION, { control: "DON" });
  await runs.getByText("ran", { exact: true }).waitFor();
  await why.getByText("Hall Motion").first().waitFor();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await editor.press("Control+a");
  await page.keyboard.insertText(
    "Program 'Follows'\nIf\nControl 'Hall Motion Dusk' is switched 'Off'\nThen\nSet 'Hall Ceiling' 'On' 30%\nElse\n",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
  await request(page, "POST", DUSK, { control: "DON" });
  await request(page, "POST", DUSK, { control: "DOF" });
  await why.getByText(/^Program "Follows" ran .* because "Hall Motion Dusk" sent Off/).waitFor();

  await isEnabled.click();
  await page.locator('[role=switch][aria-label="Enabled"][aria-checked=false]').waitFor();
  await request(page, "POST", DUSK, { control: "DON" });
  await request(page, "POST", DUSK, { control: "DOF" });
  await runs.getByText("did nothing", { exact: true }).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a guest with a scene sees it, runs it, and reads how many members did it, without their names", async () => {
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const scene = owner.group("Evening");
  const guest = await owner.guests.create({ name: "Sleeper", limits: { scenes: [scene.address] } });
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(guest.link);
  await page.getByRole("button", { name: "Evening" }).click();
  const said = page.getByText(/^[1-9]\d* of [1-9]\d* did it$/);
  await said.waitFor();
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("heading", { level: 1, name: "Evening" }).waitFor();
  await page.getByRole("button", { name: "Turn off" }).waitFor();
  const content = await page.content();
  expect(content).not.toContain("No members yet");
  expect(content).not.toContain("Move from another controller");
  for (const address of scene.members) expect(content).not.toContain(owner.node(address).name);
  await owner.guests.revoke(guest.id);
}, 60_000);

test("Home and the list of scenes say the same of each scene", async () => {
  await using visitor = await visitSignedIn("/", DESK);
  const { page } = visitor;
  const buttons = page.locator(".scenes .scene button");
  await buttons.first().waitFor();
  const states = await statesOf(buttons, ".value");
  await open(page, "/scenes");
  await page.getByRole("heading", { level: 1, name: "Scenes" }).waitFor();
  const listed = page.locator("main li");
  const all = new Map(await statesOf(listed, ".tag"));
  expect(states.map(([name]) => [name, all.get(name)])).toEqual(states);
  expect(states.filter(([, state]) => state !== "").length).toBeGreaterThan(2);
}, 60_000);

test("times are those of the home, in a browser of another zone too, and fields of times read them so", async () => {
  await using visitor = await visitSignedIn("/program/0008", DESK, { timezoneId: "Pacific/Auckland" });
  const { page } = visitor;
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const { timeZone } = await owner.edits.place();
  expect(timeZone).not.toBe("Pacific/Auckland");
  await page.getByRole("button", { name: "Run now" }).click();
  const time = page.getByRole("region", { name: "What it did, and when it did nothing" }).locator("time").first();
  await time.waitFor();
  const read = () => time.evaluate((each) => [each.getAttribute("datetime") ?? "", each.textContent ?? ""] as const);
  const [ranAt, shown] = await read();
  expect(shown).toBe(new Date(ranAt).toLocaleTimeString("en-US", { timeStyle: "short", timeZone }));
  await page.getByRole("button", { name: "Stop" }).click();
  await open(page, "/happened");
  // Later entries of the program may be shown in its place.
  await page.locator("time", { hasText: shown }).first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Go to a past moment" }).click();
  const field = page.getByLabel("Date and time");
  const atMs = Date.parse(new URL(page.url()).searchParams.get("at") ?? "");
  const local = new Date(atMs).toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  expect(await field.inputValue()).toContain(local);
}, 60_000);

test("variables change while they are shown, each screen has a title of its own, and Ctrl-K opens the search from a field", async () => {
  await using visitor = await visitSignedIn("/system/variables", DESK);
  const { page } = visitor;
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const field = page.getByLabel("Value of Away");
  await field.waitFor();
  await owner.variable("Away").set(7);
  await expect.poll(() => field.inputValue(), { timeout: 5_000 }).toBe("7");
  expect(await page.title()).toBe("Variables · Domovoi");
  await field.focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox", { name: "Search" }).and(page.locator(":focus")).waitFor();
  expect(await page.title()).toBe("Search · Domovoi");
  await open(page, "/program/0008");
  await page.getByRole("region", { name: "What it did, and when it did nothing" }).waitFor();
  expect(await page.title()).toBe(`${owner.program("0008").name} · Domovoi`);
}, 60_000);

test("on a phone of 360 pixels the bar below covers nothing that has the focus", async () => {
  await using visitor = await visitSignedIn("/system/location", { width: 360, height: 500 });
  const { page } = visitor;
  await page.getByLabel("Time zone").waitFor();
  for (let presses = 0; presses < 14; presses++) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(`(() => {
      const focused = document.activeElement, bar = document.querySelector("nav.places");
      if (!focused || bar.contains(focused)) return null;
      const { bottom } = focused.getBoundingClientRect();
      return bottom > bar.getBoundingClientRect().top ? focused.outerHTML : null;
    })()`);
    expect(covered).toBeNull();
  }
}, 60_000);

test("a badge shows that something failed, and Health leads to it", async () => {
  await using visitor = await visitSignedIn("/", DESK);
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const failing = await owner.integrations.add({ type: "zwave", name: "Attic", settings: { port: "/dev/none" } });
  await expect
    .poll(async () => (await owner.integrations.list()).find(({ id }) => id === failing.id)?.state, { timeout: 10_000 })
    .toBe("failed");
  const { page } = visitor;
  await page.reload();
  await page.getByRole("link", { name: "System needs attention" }).click();
  await page.getByRole("link", { name: "Health and log" }).click();
  await page.getByRole("link", { name: /^Attic: / }).click();
  await page.waitForURL(`**/system/integrations/${failing.id}`);
  await owner.integrations.remove(failing.id);
}, 60_000);

/** Name and state of each scene; "" where none is shown. */
function statesOf(rows: Locator, state: string): Promise<[name: string, state: string][]> {
  return rows.evaluateAll(
    (each, selector) =>
      each.map((row): [string, string] => [
        (row.querySelector("a") ?? row).firstChild?.textContent?.split("/").at(-1) ?? "",
        row.querySelector(selector)?.textContent ?? "",
      ]),
    state,
  );
}
