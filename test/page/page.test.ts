/** The page in a real Chromium, against the real service with the demo home. */

import { connect } from "@domovoi/client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, open, overflow, PHONE, request, seriousFaults, usePages } from "./visits.ts";

const LAMP = "/node/1A%202B%203C%201";
/** The others of System are walked in `system.test.ts`, with something in them. */
const PLACES = [
  "/",
  LAMP,
  "/rooms/11001",
  "/scenes",
  "/scene/31001",
  "/programs",
  "/program/0008",
  "/happened",
  "/system",
  "/system/integrations",
  "/system/integrations/virtual",
  "/system/notifications",
  "/system/variables",
  "/system/resources",
  "/system/history",
  "/system/backup",
  "/system/location",
  "/system/controller",
  "/account",
  "/search",
] as const;

/** Its conditions contradict each other, so every report of the lamp runs Else. */
const PROBE = `Program 'Probe'
If
    Status 'Hall Ceiling' 'Status' is 30%
    And Status 'Hall Ceiling' 'Status' is 40%
Else
    Wait 1 second`;

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const HOSTILE = [
  ["PATCH", "/api/nodes/1A%202B%203C%201", { name: MARKUP, nodeType: "node" }],
  ["PATCH", "/api/nodes/31001", { name: "evil שלום", nodeType: "group" }],
  ["PATCH", "/api/nodes/11001", { name: "n".repeat(200), nodeType: "folder" }],
  ["POST", "/api/programs/0008", { name: MARKUP + "p".repeat(100) }],
] as const;

const { visit, visitSignedIn, signIn, url } = usePages();

describe("signing in", () => {
  test("a wrong password is refused with the next step; the right one opens the home; a reload keeps it, and signing out ends it", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(url());
    await page.getByLabel("E-mail address").fill(OWNER.username);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("is wrong").waitFor();
    visitor.problems.length = 0; // The 401 itself.
    await signIn(visitor);
    await page.reload();
    await page.getByRole("heading", { name: "Hall", exact: true }).waitFor();
    expect(visitor.problems).toEqual([]);
    await open(page, "/account");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  }, 60_000);
});

describe("home", () => {
  test("a switch shows what the device reports, by mouse and by keyboard; one that fails stays and offers another try", async () => {
    await using visitor = await visitSignedIn("/");
    const { page } = visitor;

    await page.getByRole("heading", { name: "Hall", exact: true }).click();
    const lamp = page.getByRole("switch", { name: "Hall Ceiling" });
    expect(await lamp.getAttribute("aria-checked")).toBe("false");
    await lamp.click();
    await page.locator('[role=switch][aria-label="Hall Ceiling"][aria-checked=true]').waitFor();
    await lamp.focus();
    await page.keyboard.press("Space");
    await page.locator('[role=switch][aria-label="Hall Ceiling"][aria-checked=false]').waitFor();
    expect(visitor.problems).toEqual([]);

    await page.route("**/cmd/DON**", (route) => route.abort());
    await lamp.click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await lamp.getAttribute("aria-checked")).toBe("false");
    await page.unroute("**/cmd/DON**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator('[role=switch][aria-label="Hall Ceiling"][aria-checked=true]').waitFor();
    await lamp.click();
    await page.locator('[role=switch][aria-label="Hall Ceiling"][aria-checked=false]').waitFor();
  }, 60_000);
});

