/** The past on the page: charts of values, the home at a past moment, and what a changed program would have done. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const LAMP = "/node/1A%202B%203C%201";
const pages = usePages();

/** The lamp is switched by its own control, so that there is something in its history. */
async function switchLamp(page: Page, isOn: boolean): Promise<void> {
  const lamp = page.getByRole("switch", { name: "Hall Ceiling" });
  await lamp.click();
  await page.locator(`[role=switch][aria-label="Hall Ceiling"][aria-checked=${isOn}]`).waitFor();
}

/** How many pixels of the chart's line there are in a column of its picture; its place is a share of the width. */
const LINE_PIXELS = `(canvas, share) => {
  const plot = canvas.parentElement.querySelector(".u-over").getBoundingClientRect();
  const x = Math.round((plot.left - canvas.getBoundingClientRect().left + share * plot.width) * devicePixelRatio);
  const { data } = canvas.getContext("2d").getImageData(x, 0, 1, canvas.height);
  const color = getComputedStyle(canvas.closest(".chart")).color.match(/\\d+/g).slice(0, 3).map(Number);
  const isLine = (at) => data[at + 3] === 255 && color.every((part, channel) => data[at + channel] === part);
  return Array.from({ length: data.length / 4 }, (_, at) => isLine(at * 4)).filter(Boolean).length;
}`;

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

  test("has a gap in the picture, and a row in the table, where the value was unknown", async () => {
    await using visitor = await pages.visitSignedIn("/", DESK, {});
    const { page } = visitor;
    await page.route("**/api/history/**", async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
      const points = Array.from({ length: 300 }, (_, at) => {
        const value = at >= 100 && at < 200 ? null : 128;
        const values = { min: value, max: value, mean: value, last: value };
        const time = new Date(from + (at * (to - from)) / 300).toISOString();
        return { time, count: at === 200 ? 1 : 0, ...values, uom: 100, prec: 0 };
      });
      const data = { address: "", property: "ST", from: query.get("from"), to: query.get("to"), points };
      await route.fulfill({ json: { successful: true, data } });
    });
    await page.goto(new URL(LAMP, page.url()).href);
    const card = page.getByRole("region", { name: "History" });
    await card.locator("canvas").waitFor();
    const lineAt = (place: number): Promise<number> =>
      page.evaluate(`(${LINE_PIXELS})(document.querySelector(".chart canvas"), ${place})`);
    await expect.poll(() => lineAt(0.1)).toBeGreaterThan(0);
    expect(await lineAt(0.32)).toBeGreaterThan(0);
    expect([await lineAt(0.36), await lineAt(0.5), await lineAt(0.64)]).toEqual([0, 0, 0]);
    expect(await lineAt(0.7)).toBeGreaterThan(0);
    await card.getByText("Values as a table").click();
    const rows = await card.getByRole("row").allInnerTexts();
    expect(rows.map((row) => row.split("\t")[1])).toEqual(["Value", "50%", "unknown", "50%"]);
  }, 60_000);

  test("is zoomed by two fingers and moved by one", async () => {
    await using visitor = await pages.visitSignedIn(LAMP, PHONE, { hasTouch: true });
    const { page } = visitor;
    await switchLamp(page, true);
    await switchLamp(page, false);
    const chart = page.getByRole("region", { name: "History" }).locator("figure");
    const { x = 0, y = 0, width = 0 } = (await chart.locator(".u-over").boundingBox()) ?? {};
    await chart.scrollIntoViewIfNeeded();
    const top = ((await chart.locator(".u-over").boundingBox())?.y ?? y) + 60;
    const session = await visitor.context.newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", places: readonly number[]) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: places.map((place, id) => ({ x: x + width * place, y: top, id })),
      });
    const label = async () => (await chart.getAttribute("aria-label")) ?? "";
    for (const [from, to] of [
      // To the present, which has values.
      [
        [0.9, 0.98],
        [0.1, 0.8],
      ],
      [[0.3], [0.7]],
    ] as const) {
      const before = await label();
      await touch("touchStart", from);
      await touch("touchMove", to);
      await touch("touchEnd", []);
      await expect.poll(label).not.toBe(before);
    }
    await page.getByRole("button", { name: "Whole span" }).click();
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

function timeNow(page: Page): Promise<string> {
  return page.evaluate(() => new Date().toISOString());
}

/** Switches the lamp on and off, and gives a time at which it was on. */
async function timeWhenOn(page: Page): Promise<string> {
  await switchLamp(page, true);
  const time = await timeNow(page);
  await switchLamp(page, false);
  return time;
}

