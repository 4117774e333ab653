/** `domovoi plugin`, with the example plugin and the unmodified library of Node plugins. */

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CommandLine } from "./command-line.ts";

const ROOT = resolve(import.meta.dirname, "../..");

// On a busy machine each command and each plugin starts slowly.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let line: CommandLine;
let source: string;

beforeAll(async () => {
  line = await CommandLine.start();
  source = await mkdtemp(join(tmpdir(), "domovoi-plugin-"));
  await cp(join(ROOT, "examples/plugins/node-lamp"), source, { recursive: true });
  await rm(join(source, "package.json"));
  const library = JSON.stringify(join(ROOT, "node_modules/polyinterface-v3"));
  const program = await readFile(join(source, "lamp.js"), "utf8");
  await writeFile(join(source, "lamp.js"), program.replace('"polyinterface-v3"', library));
}, 30_000);
afterAll(async () => {
  await line[Symbol.asyncDispose]();
  await rm(source, { recursive: true });
});

test("a directory becomes a running plugin, and is listed", async () => {
  const none = await line.run(["plugin", "list"]);
  expect(none.stderr).toContain("There are no plugins. Install one: domovoi plugin install DIRECTORY");
  const installed = await line.run(["plugin", "install", source, "--name", "Attic"]);
  expect([installed.code, installed.stdout]).toEqual([0, "Attic runs in slot 1.\n"]);
  const [listed] = await line.readJson<readonly Readonly<Record<string, unknown>>[]>("plugin", "list");
  expect(listed).toMatchObject({ name: "Attic", slot: 1, state: "running", reason: "" });
  expect(listed?.pid).toBeGreaterThan(1);
  expect(await line.read("plugin", "log", "Attic")).toContain("MQTT client connected");
});

test("parameters and notices are shown and changed", async () => {
  expect(await line.read("plugin", "config", "Attic")).toBe(
    "room=Attic\nPolls: every 30 and 600 seconds. Log level: INFO. Access to the controller: none.\n",
  );
  expect(await line.read("plugin", "config", "Attic", "room=Loft", "floor=2")).toContain("room=Loft\nfloor=2\n");
  expect(await line.readJson("plugin", "config", "1")).toMatchObject({ parameters: { room: "Loft", floor: "2" } });
  await line.read("plugin", "config", "Attic", "room=");
  await expect
    .poll(() => line.read("plugin", "notices", "Attic"), { timeout: 10_000 })
    .toContain("set the parameter room");
  const { stderr } = await line.run(["plugin", "notices", "Attic", "--dismiss", "room"]);
  expect(stderr).toBe("The plugin has no notices.\n");
});

test.each([
  [["config", "Attic", "--short-poll", "0"], 'domovoi: --short-poll: "0" is not a whole number of seconds.\n'],
  [["config", "Attic", "room"], 'domovoi: "room" is not KEY=VALUE.\n'],
  [["notices", "Attic", "--dismiss", "none"], 'domovoi: The plugin has no notice with the key "none".\n'],
])("plugin %j is refused with a sentence", async (words, sentence) => {
  const refused = await line.run(["plugin", ...words]);
  expect([refused.code, refused.stderr]).toEqual([2, sentence]);
});

test("it is stopped, started and removed", async () => {
  expect(await line.read("plugin", "stop", "Attic")).toBe("Attic is stopped.\n");
  const discovery = await line.run(["plugin", "discover", "Attic"]);
  expect([discovery.code, discovery.stderr]).toEqual([1, "domovoi: The plugin is stopped. Start it first.\n"]);
  expect((await line.run(["plugin", "start", "Attic"])).stdout).toBe("Attic runs in slot 1.\n");
  expect(await line.read("plugin", "remove", "Attic")).toBe("Removed Attic with 2 nodes.\n");
});

test("a repository is cloned and installed", async () => {
  const git = (...args: readonly string[]) => promisify(execFile)("git", ["-C", source, ...args]);
  await git("init", "--quiet");
  await git("add", ".");
  await git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "A plugin");
  const installed = await line.run(["plugin", "install", `file://${source}`, "--name", "Cloned"]);
  expect([installed.code, installed.stdout]).toEqual([0, "Cloned runs in slot 1.\n"]);
  // A plugin runs before it has added its nodes.
  await expect.poll(() => line.read("nodes", "attic"), { timeout: 20_000 }).toContain("Attic lamp");
  expect(await line.read("plugin", "remove", "Cloned")).toBe("Removed Cloned with 2 nodes.\n");
  const missing = await line.run(["plugin", "install", "file:///nowhere/at-all"]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("cannot be cloned:")]);
});

test("a directory without a plugin is refused with a sentence", async () => {
  const missing = await line.run(["plugin", "install", "/nowhere/plugin"]);
  expect([missing.code, missing.stderr]).toEqual([2, "domovoi: There is no file or directory /nowhere/plugin.\n"]);
  const empty = await mkdtemp(join(tmpdir(), "domovoi-plugin-"));
  const refused = await line.run(["plugin", "install", empty]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "none of its .py and .js files creates an Interface. Name the file to run with --executable.",
  );
  await rm(empty, { recursive: true });
  const linked = await mkdtemp(join(tmpdir(), "domovoi-plugin-"));
  await symlink("/nowhere/at-all", join(linked, "broken"));
  const unreadable = await line.run(["plugin", "install", linked]);
  expect([unreadable.code, unreadable.stderr]).toEqual([
    1,
    expect.stringContaining(`The directory ${linked} cannot be read: ENOENT`),
  ]);
  await rm(linked, { recursive: true });
  const unknown = await line.run(["plugin", "log", "Nobody"]);
  expect(unknown.stderr).toContain("There is no plugin with this id, slot or name.");
});
