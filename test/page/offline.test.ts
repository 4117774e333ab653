/** The page without its controller: the service worker keeps it, in the language of the reader. */

import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { PHONE, usePages } from "./visits.ts";

// A browser runs a worker only behind a certificate that it trusts.
const { visit, url, stopService } = usePages(undefined, ["--ignore-certificate-errors"]);

/** Whether every file that the page loaded is stored. */
const IS_KEPT = `(async () => {
  const files = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/assets/"));
  const stored = await Promise.all(files.map((file) => caches.match(file)));
  return files.length > 0 && stored.every((answer) => answer !== undefined);
})()`;

test("a page that was opened once is there without the controller, and says so in the reader's language", async () => {
  await using visitor = await visit(PHONE, { locale: "de-DE" });
  const { page } = visitor;
  await page.goto(url());
  await page.getByLabel("E-Mail-Adresse").fill(OWNER.username);
  await page.getByLabel("Passwort").fill(OWNER.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).and(page.locator(":not(#sign-in-title)")).waitFor();
  await expect.poll(() => page.evaluate(IS_KEPT), { timeout: 10_000 }).toBe(true);
  const startAgain = await stopService();
  await page.reload();
  await page.getByText("Die Zentrale antwortet nicht.").first().waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await startAgain();
  await page.reload();
  await page.getByRole("heading", { level: 1 }).and(page.locator(":not(#sign-in-title)")).waitFor();
}, 60_000);
