/** The page under a finger: what scrolls is no command. */

import { connect } from "@domovoi/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { PHONE, usePages } from "./visits.ts";

const pages = usePages();

type Point = readonly [x: number, y: number];

/** A finger goes down, moves in steps, and leaves. */
async function swipe(page: Page, [x, y]: Point, [toX, toY]: Point): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const steps = 8;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([atX, atY], id) => ({ x: atX, y: atY, id })),
    });
  await touch("touchStart", [[x, y]]);
  for (let step = 1; step <= steps; step += 1)
    await touch("touchMove", [[x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps]]);
  await touch("touchEnd", []);
  await session.detach();
}

async function stillFor(page: Page, ms: number): Promise<boolean> {
  const before = await page.evaluate<number>("scrollY");
  await page.waitForTimeout(ms);
  return (await page.evaluate<number>("scrollY")) === before;
}

test("one tap opens no door, wakes no street and loses no data; a second one does", async () => {
  await using visitor = await pages.visitSignedIn("/rooms/11001", PHONE, { hasTouch: true });
  const { page } = visitor;
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/cmd/"))
      sent.push(decodeURIComponent(new URL(request.url()).pathname).split("/cmd/")[1] ?? "");
  });
  const places: readonly (readonly [path: string, button: string])[] = [
    ["/rooms/11001", "Unlock: Front Door Lock"],
    ["/node/41%202%20B7%201", "Sound it: Siren"],
    ["/node/17%2088%204%201", "Reset Total Energy"],
  ];
  for (const [path, button] of places) {
    const before = sent.length;
    await page.goto(new URL(path, page.url()).href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const folded = page.getByText("More commands");
    if (button.startsWith("Reset") && !(await page.getByRole("button", { name: button }).isVisible()))
      await folded.tap();
    await page.getByRole("button", { name: button }).tap();
    await page.getByRole("button", { name: `Press again: ${button}` }).waitFor();
    expect([button, sent.length]).toEqual([button, before]);
    await page.getByRole("button", { name: `Press again: ${button}` }).tap();
    await expect.poll(() => sent.length).toBe(before + 1);
  }
}, 60_000);

test.each([
  ["a slider", "/rooms/11003", "slider", "Level of Desk Lamp"],
  ["a tile", "/", "switch", "Desk Lamp"],
] as const)(
  "a finger that scrolls over %s changes nothing; a drag along it and a tap on it do",
  async (_what, path, role, name) => {
    await using home = await connect({
      url: pages.url(),
      user: OWNER.username,
      password: OWNER.password,
      insecure: true,
    });
    await home.node("Desk Lamp").send("DON", 30);
    await using visitor = await pages.visitSignedIn(path, PHONE, { hasTouch: true });
    const { page } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/cmd/")) sent.push(decodeURIComponent(new URL(request.url()).pathname));
    });
    const lamp = page.getByRole(role, { name });
    const box = async () => {
      await lamp.evaluate((part) => part.scrollIntoView({ block: "center" }));
      const { x, y, width, height } = (await lamp.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return { left: x, middle: y + height / 2, width };
    };
    const { left, width, middle } = await box();
    const top = await page.evaluate<number>("scrollY");
    await swipe(page, [left + width * 0.8, middle], [left + width * 0.8, middle - 250]);
    await expect.poll(() => page.evaluate<number>("scrollY")).not.toBe(top);
    expect([home.node("Desk Lamp").value("ST"), sent]).toEqual([30, []]);
    // A finger that goes down while the page still scrolls ends the scrolling, and moves nothing.
    await expect.poll(() => stillFor(page, 300)).toBe(true);
    const now = await box();
    await swipe(page, [now.left + now.width * 0.2, now.middle], [now.left + now.width * 0.7, now.middle]);
    await expect.poll(() => sent.length).toBe(1);
    await expect.poll(() => home.node("Desk Lamp").value("ST")).toBeGreaterThan(50);
    const then = await box();
    const tap = async () => {
      // On a busy machine a tap may last as long as a hold, which opens the sheet.
      await page.keyboard.press("Escape");
      await page.touchscreen.tap(then.left + then.width * 0.3, then.middle);
      await page.waitForTimeout(300);
      return sent.length;
    };
    await expect.poll(tap, { interval: 1_000, timeout: 20_000 }).toBeGreaterThan(1);
    await home.node("Desk Lamp").send("DOF");
    expect(visitor.problems).toEqual([]);
  },
  60_000,
);

test("a finger that scrolls over a dial or taps it changes no temperature; a drag to the side does, as do keys", async () => {
  await using visitor = await pages.visitSignedIn("/climate", PHONE, { hasTouch: true });
  const { page } = visitor;
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/cmd/")) sent.push(decodeURIComponent(new URL(request.url()).pathname));
  });
  const dial = page.getByRole("region", { name: "Bedroom Thermostat" }).getByRole("slider", { name: "Heat to" });
  const before = Number(await dial.getAttribute("aria-valuenow"));
  const middle = async (): Promise<Point> => {
    await dial.evaluate((part) => part.scrollIntoView({ block: "center" }));
    const { x, y, width, height } = (await dial.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = await middle();
  const top = await page.evaluate<number>("scrollY");
  await swipe(page, [x, y], [x + 15, y - 250]);
  await expect.poll(() => page.evaluate<number>("scrollY")).not.toBe(top);
  await expect.poll(() => stillFor(page, 300), { timeout: 10_000 }).toBe(true);
  await page.touchscreen.tap(...(await middle()));
  await page.waitForTimeout(1_000);
  expect([Number(await dial.getAttribute("aria-valuenow")), sent]).toEqual([before, []]);
  const [nowX, nowY] = await middle();
  await swipe(page, [nowX, nowY], [nowX + 40, nowY]);
  await expect.poll(() => sent.length).toBe(1);
  const shown = async () => Number(await dial.getAttribute("aria-valuenow"));
  await expect.poll(shown).toBeGreaterThan(before + 2);
  const turned = await shown();
  await dial.press("ArrowLeft");
  await expect.poll(() => sent.length).toBe(2);
  await expect.poll(shown).toBe(turned - 0.5);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("after a hold, which opens the sheet, the first key on the tile acts", async () => {
  await using visitor = await pages.visitSignedIn("/", PHONE);
  const { page } = visitor;
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/cmd/")) sent.push(decodeURIComponent(new URL(request.url()).pathname));
  });
  const lamp = page.getByRole("switch", { name: "Desk Lamp" });
  await lamp.hover();
  await page.mouse.down();
  await page.getByRole("dialog").waitFor();
  await page.mouse.up();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(sent).toEqual([]);
  await lamp.press("Enter");
  await expect.poll(() => sent.length).toBe(1);
});
