/** What a family does, and with how many clicks from Home. Typing is no click; choosing from a list, a drag and a tap are one each. */

import { connect } from "@domovoi/client";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, PHONE, usePages } from "./visits.ts";

const pages = usePages();
const owner = () => connect({ url: pages.url(), user: OWNER.username, password: OWNER.password, insecure: true });

type Click = (target: Locator) => Promise<void>;
type Job = readonly [what: string, most: number, does: (page: Page, click: Click) => Promise<void>];

const place = (page: Page, name: string) => page.locator("nav.places").getByRole("link", { name });
const overview = (page: Page) => page.getByRole("region", { name: "Overview" });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

/** Each begins at Home; the lamps, the lock and the thermostats are as `prepare` leaves them. */
const JOBS: readonly Job[] = [
  [
    "all lamps off",
    2,
    async (page, click) => {
      await click(overview(page).getByRole("button", { name: /\d lights? on/ }));
      await click(button(page, "All off"));
      await overview(page).getByText("No lights on.").waitFor();
    },
  ],
  [
    "the lights of one room off",
    1,
    async (page, click) => {
      await click(button(page, /Living Room: lights off/));
      await button(page, /Living Room: lights off/).waitFor({ state: "detached" });
    },
  ],
  [
    "a lamp on",
    1,
    async (page, click) => {
      await click(page.getByRole("switch", { name: "Reading Lamp" }));
      await page.getByRole("switch", { name: "Reading Lamp", checked: true }).waitFor();
    },
  ],
  [
    "lock what is unlocked",
    2,
    async (page, click) => {
      await click(overview(page).getByRole("button", { name: "1 unlocked." }));
      await click(button(page, "Lock all"));
      await overview(page).getByText("All locked.").waitFor();
    },
  ],
  [
    "see which door is open",
    1,
    async (page, click) => {
      await click(overview(page).getByRole("button", { name: "1 open." }));
      await overview(page).getByRole("link", { name: "Front Door", exact: true }).waitFor();
    },
  ],
  [
    "a scene",
    1,
    async (page, click) => {
      await click(page.getByRole("region", { name: "Scenes" }).getByRole("button", { name: /^Movie/ }));
    },
  ],
  [
    "a thermostat half a degree up",
    2,
    async (page, click) => {
      await click(button(page, "Adjust Bedroom Thermostat"));
      await click(page.getByRole("dialog").getByRole("button", { name: "Higher: Heat to" }));
    },
  ],
  [
    "why a lamp is on",
    3,
    async (page, click) => {
      await click(overview(page).getByRole("button", { name: /\d lights? on/ }));
      await click(overview(page).getByRole("link", { name: "Floor Lamp", exact: true }));
      await page.locator(".why").getByText(OWNER.username).first().waitFor();
    },
  ],
  [
    "what happened today",
    1,
    async (page, click) => {
      await click(place(page, "Happened"));
      await page.getByRole("region", { name: /^(?:Last night|Today)$/ }).waitFor();
    },
  ],
  [
    "how much power is drawn now",
    1,
    async (page, click) => {
      await click(page.getByRole("link", { name: "Energy", exact: true }));
      await page.getByRole("region", { name: "Meters" }).getByText(/\d+ W/).first().waitFor();
    },
  ],
  [
    "the schedule of a thermostat",
    6,
    async (page, click) => {
      await click(page.getByRole("link", { name: "Climate", exact: true }));
      await click(
        page.getByRole("region", { name: "Bedroom Thermostat" }).getByRole("button", { name: "Week schedule" }),
      );
      await click(page.getByRole("dialog").getByRole("button", { name: "Save" }));
      await page.getByText("Mon–Fri 06:30–22:00").waitFor();
    },
  ],
  [
    "an account for a child",
    4,
    async (page, click) => {
      await click(place(page, "System"));
      await click(page.getByRole("link", { name: "People" }));
      await click(button(page, "For a child"));
      await page.getByRole("dialog").getByLabel("Name").fill("Tom");
      await click(page.getByRole("dialog").getByRole("button", { name: "Create" }));
      await page.getByRole("dialog").locator("strong").waitFor();
    },
  ],
  [
    "a program from empty, by rooms: motion in the hall, lamps of the hall on",
    8,
    async (page, click) => {
      const dialog = page.getByRole("dialog");
      await click(place(page, "Programs"));
      await click(button(page, "New program"));
      await dialog.getByLabel("Name").fill("Hall by motion");
      await click(dialog.getByRole("button", { name: "Create" }));
      for (const _step of ["if", "then"]) {
        await dialog.getByRole("searchbox").fill("hall");
        await click(dialog.getByRole("button", { name: /^Hall\s*devices of a room/ }).first());
        await click(dialog.getByRole("button", { name: "Add", exact: true }));
      }
      await page.getByText(/Set all lamps in Hall/).waitFor();
      await click(button(page, "Save"));
      await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    },
  ],
];

test.each(JOBS)(
  "%s takes at most %i clicks",
  async (_what, most, does) => {
    await using home = await owner();
    for (const name of ["Floor Lamp", "Desk Lamp"]) await home.node(name).send("DON");
    await home.node("Reading Lamp").send("DOF");
    await home.node("Front Door Lock").send("SECMD", 0);
    await home.node("Front Door").act("OPEN");
    await using visitor = await pages.visitSignedIn("/", DESK);
    const { page } = visitor;
    let clicks = 0;
    await does(page, async (target) => {
      clicks += 1;
      await target.click();
    });
    expect(clicks).toBeLessThanOrEqual(most);
    expect(visitor.problems).toEqual([]);
    await home.refresh();
    for (const program of home.programs) if (/^(?:Week of|Hall by)/.test(program.name)) await program.remove();
  },
  60_000,
);

test("an unlocking takes two taps on a phone, of which the first only asks", async () => {
  await using home = await owner();
  await home.node("Front Door Lock").send("SECMD", 1);
  await using visitor = await pages.visitSignedIn("/", PHONE, { hasTouch: true });
  const { page } = visitor;
  const hall = button(page, "Hall");
  if ((await hall.getAttribute("aria-expanded")) === "false") await hall.tap();
  await button(page, "Unlock: Front Door Lock").tap();
  await button(page, "Press again: Unlock: Front Door Lock").tap();
  await button(page, "Lock: Front Door Lock").waitFor();
}, 60_000);
