/** A process of a plugin can put anything in the place of a file that the controller reads or writes in its directory. */

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readManifest } from "../../../src/drivers/plugin/manifest.ts";
import { writeOwnFile } from "../../../src/drivers/plugin/own-files.ts";
import { pluginLog } from "../../../src/drivers/plugin/plugin-log.ts";
import { readPluginProfile } from "../../../src/drivers/plugin/profile-files.ts";

const NODEDEF = '<nodeDefs><nodeDef id="LAMP"/></nodeDefs>';

let outside: string;
let directory: string;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "domovoi-own-files-"));
  directory = join(outside, "plugin");
  for (const name of ["logs", ".domovoi", "profile/nls", "profile/nodedef"])
    await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, "profile/nodedef/lamp.xml"), NODEDEF);
  await writeFile(join(outside, "secret"), "ND-LAMP-NAME = secret\n");
});
afterEach(() => rm(outside, { recursive: true }));

const makePipe = (path: string) => void execFileSync("mkfifo", [path]);

test.each([
  ["a pipe", async (path: string) => makePipe(path)],
  ["a device without an end", (path: string) => symlink("/dev/zero", path)],
  ["a link to a file outside", (path: string) => symlink(join(outside, "secret"), path)],
  ["a directory", (path: string) => mkdir(path).then(() => {})],
  ["a file of 1 TB without content", async (path: string) => void execFileSync("truncate", ["-s", "1T", path])],
])("%s in the place of a definition is passed over, and the other files are read", async (_what, make) => {
  await make(join(directory, "profile/nls/en_us.txt"));
  const { definitions, problems } = await readPluginProfile(directory);
  expect(definitions.nodedefs?.map(({ name }) => name)).toEqual(["LAMP"]);
  expect(problems).toHaveLength(1);
});

test("a linked folder of definitions leads nowhere", async () => {
  await rm(join(directory, "profile/nls"), { recursive: true });
  await mkdir(join(outside, "nls"));
  await writeFile(join(outside, "nls/en_us.txt"), "ND-LAMP-NAME = secret\n");
  await symlink(join(outside, "nls"), join(directory, "profile/nls"));
  const { definitions } = await readPluginProfile(directory);
  expect(definitions.nodedefs?.map(({ name }) => name)).toEqual(["LAMP"]);
});

test("a pipe or a link in the place of its log is no log", async () => {
  makePipe(join(directory, "logs/debug.log"));
  await symlink(join(outside, "secret"), join(directory, ".domovoi/install.log"));
  expect(await pluginLog(directory, "printed", [])).toBe("printed");
});

test("a link within its directory is followed: the library for Node writes its log behind one", async () => {
  await writeFile(join(directory, "logs/today.log"), "written\n");
  await symlink("today.log", join(directory, "logs/debug.log"));
  expect(await pluginLog(directory, "", [])).toBe("written\n");
});

test("a pipe in the place of server.json is refused", async () => {
  makePipe(join(directory, "server.json"));
  await expect(readManifest(directory, { runtime: null, executable: null })).rejects.toThrow("server.json");
});

test.each([
  ["a pipe", async (path: string) => makePipe(path)],
  ["a link", (path: string) => symlink(join(outside, "secret"), path)],
])("%s in the place of a written file is replaced", async (_what, make) => {
  await make(join(directory, "id.key"));
  await writeOwnFile(directory, "id.key", "key");
  expect(await readFile(join(directory, "id.key"), "utf8")).toBe("key");
  expect(await readFile(join(outside, "secret"), "utf8")).toContain("secret");
});

test("a link in the place of the controller's own folder is replaced", async () => {
  await rm(join(directory, ".domovoi"), { recursive: true });
  await symlink(outside, join(directory, ".domovoi"));
  await writeOwnFile(directory, ".domovoi/secret", "text");
  expect(await readFile(join(directory, ".domovoi/secret"), "utf8")).toBe("text");
  expect(await readFile(join(outside, "secret"), "utf8")).toContain("secret");
});
