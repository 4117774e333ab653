/** Plugins in the service of a bench: installed as any other, each a process that reports at a steady rate. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import type { Cause } from "../../src/home/cause.ts";
import type { Services } from "../../src/http/services.ts";

export type PluginLoad = { readonly plugins: number; readonly nodes: number; readonly perSecond: number };
export type PluginCounts = { readonly sent: number; readonly received: number };

const CAUSE: Cause = { kind: "system", id: "bench", by: null };
const PROGRAM = fileURLToPath(new URL("../generators/plugin.js", import.meta.url));
const REPORTED = "GV1";
const TOTAL = "GV2";
const PAUSE_MS = 200;

export class PluginFleet {
  readonly #services: Services;
  #load: PluginLoad = { plugins: 0, nodes: 0, perSecond: 0 };
  #received = 0;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Resolves when all of their nodes are there. */
  async start(load: PluginLoad): Promise<void> {
    this.#load = load;
    const { feed, integrations, pluginFolders, home } = this.#services;
    feed.listen(({ change }) => {
      if (change.type === "property-changed" && change.property.id === REPORTED) this.#received += 1;
    });
    const rates = JSON.stringify({ NODES: load.nodes, PER_SECOND: load.perSecond });
    const archive = zipSync({ "plugin.js": await readFile(PROGRAM), "rates.json": Buffer.from(rates) });
    for (let slot = 1; slot <= load.plugins; slot += 1) {
      const given = { slot, runtime: "node", executable: "plugin.js" };
      const { folder } = await pluginFolders.unpack(archive, given);
      const settings = { ...given, folder };
      await integrations.add({ type: "plugin", id: null, name: `Plugin ${slot}`, settings, enabled: true }, CAUSE);
    }
    const wanted = load.plugins * load.nodes;
    await until(() => [...home.nodes.keys()].filter((address) => address.startsWith("n")).length >= wanted);
  }

  /** Stops their reports, and counts. */
  async end(): Promise<PluginCounts> {
    const { drivers, home } = this.#services;
    const slots = Array.from({ length: this.#load.plugins }, (_, at) => at + 1);
    const first = (slot: number) => `n${String(slot).padStart(3, "0")}_d0`;
    const signal = AbortSignal.timeout(30_000);
    for (const slot of slots) {
      const node = home.nodes.get(first(slot));
      if (!node) continue;
      await drivers
        .of(node.driver)
        .send({ id: `end${slot}`, address: node.address, command: "DOF", parameters: [], signal });
    }
    const totals = () => slots.map((slot) => home.nodes.get(first(slot))?.properties.get(TOTAL)?.value ?? null);
    await until(() => totals().every((total) => total !== null));
    return { sent: totals().reduce<number>((sum, total) => sum + (total ?? 0), 0), received: this.#received };
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAtMs = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > endsAtMs) throw new Error("The plugins of the bench did not come, or did not end.");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
