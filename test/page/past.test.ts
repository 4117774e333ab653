/** The past on the page: charts of values, the home at a past moment, and what a changed program would have done. */

import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DESK, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const LAMP = "/node/1A%202B%203C%201";
const pages = usePages();

/** The lamp is switched by its own control, so that there is something in its history. */
async function switchLamp(page: Page, isOn: boolean): Promise<void> {
  const lamp = page.getByRole("switch", { name: "Hall Ceiling" });
  await lamp.click();
  await page.locator(`[role=switch][aria-label="Hall Ceiling"][aria-checked=${isOn}]`).waitFor();
}

describe("the history of a node", () => {
  test("is a chart and a table, follows reports, and is zoomed by drag, by keys and by buttons", async () => {
    await using visitor = await pages.visitSignedIn(LAMP, DESK);
    const { page } = visitor;
    await switchLamp(page, true);
    await switchLamp(page, false);

    const card = page.getByRole("region", { name: "History" });
    const canvas = card.locator("canvas");
    await card.getByText(/Lowest Off, highest/).waitFor();
    await card.getByText("Values as a table").click();
    await card.getByRole("cell", { name: "Off" }).first().waitFor();

    const box = await canvas.boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    const { x = 0, y = 0, width = 0 } = box ?? {};
    await page.mouse.move(x + width * 0.5, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.9, y + 60, { steps: 4 });
    await page.mouse.up();
    const whole = card.getByRole("button", { name: "Whole span" });
    await whole.waitFor();
    const chart = card.locator("figure");
    const zoomed = (await chart.getAttribute("aria-label")) ?? "";
    await chart.focus();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowLeft");
    await card.locator(`figure[aria-label="${zoomed}"]`).waitFor({ state: "detached" });
    await page.keyboard.press("0");
    await whole.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Year" }).click();
    await card.getByRole("button", { name: "Zoom in" }).press("Enter");
    await whole.press("Enter");
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});
