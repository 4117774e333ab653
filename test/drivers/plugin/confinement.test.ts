/** What belongs to a plugin runs within the sandbox, also its installer, and nothing of the plugin can take the sandbox's place. */

import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PluginProcess } from "../../../src/drivers/plugin/plugin-process.ts";
import { systemClock } from "../../../src/util/clock.ts";

/** Notes its arguments and runs the command behind them, or nothing. */
const BWRAP = `#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for word; do shift; [ "$word" = -- ] && exec "$@"; done
exit 0
`;
const IMPOSTOR = '#!/bin/sh\necho impostor > "$(dirname "$0")/ran"\n';

let data: string;
let tools: string;
let directory: string;
let confined: typeof import("../../../src/drivers/plugin/confinement.ts").confined;
let installRequirements: typeof import("../../../src/drivers/plugin/requirements.ts").installRequirements;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "domovoi-confinement-"));
  tools = join(data, "tools");
  directory = join(data, "plugin");
  await mkdir(tools);
  await mkdir(join(directory, ".venv/bin"), { recursive: true });
  await program(join(tools, "bwrap"), BWRAP);
  vi.stubEnv("PATH", [tools, process.env.PATH].join(delimiter));
  // The tools are searched once in a process.
  vi.resetModules();
  ({ confined } = await import("../../../src/drivers/plugin/confinement.ts"));
  ({ installRequirements } = await import("../../../src/drivers/plugin/requirements.ts"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await rm(data, { recursive: true });
});

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

const limits = { pluginOpenFilesMax: 1024, pluginHiddenPaths: [], pluginAsRoot: false };
const confining = () => ({ directory, data, limits });

test("a program of the plugin with the name of a tool is not run in its place", async () => {
  const bin = join(directory, ".venv/bin");
  for (const name of ["bwrap", "prlimit"]) await program(join(bin, name), IMPOSTOR);
  const { command, args, isSandboxed } = await confined({ command: "true", args: [] }, confining());
  expect(isSandboxed).toBe(true);
  const env = { PATH: [bin, process.env.PATH].join(delimiter) };
  const child = await PluginProcess.start(command, args, { directory, env, clock: systemClock });
  expect((await child.exited).code).toBe(0);
  await expect(readFile(join(bin, "ran"), "utf8")).rejects.toThrow("ENOENT");
  expect(await readFile(join(tools, "calls"), "utf8")).toMatch(
    new RegExp(`--tmpfs ${data} .*--bind ${directory} ${directory}`),
  );
});

test("its requirements are installed within the sandbox", async () => {
  await writeFile(join(directory, "package.json"), "{}");
  const manifest = { runtime: "node", executable: "lamp.js" } as const;
  const signal = new AbortController().signal;
  const progress = (): void => {};
  await installRequirements({ ...confining(), manifest, clock: systemClock, limitMs: 60_000, signal, progress });
  expect(await readFile(join(tools, "calls"), "utf8")).toMatch(/--tmpfs \S+ .* -- npm install /);
});

test("while the machine is too busy to try the sandbox no plugin is started without it, and later it is tried again", async () => {
  const slow = join(data, "slow");
  await mkdir(slow);
  await program(join(slow, "bwrap"), `#!/bin/sh\n[ -e "$(dirname "$0")/busy" ] && exec sleep 5\nexit 0\n`);
  await writeFile(join(slow, "busy"), "");
  vi.stubEnv("PATH", [slow, process.env.PATH].join(delimiter));
  vi.resetModules();
  vi.doMock("node:child_process", async (original) => {
    const real = await original<typeof import("node:child_process")>();
    const execute = promisify(real.execFile);
    const hurried = (path: string, args: readonly string[]) => execute(path, [...args], { timeout: 300 });
    return { ...real, execFile: Object.assign(() => {}, { [promisify.custom]: hurried }) };
  });
  const { confined: tried } = await import("../../../src/drivers/plugin/confinement.ts");
  const asAnybody = { ...confining(), limits: { ...limits, pluginAsRoot: true } };
  await expect(tried({ command: "true", args: [] }, asAnybody)).rejects.toThrow("too busy");
  await rm(join(slow, "busy"));
  expect(await tried({ command: "true", args: [] }, asAnybody)).toMatchObject({ isSandboxed: true });
  vi.doUnmock("node:child_process");
});
