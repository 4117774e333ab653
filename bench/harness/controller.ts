/** The service as an owner starts it: its own process, the Node that is measured with, free ports, a data directory. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Child, Children, Environment } from "./children.ts";
import type { HomeCopy } from "./homes.ts";
import { type Target, targetOf } from "./https-connection.ts";
import { newStoreUrl } from "./store-url.ts";

export type RunningController = Child & { readonly portal: Target; readonly local: Target };

type ControllerOptions = {
  readonly home: Pick<HomeCopy, "dir" | "nodes">;
  /** Settings by their names, beyond those of the demo. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Environment;
};

/** For the service's code in a process of the bench: how bin/domovoi.js lays out its heap. */
export const HEAP_OF_SERVICE: Environment = {
  NODE_OPTIONS: "--max-semi-space-size=2",
  MALLOC_MMAP_THRESHOLD_: "131072",
};

const PROGRAM = fileURLToPath(new URL("../../bin/domovoi.js", import.meta.url));

export async function startController(
  children: Children,
  { home, settings = {}, env = {} }: ControllerOptions,
): Promise<RunningController> {
  const file = join(home.dir, "settings.json");
  const demo = { demo: true, demoNodes: home.nodes, still: true };
  const storeUrl = await newStoreUrl(home.dir);
  writeFileSync(
    file,
    JSON.stringify({ ...demo, portalPort: 0, localPort: 0, logLevel: "error", storeUrl, ...settings }),
  );
  const args = [PROGRAM, "serve", "--data", home.dir, "--config", file];
  const child = await children.start({ command: process.execPath, args, env, ready: "ready " });
  const [, portal = "", local = ""] = child.readyLine.split(" ");
  return { ...child, portal: targetOf(portal), local: targetOf(local) };
}
