/** The page as a home: words by role, badges, overview, controls, rooms, and what guests see. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visit, visitSignedIn, url } = usePages();

const owner = () => connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });

/** Profiles in which every wired dimmer takes a color. */
function withColors(text: string): string {
  const profiles = JSON.parse(text) as { families: { instances: { nodedefs?: Nodedef[] }[] }[] };
  type Nodedef = { id: string; cmds: { accepts: object[] } };
  const parameters = ["RED", "GREEN", "BLUE"].map((id) => ({ id, editor: "_100_0_R_0_255", name: id, optional: true }));
  for (const { instances } of profiles.families) {
    for (const nodedef of instances.flatMap(({ nodedefs }) => nodedefs ?? [])) {
      if (nodedef.id === "DimmerLampSwitch_ADV") nodedef.cmds.accepts.push({ id: "COLOR", name: "Color", parameters });
    }
  }
  return JSON.stringify(profiles);
}

describe("rows", () => {
  test("say in the words of their role what is, and parts of a device are no rows", async () => {
    await using visitor = await visitSignedIn("/rooms/11001");
    const { page } = visitor;
    const row = (name: string) =>
      page.locator(".node-row").filter({ has: page.getByRole("link", { name, exact: true }) });
    expect((await row("Front Door").locator(".value").textContent())?.trim()).toBe("Closed");
    expect((await row("Front Door Lock").locator(".value").textContent())?.trim()).toBe("Locked");
    expect((await row("Hall Motion").locator(".value").first().textContent()) ?? "").toMatch(/^Clear/);
    expect(await page.getByRole("link", { name: /Heartbeat|Low Battery|Dusk|Front Door Closed/ }).count()).toBe(0);
    await open(page, "/rooms/11002");
    expect((await row("Kitchen Leak").locator(".value").textContent())?.trim()).toBe("Dry");
    expect((await row("Dishwasher").locator(".value").textContent()) ?? "").toMatch(/^Off\s+[\d.]+ W/);
    await using home = await owner();
    await home.node("Kitchen Leak").act("WET");
    await row("Kitchen Leak").getByText("Wet").waitFor();
    await open(page, "/");
    await page.getByRole("alert").getByText("Kitchen Leak: Wet").waitFor();
    await home.node("Kitchen Leak").act("DRY");
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("in German the states are German", async () => {
    await using visitor = await visitSignedIn("/rooms/11001", PHONE, { locale: "de-DE" });
    const { page } = visitor;
    const row = page.locator(".node-row").filter({ has: page.getByRole("link", { name: "Front Door Lock" }) });
    await row.getByText("Verriegelt").waitFor();
  }, 60_000);
});

describe("the overview", () => {
  test("counts lamps, and lists open doors and unlocked locks; a room shows its temperature", async () => {
    await using visitor = await visitSignedIn("/", DESK);
    const { page } = visitor;
    await using home = await owner();
    await home.node("Coffee Machine").send("DON");
    await home.node("Front Door Lock").send("SECMD", 0);
    await home.node("Front Door").act("OPEN");
    const overview = page.getByRole("region", { name: "Overview" });
    await overview.getByRole("button", { name: "1 unlocked." }).waitFor();
    await overview.getByRole("button", { name: "1 open." }).click();
    await overview.getByRole("link", { name: "Front Door", exact: true }).waitFor();
    await home.node("Kitchen Ceiling").send("DON");
    await overview.getByRole("button", { name: /lights? on/ }).click();
    await overview.getByRole("link", { name: "Kitchen Ceiling" }).waitFor();
    expect(await overview.getByRole("link", { name: "Coffee Machine" }).count()).toBe(0);
    await overview.getByRole("button", { name: /^\d+° inside, \d+° outside\.$/ }).waitFor();
    await home.node("Kitchen Ceiling").send("DOF");
    await page
      .locator(".room-head")
      .filter({ hasText: "Bedroom" })
      .getByText(/^\d+(\.\d)?°$/)
      .waitFor();
    await page.getByRole("link", { name: "Energy", exact: true }).click();
    await page.getByRole("region", { name: "Meters" }).getByRole("link", { name: "House Meter" }).waitFor();
    await home.node("Front Door").act("CLOSE");
    await home.node("Front Door Lock").send("SECMD", 1);
    await home.node("Coffee Machine").send("DOF");
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

describe("controls", () => {
  test("a thermostat is set in the unit of the home from its row, and shows what the device reports", async () => {
    await using visitor = await visitSignedIn("/rooms/11003");
    const { page } = visitor;
    await page.getByRole("button", { name: "Adjust Living Room Thermostat" }).press("Enter");
    const sheet = page.getByRole("dialog", { name: "Living Room Thermostat" });
    const heat = sheet.getByRole("group", { name: "Heat to" });
    await heat.getByText(/^\d+(\.\d)?°$/).waitFor();
    const before = Number.parseFloat((await heat.locator("output").textContent()) ?? "");
    await heat.getByRole("button", { name: "Higher: Heat to" }).click();
    await heat.getByRole("button", { name: "Higher: Heat to" }).click();
    await heat.locator("output.wanted").waitFor({ state: "detached", timeout: 15_000 });
    expect(Number.parseFloat((await heat.locator("output").textContent()) ?? "")).toBeGreaterThan(before);
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflow(page)).toBe(0);
    await sheet.getByRole("combobox", { name: "Mode" }).selectOption("Off");
    await using home = await owner();
    await expect.poll(() => home.node("Living Room Thermostat").label("CLIMD")).toBe("Off");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.locator(".node-row .value").filter({ hasText: "° · Off" }).waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("a lamp's level is on its row on a phone too, and a fan has its speeds", async () => {
    await using visitor = await visitSignedIn("/rooms/11003");
    const { page } = visitor;
    const level = page.getByRole("slider", { name: "Level of Desk Lamp" });
    await level.waitFor();
    await level.fill("40");
    await page.locator(".node-row").filter({ hasText: "Desk Lamp" }).getByText("40 %").waitFor();
    await page.getByRole("button", { name: "Adjust Living Room Fan Motor" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Medium" }).click();
    await page.locator('dialog button[aria-pressed="true"]').getByText("Medium").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await level.fill("0");
    await page.locator(".node-row").filter({ hasText: "Desk Lamp" }).getByText("Off").waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("a colored lamp gets its hue in the channels that it takes", async () => {
    await using visitor = await visitSignedIn("/", PHONE, {});
    const { page } = visitor;
    const asColored = (text: string) => text.replaceAll('"role":"dimmer"', '"role":"color-lamp"');
    await page.route("**/api/nodes", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: asColored(await response.text()) });
    });
    await page.route("**/rest/profiles?**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: withColors(await response.text()) });
    });
    const sent: string[] = [];
    await page.route("**/cmd/COLOR/**", (route) => {
      sent.push(new URL(route.request().url()).pathname);
      return route.fulfill({ status: 200, contentType: "text/xml", body: '<RestResponse succeeded="true"/>' });
    });
    await page.goto(`${url()}/node/1A%202B%203C%201`);
    await page.getByRole("slider", { name: "Color" }).fill("120");
    await expect.poll(() => sent.at(-1)).toMatch(/\/cmd\/COLOR\/0\/100\/255\/100\/0\/100$/);
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
  }, 60_000);

  test("a lock says how far its command came, and then what it is", async () => {
    await using visitor = await visitSignedIn("/rooms/11001");
    const { page } = visitor;
    await page.getByRole("button", { name: "Unlock: Front Door Lock" }).click();
    await page.getByRole("button", { name: "Press again: Unlock: Front Door Lock" }).click();
    const row = page.locator(".node-row").filter({ has: page.getByRole("link", { name: "Front Door Lock" }) });
    await row.getByText("Unlocked").waitFor();
    await page.getByRole("button", { name: "Lock: Front Door Lock", exact: true }).click();
    await row.getByText("Locked", { exact: true }).waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

describe("guests", () => {
  test("see their things and their account, and no programs, history or system", async () => {
    await using home = await owner();
    const guest = await home.guests.create({ name: "Visitor", limits: { nodes: [home.node("Desk Lamp").address] } });
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(guest.link);
    await page.getByRole("switch", { name: "Desk Lamp" }).waitFor();
    const names = await page.locator("nav.places a:not(.skip)").allTextContents();
    expect(names.map((name) => name.trim())).toEqual(["Home", "Search", "Account"]);
    await page.locator("nav.places").getByRole("link", { name: "Account" }).click();
    await page.getByRole("heading", { name: "Guest link" }).waitFor();
    expect(await page.title()).toMatch(/^Account/);
    await page.reload();
    await page.getByRole("heading", { name: "Guest link" }).waitFor();
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    await home.guests.revoke(guest.id);
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

describe("what an account may not do", () => {
  test("is not offered: no lock to a guest, no switch to an account that may only dim", async () => {
    await using home = await owner();
    const [lock, lamp] = [home.node("Front Door Lock").address, home.node("Hall Ceiling").address];
    const guest = await home.guests.create({ name: "Visitor", limits: { nodes: [lock, lamp] } });
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(guest.link);
    await page.getByRole("switch", { name: "Hall Ceiling" }).waitFor();
    await page.getByText("Front Door Lock").first().waitFor();
    expect(await page.getByRole("button", { name: /^Unlock/ }).count()).toBe(0);
    await page.goto(new URL(`/node/${encodeURIComponent(lock)}`, page.url()).href);
    await page.getByRole("heading", { level: 1, name: "Front Door Lock" }).waitFor();
    expect(await page.getByRole("button", { name: /nlock|Lock/ }).count()).toBe(0);
    await home.guests.revoke(guest.id);
    const child = { login: "child@example.org", password: "a long night with stars" };
    const limits = { nodes: [lamp], commands: ["BRT", "DIM"] };
    await home.accounts.add({ kind: "portal", role: "user", ...child, limits });
    await using other = await visit();
    await other.page.goto(new URL("/", page.url()).href);
    await other.page.getByLabel("E-mail address").fill(child.login);
    await other.page.getByLabel("Password").fill(child.password);
    await other.page.keyboard.press("Enter");
    await other.page.getByText("Hall Ceiling").first().waitFor();
    expect(await other.page.getByRole("switch").count()).toBe(0);
    await other.page.goto(new URL(`/node/${encodeURIComponent(lamp)}`, page.url()).href);
    await other.page.getByText("More commands").click();
    await other.page.getByRole("button", { name: "Brighten" }).waitFor();
    expect(await other.page.getByRole("button", { name: "Fast On" }).count()).toBe(0);
  }, 60_000);
});

describe("the order of rooms", () => {
  test("is changed by dragging and by the arrow keys, is announced, and is there after a reload", async () => {
    await using visitor = await visitSignedIn("/", PHONE);
    const { page } = visitor;
    const stored = () =>
      page.waitForResponse(
        (response) => response.url().endsWith("/api/me/page") && response.request().method() === "PATCH",
      );
    await page.getByRole("button", { name: "Arrange" }).click();
    const names = () => page.locator("section[aria-label*=rrange] .rows > li .main").allTextContents();
    const grip = (name: string) => page.getByRole("button", { name: `Move ${name}: drag, or arrow keys` });
    await grip("Hall").waitFor();
    const before = await names();
    const [first = "", second = "", third = ""] = before;
    await grip(first).press("ArrowDown");
    expect((await names()).slice(0, 3)).toEqual([second, first, third]);
    await page.getByText(`${first} is number 2 of ${before.length}.`).waitFor();
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe(`Move ${first}: drag, or arrow keys`);
    const [from, to] = [await grip(second).boundingBox(), await grip(third).boundingBox()];
    const saved = stored();
    await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 10, { steps: 5 });
    await page.mouse.up();
    expect((await names()).slice(0, 3)).toEqual([first, third, second]);
    await saved;
    await page.reload();
    await page.getByRole("button", { name: "Arrange" }).click();
    await grip("Hall").waitFor();
    expect((await names()).slice(0, 3)).toEqual([first, third, second]);
    await page.evaluate(axe.source);
    expect([await seriousFaults(page), await overflow(page), visitor.problems]).toEqual([[], 0, []]);
  }, 60_000);

  test("no card moves by itself when devices report, but for an alarm", async () => {
    await using visitor = await visitSignedIn("/", PHONE);
    const { page } = visitor;
    await page.getByRole("heading", { name: "Hall", exact: true }).waitFor();
    const places = () =>
      page.locator(".room-head").evaluateAll((each) => each.map((one) => one.getBoundingClientRect().top));
    await page.locator(".room").last().waitFor();
    await page.waitForLoadState("networkidle");
    const before = await places();
    await using home = await owner();
    await home.node("Front Door Lock").send("SECMD", 0);
    await home.node("Hall Ceiling").send("DON");
    await page.getByRole("button", { name: "1 unlocked" }).waitFor();
    await page.getByRole("button", { name: /lights? on/ }).waitFor();
    expect(await places()).toEqual(before);
    await home.node("Kitchen Leak").act("WET");
    await page.getByRole("alert").waitFor();
    expect((await places())[0]).toBeGreaterThan(before[0] ?? 0);
    await home.node("Kitchen Leak").act("DRY");
    await home.node("Front Door Lock").send("SECMD", 1);
    await home.node("Hall Ceiling").send("DOF");
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(await places()).toEqual(before);
  }, 60_000);
});

test("a wall tablet is big, keeps its screen on, also after it was hidden, and goes back", async () => {
  await using visitor = await visitSignedIn("/account", { width: 800, height: 1280 }, {});
  const { page, context } = visitor;
  await context.addInitScript(`
    window.held = 0;
    Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
      window.held += 1;
      const lock = new EventTarget();
      lock.release = async () => lock.dispatchEvent(new Event("release"));
      window.lock = lock;
      return lock;
    } } });`);
  await page.reload();
  await page.getByRole("switch", { name: "Wall tablet" }).click();
  await page.locator("[role=switch][aria-label='Wall tablet'][aria-checked=true]").waitFor();
  await expect.poll(() => page.evaluate("window.held")).toBe(1);
  expect(await page.evaluate("getComputedStyle(document.documentElement).fontSize")).toBe("20px");
  // As a browser does when the page is hidden.
  await page.evaluate("lock.release()");
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(() => page.evaluate("window.held")).toBe(2);
  await open(page, "/");
  await page.getByRole("heading", { level: 1, name: /^\d+:\d\d [AP]M \w+, \w+ \d+$/ }).waitFor();
  expect(await page.locator("nav.places").isVisible()).toBe(false);
  const titles = page.locator(".room-head h2");
  // A title is no column of single letters.
  const heights = await titles.evaluateAll((all) => all.map((title) => title.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(80);
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page), visitor.problems]).toEqual([[], 0, []]);
  await open(page, "/account");
  await page.getByRole("switch", { name: "Wall tablet" }).click();
  await page.locator("[role=switch][aria-label='Wall tablet'][aria-checked=false]").waitFor();
  expect(await page.evaluate("getComputedStyle(document.documentElement).fontSize")).toBe("16px");
}, 60_000);

/** One pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a floor plan takes a picture, and devices by keys; it is there for the next visit, without serious faults", async () => {
  await using visitor = await visitSignedIn("/", PHONE);
  const { page } = visitor;
  await page.getByRole("button", { name: "Floor plan" }).click();
  await page.getByLabel("Choose a picture").setInputFiles({ name: "plan.png", mimeType: "image/png", buffer: PICTURE });
  await page.getByLabel("Add a device").selectOption({ label: "Porch Light" });
  const lamp = page.getByRole("button", { name: "Move Porch Light: drag, or arrow keys" });
  await lamp.press("ArrowRight");
  await expect.poll(() => lamp.getAttribute("style")).toContain("left: 51%");
  await open(page, "/scenes");
  await open(page, "/");
  await page.getByRole("button", { name: "Floor plan" }).click();
  const shown = page.locator(".plan").getByRole("link", { name: /^Porch Light/ });
  await shown.waitFor();
  expect(await page.locator(".plan .placed").getAttribute("style")).toContain("left: 51%");
  expect(await overflow(page)).toBe(0);
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  expect(await page.getByRole("button", { name: "Remove the plan" }).count()).toBe(0);
  await page.getByRole("button", { name: "Place devices" }).click();
  await page.getByRole("button", { name: "Remove the plan" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the plan" }).click();
  await page.getByLabel("Choose a picture").waitFor({ state: "attached" });
  expect(visitor.problems).toEqual([]);
}, 60_000);
