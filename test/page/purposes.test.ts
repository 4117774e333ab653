/** Screens by purpose: everything of one kind room by room, and the week of a thermostat. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import { expect, test } from "vitest";
import { clock, DAYS } from "../../web/src/parts/windows.ts";
import { weekOf, weekText } from "../../web/src/purpose/week-program.ts";
import { OWNER } from "../support/controller.ts";
import { DESK, overflow, PHONE, seriousFaults, usePages } from "./visits.ts";

const pages = usePages();

const owner = () => connect({ url: pages.url(), user: OWNER.username, password: OWNER.password, insecure: true });

test("the week of a thermostat is made with three clicks from Home, is a program, and is read back as a week", async () => {
  await using home = await owner();
  await using visitor = await pages.visitSignedIn("/", PHONE);
  const { page } = visitor;
  let clicks = 0;
  const click = async (role: "link" | "button", name: string) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).first().click();
  };
  await click("link", "Climate");
  const card = page.getByRole("region", { name: "Bedroom Thermostat" });
  clicks += 1;
  await card.getByRole("button", { name: "Week schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "Week of Bedroom Thermostat" });
  await dialog.getByLabel("In these times").fill("20.5");
  await click("button", "Save");
  await card.getByText("Mon–Fri 06:30–22:00 · Sat, Sun 08:00–23:00: 20.5° · otherwise 17°").waitFor();
  expect(clicks).toBeLessThanOrEqual(6);
  await home.refresh();
  const program = home.program("Week of Bedroom Thermostat");
  expect(await program.text()).toMatch(/On Mon, Tue, Wed, Thu, Fri From 06:30:00 to 22:00:00\s+Or On Sat, Sun/);

  // Also one that was written by hand, in another unit than that of the home.
  await page.getByText("Daily 22:00–06:00: 18° · otherwise 20.5°").waitFor();
  await card.getByRole("button", { name: "Change the week" }).click();
  await dialog.getByRole("group", { name: "Time 2" }).getByRole("button", { name: "Sat" }).click();
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page)]).toEqual([[], 0]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await card.getByText("Mon–Fri 06:30–22:00 · Sun 08:00–23:00: 20.5° · otherwise 17°").waitFor();
  expect([...home.programs].filter(({ name }) => name.startsWith("Week of"))).toHaveLength(1);
  await program.remove();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("each purpose has its devices by room, with the one act that fits, and nothing is cut off", async () => {
  await using home = await owner();
  await home.node("Garage Lock").send("SECMD", 0);
  await using visitor = await pages.visitSignedIn("/safety", PHONE);
  const { page } = visitor;
  await page.evaluate(axe.source);
  await page.getByRole("button", { name: "Lock all" }).click();
  await page.getByRole("button", { name: "Unlock: Garage Lock" }).waitFor();
  for (const [path, title, device] of [
    ["/safety", "Safety", "Front Door"],
    ["/light", "Light", "Floor Lamp"],
    ["/energy", "Energy", "Coffee Machine"],
    ["/water", "Water", "Kitchen Leak"],
    ["/climate", "Climate", "Weather Station"],
  ] as const) {
    await page.goto(`${pages.url()}${path}`);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("link", { name: device, exact: true }).first().waitFor();
    await page.evaluate(axe.source);
    for (const size of [PHONE, DESK, { width: 320, height: 640 }]) {
      await page.setViewportSize(size);
      expect({ path, size, found: [await seriousFaults(page), await overflow(page)] }).toEqual({
        path,
        size,
        found: [[], 0],
      });
    }
  }
  expect(visitor.problems).toEqual([]);
}, 90_000);

test("a week is a program and back; what is no week of the thermostat is not taken for one", () => {
  const node = { name: "Tom's Room", address: "1 2 3 1" };
  const windows = [{ days: [...DAYS], from: 390, to: 60 }];
  expect(weekText("Week", node, { inside: "21°C", otherwise: "17.5°C", windows })).toBe(
    "Program 'Week'\nIf\nFrom 06:30 to 01:00 (next day)\nThen\nSet 'Tom\\'s Room' [1 2 3 1] CLISPH 21°C\nElse\nSet 'Tom\\'s Room' [1 2 3 1] CLISPH 17.5°C\n",
  );
  const set = (value: number, id = "CLISPH") => [
    { type: "cmd", id, node: node.address, p: [{ val: { value, prec: 1, uom: 4 } }] },
  ];
  const schedule = { type: "schedule", from: { type: "time", time: 23_400 }, to: { type: "time", time: 90_000 } };
  const tree = { if: [schedule], then: set(210), else: set(175) };
  expect(weekOf(tree, node.address)).toEqual({
    inside: { value: 21, uom: "4" },
    otherwise: { value: 17.5, uom: "4" },
    windows,
  });
  expect(weekOf(tree, "9 9 9 1")).toBeNull();
  expect(weekOf({ ...tree, else: [] }, node.address)).toBeNull();
  expect(weekOf({ ...tree, then: set(210, "CLISPC") }, node.address)).toBeNull();
  expect(weekOf({ ...tree, if: [schedule, { ...schedule, andOr: "and" }] }, node.address)).toBeNull();
  expect(clock(65)).toBe("01:05");
});
