/**
 * A real browser for the tests of the page. Looks for one in this order: the variable DOMOVOI_BROWSER; Chromium without windows, which draws
 * and runs pages as Chromium does and takes 60 % of its processor time; Chromium or Chrome on the machine; Debian's packages (installed
 * when the tests run as root). Fails with the list of what it tried.
 */

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { installProgram } from "../support/debian-package.ts";

const [HEADLESS, HEADLESS_PACKAGE] = ["/usr/bin/chromium-headless-shell", "chromium-headless-shell"] as const;
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
] as const;

// No part of the browser may use the network, and root requires --no-sandbox.
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  // The visits of a file need not start a process each.
  "--process-per-site",
] as const;

export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: [...ARGUMENTS, ...more] });
}

/** @throws Error that names what it tried */
export function findBrowser(): string {
  const wanted = process.env.DOMOVOI_BROWSER;
  if (wanted && existsSync(wanted)) return wanted;
  const found = [HEADLESS, ...PLACES].find((path) => existsSync(path));
  if (found) return found;
  if (isInstalled(HEADLESS, HEADLESS_PACKAGE)) return HEADLESS;
  if (isInstalled(PLACES[0], "chromium")) return PLACES[0];
  throw new Error(
    `No browser for the tests of the page. Tried: ${[wanted ?? "DOMOVOI_BROWSER (not set)", HEADLESS, ...PLACES].join(", ")}. Install Chromium, or name one in DOMOVOI_BROWSER.`,
  );
}

/** Distributions before 2025 have no package of the first kind. */
function isInstalled(path: string, packageName: string): boolean {
  try {
    return installProgram(path, packageName);
  } catch {
    return false;
  }
}
