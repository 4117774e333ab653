/** How much room the parts of a data directory take: its files, and its directories with the files directly in them. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes by name. Files that disappear meanwhile, or cannot be read, are left out. */
export async function readDataSizes(directory: string): Promise<Readonly<Record<string, number>>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    if (entry.isFile()) sizes[entry.name] = await sizeOf(path);
    if (!entry.isDirectory()) continue;
    const files = await readdir(path).catch(() => []);
    sizes[`${entry.name}/`] = (await Promise.all(files.map((name) => sizeOf(join(path, name))))).reduce(
      (a, b) => a + b,
      0,
    );
  }
  return sizes;
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
