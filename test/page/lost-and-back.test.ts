/** The page when something fails: each case has its sentence and a way on, and what was typed is still there. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { PHONE, seriousFaults, sessionEnded, usePages } from "./visits.ts";

const { visit, visitSignedIn, signIn, url, stopService } = usePages();

const LAMP = "/node/1A%202B%203C%201";
const DAY_MS = 86_400_000;
/** The browser's own message about a failed request, which a page cannot prevent. */
const OF_THE_BROWSER = /^Failed to load resource|^WebSocket connection|^40[13] /;

const ownProblems = (problems: readonly string[]) => problems.filter((text) => !OF_THE_BROWSER.test(text));
const typed = (page: Page) => page.getByRole("textbox", { name: "Name", includeHidden: true });

async function asOwner(password: string = OWNER.password) {
  return connect({ url: url(), user: OWNER.username, password, insecure: true, stream: "off" });
}

async function startRename(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Rename" }).click();
  await typed(page).fill(name);
}

describe("the connection", () => {
  test("offline: the page says so, refuses commands, keeps what is typed, and continues when the network is back", async () => {
    await using visitor = await visitSignedIn(LAMP);
    const { page, context } = visitor;
    await startRename(page, "Offline lamp");
    await context.setOffline(true);
    await page.getByRole("status").getByText("This device is offline").waitFor();
    await page.getByRole("switch", { name: "Hall Ceiling" }).first().click();
    await page.getByText("Not connected: nothing was sent.").waitFor();
    await typed(page).press("Enter");
    await page.getByRole("alert").getByText("The controller does not answer.").first().waitFor();
    const history = page.getByRole("region", { name: "History" });
    await history.getByRole("button", { name: "Week" }).click();
    await history.getByRole("alert").getByText("The controller does not answer.").waitFor();
    await context.setOffline(false);
    await page.getByRole("status").getByText("This device is offline").waitFor({ state: "detached" });
    await history.getByRole("alert").waitFor({ state: "detached" });
    await typed(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Offline lamp" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(ownProblems(visitor.problems)).toEqual([]);
  }, 60_000);

  test("a restart of the controller: the page says so, offers another try, and the login remains", async () => {
    await using visitor = await visitSignedIn(LAMP);
    const { page } = visitor;
    await startRename(page, "After the restart");
    const startAgain = await stopService();
    await page.getByRole("button", { name: "Try now" }).waitFor();
    await typed(page).press("Enter");
    await page.getByRole("alert").getByText("The controller does not answer.").waitFor();
    await startAgain();
    await page.getByRole("button", { name: "Try now" }).press("Enter");
    await page.getByRole("button", { name: "Try now" }).waitFor({ state: "detached" });
    await typed(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "After the restart" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(ownProblems(visitor.problems)).toEqual([]);
  }, 60_000);
});

describe("the login", () => {
  test("an access token that ends is renewed, unseen, while the page is open", async () => {
    await using visitor = await visit();
    const { page, context } = visitor;
    await context.clock.install();
    await signIn(visitor, "/system");
    const renewed = page.waitForResponse("**/api/jwt/refresh");
    await context.clock.fastForward(3_600_000);
    await page.getByRole("link", { name: "Network resources" }).click();
    expect((await renewed).status()).toBe(200);
    await page.getByRole("heading", { level: 1, name: "Network resources" }).waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("a password that was changed: sign-in covers the page, and the same person goes on with what was typed", async () => {
    const other = "another password for today";
    await using visitor = await visit(PHONE);
    const { page } = visitor;
    await signIn(visitor, LAMP);
    await startRename(page, "Typed before");
    await using owner = await asOwner();
    const [account] = (await owner.accounts.list()).filter(({ login }) => login === OWNER.username);
    const changePassword = (password: string) =>
      owner.request("POST", `/api/accounts/${account?.id}/password`, { password });
    await changePassword(other);
    await sessionEnded(page).waitFor();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Escape");
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(OWNER.username);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("is wrong").waitFor();
    await page.getByLabel("Password").fill(other);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await typed(page).inputValue()).toBe("Typed before");
    await typed(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Typed before" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    await using again = await asOwner(other);
    await again.request("POST", `/api/accounts/${account?.id}/password`, { password: OWNER.password });
    expect(ownProblems(visitor.problems)).toEqual([]);
  }, 60_000);

  test("an account that was removed: the page says so, and another person gets a page of their own", async () => {
    await using owner = await asOwner();
    const password = "only for this visit";
    const lodger = { kind: "portal", login: "lodger@example.org", role: "user", password };
    const { data } = await owner.request("POST", "/api/accounts", lodger);
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(url());
    await page.getByLabel("E-mail address").fill(lodger.login);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("combobox").or(page.getByRole("searchbox")).fill("typed by the lodger");
    await owner.request("DELETE", `/api/accounts/${(data as { id: string }).id}`);
    await sessionEnded(page).waitFor();
    await page.getByLabel("E-mail address").fill(OWNER.username);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("combobox").or(page.getByRole("searchbox")).inputValue()).toBe("");
    expect(ownProblems(visitor.problems)).toEqual([]);
  }, 60_000);
});

test.each([
  [DAY_MS, "ahead of"],
  [-DAY_MS, "behind"],
])(
  "a clock that is wrong by %i ms is named, and everything works",
  async (differenceMs, words) => {
    await using visitor = await visit();
    const { page, context } = visitor;
    await context.clock.install({ time: Date.now() + differenceMs });
    await signIn(visitor, LAMP);
    await page.getByRole("status").getByText(`24 hours ${words} the controller`).waitFor();
    await page.reload();
    const lamp = page.getByRole("switch", { name: "Hall Ceiling" }).first();
    await lamp.waitFor();
    const other = (await lamp.getAttribute("aria-checked")) === "true" ? "false" : "true";
    await lamp.click();
    await page.locator(`[role=switch][aria-label="Hall Ceiling"][aria-checked=${other}]`).first().waitFor();
    expect(visitor.problems).toEqual([]);
  },
  60_000,
);
