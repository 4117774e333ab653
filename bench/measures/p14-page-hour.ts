/** P14, over an hour: what the page holds while values change, after a forced collection every few minutes. */

import type { BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../../test/page/browser.ts";
import { arrive } from "../harness/arrivals.ts";
import { startController } from "../harness/controller.ts";
import { USUAL } from "../harness/homes.ts";
import type { Measure, Result, Row } from "../harness/measure.ts";
import { dimmerAddresses, firstVisit, openRooms, sendLevels, urlOf, WATCH_TEXTS } from "./p14-page.ts";

/** Less than in P14: it runs beside other work for an hour. */
const UPDATES_PER_SECOND = 20;
const SAMPLES = 12;

type Sample = { readonly heapMb: number; readonly nodes: number; readonly listeners: number; readonly shown: number };

export const pageHour: Measure = {
  id: "P14-HOUR",
  title: "the page in a browser over an hour of updates",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const controller = await startController(bench.children, { home });
    const browser = await launchBrowser();
    try {
      const { context, view } = await firstVisit(browser, urlOf(controller.portal));
      await openRooms(view);
      await view.evaluate(WATCH_TEXTS);
      const addresses = await dimmerAddresses(controller.local);
      const seconds = bench.quick ? 2 : bench.long ? 300 : 10;
      const samples: Sample[] = [await sample(context, view)];
      for (let count = 0; count < SAMPLES; count++) {
        const before = count * seconds * UPDATES_PER_SECOND;
        await sendLevels(controller.local, addresses, (send) =>
          arrive({ perSecond: UPDATES_PER_SECOND, seconds }, (index) => send(before + index)),
        );
        samples.push(await sample(context, view));
        bench.say(JSON.stringify(samples.at(-1)));
      }
      return { rows: rowsOf(samples), notes: notesOf(samples, seconds) };
    } finally {
      await browser.close();
      await controller.end();
    }
  },
};

async function sample(context: BrowserContext, view: Page): Promise<Sample> {
  const session = await context.newCDPSession(view);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  await session.detach();
  const shown = Number(await view.evaluate("globalThis.shown_"));
  return { heapMb: usedSize / 2 ** 20, nodes, listeners: jsEventListeners, shown };
}

/** The first leg fills what is held with a limit: the latest events, the times of reports. */
function rowsOf(samples: readonly Sample[]): readonly Row[] {
  const [, first, ...later] = samples;
  const last = later.at(-1);
  if (!first || !last) throw new Error("There are at least two legs.");
  if (last.shown === 0) throw new Error("No update was shown.");
  const goal = (value: number) => ({ of: "figure", bound: "at most", value }) as const;
  return [
    {
      what: "heap of the page, more after the last leg than after the first",
      figure: last.heapMb - first.heapMb,
      unit: "MB",
      goal: goal(1),
    },
    { what: "nodes of the document, more", figure: last.nodes - first.nodes, unit: "", goal: goal(50) },
    { what: "event listeners, more", figure: last.listeners - first.listeners, unit: "", goal: goal(10) },
    { what: "texts that changed on the screen", figure: last.shown, unit: "" },
  ];
}

function notesOf(samples: readonly Sample[], seconds: number): readonly string[] {
  const heaps = samples.map(({ heapMb }) => heapMb.toFixed(2)).join(" ");
  return [
    `${UPDATES_PER_SECOND} updates a second, ${SAMPLES} legs of ${seconds} s; all rooms open. The promise is an hour: --long.`,
    `Heap after a forced collection, at the start and after each leg: ${heaps} MB. Nodes ${samples.map(({ nodes }) => nodes).join(" ")}; listeners ${samples.map(({ listeners }) => listeners).join(" ")}.`,
  ];
}
