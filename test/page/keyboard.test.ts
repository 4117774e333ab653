/** The page by keyboard alone: where the focus is after a save, after Cancel and after Escape. */

import { expect, test } from "vitest";
import { DESK, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

test("a rename by keyboard gives the focus back to its button, after Save, Cancel and Escape", async () => {
  await using visitor = await visitSignedIn("/program/0008", DESK);
  const { page } = visitor;
  const button = page.getByRole("button", { name: "Rename" });
  const field = page.getByLabel("Name", { exact: true });
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
  for (const keys of [["Escape"], ["Tab", "Tab", "Enter"], ["Enter"]]) {
    await button.press("Enter");
    await field.waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await button.waitFor({ timeout: 5_000 });
    await expect.poll(focused).toBe("Rename");
  }
  expect(visitor.problems).toEqual([]);
});

test("the editor of a program takes the focus, and gives it back to Edit when it ends", async () => {
  await using visitor = await visitSignedIn("/program/0008", DESK);
  const { page } = visitor;
  const focused = () => page.evaluate("document.activeElement.textContent");
  for (const last of ["Close", "Save"]) {
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await expect.poll(focused).toBe("Blocks");
    await page.getByRole("button", { name: last, exact: true }).press("Enter");
    await expect.poll(focused).toBe("Edit");
  }
  expect(visitor.problems).toEqual([]);
});