describe("a person's marks", () => {
  test("favorites, order, hidden rooms and what is used at this hour are on every device of the person", async () => {
    await using phone = await visitSignedIn(LAMP);
    const { page } = phone;
    const stored = () => page.waitForResponse((response) => response.request().method() === "PATCH");
    const lamp = page.getByRole("switch", { name: "Hall Ceiling" }).first();
    for (const state of ["true", "false", "true", "false"]) {
      await lamp.press("Space");
      await page.locator(`[role=switch][aria-label="Hall Ceiling"][aria-checked=${state}]`).first().waitFor();
    }
    const events = page.getByRole("region", { name: "Events" });
    await events
      .locator("li")
      .filter({ hasText: "Command Off" })
      .filter({ hasText: "owner@example.org" })
      .first()
      .waitFor();
    await events
      .locator("li")
      .filter({ hasText: /Status: (On|[1-9])/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Favorite" }).press("Enter");
    await page.locator(".places").getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Favorites" }).waitFor();
    await page.getByRole("button", { name: "Arrange rooms" }).click();
    await page.getByRole("button", { name: "Move Kitchen up" }).press("Enter");
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    const change = stored();
    await page.getByRole("switch", { name: "Show Hall" }).press("Space");
    expect((await change).status()).toBe(200);
    const order = await page
      .getByRole("button", { name: / up$/ })
      .evaluateAll((found) => found.map((one) => one.ariaLabel));

    await using desk = await visit(DESK);
    await signIn(desk);
    await desk.page.getByRole("heading", { name: "Favorites" }).waitFor();
    await desk.page.getByText("1 room is hidden.").waitFor();
    expect(await desk.page.locator(".room").getByRole("heading", { name: "Hall", exact: true }).count()).toBe(0);
    await desk.page.getByRole("button", { name: "Arrange rooms" }).first().click();
    await desk.page.getByRole("button", { name: order[0] ?? "", exact: true }).waitFor();
    expect(
      await desk.page.getByRole("button", { name: / up$/ }).evaluateAll((found) => found.map((one) => one.ariaLabel)),
    ).toEqual(order);
    await desk.page.getByRole("button", { name: "Arrange rooms" }).first().click();
    await open(desk.page, LAMP);
    await desk.page.getByRole("button", { name: "Favorite" }).click();
    await desk.page.locator(".places").getByRole("link", { name: "Home" }).click();
    await desk.page.getByRole("heading", { name: "Often at this hour" }).waitFor();
    await request(desk.page, "PATCH", "/api/me/page", { favorites: [], order: [], hidden: [], used: [] });
    expect([...phone.problems, ...desk.problems]).toEqual([]);
  }, 60_000);
});

describe("every place", () => {
  /** @param also widths at which nothing may be cut off either: zoom by 200 % halves the width that a page has. */
  const walk = async (page: Page, also: readonly number[]) => {
    const viewport = page.viewportSize() ?? DESK;
    await page.evaluate(axe.source);
    for (const place of PLACES) {
      await open(page, place);
      expect({ place, faults: await seriousFaults(page) }).toEqual({ place, faults: [] });
      for (const width of [...also, viewport.width]) {
        await page.setViewportSize({ ...viewport, width });
        expect({ place, width, overflow: await overflow(page) }).toEqual({ place, width, overflow: 0 });
      }
      expect(await page.locator("main img, main script").count()).toBe(0);
    }
  };

  test("on a desk, also zoomed and at 4K: no console error, no failed request, nothing serious for axe, nothing cut off", async () => {
    await using visitor = await visitSignedIn("/", DESK);
    await walk(visitor.page, [640, 3840]);
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("on a phone of 360 and of 320 pixels the same, with names of markup, scripts, right-to-left text and 200 characters, inert in every one", async () => {
    await using visitor = await visitSignedIn("/");
    const { page } = visitor;
    for (const [method, path, body] of HOSTILE) await request(page, method, path, body);
    await page.reload();
    await walk(page, [320]);
    expect(await page.title()).not.toMatch(/^[12]$/);
    for (let edits = 0; edits < HOSTILE.length; edits++) await request(page, "POST", "/api/edits/last/undo", {});
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("Back and reload work, and an address of the page can be opened directly", async () => {
    await using visitor = await visitSignedIn("/");
    const { page } = visitor;

    await page.getByRole("link", { name: "Programs" }).click();
    await page.getByRole("heading", { level: 1, name: "Programs" }).waitFor();
    await page.getByRole("link").filter({ hasText: "Morning Mirror" }).click();
    await page.getByRole("heading", { level: 1, name: "Morning Mirror" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Morning Mirror" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Programs" }).waitFor();
    await page.goto(`${url()}/house/backup`);
    await page.waitForURL(`${url()}/system/backup`);
    await page.getByRole("heading", { level: 1, name: "Backup" }).waitFor();
  }, 60_000);
});

test("a program is edited as text with its findings beside it, and the list follows when it is saved", async () => {
  await using visitor = await visitSignedIn("/programs", DESK);
  const { page } = visitor;

  await page.getByRole("link").filter({ hasText: "Morning Mirror" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.press("Control+End");
  await editor.pressSequentially("\n# changed on the page\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await editor.press("Control+End");
  await editor.pressSequentially("\nWait 5 apples");
  await page
    .getByRole("status")
    .getByText(/^Line \d+, column/)
    .waitFor();
  await page.getByRole("button", { name: "Discard changes" }).click();
  expect(visitor.problems.filter((problem) => !problem.includes("400"))).toEqual([]);
}, 60_000);

describe("a program", () => {
  test("shows a run laid over its lines, at an address of its own", async () => {
    await using visitor = await visitSignedIn("/program/0008", DESK);
    const { page } = visitor;

    await page.getByRole("button", { name: "Run now" }).click();
    await page
      .getByText(/" ran at /)
      .first()
      .waitFor();
    await page
      .getByRole("region", { name: "What it did, and when it did nothing" })
      .getByRole("button")
      .first()
      .click();
    await page.waitForURL(/\?run=\d+$/);
    await page.reload();
    await page.getByText("✓").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    expect(visitor.problems).toEqual([]);
  }, 60_000);

  test("is created, and removed after a question that says where it is used", async () => {
    await using visitor = await visitSignedIn("/programs");
    const { page } = visitor;

    await page.getByRole("button", { name: "New program" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Made on the page");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Made on the page" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByText("Nothing else uses it.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { level: 1, name: "Programs" }).waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

test("a scene is created, gets a member with a level, takes the levels of now, and goes; rooms too", async () => {
  await using visitor = await visitSignedIn("/scenes");
  const { page } = visitor;
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "New scene" }).click();
  await dialog.getByLabel("Name").fill("Reading");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Reading" }).waitFor();
  await page.getByRole("button", { name: "Add members" }).click();
  await dialog.getByRole("checkbox", { name: "Hall / Hall Ceiling" }).check();
  await dialog.getByRole("slider").fill("40");
  await page.keyboard.press("Enter");
  await page.getByText("goes to 40 %").waitFor();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("1 of 1 did it").waitFor();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("now Off").waitFor();
  await page.getByRole("button", { name: "Save the current levels" }).click();
  await page.getByText("goes to 0 %").waitFor();
  await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").waitFor();
  await page.getByRole("link", { name: "Reading" }).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a member that gets its level by a command shows the level and takes another", async () => {
  await using visitor = await visitSignedIn("/scenes");
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "New scene" }).click();
  await dialog.getByLabel("Name").fill("Corner");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add members" }).click();
  await dialog.getByRole("checkbox", { name: "Living Room / Reading Lamp" }).check();
  await dialog.getByRole("slider").fill("30");
  await page.keyboard.press("Enter");
  await page.getByText("goes to 30 %").waitFor();
  await page.getByRole("button", { name: "Reading Lamp in this scene" }).click();
  await dialog.getByRole("slider", { name: "Level in percent" }).fill("45");
  await page.keyboard.press("Enter");
  await page.getByText("goes to 45 %").waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

describe("system", () => {
  test("an integration is added by its form, stopped and removed; a wrong setting says what is wrong", async () => {
    await using visitor = await visitSignedIn("/system/integrations");
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add Virtual devices" }).click();
    await dialog.getByRole("textbox", { name: /^Name/ }).fill("Bench");
    await dialog
      .getByRole("textbox", { name: /^Devices/ })
      .fill('[{"kind":"toaster","address":"AA BB 1 1","name":"Bench Lamp"}]');
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("alert").getByText("must be one of").waitFor();
    await dialog
      .getByRole("textbox", { name: /^Devices/ })
      .fill('[{"kind":"dimmer","address":"AA BB 1 1","name":"Bench Lamp"}]');
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByText("ready").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("stopped").first().waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog.getByLabel("Remove them").check();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    expect(visitor.problems.filter((problem) => !problem.includes("400"))).toEqual([]);
  }, 60_000);

  test("a person gets an account with a password that is shown once; a rename is put back from the changes", async () => {
    await using visitor = await visitSignedIn("/system/people", DESK);
    const { page } = visitor;
    await page.getByRole("button", { name: "Add a person" }).click();
    await page.getByRole("dialog").getByLabel("Name or e-mail address").fill("ann@example.org");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Note this password").waitFor();
    await page.getByRole("button", { name: "I have noted it" }).click();
    await page.getByText("ann@example.org").waitFor();
    await open(page, LAMP);
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Name").fill("Reading lamp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Reading lamp" }).waitFor();
    await open(page, "/system/history");
    await page
      .getByRole("button", { name: /^Undo: / })
      .first()
      .click();
    await page.getByText("Undone.").waitFor();
    await open(page, LAMP);
    await page.getByRole("heading", { level: 1, name: "Hall Ceiling" }).waitFor();
    expect(visitor.problems).toEqual([]);
  }, 60_000);
});

test("the set-point of a thermostat is shown in the unit of the home, and arrives in that of the device", async () => {
  await using visitor = await visitSignedIn("/node/15%20E%2020%201");
  const { page } = visitor;
  const heat = page.getByRole("group", { name: "Heat to" });
  await heat.getByText("20.6°").waitFor();
  await heat.getByRole("button", { name: "Higher: Heat to" }).click();
  await heat.locator("output.wanted").getByText("21°").waitFor();
  await heat.locator("output:not(.wanted)").getByText("21.1°").waitFor();
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  expect(home.node("Living Room Thermostat").label("CLISPH")).toBe("70.0°");
  expect(visitor.problems).toEqual([]);
}, 60_000);

describe("in German", () => {
  test("on a phone no word of the places or of a list of facts is broken", async () => {
    await using visitor = await visitSignedIn("/", PHONE, { locale: "de-DE" });
    const { page } = visitor;
    const height = async () => (await page.locator(".places").boundingBox())?.height;
    const atHome = await height();
    await open(page, "/programs");
    expect(await height()).toBe(atHome);
    await open(page, "/system/certificate");
    const facts = page.locator("dd");
    await facts.first().waitFor();
    const widths = await facts.evaluateAll((found) => found.map((one) => one.clientWidth));
    expect(Math.min(...widths)).toBeGreaterThan(PHONE.width / 2);
    expect(await overflow(page)).toBe(0);
    await open(page, "/system/resources");
    const title = page.getByRole("heading", { level: 2, name: "Netzwerkressourcen" });
    const lines = await title.evaluate((heading) => {
      const range = heading.ownerDocument.createRange();
      range.selectNodeContents(heading);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  }, 60_000);

  test("what a chart shows is said once, and limits of values are in signs", async () => {
    await using visitor = await visitSignedIn(LAMP, DESK, { locale: "de-DE" });
    const { page } = visitor;
    await page.getByText(/Kleinster Wert .*, größter .*, \d+ Änderung(en)?\.$/).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/Änderung(en)? Änderungen/);
    await page.getByText("0 – 100 %").first().waitFor({ state: "attached" });
    expect(await page.locator(".hint").allTextContents()).not.toContainEqual(expect.stringContaining("unit"));
  }, 60_000);

  test("every place has its words, in the dark too", async () => {
    await using visitor = await visitSignedIn("/", PHONE, { locale: "de-DE", colorScheme: "dark" });
    const { page } = visitor;
    await page.evaluate(axe.source);
    await page.getByRole("link", { name: "Programme" }).waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("de");
    expect(await seriousFaults(page)).toEqual([]);
  }, 60_000);

  test("runs, non-runs, why, findings and errors are German, though the controller writes English", async () => {
    const login = { url: url(), user: OWNER.username, password: OWNER.password, insecure: true };
    await using owner = await connect(login);
    const { id } = await owner.programs.applyText(PROBE);
    await owner.refresh();
    const program = owner.program(id ?? "");
    const lamp = owner.node("Hall Ceiling");
    await lamp.send("DON", 60);
    await lamp.send("DOF");
    await program.disable();
    await lamp.send("DON", 50);
    const read = async <T>(path: string) => (await owner.request("GET", path)).data as T;
    const trace = () => read<{ entries: readonly { result: string; sentence: string }[] }>(`/api/programs/${id}/trace`);
    await expect.poll(async () => (await trace()).entries.map(({ result }) => result)).toContain("not-run");
    const whyOf = (path: string) => read<{ sentences: readonly string[] }>(`/api/why/${path}`);
    const findings = await owner.programs.verify({ ids: [id ?? ""] });
    const english = [
      ...(await trace()).entries.map(({ sentence }) => sentence),
      ...(await whyOf(`program/${id}`)).sentences,
      ...(await whyOf(`node/${encodeURIComponent(lamp.address)}`)).sentences,
      ...findings.flatMap(({ sentence, chain }) => [sentence, ...chain.map(({ text }) => text)]),
    ];
    expect(english.length).toBeGreaterThan(8);

    await using visitor = await visitSignedIn(`/program/${id}`, DESK, { locale: "de-DE" });
    const { page } = visitor;
    const seen: string[] = [];
    const look = async () => seen.push((await page.locator("main").textContent()) ?? "");
    await page.getByText("Diese Bedingungen gelten nie zur selben Zeit.").waitFor();
    await page.locator(".findings summary").first().click();
    await page
      .getByText(/Tat nichts: das Programm ist abgeschaltet\. Anlass war, dass „Hall Ceiling“ um/)
      .first()
      .waitFor();
    await page
      .getByText(/^Sonst-Teil ausgeführt, weil „Hall Ceiling“ um/)
      .first()
      .waitFor();
    await page.getByText(/^Programm „Probe“ lief um .* nicht: das Programm ist abgeschaltet/).waitFor();
    await look();
    await open(page, LAMP);
    await page.getByText(/^Hall Ceiling ist „.*“, zuletzt geändert um/).waitFor();
    await page.getByText(/^Konto „.*“ setzte den Wert um/).waitFor();
    await look();
    await open(page, "/happened");
    await page
      .getByText(/^Tat nichts: das Programm ist abgeschaltet/)
      .first()
      .waitFor();
    await look();
    expect(english.filter((sentence) => seen.some((text) => text.includes(sentence)))).toEqual([]);
    expect(visitor.problems).toEqual([]);

    await page.route("**/cmd/**", (route) =>
      route.fulfill({ status: 503, json: { successful: false, code: "DEVICE_TIMEOUT", error: "It did not answer." } }),
    );
    await open(page, LAMP);
    await page.getByRole("switch", { name: "Hall Ceiling" }).first().click();
    await page.getByText("Das Gerät hat nicht rechtzeitig geantwortet.").first().waitFor();
  }, 120_000);
});
