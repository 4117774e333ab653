/** What a family does, and with how many clicks from Home. Typing is no click; choosing from a list, a drag and a tap are one each. */

import { connect } from "@domovoi/client";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, PHONE, usePages } from "./visits.ts";

const pages = usePages();
const owner = () => connect({ url: pages.url(), user: OWNER.username, password: OWNER.password, insecure: true });

type Click = (target: Pick<Locator, "click">) => Promise<void>;
type Job = readonly [what: string, most: number, does: (page: Page, click: Click) => Promise<void>];

const place = (page: Page, name: string) => page.locator("nav.places").getByRole("link", { name });
const overview = (page: Page) => page.getByRole("region", { name: "Overview" });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

/** A hold of a finger, which a mouse makes with its other button. */
const held = (page: Page, name: string) => ({
  click: () => page.getByRole("switch", { name }).first().click({ button: "right" }),
});

/** Of an owner, a partner, a child, a guest and somebody who comes from another system. Each begins at Home; the lamps, the lock and the thermostats are as `prepare` leaves them. */
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
    1,
    async (page, click) => {
      await click(held(page, "Floor Lamp"));
      await page.getByRole("dialog").locator(".why").getByText(OWNER.username).first().waitFor();
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
  [
    "a lamp to half its light",
    1,
    async (page, click) => {
      const lamp = page.getByRole("switch", { name: "Desk Lamp" });
      await lamp.evaluate((part) => part.scrollIntoView({ block: "center" }));
      const { x = 0, y = 0, width = 0, height = 0 } = (await lamp.boundingBox()) ?? {};
      await click({
        click: async () => {
          await page.mouse.move(x + width * 0.8, y + height / 2);
          await page.mouse.down();
          await page.mouse.move(x + width * 0.3, y + height / 2, { steps: 5 });
          await page.mouse.up();
        },
      });
      await page
        .locator(".tile", { hasText: "Desk Lamp" })
        .first()
        .getByText(/^[1-9]\d? %/)
        .waitFor();
    },
  ],
  [
    "a blind down",
    1,
    async (page, click) => {
      await click(button(page, /^(?:Close|Open): Living Room Blind$/));
    },
  ],
  [
    "an outside door that stands open, with its time",
    1,
    async (page, click) => {
      await click(page.getByRole("link", { name: "Front Door", exact: true }).first());
      await page.locator(".why").getByText(/since/).first().waitFor();
    },
  ],
  [
    "yesterday evening on the plan of the home",
    2,
    async (page, click) => {
      await click(button(page, "Floor plan"));
      await click(button(page, "Play last evening"));
      await page.waitForURL(/[?&]at=/);
    },
  ],
  [
    "the home as it was at another time",
    1,
    async (page, click) => {
      await click(button(page, "Go to a past moment"));
      await page.getByRole("region", { name: "Past moment" }).waitFor();
    },
  ],
  [
    "how warm the week was",
    3,
    async (page, click) => {
      await click(button(page, "Adjust Bedroom Thermostat"));
      await click(page.getByRole("link", { name: "All about it" }));
      await click(page.getByRole("region", { name: "History" }).getByRole("button", { name: "Week" }));
    },
  ],
  [
    "what energy costs",
    3,
    async (page, click) => {
      await click(page.getByRole("link", { name: "Energy", exact: true }));
      await click(button(page, "Price"));
      await page.getByRole("dialog").getByLabel("Price of a kWh").fill("0.3");
      await click(page.getByRole("dialog").getByRole("button", { name: "Save" }));
      await page.getByRole("columnheader", { name: "Cost" }).waitFor();
    },
  ],
  [
    "a device by its name",
    1,
    async (page, click) => {
      await click(place(page, "Search"));
      await page.getByRole("searchbox").fill("mirror");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Mirror Light" }).waitFor();
    },
  ],
  [
    "a favorite at the top",
    2,
    async (page, click) => {
      await click(held(page, "Mirror Light"));
      await click(button(page, "Favorite"));
      await page.getByRole("heading", { name: "Favorites" }).waitFor();
    },
  ],
  [
    "a room out of sight",
    2,
    async (page, click) => {
      await click(button(page, "Arrange rooms"));
      await click(
        page
          .getByRole("switch", { name: "Show Terrace" })
          .or(page.getByRole("switch", { name: /Terrace$/ }))
          .first(),
      );
      await page.getByRole("switch", { name: /Terrace$/, checked: false }).waitFor();
      await page.getByRole("switch", { name: /Terrace$/ }).click();
    },
  ],
  [
    "a new room, and back",
    4,
    async (page, click) => {
      await click(button(page, "Arrange rooms"));
      await click(button(page, "New room"));
      await page.getByRole("dialog").getByLabel("Name").fill("Attic");
      await click(page.getByRole("dialog").getByRole("button", { name: "Create" }));
      await click(button(page, "Undo"));
      await page.getByText("Undone").waitFor();
    },
  ],
  [
    "another name of a device",
    4,
    async (page, click) => {
      await click(held(page, "Mirror Light"));
      await click(page.getByRole("link", { name: "All about it" }));
      await click(button(page, "Rename"));
      await page.getByLabel("Name").fill("Mirror");
      await click(button(page, "Save"));
      await page.getByRole("heading", { level: 1, name: "Mirror", exact: true }).waitFor();
      await button(page, "Undo").click();
      await page.getByRole("heading", { level: 1, name: "Mirror Light" }).waitFor();
    },
  ],
  [
    "why a program did nothing",
    2,
    async (page, click) => {
      await click(place(page, "Programs"));
      await click(page.getByRole("link", { name: /^.*Porch at Sunset/ }));
      await page.locator(".why li").first().waitFor();
    },
  ],
  [
    "a program off",
    3,
    async (page, click) => {
      await click(place(page, "Programs"));
      await click(page.getByRole("link", { name: /^.*Porch at Sunset/ }));
      await click(page.getByRole("switch", { name: "Enabled" }));
      await page.getByRole("switch", { name: "Enabled", checked: false }).waitFor();
      await page.getByRole("switch", { name: "Enabled" }).click();
      await page.getByRole("switch", { name: "Enabled", checked: true }).waitFor();
    },
  ],
  [
    "what a program would have done last week",
    4,
    async (page, click) => {
      await click(place(page, "Programs"));
      await click(page.getByRole("link", { name: /^.*Porch at Sunset/ }));
      await click(button(page, "Edit"));
      await click(button(page, "What would it have done?"));
      await page
        .getByRole("region", { name: "What would it have done?" })
        .getByText(/differences?\.|no commands/)
        .waitFor();
    },
  ],
  [
    "a link for the dog walker, for one room",
    5,
    async (page, click) => {
      await click(place(page, "System"));
      await click(page.getByRole("link", { name: "People" }));
      await click(button(page, "New guest link"));
      await page.getByRole("dialog").getByLabel("For whom").fill("Dog walker");
      await click(page.getByRole("dialog").getByLabel("Hall", { exact: true }));
      await click(page.getByRole("dialog").getByRole("button", { name: "Create" }));
      await page.getByRole("dialog").getByLabel("Link").waitFor();
    },
  ],
  [
    "an account for a grandparent",
    4,
    async (page, click) => {
      await click(place(page, "System"));
      await click(page.getByRole("link", { name: "People" }));
      await click(button(page, "For a grandparent"));
      await page.getByRole("dialog").getByLabel("Name").fill("Oma Inge");
      await click(page.getByRole("dialog").getByRole("button", { name: "Create" }));
      await page.getByRole("dialog").locator("strong").waitFor();
    },
  ],
  [
    "a backup",
    4,
    async (page, click) => {
      await click(place(page, "System"));
      await click(page.getByRole("link", { name: "Backup" }));
      await click(button(page, "Make a backup"));
      await click(page.getByRole("dialog").getByRole("button", { name: "Make a backup" }));
      await page.getByText("ready").first().waitFor();
    },
  ],
  [
    "a dark page",
    2,
    async (page, click) => {
      await click(place(page, "Account"));
      await click(button(page, "Dark"));
      await page.locator("html[data-theme=dark]").waitFor();
      await button(page, "As the device").click();
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
    await home.edits.setPlace({ tariff: null });
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
