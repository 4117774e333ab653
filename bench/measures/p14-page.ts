/** P14: the page in a real browser with 500 nodes: sizes, first paint, a tap, and a minute of updates. */

import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../../test/page/browser.ts";
import { arrive, pause } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import { startController } from "../harness/controller.ts";
import { LOCAL_AUTHORIZATION, OWNER, USUAL } from "../harness/homes.ts";
import { requestHead, requestOnce, type Target } from "../harness/https-connection.ts";
import type { Measure, Result, Row } from "../harness/measure.ts";
import { spreadOf } from "../harness/statistics.ts";

const VIEWPORT = { width: 390, height: 844 } as const;
const UPDATES_PER_SECOND = 100;
/** Longer than two frames of a 60 Hz screen: at least one frame was dropped. */
const LONG_FRAME_MS = 50;
const PAINTS = 5;
const TAPS = 10;
const CONNECTIONS = 4;

/** Notes when the first names and values were on the screen: those of the last visit, or those of the home. */
const NOTE_PAINT = `new MutationObserver((_changes, observer) => {
  if (!document.querySelector(".stale, .rooms")) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.usefulMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true })`;

/** Evaluated through the debugger: the page's policy forbids the waiting of Playwright, which evaluates texts in the page. */
const USEFUL_MS = `new Promise((resolve) => {
  const look = () => globalThis.usefulMs ? resolve(globalThis.usefulMs) : setTimeout(look, 5);
  look();
})`;

/** From the tap to the frame after its ring is there. A fast device reports before that frame, which ends the ring. */
const TAP = `new Promise((resolve, reject) => {
  const control = document.querySelector("[role=switch]:not([aria-busy=true])");
  const startMs = performance.now();
  const observer = new MutationObserver(() => {
    if (control.ariaBusy !== "true") return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - startMs));
  });
  observer.observe(control, { attributes: true });
  setTimeout(() => reject(new Error("No ring within 5 seconds.")), 5000);
  control.click();
})`;

const WATCH_FRAMES = `(() => {
  globalThis.frames_ = [];
  let lastMs = performance.now();
  const look = (nowMs) => { globalThis.frames_.push(nowMs - lastMs); lastMs = nowMs; requestAnimationFrame(look); };
  requestAnimationFrame(look);
})()`;

/** Counts the texts that change on the screen. */
export const WATCH_TEXTS = `(() => {
  globalThis.shown_ = 0;
  const note = (changes) => { globalThis.shown_ += changes.length; };
  new MutationObserver(note).observe(document, { characterData: true, subtree: true });
})()`;

export const page: Measure = {
  id: "P14",
  title: "the page in a browser, 500 nodes",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const controller = await startController(bench.children, { home });
    const browser = await launchBrowser();
    try {
      const url = urlOf(controller.portal);
      bench.say("sizes and first paint");
      const { rows, context, view } = await firstVisit(browser, url);
      rows.push(await paintRow(view, url), await tapRow(view));
      bench.say(`${UPDATES_PER_SECOND} updates a second`);
      rows.push(...(await updateRows(context, view, controller.local, bench.quick ? 10 : 60)));
      return {
        rows,
        notes: [
          `Chromium ${browser.version()} without a graphics processor, ${VIEWPORT.width} × ${VIEWPORT.height}, on the machine of the controller.`,
          "JavaScript as transferred (gzip). First useful paint: names and values of the last visit or of the home are on the screen.",
          "In the same browser, measured once by hand: first JavaScript of WindFront 1.8.1 288 KB, of Node-RED 5.0.7 6,342 KB (its server does not compress).",
        ],
      };
    } finally {
      await browser.close();
      await controller.end();
    }
  },
};

type FirstVisit = { readonly rows: Row[]; readonly context: BrowserContext; readonly view: Page };

export async function firstVisit(browser: Browser, url: string): Promise<FirstVisit> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: VIEWPORT });
  await context.addInitScript(NOTE_PAINT);
  const view = await context.newPage();
  const scripts: Promise<number>[] = [];
  view.on("requestfinished", (request) => {
    if (request.resourceType() === "script")
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const loaded = async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0) / 1024;
  await view.goto(url);
  await view.locator("input[name=user]").fill(OWNER.login);
  await view.waitForLoadState("networkidle");
  const signIn = await loaded();
  await view.locator("input[name=password]").fill(OWNER.password);
  await view.keyboard.press("Enter");
  await view.locator(".rooms").waitFor();
  const all = await loaded();
  const goal = (value: number) => ({ of: "figure", bound: "at most", value }) as const;
  const rows: Row[] = [
    { what: "JavaScript of the sign-in", figure: signIn, unit: "KB", goal: goal(20) },
    { what: "JavaScript up to Home, client library included", figure: all, unit: "KB", goal: goal(75) },
  ];
  return { rows, context, view };
}

