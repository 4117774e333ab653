/** Numbers and units on the page: one unit in every sentence, written as the language writes it. */

import { connect } from "@domovoi/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, usePages } from "./visits.ts";

const pages = usePages();
const METER = "/node/17%2088%204%201";
const DEGREES_FAHRENHEIT = 17;

/** The events of every node are this one: 70 °F. */
async function onlyWarm(page: Page): Promise<void> {
  const event = {
    id: 1,
    time: new Date().toISOString(),
    kind: "value",
    control: "ST",
    parameters: [],
    name: "Temperature",
    property: { id: "ST", value: 700, uom: DEGREES_FAHRENHEIT, prec: 1 },
    value: "70.0 °F",
    state: null,
    detail: "",
    by: { kind: "device", name: null, program: null },
  };
  await page.route(/\/api\/(?:nodes\/.*\/)?events\?/, async (route) => {
    const { data } = await (await route.fetch()).json();
    const [address = ""] = /(?<=\/nodes\/).*(?=\/events)/.exec(route.request().url()) ?? [];
    const events = [{ ...event, address: address === "" ? data.events[0].address : decodeURIComponent(address) }];
    await route.fulfill({ json: { successful: true, data: { ...data, events } } });
  });
}

test.each([
  ["en-US", "21.1 °C"],
  ["de-DE", "21,1 °C"],
])(
  "a report in degrees Fahrenheit is told in the unit of the home among the events of a node, in %s",
  async (locale, shown) => {
    await using visitor = await pages.visitSignedIn("/", DESK, { locale });
    const { page } = visitor;
    await onlyWarm(page);
    await page.getByRole("link", { name: "Living Room Thermostat" }).first().press("Enter");
    await page.getByRole("list").getByText(shown).first().waitFor();
    expect(await page.getByText("70.0 °F").count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  },
  60_000,
);

test("a German page writes the numbers of a meter with a comma, in short units", async () => {
  await using visitor = await pages.visitSignedIn(METER, DESK, { locale: "de-DE" });
  const { page } = visitor;
  await page.getByRole("heading", { name: "Werte", exact: true }).click();
  const cells = page.locator("details.card table").first();
  await cells.getByText(/\d,\d+ kWh$/).waitFor();
  expect(await cells.first().textContent()).not.toMatch(/\d\.\d{1,2}(?!\d)|Watts/);
}, 60_000);

test("a German page tells an unlocking from a locking, in the events of the lock too", async () => {
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  await home.node("Front Door Lock").send("SECMD", 0);
  await using visitor = await pages.visitSignedIn("/node/ZW010_1", DESK, { locale: "de-DE" });
  const { page } = visitor;
  await page.getByText("Befehl Entriegeln").waitFor();
  await home.node("Front Door Lock").send("SECMD", 1);
  await page.getByText("Befehl Verriegeln").first().waitFor();
  expect(await page.getByText("Befehl Entriegeln").count()).toBe(1);
}, 60_000);

test("a command is told with its value, in the numbers of the language", async () => {
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  await home.node("Hall Ceiling").send("DON", 40);
  await home.node("Living Room Thermostat").send("CLISPH", 69);
  await using visitor = await pages.visitSignedIn("/node/1A%202B%203C%201", DESK, { locale: "de-DE" });
  const { page } = visitor;
  await page.getByText("Befehl An 40 %").waitFor();
  await open(page, "/node/15%20E%2020%201");
  await page.getByText("Befehl Heizen auf 20,6 °C").waitFor();
}, 60_000);

test("the sentences of a program and its Why are in the unit of the home, with the words of the language", async () => {
  await using visitor = await pages.visitSignedIn("/program/000D", DESK, { locale: "de-DE" });
  const { page } = visitor;
  await page.getByText("Heizen auf 17,8 °C").waitFor();
  await open(page, "/program/0015");
  await page.getByText(/jetzt „0,4 W“/).waitFor();
  expect(await page.locator("main").textContent()).not.toMatch(/Watts|degrees/);
}, 60_000);
