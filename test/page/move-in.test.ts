/** The steps of a move on the page, at a home that was copied from saved answers of another controller. */

import axe from "axe-core";
import { expect, test } from "vitest";
import { runDomovoi } from "../simulation/service-process.ts";
import { homeDirectory } from "../support/twin.ts";
import { overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages(
  async (data) => {
    const copied = await runDomovoi(["move-in", "--from-files", homeDirectory("wired"), "--data", data, "--yes"]);
    expect([copied.code, copied.stderr]).toEqual([0, expect.any(String)]);
    return [];
  },
  [],
  [],
);

test("shows what is still simulated, finishes the move, and takes the last step back; the first one stays", async () => {
  await using visitor = await visitSignedIn("/system/move-in", PHONE);
  const { page } = visitor;
  await page.getByText(/nodes have no device here yet/).waitFor();
  await page.getByText("The programs wait until the end of the move.").waitFor();
  expect(await page.getByRole("button", { name: "Undo the last step" }).count()).toBe(0);
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "Finish the move" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Finish the move" }).click();
  await page.getByText("The programs run here.").waitFor();
  await page.getByRole("button", { name: "Undo the last step" }).click();
  await page.getByText("The programs wait until the end of the move.").waitFor();
  await page.getByText("Nodes without a device").click();
  expect(await page.locator("details .rows > li").count()).toBeGreaterThan(3);
  expect(visitor.problems).toEqual([]);
}, 60_000);
