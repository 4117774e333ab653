/** A small window: sheets in their order, nothing covered, and everything reached by keyboard. */

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PHONE, usePages } from "./visits.ts";

const pages = usePages();
const KITCHEN_LEAK = "2C 44 8 1";

/** Whether something else lies over the middle of what has the focus. What belongs to the bar or to the band is left out. */
const COVERED = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.closest(".band, nav")) return null;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (over?.closest(".band, nav.places")) return focused.outerHTML.slice(0, 120);
  return null;
})()`;

async function coveredByTab(page: Page, presses: number): Promise<readonly unknown[]> {
  const covered: unknown[] = [];
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press("Tab");
    covered.push(await page.evaluate(COVERED));
  }
  return covered.filter(Boolean);
}

test("the sheet of a cover has its buttons above Done, and one that is called Close", async () => {
  await using visitor = await pages.visitSignedIn("/rooms/11003");
  const { page } = visitor;
  await page.getByRole("button", { name: /^Adjust .*Blind/ }).click();
  const sheet = page.getByRole("dialog");
  const cover = sheet.getByRole("group");
  await cover.waitFor();
  expect(await sheet.getByRole("button", { name: "Close" }).count()).toBe(1);
  const [controls, done] = [await cover.boundingBox(), await sheet.getByRole("button", { name: "Done" }).boundingBox()];
  expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBeLessThanOrEqual(done?.y ?? 0);
  await sheet.getByRole("button", { name: "Done" }).click();
  await sheet.waitFor({ state: "detached" });
  expect(visitor.problems).toEqual([]);
}, 60_000);

describe("the band of the past", () => {
  test.each([
    ["360 px", PHONE],
    ["200 % of a desk", { width: 640, height: 400 }],
  ])(
    "leaves more than a third of the window, and covers nothing that has the focus, at %s",
    async (_name, size) => {
      await using visitor = await pages.visitSignedIn("/", size);
      const { page } = visitor;
      await page.getByRole("button", { name: "Go to a past moment" }).first().click();
      const band = page.getByRole("region", { name: "Past moment" });
      await band.waitFor();
      await page.getByRole("slider", { name: "Past moment" }).waitFor();
      const { y = 0 } = (await band.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(size.height / 3);
      await page.evaluate(
        `document.querySelectorAll('.room-name[aria-expanded="false"]').forEach((room) => room.click())`,
      );
      await page.getByRole("heading", { level: 1 }).click();
      expect(await coveredByTab(page, 45)).toEqual([]);
    },
    60_000,
  );
});

test("a row of scenes that scrolls takes the focus, and the arrow keys move it", async () => {
  await using visitor = await pages.visitSignedIn("/");
  const { page } = visitor;
  const strip = page.getByRole("region", { name: "Scenes" });
  await strip.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => strip.getAttribute("tabindex")).toBe(null);
}, 60_000);

test("Ctrl-K, a name and Enter goes to the first thing that is found; without a name it goes nowhere", async () => {
  await using visitor = await pages.visitSignedIn("/");
  const { page } = visitor;
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
  await page.keyboard.press("Enter");
  expect(new URL(page.url()).pathname).toBe("/search");
  await page.keyboard.type("front door l");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Front Door Lock" }).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

describe("what is not known", () => {
  test("is said of a leak sensor without a value, and a mean temperature is only that of a room", async () => {
    await using visitor = await pages.visitSignedIn("/", PHONE, {});
    const { page } = visitor;
    await page.route("**/api/nodes", async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      for (const node of data.nodes.node) {
        if (node.address === KITCHEN_LEAK) delete node.property;
        if (node.name === "Living Room Thermostat") delete node.parent;
      }
      await route.fulfill({ response, json: { ...rest, data } });
    });
    await page.route("**/rest/status", async (route) => {
      const response = await route.fetch();
      const status = new RegExp(`<node id="${KITCHEN_LEAK}">.*?</node>`, "s");
      await route.fulfill({ response, body: (await response.text()).replace(status, "") });
    });
    // Nor does the stream say it at its beginning.
    await page.routeWebSocket(/^wss:/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (!message.toString().includes(KITCHEN_LEAK)) socket.send(message);
      });
    });
    await page.reload();
    const kitchen = page.locator(".room").filter({ has: page.getByRole("heading", { name: "Kitchen" }) });
    await kitchen.waitFor();
    const head = kitchen.getByRole("button", { name: "Kitchen", exact: true });
    if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
    await kitchen.locator(".tile").filter({ hasText: "Leak" }).getByText("not known").waitFor();
    const others = page.locator(".room").filter({ hasText: "Without a room" });
    await others.waitFor();
    expect(await others.locator(".room-head .climate").count()).toBe(0);
    expect(await page.locator(".room-head .climate").count()).toBeGreaterThan(0);
  }, 60_000);
});

test("with very large letters on a phone nothing is wider than the window, and the choice outlasts a reload", async () => {
  await using visitor = await pages.visitSignedIn("/account", PHONE, {});
  const { page } = visitor;
  const letters = page.getByRole("region", { name: "Letters" });
  await letters.getByRole("button", { name: "Very large" }).click();
  for (const path of ["/", "/rooms/11003", "/programs", "/climate", "/happened", "/system", "/account"]) {
    await page.goto(pages.url() + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect([path, await page.evaluate("document.documentElement.scrollWidth - innerWidth")]).toEqual([path, 0]);
  }
  expect(await page.evaluate<string>("getComputedStyle(document.documentElement).fontSize")).toBe("21.92px");
  await letters.getByRole("button", { name: "Very large", pressed: true }).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);
