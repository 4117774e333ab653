/** Alerts in the page: a card on Home with who got it and the buttons, and the small page of a link, in both languages. */

import axe from "axe-core";
import { expect, test } from "vitest";
import { DESK, open, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const { visitSignedIn } = usePages();

test("an alert that rings is a card on Home, its button answers, and the link's page says who was first", async () => {
  await using visitor = await visitSignedIn("/", DESK);
  const { page } = visitor;
  await open(page, "/system/integrations/alerts");
  await page.getByRole("button", { name: "Begin: Add an alert" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Freezer");
  await dialog.getByText("More settings").click();
  await dialog.getByRole("textbox", { name: /^Text/ }).fill("The freezer is warm.");
  await dialog.getByRole("textbox", { name: /^Button 1/ }).fill("Light: Set 'Hall Ceiling' On");
  await dialog.getByRole("button", { name: "Begin" }).click();
  await expect.poll(() => alertNamed(page, "Freezer")).toBeDefined();
  const node = (await alertNamed(page, "Freezer"))?.node ?? "";
  await get(page, `/rest/nodes/${node}/cmd/DON`);
  await open(page, "/");
  const card = page.getByRole("alert", { name: "Freezer" });
  await card.getByText("Freezer: The freezer is warm.").waitFor();
  await page.evaluate(axe.source);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    expect({ viewport, faults: await seriousFaults(page) }).toEqual({ viewport, faults: [] });
    expect({ viewport, overflow: await overflow(page) }).toEqual({ viewport, overflow: 0 });
    await shot(page, `home-${viewport.width}`);
  }
  await card.getByRole("button", { name: "Light" }).click();
  await card.getByText(/Confirmed by owner@example.org at .*Light: Done\./).waitFor();
  await shot(page, "confirmed");
  expect(await card.getByRole("button").count()).toBe(0);
  await get(page, `/rest/nodes/${node}/cmd/DOF`);
  await card.waitFor({ state: "detached" });
  await page.goto(`${new URL(page.url()).origin}/alert#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`);
  await page.getByText("This alert is over, or the link is older than a day.").waitFor();
  await shot(page, "link-over");
  expect(visitor.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
}, 120_000);

type Page = Parameters<typeof open>[0];

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

async function get(page: Page, path: string): Promise<string> {
  return page.evaluate(`(async () => {
    const { access } = JSON.parse(localStorage.getItem("domovoi.login"));
    return (await fetch(${JSON.stringify(path)}, { headers: { Authorization: "Bearer " + access } })).text();
  })()`);
}

async function alertNamed(page: Page, name: string) {
  const { data } = JSON.parse(await get(page, "/api/alerts")) as {
    data: readonly { readonly name: string; readonly node: string }[];
  };
  return data.find((each) => each.name === name);
}
