/** The second factor on the page: set up with the code that an app reads, asked for at the next sign-in, and taken away again. */

import axe from "axe-core";
import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { PHONE, seriousFaults, usePages } from "./visits.ts";

const pages = usePages();

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Name or e-mail address").fill(OWNER.username);
  await page.getByLabel("Password").fill(OWNER.password);
  await page.keyboard.press("Enter");
}

const digits = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a person sets it up on the phone, signs in with a recovery code, gets new codes, and removes it", async () => {
  await using visitor = await pages.visit(PHONE);
  const { page } = visitor;
  await page.goto(`${pages.url()}/account`);
  await signIn(page);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Set up a second factor" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img").waitFor();
  const secret = await dialog.getByLabel("Or enter this secret in the app").inputValue();
  await dialog.getByLabel("Six digits that the app shows").fill("000000");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByText("These digits do not belong to the secret").waitFor();
  await dialog.getByLabel("Six digits that the app shows").fill(digits(secret));
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByRole("heading", { name: "Recovery codes" }).waitFor();
  const codes = await dialog.getByRole("listitem").allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await dialog.getByRole("button", { name: "I have noted it" }).click();
  await card(page, "Second factor").getByText("needs the digits of your app").waitFor();

  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await signIn(page);
  const code = page.getByLabel("Six digits of your app, or a recovery code");
  await code.waitFor();
  await page.getByText("The password is right.").waitFor();
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await code.fill("111111");
  await page.keyboard.press("Enter");
  await page.getByText("These digits are wrong").waitFor();
  await code.fill(codes[0] ?? "");
  await page.keyboard.press("Enter");
  await card(page, "Recovery codes").getByText("Recovery codes left: 9.").waitFor();

  await page.getByRole("button", { name: "New recovery codes" }).click();
  await dialog.getByRole("button", { name: "Make new codes" }).click();
  await dialog.getByRole("listitem").first().waitFor();
  const fresh = await dialog.getByRole("listitem").allInnerTexts();
  expect(fresh.filter((each) => codes.includes(each))).toEqual([]);
  await dialog.getByRole("button", { name: "I have noted it" }).click();
  await card(page, "Recovery codes").getByText("Recovery codes left: 10.").waitFor();

  await page.getByRole("button", { name: "Remove the second factor" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Set up a second factor" }).waitFor();
  expect(await card(page, "Recovery codes").count()).toBe(0);
});
