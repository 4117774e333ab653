/** Plugins in the service of a bench: installed as any other. Their processes sleep; one process speaks for all of them. */

import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { zipSync } from "fflate";
import { pluginRoot } from "../../src/drivers/plugin/integration-type.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Services } from "../../src/http/services.ts";

export type PluginLoad = { readonly plugins: number; readonly nodes: number; readonly perSecond: number };

const CAUSE: Cause = { kind: "system", id: "bench", by: null };
const PROGRAM = '#!/bin/sh\nprintf %s "$PG3INIT" > init\nexec sleep 100000\n';
const REPORTED = "GV1";
const PAUSE_MS = 50;

export class PluginFleet {
  readonly #services: Services;
  readonly #root: string;
  #received = 0;

  /** @param data the data directory of the service. */
  constructor(services: Services, data: string) {
    this.#services = services;
    this.#root = pluginRoot(data);
    services.feed.listen(({ change }) => {
      if (change.type === "property-changed" && change.property.id === REPORTED) this.#received += 1;
    });
  }

  /** @returns for each plugin the file with what it needs to log in. */
  async start({ plugins }: PluginLoad): Promise<readonly string[]> {
    const { integrations, pluginFolders } = this.#services;
    const archive = zipSync({ "plugin.sh": Buffer.from(PROGRAM) });
    const files: string[] = [];
    for (let slot = 1; slot <= plugins; slot += 1) {
      const given = { slot, runtime: "binary", executable: "plugin.sh" };
      const { folder } = await pluginFolders.unpack(archive, given);
      const settings = { ...given, folder };
      await integrations.add({ type: "plugin", id: null, name: `Plugin ${slot}`, settings, enabled: true }, CAUSE);
      files.push(join(this.#root, folder, "init"));
    }
    for (const file of files) await until(async () => (await access(file).catch(() => "absent")) === undefined);
    return files;
  }

  /** Resolves when all of their nodes are there. */
  async haveNodes({ plugins, nodes }: PluginLoad): Promise<void> {
    const { home } = this.#services;
    const wanted = plugins * nodes;
    await until(async () => [...home.nodes.keys()].filter((address) => address.startsWith("n")).length >= wanted);
  }

  /** @returns how many reports the home has got, as soon as these are so many. */
  async received(sent: number): Promise<number> {
    await until(async () => this.#received >= sent).catch(() => {});
    return this.#received;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > endsAtMs) throw new Error("The plugins of the bench did not come, or did not end.");
    await pause(PAUSE_MS);
  }
}
