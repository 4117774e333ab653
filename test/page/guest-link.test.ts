/** Addresses of guest links in the page: what they open, and what they may not do to a login of the browser. */

import { connect } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { usePages } from "./visits.ts";

const { visit, visitSignedIn, url } = usePages();

describe("a guest link", () => {
  test("opens the page with what it names, without a login, keeps it over a reload, and ends when it is revoked", async () => {
    const login = { url: url(), user: OWNER.username, password: OWNER.password, insecure: true };
    await using owner = await connect(login);
    const limits = { nodes: [owner.node("Hall Ceiling").address] };
    const guest = await owner.guests.create({ name: "Walker", limits });
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(guest.link);
    const lamp = page.getByRole("switch", { name: "Hall Ceiling" });
    await lamp.waitFor();
    expect(page.url()).toBe(`${url()}/`);
    await page.reload();
    await lamp.waitFor();
    expect(await page.content()).not.toContain("Kitchen");
    expect(visitor.problems).toEqual([]);
    await owner.guests.revoke(guest.id);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  }, 60_000);
});

test("the dialog says what scenes of a room switch elsewhere, and leaves such scenes out unless they are chosen", async () => {
  const login = { url: url(), user: OWNER.username, password: OWNER.password, insecure: true };
  await using owner = await connect(login);
  for (const isWithScene of [false, true]) {
    await using visitor = await visitSignedIn("/system/people");
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New guest link" }).click();
    await dialog.getByLabel("For whom").fill(`Painter ${isWithScene}`);
    expect(await dialog.getByText("also switch other devices").count()).toBe(0);
    await dialog.getByRole("checkbox", { name: "Living Room", exact: true }).check();
    const beyond = dialog.getByRole("group", { name: "Scenes that also switch other devices" });
    expect(await beyond.getByRole("listitem").allTextContents()).toEqual(["Evening Hall Ceiling"]);
    if (isWithScene) await beyond.getByRole("checkbox", { name: "Include these scenes: Evening" }).check();
    await dialog.getByRole("button", { name: "Create" }).click();
    await using guest = await visit();
    await guest.page.goto(await dialog.getByRole("textbox", { name: "Link" }).inputValue());
    const scenes = guest.page.getByRole("region", { name: "Scenes" });
    await scenes.getByRole("button", { name: "Movie" }).waitFor();
    expect(await scenes.getByRole("button", { name: "Evening" }).count()).toBe(isWithScene ? 1 : 0);
    expect(visitor.problems).toEqual([]);
  }
  for (const { id } of await owner.guests.list()) await owner.guests.revoke(id);
}, 60_000);

describe("an address of a guest link", () => {
  const token = `guest.${"0".repeat(16)}.${"0".repeat(64)}`;

  test("ends no login without a question, and one that is no guest token nothing at all", async () => {
    await using visitor = await visitSignedIn("/");
    const { page } = visitor;
    const login = () => page.evaluate(() => localStorage.getItem("domovoi.login"));
    await page.getByRole("heading", { name: "Hall", exact: true }).waitFor();
    const before = await login();
    const asked: string[] = [];
    let isAgreed = false;
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void (isAgreed ? dialog.accept() : dialog.dismiss());
    });
    const open = async (hash: string) => {
      await page.goto("about:blank");
      await page.goto(`${url()}/#${hash}`);
    };
    await open("guest.x");
    expect([asked, await login(), page.url()]).toEqual([[], before, `${url()}/`]);
    await open(token);
    await expect.poll(() => asked.length).toBe(1);
    expect(await login()).toBe(before);
    isAgreed = true;
    await open(token);
    const { access } = JSON.parse(before ?? "{}") as { access: string };
    await expect.poll(() => asked.length).toBe(2);
    const status = () =>
      page.evaluate(async (value) => {
        const answer = await fetch("/rest/ping", { headers: { Authorization: `Bearer ${value}` } });
        return answer.status;
      }, access);
    await expect.poll(status).toBe(401);
  }, 60_000);
});

test("an account with limits sees what it may, and no place, link or card that the controller would refuse", async () => {
  const login = { url: url(), user: OWNER.username, password: OWNER.password, insecure: true };
  await using owner = await connect(login);
  const password = "long enough for a child";
  const { id } = await owner.accounts.add({
    kind: "portal",
    login: "child@example.org",
    role: "user",
    password,
    limits: { nodes: [owner.node("Hall Ceiling").address] },
  });
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(url());
  await page.getByLabel("E-mail address").fill("child@example.org");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("switch", { name: "Hall Ceiling" }).waitFor();
  const links = page.getByRole("navigation", { name: "Places" }).getByRole("link");
  expect(await links.allTextContents()).toEqual(expect.not.arrayContaining(["Happened", "System"]));
  expect(await page.getByRole("button", { name: "Go to a past moment" }).count()).toBe(0);
  await page.getByRole("link", { name: "Hall Ceiling" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Hall Ceiling" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("is limited to a part").count()).toBe(0);
  expect(visitor.problems).toEqual([]);
  await owner.accounts.remove(id);
}, 60_000);
