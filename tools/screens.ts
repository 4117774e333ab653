/**
 * `npm run docs:screens`: pictures of the page into docs/screens, from a demo home in a real browser.
 * `--out DIR`, `--only home,node`, `--as phone-light,desk-dark`, `--url` and `--language de` are for work on the page.
 */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/page/browser.ts";
import { startService } from "../test/simulation/service-process.ts";
import { OWNER } from "../test/support/controller.ts";

const SCREENS: readonly { name: string; path: string; act?: (page: Page) => Promise<unknown> }[] = [
  { name: "home", path: "/" },
  { name: "climate", path: "/climate" },
  { name: "node", path: "/node/15%20E%2020%201" },
  { name: "history", path: "/node/1A%202B%203C%201", act: switchAndZoom },
  { name: "past", path: "/", act: toThePast },
  { name: "scene", path: "/scene/31001" },
  { name: "programs", path: "/programs" },
  { name: "program", path: "/program/0008" },
  { name: "blocks", path: "/program/0008", act: openBlocks },
  { name: "what-if", path: "/program/0008", act: replayDay },
  { name: "happened", path: "/happened" },
  { name: "system", path: "/system" },
  { name: "integrations", path: "/system/integrations" },
  { name: "certificate", path: "/system/certificate" },
  { name: "guests", path: "/system/people", act: showGuestLink },
  { name: "health", path: "/system/health" },
  { name: "search", path: "/search", act: (page) => page.getByRole("searchbox").fill("hall") },
];
const VIEWPORTS = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;
const THEMES = ["light", "dark"] as const;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "docs/screens" },
    only: { type: "string" },
    as: { type: "string" },
    url: { type: "string" },
    language: { type: "string", default: "en" },
  },
});

const browser = await launchBrowser();
try {
  await mkdir(values.out, { recursive: true });
  if (values.url) await takeAll(browser, values.url);
  else await withDemo((url) => takeAll(browser, url));
} finally {
  await browser.close();
}

async function withDemo(work: (url: string) => Promise<void>): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "domovoi-screens-"));
  const service = await startService(data, ["--demo", "--still"]);
  try {
    await work(service.portalUrl);
  } finally {
    await service.process.kill();
    await rm(data, { recursive: true, force: true });
  }
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  let isPrepared = false;
  for (const [kind, viewport] of Object.entries(VIEWPORTS)) {
    for (const theme of THEMES) {
      const look = `${kind}-${theme}`;
      if (values.as && !values.as.split(",").includes(look)) continue;
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport,
        colorScheme: theme,
        locale: values.language,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      page.on("console", (message) => message.type() === "error" && process.stderr.write(`${message.text()}\n`));
      await signIn(page, url);
      if (!isPrepared) await prepare(page);
      isPrepared = true;
      for (const { name, path, act } of SCREENS) {
        if (values.only && !values.only.split(",").includes(name)) continue;
        await page.goto(url + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        await act?.(page);
        await page.screenshot({ path: join(values.out, `${name}-${look}.png`) });
      }
      await context.close();
    }
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("input[name=user]").fill(OWNER.username);
  await page.locator("input[name=password]").fill(OWNER.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).and(page.locator(":not(#sign-in-title)")).waitFor();
}

/** The lamp goes on and off, and the chart shows the last minutes. */
async function switchAndZoom(page: Page): Promise<void> {
  for (let times = 0; times < 5; times++) {
    await page.getByRole("switch").click();
    await page.waitForTimeout(2_000);
  }
  const card = page.getByRole("region", { name: "History" });
  for (let times = 0; times < 11; times++) await card.getByRole("button", { name: "Zoom in" }).click();
  await card.scrollIntoViewIfNeeded();
}

async function showGuestLink(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  // That of the look before.
  const revoke = page.getByRole("button", { name: /^Revoke the link/ });
  await page.getByText(/^No guest links|^Dog walker/).waitFor();
  if (await revoke.isVisible()) {
    await revoke.click();
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "New guest link" }).click();
  await dialog.getByRole("textbox").first().fill("Dog walker");
  await dialog.getByRole("checkbox").first().check();
  await dialog.locator("button[type=submit]").click();
  await dialog.getByRole("img").waitFor();
}

/** With the buttons of one block. */
async function openBlocks(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page
    .getByRole("region", { name: "If" })
    .getByRole("button", { name: /^Move or remove/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Edit" }).scrollIntoViewIfNeeded();
}

async function replayDay(page: Page): Promise<void> {
  await page.getByRole("button").filter({ hasText: "Run now" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.waitFor();
  const text = (await editor.locator(".cm-line").allTextContents()).join("\n");
  await editor.press("Control+a");
  await page.keyboard.insertText(text.replace(/^Then$/m, "Then\nSet 'Hall Ceiling' 'Off'"));
  const replay = page.getByRole("region", { name: "What would it have done?" });
  await replay.getByRole("button", { name: "What would it have done?" }).click();
  await replay.getByRole("status").waitFor();
  await replay.scrollIntoViewIfNeeded();
}

/** The home a few changes ago, beside what it is now. */
async function toThePast(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Go to a past moment" }).click();
  await page.getByLabel("Width of the band").selectOption({ index: 0 });
  await page.getByLabel("Compare with now").check();
  for (let times = 0; times < 2; times++) {
    await page.getByRole("slider").press("ArrowLeft");
    await page.waitForTimeout(700);
  }
}

/** Something is on, so that there is something to see. */
async function prepare(page: Page): Promise<void> {
  const scene = page.locator(".scenes button").first();
  await scene.click();
  await page.locator(".chip.lit").first().waitFor();
}
