/** A module for browsers with all that it imports, as a page would get it; what only Node has stays an import. */

import { build, type Rolldown } from "vite";

export async function buildBundle(entry: string): Promise<Rolldown.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: import.meta.dirname,
    build: {
      write: false,
      target: "es2022",
      lib: { entry, name: "page", formats: ["iife"] },
      rolldownOptions: { external: [/^node:/] },
    },
  });
  const [first] = [built].flat();
  if (!first || !("output" in first)) throw new Error("Nothing was built.");
  return first.output[0];
}