describe("a past moment", () => {
  test("is shown on every screen, takes no commands, and is left by Back; a link to it can be shared and reloaded", async () => {
    await using visitor = await pages.visitSignedIn(LAMP, DESK);
    const { page } = visitor;
    const at = await timeWhenOn(page);
    await using other = await pages.visitSignedIn(`${LAMP}?at=${at}`, PHONE);
    const then = other.page;
    const value = then.locator(".hero .now");
    await then.getByRole("status").getByText("commands are not possible").waitFor();
    expect(await value.textContent()).not.toBe("Off");
    expect(await then.getByRole("switch").count()).toBe(0);
    expect(await then.getByRole("button", { name: "Remove" }).count()).toBe(0);
    await then.reload();
    await then.getByRole("status").getByText("commands are not possible").waitFor();
    expect(await value.textContent()).not.toBe("Off");
    await then.evaluate(axe.source);
    expect(await seriousFaults(then)).toEqual([]);
    expect(await overflow(then)).toBe(0);

    await then.getByRole("link", { name: "Home", exact: true }).first().click();
    await then.waitForURL(/\/\?at=/);
    await then.getByRole("link", { name: "Programs" }).click();
    await then.getByRole("heading", { level: 1, name: "Programs" }).waitFor();
    expect(then.url()).toContain("at=");
    await then.getByRole("button", { name: "Back to now" }).click();
    await then.getByRole("region", { name: "Past moment" }).waitFor({ state: "detached" });
    await then.goBack();
    await then.getByRole("region", { name: "Past moment" }).waitFor();
    expect([...visitor.problems, ...other.problems]).toEqual([]);
  }, 60_000);

  test("the band goes from change to change by keys and buttons, is dragged, takes a date, and compares with now", async () => {
    await using visitor = await pages.visitSignedIn(LAMP, DESK);
    const { page } = visitor;
    await timeWhenOn(page);
    await page.goto(`${pages.url()}${LAMP}?at=${await timeNow(page)}`);
    const strip = page.getByRole("slider", { name: "Past moment" });
    const band = page.getByRole("region", { name: "Past moment" });
    const value = page.locator(".hero .now");
    await page.getByText("Off").first().waitFor();
    await strip.locator("rect").first().waitFor({ state: "attached" });
    // Nothing of the day is in the future: the band ends now, where the playhead is.
    const head = Number(await strip.locator(".playhead").getAttribute("x1"));
    expect(head).toBeGreaterThan(100);
    await band.getByLabel("Compare with now").check();
    await band.getByText("0 things differ from now").waitFor();

    // Off was the last change. Before it the lamp was on.
    const shown = () => strip.getAttribute("aria-valuenow");
    const step = async (act: () => Promise<void>) => {
      const from = (await shown()) ?? "";
      await act();
      await page.locator(`[role=slider]:not([aria-valuenow="${from}"])`).waitFor();
      await band.getByRole("status").getByText("Loading").waitFor({ state: "detached" });
    };
    await step(() => strip.press("ArrowLeft"));
    await step(() => band.getByRole("button", { name: "Change before" }).click());
    await page.locator(".hero .now", { hasNotText: "Off" }).waitFor();
    await band.getByRole("link", { name: "Hall Ceiling" }).waitFor();
    const onAt = await shown();
    await step(() => strip.press("ArrowRight"));
    expect(await value.textContent()).toBe("Off");
    await step(() => strip.press("ArrowLeft"));
    expect(await shown()).toBe(onAt);

    const box = await strip.boundingBox();
    const { x = 0, y = 0, width = 0 } = box ?? {};
    await step(async () => {
      await page.mouse.move(x + width / 2, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + 200, y + 20, { steps: 3 });
      await page.mouse.up();
    });
    // As far back as the journal goes.
    expect(Number(await shown())).toBe(Number(await strip.getAttribute("aria-valuemin")));
    await band.getByLabel("Date and time").fill("2001-02-03T04:05:06");
    await band.getByLabel("Width of the band").selectOption({ label: "Week" });
    await strip.press("PageDown");
    await band.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("at=");
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("the floor plan plays an evening until it is stopped; a plan without a picture is drawn from the rooms, and nothing is read at rest", async () => {
    await using visitor = await pages.visitSignedIn("/", DESK, {});
    const { page } = visitor;
    const present = await timeNow(page);
    // The journal of this home is younger than an evening: each of its moments is the present.
    const moments: string[] = [];
    await page.route(/[?&]at=/, async (route) => {
      const url = new URL(route.request().url());
      const at = url.searchParams.get("at") ?? "";
      if (url.pathname === "/api/past") {
        const span = { from: url.searchParams.get("from"), to: url.searchParams.get("to"), parts: [] };
        const data = {
          at,
          begins: "2001-01-01T00:00:00Z",
          before: null,
          after: null,
          unknown: { properties: 0, others: 0 },
        };
        return route.fulfill({ json: { successful: true, data: { ...data, ...span } } });
      }
      if (url.pathname === "/api/nodes") moments.push(at);
      url.searchParams.set("at", present);
      return route.continue({ url: url.href });
    });
    await page.getByRole("button", { name: "Floor plan" }).click();
    const plan = page.getByRole("region", { name: "Floor plan" });
    await plan.getByRole("link", { name: "Kitchen", exact: true }).waitFor();
    await page.evaluate(axe.source);
    expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
    await plan.getByRole("button", { name: "Play last evening" }).click();
    const band = page.getByRole("region", { name: "Past moment" });
    await expect.poll(() => new Set(moments).size, { timeout: 20_000 }).toBeGreaterThan(2);
    await plan.getByRole("link", { name: "Kitchen", exact: true }).waitFor();
    const [first = "", second = ""] = [...new Set(moments)];
    expect(Date.parse(second) - Date.parse(first)).toBe(300_000);
    await page.getByRole("slider", { name: "Past moment" }).press(" ");
    await band.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    const count = moments.length;
    await page.waitForTimeout(1_500);
    expect(moments.length).toBe(count);
    await band.getByRole("button", { name: "Back to now" }).click();
    expect(new URL(page.url()).search).toBe("?plan=");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("a time before the journal is refused in words", async () => {
    await using visitor = await pages.visitSignedIn("/");
    const { page } = visitor;
    await page.getByRole("button", { name: "Go to a past moment" }).click();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.goto(`${pages.url()}/?at=1999-01-01T00:00:00Z`);
    await page.getByRole("alert").getByText("starts later").first().waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(visitor.problems.filter((problem) => !problem.includes("400"))).toEqual([]);
  }, 60_000);
});

describe("a program", () => {
  test("is replayed over the last day with the text in the editor, and why is answered for a time", async () => {
    const login = { url: pages.url(), user: OWNER.username, password: OWNER.password, insecure: true };
    await using owner = await connect(login);
    const text = "Program 'Night Light'\nIf\nControl 'Hall Motion' is switched 'On'\nThen\nSet 'Closet Light' 'On'";
    const { id } = await owner.programs.applyText(text);
    await owner.refresh();
    await using visitor = await pages.visitSignedIn(`/program/${id}`, DESK);
    const { page } = visitor;
    await owner.node("Hall Motion").act("DON");
    await page
      .getByText(/" ran at /)
      .first()
      .waitFor();
    await page.getByText("At another time").click();
    const why = page.getByLabel("Date and time (empty: now)");
    const nothing = page.locator(".why li").filter({ hasText: "These start it" });
    await why.fill("2001-02-03T07:00");
    await nothing.waitFor();
    await why.fill("");
    await nothing.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Text", exact: true }).click();
    const editor = page.getByRole("textbox", { name: "Text" });
    const stored = await owner.program(id ?? "").text();
    await editor.press("Control+a");
    await page.keyboard.insertText(stored.replace(/^Then$/m, "Then\nSet 'Hall Ceiling' 'Off'"));
    const replay = page.getByRole("region", { name: "What would it have done?" });
    await replay.getByLabel("Replayed time").selectOption({ label: "Last day" });
    await replay.getByRole("button", { name: "What would it have done?" }).press("Enter");
    await replay.getByText(/send \d+ of \d+ real commands again/).waitFor();
    await replay.getByText("1 difference.").waitFor();
    await replay.getByRole("link", { name: "Hall Ceiling" }).waitFor();
    expect(await replay.getByRole("row").nth(1).textContent()).toMatch(/–.*Set 'Hall Ceiling' 'Off'/);
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);

    const running = { id: "9", state: "running", progress: 0.4, failure: null, from: "", until: "", result: null };
    await page.route("**/api/replays/*", (route) => route.fulfill({ json: { successful: true, data: running } }));
    await replay.getByRole("button", { name: "What would it have done?" }).click();
    await replay.locator("progress[value='0.4']").waitFor();
    await replay.getByRole("button", { name: "Cancel" }).click();
    await replay.getByRole("progressbar").waitFor({ state: "detached" });
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});
