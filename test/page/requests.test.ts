/** What the page asks for: after an edit the home once, and nothing while nothing happens. */

import { connect } from "@domovoi/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, usePages } from "./visits.ts";

const { visitSignedIn, url } = usePages();

/** Paths of the requests from now on, as often as they are asked for. */
function countRequests(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:api|rest)\//.test(pathname)) counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
  });
  return counts;
}

test("an edit loads the home once, though its event says that the home has changed; what it did not touch is not asked for", async () => {
  await using visitor = await visitSignedIn("/node/1A%202B%203C%201", DESK);
  const { page } = visitor;
  await page.waitForLoadState("networkidle");
  const counts = countRequests(page);
  const rename = async (name: string) => {
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.waitForLoadState("networkidle");
  };
  await rename("Reading Lamp Two");
  expect(counts.get("/api/nodes")).toBe(1);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  expect([...counts.keys()].filter((path) => /simulated|\/me\/page/.test(path))).toEqual([]);
  expect(counts.size).toBeLessThanOrEqual(12);
  await rename("Hall Ceiling");
}, 60_000);

test("an edit by somebody else loads the home once", async () => {
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  await using visitor = await visitSignedIn("/", DESK);
  const { page } = visitor;
  await page.waitForLoadState("networkidle");
  const counts = countRequests(page);
  const { edit } = await home.edits.createFolder("Attic");
  await page.getByRole("heading", { name: "Attic" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(counts.get("/api/nodes")).toBe(1);
  await home.edits.undo(edit ?? undefined);
}, 60_000);
