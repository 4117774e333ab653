/** A move that begins on the page: an empty home, and another controller whose home it copies. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, expect, test } from "vitest";
import { type Service, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";
import { DESK, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

let original: Service;
let directory: string;

const { visit, visitSignedIn, signIn, url } = usePages(
  async () => {
    directory = await mkdtemp(join(tmpdir(), "domovoi-original-"));
    original = await startService(join(directory, "data"), ["--demo", "--still"]);
    const settings = join(directory, "settings.json");
    await writeFile(settings, JSON.stringify({ networkTargets: ["127.0.0.1", "localhost"] }));
    return ["--config", settings];
  },
  [],
  [],
);

afterAll(async () => {
  await original?.process.kill();
  await rm(directory, { recursive: true, force: true });
});

test.each([
  ["phone", PHONE],
  ["desk", DESK],
] as const)(
  "a wrong password, a certificate and a wrong address are explained in words (%s)",
  async (_name, viewport) => {
    await using visitor = await visitSignedIn("/system/move-in", viewport);
    const { page } = visitor;
    const read = async (address: string, password: string, isUnchecked: boolean) => {
      await page.getByLabel("Address of the other controller").fill(address);
      await page.getByLabel("Account there").fill(OWNER.username);
      await page.getByLabel("Password there").fill(password);
      await page.getByLabel(/Do not check its certificate/).setChecked(isUnchecked);
      await page.getByRole("button", { name: "Show what comes over" }).click();
    };
    await read(original.portalUrl, OWNER.password, false);
    await page.getByText(/tick “Do not check its certificate”/).waitFor();
    await read(original.portalUrl, "not the password", true);
    await page.getByText(/refuses this account/).waitFor();
    expect(await page.getByLabel("Account there").inputValue()).toBe(OWNER.username);
    expect(await page.getByLabel("Password there").inputValue()).toBe("");
    await read("https://127.0.0.1:1", OWNER.password, true);
    await page.getByText(/does not answer. Check its address/).waitFor();
    await page.evaluate(axe.source);
    expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  },
  60_000,
);

test("the plan is shown, the home is copied, and after signing in again the steps of the move are there", async () => {
  await using visitor = await visit(PHONE);
  const { page } = visitor;
  await signIn(visitor, "/system/move-in");
  await page.getByLabel("Address of the other controller").fill(original.portalUrl);
  await page.getByLabel("Account there").fill(OWNER.username);
  await page.getByLabel("Password there").fill(OWNER.password);
  await page.getByLabel(/Do not check its certificate/).check();
  await page.getByLabel("Password there").press("Enter");
  await page.getByRole("heading", { name: /^What comes over from/ }).waitFor();
  await page.getByText("Comes with the copy").waitFor();
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "Copy this home" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Copy this home" }).click();
  await page.getByRole("form", { name: "Sign in" }).waitFor({ timeout: 30_000 });
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await page.getByText(/nodes have no device here yet/).waitFor();
  await page.goto(url());
  await page.getByRole("heading", { name: "Hall", exact: true }).waitFor();
}, 90_000);
