/** What happened: runs, changes of devices and edits as one list. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import { expect, test } from "vitest";
import { folded } from "../../web/src/happened/fold.ts";
import { OWNER } from "../support/controller.ts";
import { overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn, url } = usePages();

const owner = () => connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });

test("devices tell what they did and because of whom, without a reload; a room and a person are filters", async () => {
  await using visitor = await visitSignedIn("/happened", PHONE);
  const { page } = visitor;
  await using home = await owner();
  const row = (name: string) =>
    page.locator(".trace > li").filter({ has: page.getByRole("link", { name: new RegExp(`${name}$`) }) });
  await home.node("Kitchen Leak").act("WET");
  await row("Kitchen Leak").getByText("Wet", { exact: true }).first().waitFor();
  await home.node("Kitchen Leak").act("DRY");
  await row("Kitchen Leak").getByText("1 more shortly before").waitFor();
  await row("Kitchen Leak").getByText("Dry", { exact: true }).first().waitFor();
  await home.node("Hall Ceiling").send("DON");
  await row("Hall Ceiling").getByText(OWNER.username).first().waitFor();
  await page.getByLabel("Room").selectOption({ label: "Kitchen" });
  await row("Hall Ceiling").first().waitFor({ state: "detached" });
  expect(await row("Kitchen Leak").count()).toBe(1);
  await page.getByLabel("Room").selectOption("");
  await page.getByLabel("Person").selectOption(OWNER.username);
  await row("Hall Ceiling").first().waitFor();
  expect(await row("Kitchen Leak").count()).toBe(0);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ person: OWNER.username });
  await page.getByRole("button", { name: "Devices" }).click();
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page), visitor.problems]).toEqual([[], 0, []]);
  await home.node("Hall Ceiling").send("DOF");
}, 60_000);

test("after a change of a device only the events are read again", async () => {
  await using visitor = await visitSignedIn("/happened", PHONE);
  const { page } = visitor;
  await page.locator(".trace > li").first().waitFor();
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await using home = await owner();
  await home.node("Hall Ceiling").send("DON");
  await expect
    .poll(() => asked.filter((path) => path.includes("/api/events")).length, { timeout: 10_000 })
    .toBeGreaterThan(0);
  expect(asked.filter((path) => /\/api\/(?!events|trace|commands|healthz)/.test(path))).toEqual([]);
  await home.node("Hall Ceiling").send("DOF");
}, 60_000);

test("begins with a story of doors, locks and programs, and a day is jumped to", async () => {
  await using home = await owner();
  await home.node("Front Door").act("OPEN");
  await home.node("Front Door").act("CLOSE");
  await home.program("0008").runThen();
  await using visitor = await visitSignedIn("/happened", PHONE);
  const { page } = visitor;
  const story = page.getByRole("region", { name: /^(?:Last night|Today)$/ });
  await story.getByText(/^Front Door: \d+ times, last Closed at \d+:\d\d [AP]M\.$/).waitFor();
  await story.getByText(/ran \d+ times?\.$/).waitFor();
  await home.program("0008").stop();
  const day = page.getByLabel("Day", { exact: true });
  const today = await day.inputValue();
  const before = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  await day.fill(before);
  await page.getByRole("region", { name: "Past moment" }).waitFor();
  expect(new URL(page.url()).searchParams.get("at")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:59:59/);
  await story.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Back to now" }).click();
  await story.waitFor();
}, 60_000);

test("entries of one subject within ten minutes of each other are folded, also with others between them", () => {
  const entry = (subject: string, minute: number) => ({
    key: `${subject} ${minute}`,
    subject,
    atMs: Date.UTC(2026, 4, 1, 12, minute),
  });
  const entries = [entry("a", 50), entry("b", 49), entry("a", 45), entry("a", 36), entry("a", 20), entry("b", 10)];
  const keys = folded(entries).map(({ newest, others }) => [newest.key, ...others.map(({ key }) => key)]);
  expect(keys).toEqual([["a 50", "a 45", "a 36"], ["b 49"], ["a 20"], ["b 10"]]);
});
