/** A new owner's first evening with the page: what it makes works at once, and what it shows follows. */

import { expect, test } from "vitest";
import { DESK, request, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

const MOTION = "/api/nodes/2D%207F%20E1%201/act";

test("a program that is made on the page runs when it is saved; its runs, non-runs and reasons follow, and a switch at the top stops it", async () => {
  await using visitor = await visitSignedIn("/programs", DESK);
  const { page } = visitor;
  await page.getByRole("button", { name: "New program" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Follows");
  await page.keyboard.press("Enter");
  const isEnabled = page.getByRole("switch", { name: "Enabled" });
  await isEnabled.waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.press("Control+a");
  await page.keyboard.insertText(
    "Program 'Follows'\nIf\nControl 'Hall Motion' is switched 'On'\nThen\nSet 'Hall Ceiling' 'On' 20%\nElse\n",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();

  expect(await isEnabled.getAttribute("aria-checked")).toBe("true");
  const runs = page.getByRole("region", { name: "Runs and non-runs" });
  const why = page.locator(".why");
  await request(page, "POST", MOTION, { control: "DON" });
  await runs.getByText("ran Then", { exact: true }).waitFor();
  await why.getByText("Hall Motion").first().waitFor();

  await isEnabled.click();
  await page.locator('[role=switch][aria-label="Enabled"][aria-checked=false]').waitFor();
  await request(page, "POST", MOTION, { control: "DON" });
  await runs.getByText("did not run", { exact: true }).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);
