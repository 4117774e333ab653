/** The energy of the home: now, today, and what it cost. What meters count comes with the charts and the reports of the page's own answers. */

import { connect } from "@domovoi/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { metersOf } from "../../web/src/energy/meters.ts";
import { priceOf } from "../../web/src/energy/tariff.ts";
import { OWNER } from "../support/controller.ts";
import { DESK, PHONE, usePages } from "./visits.ts";

const pages = usePages();
const owner = () => connect({ url: pages.url(), user: OWNER.username, password: OWNER.password, insecure: true });
const METER = "17 88 4 1";
const KILOWATT_HOURS = 33;
const PART_MS = 1_800_000;

/** Each half hour of the day until now the meter counted a kilowatt-hour; the node with the price says 0.5. */
async function aKilowattHourEachHalf(page: Page): Promise<{ readonly parts: number[]; readonly asked: string[] }> {
  const said = { parts: [] as number[], asked: [] as string[] };
  await page.route(/\/api\/history\//, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    said.asked.push(decodeURIComponent(pathname));
    const [fromMs, count] = [Date.parse(searchParams.get("from") ?? ""), Number(searchParams.get("points"))];
    const isPrice = pathname.endsWith("/ST");
    const points = Array.from({ length: count }, (_, at) => ({ atMs: fromMs + at * PART_MS, at }))
      .filter(({ atMs }) => atMs <= Date.now())
      .map(({ atMs, at }) => {
        const value = isPrice ? 5 : 1_284_620 - (count - 1 - at) * 1000;
        return {
          time: new Date(atMs).toISOString(),
          count: 1,
          min: value,
          max: value,
          mean: value,
          last: value,
          uom: isPrice ? 0 : KILOWATT_HOURS,
          prec: isPrice ? 1 : 3,
        };
      });
    said.parts.push(points.length - 1);
    await route.fulfill({ json: { successful: true, data: { points } } });
  });
  return said;
}

test("the sum of today and its cost are those of the grid, by a price of each time of the day or as a node says it", async () => {
  await using home = await owner();
  await home.edits.setUse(METER, "grid");
  await using visitor = await pages.visitSignedIn("/", DESK);
  const { page } = visitor;
  const said = await aKilowattHourEachHalf(page);
  await page.getByRole("link", { name: "Energy", exact: true }).click();
  const card = page.getByRole("region", { name: "Meters" });
  const kilowattHours = () => said.parts[0] ?? 0;
  await card.getByText(/today \d+ kWh from the grid$/).waitFor();
  await card.getByText(`today ${kilowattHours()} kWh from the grid`).waitFor();
  expect(await card.getByRole("row").filter({ hasText: "House Meter" }).textContent()).toMatch(/Grid/);

  // One price, then another one from a minute of the day that is over, then what a device says.
  const dialog = page.getByRole("dialog", { name: "Price" });
  const change = async (fill: () => Promise<unknown>, price: number) => {
    await card.getByRole("button", { name: "Price", exact: true }).click();
    await fill();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await card
      .getByText(`€${(kilowattHours() * price).toFixed(2)}`)
      .first()
      .waitFor();
  };
  await change(() => dialog.getByLabel("Price of a kWh").fill("0.3"), 0.3);
  await change(async () => {
    await dialog.getByRole("button", { name: "Another price from a time of day" }).click();
    await dialog.getByLabel("From").fill("00:01");
    await dialog.getByLabel("Price of a kWh").last().fill("0.7");
    await dialog.getByLabel("Price of a kWh").first().fill("0.7");
  }, 0.7);
  await change(() => dialog.getByLabel("Or as a device says it").selectOption("House Meter"), 0.5);

  // Nothing is asked for while nothing happens.
  await page.waitForLoadState("networkidle");
  const before = said.asked.length;
  await page.waitForTimeout(2_000);
  expect(said.asked.length).toBe(before);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await home.edits.setPlace({ tariff: null });
  await home.edits.setUse(METER, null);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("without a meter of the grid the devices that are measured are one sum", async () => {
  await using visitor = await pages.visitSignedIn("/energy", PHONE);
  await visitor.page.getByText(/all measured devices now/).waitFor();
}, 60_000);

test("what a meter counts is said by its owner, else by what it measures", () => {
  const node = (address: string, use: string | null, properties: Readonly<Record<string, string>>) => ({
    address,
    use,
    role: "meter",
    properties: new Map(Object.entries(properties).map(([id, uom]) => [id, { id, uom, value: "1", prec: 0 }])),
    value: () => 1,
  });
  const nodes = [
    node("plug", null, { CPW: "73", TPW: "33" }),
    node("roof", "solar", { ST: "73", TPW: "33" }),
    node("main", "grid", { ST: "30" }),
    node("tap", null, { WVOL: "8" }),
    node("boiler", null, { GVOL: "8" }),
    node("oil", "gas", { ST: "35" }),
    node("volts", null, { ST: "72" }),
  ];
  const found = metersOf({ nodes } as unknown as Parameters<typeof metersOf>[0]);
  expect(found.map(({ node: { address }, kind, counter }) => [address, kind, counter])).toEqual([
    ["main", "grid", null],
    ["roof", "solar", "TPW"],
    ["plug", "load", "TPW"],
    ["tap", "water", "WVOL"],
    ["boiler", "gas", "GVOL"],
    ["oil", "gas", "ST"],
  ]);
});

test("a price holds from its minute until the next one", () => {
  const tariff = {
    currency: "EUR",
    node: null,
    prices: [
      { from: 0, price: 0.2 },
      { from: 360, price: 0.4 },
    ],
  };
  expect([0, 359, 360, 1439].map((minute) => priceOf(tariff, minute))).toEqual([0.2, 0.2, 0.4, 0.4]);
});
