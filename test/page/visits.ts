/** Visits of the page in tests: one service with the demo home and one browser for a file of tests. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type Service, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";
import { launchBrowser } from "./browser.ts";

export const PHONE = { width: 360, height: 780 };
export const DESK = { width: 1280, height: 800 };

type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly problems: string[];
} & AsyncDisposable;

type Pages = {
  /** A browser of its own, without a login. `problems` collects console errors, failed requests and policy violations. */
  visit(viewport?: typeof PHONE, options?: BrowserContextOptions): Promise<Visit>;
  /**
   * Visits with a stored login. Without options it uses the browser that such visits share, which caches the page's
   * files.
   */
  visitSignedIn(path: string, viewport?: typeof PHONE, options?: BrowserContextOptions): Promise<Visit>;
  signIn(visit: Visit, path?: string): Promise<void>;
  url(): string;
  /** Ends the service at once. @returns what starts it again at the same port */
  stopService(): Promise<() => Promise<void>>;
};

/**
 * Before the first test of a file everything is started, after the last one ended.
 * @param prepare gives more arguments for the service, after it has started what they name
 * @param home the arguments that make its home
 */
export function usePages(
  prepare: (data: string) => Promise<readonly string[]> = async () => [],
  browserArguments: readonly string[] = [],
  home: readonly string[] = ["--demo", "--still"],
): Pages {
  let data: string;
  let args: readonly string[];
  let service: Service;
  let browser: Browser;
  /** Visits after signing in. */
  let shared: BrowserContext;

  const visit: Pages["visit"] = async (viewport = PHONE, options = {}) => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport, locale: "en-US", ...options });
    const page = await context.newPage();
    return { page, context, problems: problemsOf(page), [Symbol.asyncDispose]: () => context.close() };
  };
  const visitShared = async (viewport: typeof PHONE): Promise<Visit> => {
    const page = await shared.newPage();
    await page.setViewportSize(viewport);
    return { page, context: shared, problems: problemsOf(page), [Symbol.asyncDispose]: () => page.close() };
  };
  const visitSignedIn: Pages["visitSignedIn"] = async (path, viewport = PHONE, options) => {
    const visitor = options
      ? await visit(viewport, { storageState: await shared.storageState(), ...options })
      : await visitShared(viewport);
    await visitor.page.goto(service.portalUrl + path);
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    return visitor;
  };
  const signIn: Pages["signIn"] = async ({ page }, path = "/") => {
    await page.goto(service.portalUrl + path);
    await page.getByLabel("E-mail address").fill(OWNER.username);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1 }).and(page.locator(":not(#sign-in-title)")).waitFor();
  };

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "domovoi-page-"));
    args = [...home, ...(await prepare(data))];
    [service, browser] = await Promise.all([startService(data, args), launchBrowser(browserArguments)]);
    const first = await visit();
    await signIn(first);
    shared = first.context;
    await first.page.close();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await service?.process.kill();
    await rm(data, { recursive: true, force: true });
  });

  const stopService: Pages["stopService"] = async () => {
    const { port } = new URL(service.portalUrl);
    await service.process.kill();
    return async () => {
      service = await startService(data, [...args, "--portal-port", port]);
    };
  };
  return { visit, visitSignedIn, signIn, url: () => service.portalUrl, stopService };
}

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    // The worker needs a certificate that the browser trusts; the test's is the controller's own.
    const isWorker = /SSL certificate error|fetching the script/.test(message.text());
    if (message.type() === "error" && !isWorker) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on(
    "response",
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  return problems;
}

/** As the page itself sends it, with its login. */
export async function request(page: Page, method: string, path: string, body: object): Promise<void> {
  const init = JSON.stringify({ method, body: JSON.stringify(body) });
  const status = await page.evaluate(`(async () => {
    const { access } = JSON.parse(localStorage.getItem("domovoi.login"));
    const headers = { Authorization: "Bearer " + access, "Content-Type": "application/json" };
    return (await fetch(${JSON.stringify(path)}, { ...${init}, headers })).status;
  })()`);
  expect({ path, status }).toEqual({ path, status: 200 });
}

/** As a link does: without loading the page again. */
export async function open(page: Page, place: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(place)})`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Loading …").first().waitFor({ state: "detached" });
}

/** Needs axe in the page: put there through the debugger, because the page's policy forbids scripts of others. */
/** Why a person has to sign in again; cards behind the sign-in may say the same. */
export function sessionEnded(page: Page): Locator {
  return page.getByRole("form", { name: "Sign in" }).getByRole("alert").getByText("This session has ended");
}

export async function seriousFaults(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"], preload: false }),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Pixels by which the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