async function paintRow(view: Page, url: string): Promise<Row> {
  const times: number[] = [];
  for (let paint = 0; paint < PAINTS; paint++) {
    await view.goto(url);
    times.push(Number(await view.evaluate(USEFUL_MS)));
  }
  const spread = spreadOf(times);
  return {
    what: "first useful paint, p50",
    figure: spread.p50,
    unit: "ms",
    goal: { of: "figure", bound: "at most", value: 500 },
    spread,
  };
}

/** A room shows its rows once it is opened. */
export async function openRooms(view: Page): Promise<void> {
  await view.locator(".rooms").waitFor();
  const closed = view.locator('.room-name[aria-expanded="false"]');
  while ((await closed.count()) > 0) await closed.first().click();
  await view.getByRole("switch").first().waitFor();
}

async function tapRow(view: Page): Promise<Row> {
  await openRooms(view);
  const times: number[] = [];
  for (let tap = 0; tap < TAPS; tap++) {
    times.push(Number(await view.evaluate(TAP)));
    await pause(300);
  }
  const spread = spreadOf(times);
  return {
    what: "from a tap to its ring, p99",
    figure: spread.p99,
    unit: "ms",
    goal: { of: "figure", bound: "at most", value: 50 },
    spread,
  };
}

/** Levels are commanded to dimmers in turn; each reports its new value. */
async function updateRows(context: BrowserContext, view: Page, local: Target, seconds: number): Promise<Row[]> {
  const switches = await view.getByRole("switch").evaluateAll((found) => found.length);
  const addresses = await dimmerAddresses(local);
  const heapBefore = await heapMb(context, view);
  await view.evaluate(WATCH_FRAMES);
  await view.evaluate(WATCH_TEXTS);
  await sendLevels(local, addresses, (send) => arrive({ perSecond: UPDATES_PER_SECOND, seconds }, send));
  const frames = (await view.evaluate("globalThis.frames_")) as readonly number[];
  const spread = spreadOf(frames);
  const heap = (await heapMb(context, view)) - heapBefore;
  const shown = Number(await view.evaluate("globalThis.shown_"));
  if (shown === 0) throw new Error("No update was shown.");
  const long = frames.filter((ms) => ms > LONG_FRAME_MS).length;
  return [
    {
      what: `frames longer than ${LONG_FRAME_MS} ms in ${seconds} s of ${UPDATES_PER_SECOND * seconds} updates, ${switches} switches shown`,
      figure: long,
      unit: "",
      goal: { of: "figure", bound: "at most", value: 0 },
      spread,
    },
    { what: "texts that changed on the screen", figure: shown, unit: "" },
    { what: "heap of the page, more after the updates", figure: heap, unit: "MB" },
  ];
}

/** @param during calls `send` once per command, with its number */
export async function sendLevels(
  local: Target,
  addresses: readonly string[],
  during: (send: (index: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const connections = await ConnectionPool.open(local, CONNECTIONS);
  await during(async (index) => {
    const address = encodeURIComponent(addresses[index % addresses.length] ?? "");
    const path = `/rest/nodes/${address}/cmd/DON/${1 + ((index * 7) % 100)}/51`;
    await connections.request(requestHead({ path, authorization: LOCAL_AUTHORIZATION }));
  });
  connections.close();
}

export async function dimmerAddresses(local: Target): Promise<readonly string[]> {
  const { body } = await requestOnce(local, { path: "/rest/nodes/devices", authorization: LOCAL_AUTHORIZATION });
  const found = Array.from(
    body.toString().matchAll(/nodeDefId="DimmerLampSwitch[^"]*"><address>([^<]+)</g),
    ([, address]) => address ?? "",
  );
  if (found.length === 0) throw new Error("The home has no dimmers.");
  return found;
}

async function heapMb(context: BrowserContext, view: Page): Promise<number> {
  const session = await context.newCDPSession(view);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}

export function urlOf({ host, port }: Target): string {
  return `https://${host}:${port}`;
}
