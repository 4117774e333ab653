/** An account for a child: four clicks from Home, a plain name as its login, rooms and no locks. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import { expect, test } from "vitest";
import { loginOf, nameOf } from "../../web/src/session/login-name.ts";
import { OWNER } from "../support/controller.ts";
import { DESK, PHONE, seriousFaults, usePages } from "./visits.ts";

const pages = usePages();

test("is made with four clicks, signs in with a plain name, switches lamps and no lock", async () => {
  await using visitor = await pages.visitSignedIn("/", DESK);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.locator("nav.places").getByRole("link", { name: "System" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("button", { name: "For a child" }).click();
  await dialog.getByLabel("Name").fill("Lena Marie");
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  const password = (await dialog.locator("strong").textContent()) ?? "";
  await dialog.locator("button[type=submit]").click();
  await page.getByRole("listitem").filter({ hasText: "Lena-Marie" }).waitFor();

  await using child = await pages.visit(PHONE);
  await child.page.goto(pages.url());
  await child.page.getByLabel("Name or e-mail address").fill("Lena Marie");
  await child.page.getByLabel("Password").fill(password);
  await child.page.keyboard.press("Enter");
  const hall = child.page.getByRole("button", { name: "Hall", exact: true });
  await hall.waitFor();
  if ((await hall.getAttribute("aria-expanded")) === "false") await hall.click();
  await child.page.getByRole("switch", { name: "Hall Ceiling" }).waitFor();
  expect(await child.page.getByRole("button", { name: /nlock: / }).count()).toBe(0);
  await child.page.goto(`${pages.url()}/account`);
  await child.page.getByRole("heading", { name: "Lena-Marie" }).waitFor();
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  const account = (await home.accounts.list()).find(({ login }) => login === "lena-marie@home");
  expect(account).toMatchObject({ role: "guest", limits: { scenesWithin: true } });
}, 60_000);

test("a grandparent unlocks the door of a room, and is shown no programs, no past and no settings", async () => {
  await using owner = await pages.visitSignedIn("/system/people", DESK);
  const dialog = owner.page.getByRole("dialog");
  await owner.page.getByRole("button", { name: "For a grandparent" }).click();
  await dialog.getByLabel("Name").fill("Oma Inge");
  await dialog.getByRole("button", { name: "Create" }).click();
  const password = (await dialog.locator("strong").textContent()) ?? "";
  await using visitor = await pages.visit(DESK);
  const { page } = visitor;
  await page.goto(pages.url());
  await page.getByLabel("Name or e-mail address").fill("Oma Inge");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: /nlock: Front Door Lock|^Lock: Front Door Lock/ })
    .first()
    .waitFor();
  const places = await page.locator("nav.places").getByRole("link").allInnerTexts();
  expect(places.map((name) => name.trim()).filter((name) => /^[A-Z][a-z]+$/.test(name))).toEqual([
    "Home",
    "Search",
    "Account",
  ]);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test.each([
  ["Lena", "lena@home", "Lena"],
  [" Oma  Inge ", "oma-inge@home", "Oma-Inge"],
  ["ann@example.org", "ann@example.org", "ann@example.org"],
])("%s signs in as %s and is shown as %s", (typed, login, shown) => {
  expect([loginOf(typed), nameOf(login)]).toEqual([login, shown]);
});

test("a cleaner's account has hours, which are shown, changed and taken away", async () => {
  await using visitor = await pages.visitSignedIn("/system/people", DESK);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "For a cleaner" }).click();
  await dialog.getByLabel("Name").fill("Maria");
  await dialog.getByLabel("To", { exact: true }).fill("13:30");
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.locator("strong").waitFor();
  await dialog.locator("button[type=submit]").click();
  const row = page.getByRole("listitem").filter({ hasText: "Maria" });
  await row.getByText("Mon–Fri 08:00–13:30").waitFor();
  await row.getByRole("button", { name: "Hours of Maria" }).click();
  await dialog.getByRole("button", { name: "Sat" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("Mon–Sat 08:00–13:30").waitFor();
  await row.getByRole("button", { name: "Hours of Maria" }).click();
  await dialog.getByLabel("At all times").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("08:00").waitFor({ state: "detached" });
});

test("outside of its hours an account is told at the sign-in when it can be used", async () => {
  await using home = await connect({
    url: pages.url(),
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
  });
  const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const hours = [{ days: [days[(new Date().getUTCDay() + 3) % 7]], from: "08:00", to: "12:00" }];
  const account = { kind: "portal", login: "late@example.org", role: "user", password: "a key under the mat" };
  await home.request("POST", "/api/accounts", { ...account, hours });
  await using late = await pages.visit(PHONE);
  await late.page.goto(pages.url());
  await late.page.getByLabel("Name or e-mail address").fill(account.login);
  await late.page.getByLabel("Password").fill(account.password);
  await late.page.keyboard.press("Enter");
  await late.page.getByText(/^Your account can be used \w{3} 08:00–12:00\. At home it is/).waitFor();
});
