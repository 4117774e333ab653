/** Proposals of assistants in the page: the change is seen, approved, rejected, and the assistant stopped. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const TEXT = "Program 'Porch'\nIf\n  Control 'Hall Motion' is switched 'On'\nThen\n  Set 'Porch Light' 'On'\n";

const { visitSignedIn, url } = usePages();

test("a proposal shows its text and its last week, is approved and rejected, and nothing is cut off", async () => {
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  await owner.proposals.add({ kind: "program", why: "The porch is dark.", text: TEXT });
  const lamp = owner.node("Hall Ceiling").address;
  await owner.proposals.add({ kind: "name", why: "Short.", address: lamp, name: "Lamp" });
  await using visitor = await visitSignedIn("/system", DESK);
  const { page } = visitor;
  await page.route("**/api/proposals", async (route) => {
    const { data } = await (await route.fetch()).json();
    const findings = [{ severity: "warning", sentence: "The porch light fights with Dusk.", line: 5 }];
    await route.fulfill({ json: { successful: true, data: data.map((each: object) => ({ ...each, findings })) } });
  });
  await page.getByRole("link", { name: "Proposals" }).click();
  await page.getByText("The porch is dark.").waitFor();
  // What verification says stands above the buttons, not behind a fold.
  await page.getByText("The porch light fights with Dusk.").first().waitFor();
  await page.getByText("Text, findings, last week").click();
  await page.getByText("+     Set 'Porch Light'").waitFor();
  await page.evaluate(axe.source);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    expect({ viewport, faults: await seriousFaults(page) }).toEqual({ viewport, faults: [] });
    expect({ viewport, overflow: await overflow(page) }).toEqual({ viewport, overflow: 0 });
  }
  await page.getByRole("button", { name: 'Approve: Create the program "Porch"' }).click();
  await page.getByText(`Approved (${OWNER.username})`).waitFor();
  await page.getByRole("button", { name: 'Reject: Rename "Hall Ceiling" to "Lamp"' }).click();
  await page.getByText(`Rejected (${OWNER.username})`).waitFor();
  await owner.refresh();
  expect(owner.programs.find("Porch")?.enabled).toBe(true);
  expect(owner.nodes.find("Lamp")).toBeNull();
  await open(page, "/programs");
  await page.getByText("Porch", { exact: true }).first().waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);
