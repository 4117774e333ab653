/** What a program in the sandbox reaches, with the machine's own bubblewrap; as root too, where the tests run as root. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PluginProcess } from "../../../src/drivers/plugin/plugin-process.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { hasSandbox } from "../../support/sandbox.ts";

const limits = { pluginOpenFilesMax: 1024, pluginHiddenPaths: [] as string[], pluginAsRoot: false };

let base: string;
let data: string;
let directory: string;
let configHome: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "domovoi-sandbox-"));
  data = join(base, "data");
  directory = join(data, "plugins/1");
  configHome = await mkdtemp(join(homedir(), ".domovoi-test-"));
  await mkdir(directory, { recursive: true });
  await mkdir(join(data, "secrets"));
  await mkdir(join(configHome, "domovoi"));
  await writeFile(join(data, "secrets/token-key"), "secret");
  await writeFile(join(configHome, "domovoi/controllers.json"), "secret");
  await writeFile(join(configHome, "settings.json"), "secret");
  vi.stubEnv("XDG_CONFIG_HOME", configHome);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  // Files that run after this one in the same process must not find the tools that were searched without a path.
  vi.resetModules();
  for (const each of [base, configHome]) await rm(each, { recursive: true });
});

async function confinement() {
  // The tools are searched once in a process.
  vi.resetModules();
  return import("../../../src/drivers/plugin/confinement.ts");
}

async function run(script: string, place = { directory, data }, path = process.env.PATH): Promise<string> {
  const { confined } = await confinement();
  const hiding = { ...limits, pluginHiddenPaths: [join(configHome, "settings.json"), join(base, "missing")] };
  const { command, args } = await confined({ command: "sh", args: ["-c", script] }, { ...place, limits: hiding });
  const env = { PATH: [path, "/usr/bin", "/bin"].join(delimiter) };
  const child = await PluginProcess.start(command, args, { directory: place.directory, env, clock: systemClock });
  const { code } = await child.exited;
  return `${child.output.trim()} ${code}`;
}

describe.runIf(hasSandbox)("in the sandbox", () => {
  test("the data, the logins and the settings of the controller are not there", async () => {
    for (const path of [join(data, "secrets/token-key"), join(configHome, "domovoi/controllers.json")])
      expect(await run(`cat ${path} 2>/dev/null`)).toBe(" 1");
    expect(await run(`cat ${configHome}/settings.json 2>/dev/null || true`)).toBe(" 0");
  });

  test("the code of the controller, its tools and the machine cannot be changed", async () => {
    const places = [resolve("src"), resolve("node_modules"), "/etc", "/usr/bin", homedir(), "/proc/sys/kernel"];
    for (const place of places) {
      await run(`touch ${place}/x-of-a-plugin 2>/dev/null`);
      expect([place, existsSync(join(place, "x-of-a-plugin"))]).toEqual([place, false]);
    }
    for (const name of ["sys/kernel/core_pattern", "sysrq-trigger"])
      expect(await run(`test -w /proc/${name} && echo writable`)).toBe(" 1");
  });

  test("it has no privileges, sees no other processes and no sockets of the system", async () => {
    expect(await run("grep -h ^CapEff /proc/self/status")).toBe("CapEff:\t0000000000000000 0");
    expect(await run("ls -d /proc/[0-9]* | wc -l")).toMatch(/^[1-5] 0$/);
    expect(await run("ls /run/docker.sock /run/dbus /run/user /run/systemd/private 2>/dev/null")).not.toContain("/run");
    expect(await run("umount /tmp 2>/dev/null || mount -t tmpfs none /etc 2>/dev/null || echo no")).toBe("no 0");
  });

  test("it can write in its own directory and in a /tmp of its own", async () => {
    expect(await run(`echo good > ${directory}/note && cat ${directory}/note && pwd`)).toBe(`good\n${directory} 0`);
    expect(await run("touch /tmp/x-of-a-plugin && ls /tmp | grep ^x-of")).toBe("x-of-a-plugin 0");
    expect((await readdir("/tmp")).filter((name) => name === "x-of-a-plugin")).toEqual([]);
    expect(await readdir(data)).toEqual(["plugins", "secrets"]);
  });

  test("a data directory behind an absolute link works", async () => {
    const link = join(base, "link");
    await symlink(data, link);
    const place = { directory: join(link, "plugins/1"), data: link };
    expect(await run("echo good > linked && cat linked", place)).toBe("good 0");
    expect(await run(`cat ${link}/secrets/token-key 2>/dev/null`, place)).toBe(" 1");
  });

  test.each([
    ["below /tmp", () => "/tmp"],
    ["below /run", () => "/run"],
    ["in the home of the user", homedir],
    ["in the data directory", () => data],
  ])(
    "the controller's own Node runs where it lies %s, in a read-only folder with blanks and umlauts",
    async (_name, parent) => {
      const place = await mkdtemp(join(parent(), "domovoi Größe ")).catch(() => null);
      // Only root may write in /run.
      if (place === null) return expect(parent()).toBe("/run");
      const own = process.execPath;
      try {
        await mkdir(join(place, "installation/bin"), { recursive: true });
        await copyFile(own, join(place, "installation/bin/node"));
        for (const folder of ["installation/bin", "installation"]) await chmod(join(place, folder), 0o555);
        process.execPath = join(place, "installation/bin/node");
        const printed = await run('"$(command -v node)" -p process.execPath', undefined, dirname(process.execPath));
        expect(printed).toBe(`${process.execPath} 0`);
        expect(await run(`touch "${place}/installation/bin/x" 2>/dev/null && echo written`)).toBe(" 1");
      } finally {
        process.execPath = own;
        for (const folder of ["installation", "installation/bin"]) await chmod(join(place, folder), 0o755);
        await rm(place, { recursive: true });
      }
    },
  );

  test("no new namespaces can be made, where bubblewrap can forbid it", async () => {
    const isForbidden =
      spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-user", "--disable-userns", "true"]).status === 0;
    expect(await run("unshare --user true 2>/dev/null && echo made")).toBe(isForbidden ? " 1" : "made 0");
  });

  test("names are resolved, and the interpreters run", async () => {
    expect(await run(`"${process.execPath}" -p 1+1`)).toBe("2 0");
    expect(await run("cat /etc/resolv.conf >/dev/null")).toBe(" 0");
  });
});

describe("without bubblewrap", () => {
  beforeAll(async () => {
    await mkdir(join(base, "empty"));
    vi.stubEnv("PATH", [join(base, "empty")].join(delimiter));
  });

  test.each([
    [0, false, "bubblewrap"],
    [0, true, null],
    [1000, false, null],
  ])("as user %i with pluginAsRoot %s", async (uid, pluginAsRoot, refusal) => {
    vi.spyOn(process, "getuid").mockReturnValue(uid);
    const { confined } = await confinement();
    const running = confined({ command: "true", args: [] }, { directory, data, limits: { ...limits, pluginAsRoot } });
    if (refusal === null) expect(await running).toMatchObject({ command: "true", isSandboxed: false });
    else await expect(running).rejects.toThrow(refusal);
    vi.restoreAllMocks();
  });
});
