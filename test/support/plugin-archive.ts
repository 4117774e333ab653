/** The example plugin as an archive, as people upload it. */

import { readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { create } from "tar";

const ROOT = resolve(import.meta.dirname, "../..");
const EXAMPLE = join(ROOT, "examples/plugins/node-lamp");
export const LIBRARY = join(ROOT, "node_modules/polyinterface-v3");

/** The example, with the library from this project instead of one that an installer fetches. @param more at the end of its program */
export async function lampArchive(files: Readonly<Record<string, string>> = {}, more = ""): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), "domovoi-plugin-"));
  await cp(EXAMPLE, directory, { recursive: true });
  await rm(join(directory, "package.json"));
  const program = await readFile(join(EXAMPLE, "lamp.js"), "utf8");
  await writeFile(
    join(directory, "lamp.js"),
    `${program.replace('"polyinterface-v3"', JSON.stringify(LIBRARY))}\n${more}`,
  );
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const bytes = await packed(directory);
  await rm(directory, { recursive: true });
  return bytes;
}

async function packed(directory: string): Promise<Buffer> {
  const file = join(await mkdtemp(join(tmpdir(), "domovoi-archive-")), "plugin.tgz");
  await create({ gzip: true, cwd: directory, file }, readdirSync(directory));
  return readFile(file);
}
