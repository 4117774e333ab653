/** Installations and upgrades of plugins that come at the same time, or that the controller does not survive. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });

type Plugin = { readonly state: string; readonly home: string };

let controller: TestController;
let archive: Buffer;

beforeAll(async () => {
  // The virtual clock runs ahead of the processes of plugins.
  controller = await startTestController({ demo: false, pluginStartMs: 600_000 });
  await controller.login();
  archive = await lampArchive();
  await upload("/api/plugins?name=Lamp", archive);
}, 30_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

function upload(path: string, body: Buffer): Promise<Answer> {
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  return controller.portal.request("POST", path, { headers, body });
}

async function plugin(name = "Lamp"): Promise<Plugin> {
  await controller.clock.advance(1000);
  return (await controller.portal.get(`/api/plugin/${name}`)).json<{ data: Plugin }>().data;
}

async function runs(): Promise<void> {
  await expect.poll(async () => (await plugin()).state, WAIT).toBe("running");
}

test("an upgrade while another one of the same plugin is under way is refused", async () => {
  // It ignores its signal, so that the first upgrade waits for the clock.
  const program = "#!/bin/sh\ntrap '' TERM\ntouch started\nwhile :; do sleep 1; done\n";
  const stubborn = (version: string) =>
    Buffer.from(zipSync({ "plugin.sh": Buffer.from(program), version: Buffer.from(version) }));
  await upload("/api/plugins?name=Stubborn&type=binary&executable=plugin.sh", stubborn("1"));
  const { home } = await plugin("Stubborn");
  await expect.poll(() => existsSync(join(home, "started")), WAIT).toBe(true);
  const first = upload("/api/plugin/Stubborn/upgrade", stubborn("2"));
  // The plugin shows that it is stopped as soon as the first upgrade has begun.
  const state = async () => (await controller.portal.get("/api/plugin/Stubborn")).json<{ data: Plugin }>().data.state;
  await expect.poll(state, WAIT).toBe("stopped");
  const second = await upload("/api/plugin/Stubborn/upgrade", stubborn("3"));
  expect(second.status).toBe(409);
  const passing = setInterval(() => void controller.clock.advance(1000), 50);
  expect((await first).status).toBe(200);
  expect(await readFile(join(home, "version"), "utf8")).toBe("2");
  expect((await controller.portal.delete("/api/plugin/Stubborn")).status).toBe(200);
  clearInterval(passing);
  expect(readdirSync(join(controller.data, "plugins"))).toEqual(["example-lamp"]);
});

test("a plugin whose requirements cannot be installed is reported as down once, and never as back", async () => {
  await upload("/api/plugins?name=Incomplete", await lampArchive({ "package.json": "{" }));
  const log = async () => (await controller.portal.get("/api/plugin/Incomplete/log")).text;
  const tries = async () => {
    const { state } = await plugin("Incomplete");
    return state === "failed" && (await log()).includes("npm install");
  };
  await expect.poll(tries, WAIT).toBe(true);
  await expect.poll(async () => (await plugin("Incomplete")).state, WAIT).toBe("starting");
  await expect.poll(tries, WAIT).toBe(true);
  const messages = controller.lines
    .filter(({ message }) => message.startsWith("A driver is"))
    .map((each) => each.message);
  expect(messages).toEqual(["A driver is down; its devices keep their last values."]);
  expect((await controller.portal.delete("/api/plugin/Incomplete")).status).toBe(200);
});

test("what an interrupted installation or upgrade left is removed at the next start, and former files return", async () => {
  const root = join(controller.data, "plugins");
  const before = await plugin();
  await controller.portal.post("/api/plugin/Lamp/stop");
  // As a kill in the middle leaves them: unpacked, not yet on record, and between the former files and the newer ones.
  await mkdir(join(root, ".new-a1", ".files"), { recursive: true });
  await mkdir(join(root, "example-lamp-2", ".domovoi"), { recursive: true });
  await writeFile(join(root, "example-lamp-2", ".domovoi", "unfinished"), "");
  await mkdir(join(root, ".new-b2", ".files"), { recursive: true });
  await rename(before.home, join(root, ".new-b2", "example-lamp"));
  await mkdir(join(root, "of-the-owner"));
  await controller.restart();
  await controller.login();
  expect(readdirSync(root).sort()).toEqual(["example-lamp", "of-the-owner"]);
  await rmdir(join(root, "of-the-owner"));
  await controller.portal.post("/api/plugin/Lamp/start");
  await runs();
});

test("a pipe or a socket among the files that are kept does not stand in the way of an upgrade", async () => {
  const { home } = await plugin();
  await mkdir(join(home, "data"), { recursive: true });
  await writeFile(join(home, "data", "kept"), "kept");
  execFileSync("mkfifo", [join(home, "data", "pipe")]);
  expect((await upload("/api/plugin/Lamp/upgrade", archive)).status).toBe(200);
  expect(readdirSync(join(home, "data"))).toEqual(["kept"]);
  expect(readdirSync(join(controller.data, "plugins")).filter((name) => name.startsWith(".new-"))).toEqual([]);
});

describe("an archive that cannot be used is refused, and leaves nothing", () => {
  const server = (member: object) => ({
    "server.json": Buffer.from(JSON.stringify({ type: "python3", executable: "a.py", ...member })),
  });
  const program = { "a.py": Buffer.from("Interface(") };
  const zipped = (files: Readonly<Record<string, Uint8Array>>) => Buffer.from(zipSync(files));
  const cut = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part));
  const flipped = (bytes: Buffer) =>
    Buffer.from(bytes.map((byte, at) => (at > 40 && at % 7 === 0 ? byte ^ 0x55 : byte)));

  test.each<readonly [string, () => Buffer]>([
    ["a file where a directory is", () => zipped({ a: Buffer.from("x"), "a/b": Buffer.from("y") })],
    ["a directory where a file is", () => zipped({ "a/b": Buffer.from("y"), a: Buffer.from("x") })],
    ["a name of 300 characters", () => zipped({ ["x".repeat(300)]: Buffer.from("x") })],
    ["a path of 6,000 characters", () => zipped({ [`${"d/".repeat(3000)}x`]: Buffer.from("x") })],
    ["a name with a zero", () => zipped({ "a\0b": Buffer.from("x") })],
    ["an empty name", () => zipped({ "": Buffer.from("x") })],
    ["a dot as name", () => zipped({ ".": Buffer.from("x") })],
    ["half of a .zip", () => cut(zipped(program), 0.5)],
    ["a .zip with wrong bytes", () => flipped(zipped({ ...program, more: Buffer.alloc(5000, 7) }))],
    ["half of a .tgz", () => cut(archive, 0.5)],
    ["a .tgz with wrong bytes", () => flipped(archive)],
    ["ten bytes of a .tgz", () => archive.subarray(0, 10)],
    ["a name with an escape", () => zipped({ ...program, ...server({ name: "Lamp\u001b[2J" }) })],
    ["a version with a line break", () => zipped({ ...program, ...server({ credits: [{ version: "1\n2" }] }) })],
    ["an executable with a zero", () => zipped({ ...program, ...server({ executable: "a\0.py" }) })],
  ])("%s", async (_what, make) => {
    const answer = await upload("/api/plugins?name=Broken", make());
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, "PLUGIN_REFUSED"]);
    expect(answer.text).not.toContain(controller.data);
    expect(readdirSync(join(controller.data, "plugins"))).toEqual(["example-lamp"]);
  });
});

test("a plugin runs in a data directory that is named relative to the working directory", async () => {
  const data = relative(process.cwd(), await mkdtemp(join(tmpdir(), "domovoi-relative-")));
  const other = await startTestController({ demo: false, pluginStartMs: 600_000 }, { data });
  await other.login();
  const program = "#!/bin/sh\ntouch started\nwhile :; do sleep 1; done\n";
  const headers = { ...other.bearer(), "Content-Type": "application/octet-stream" };
  const body = Buffer.from(zipSync({ "plugin.sh": Buffer.from(program) }));
  const path = "/api/plugins?name=Here&type=binary&executable=plugin.sh";
  expect((await other.portal.request("POST", path, { headers, body })).status).toBe(200);
  await expect.poll(() => existsSync(join(data, "plugins", "plugin", "started")), WAIT).toBe(true);
  const ended = other[Symbol.asyncDispose]();
  await other.clock.advance(5000);
  await ended;
  await rm(data, { recursive: true });
});

describe("installed at the same time", () => {
  type Installed = { readonly data: { readonly profileNum: number; readonly home: string } };

  test("each has a slot and a directory of its own", async () => {
    const answers = await Promise.all(
      ["First", "Second", "Third"].map((name) => upload(`/api/plugins?name=${name}`, archive)),
    );
    const installed = answers.map((answer) => answer.json<Installed>().data);
    expect(installed.map(({ profileNum }) => profileNum).sort()).toEqual([2, 3, 4]);
    expect(new Set(installed.map(({ home }) => home)).size).toBe(3);
    for (const { profileNum, home } of installed) {
      expect(existsSync(join(home, "lamp.js"))).toBe(true);
      expect((await controller.portal.delete(`/api/plugin/${profileNum}`)).status).toBe(200);
    }
  });

  test("each can be removed at once, while it is being started, and leaves neither files nor a process", async () => {
    const root = join(controller.data, "plugins");
    for (let round = 0; round < 6; round += 1) {
      const answer = await upload("/api/plugins?name=Short", archive);
      // Rounds end at other steps of the start.
      for (let turn = 0; turn < round * 20; turn += 1) await new Promise<void>((next) => setImmediate(next));
      const { profileNum } = answer.json<Installed>().data;
      expect((await controller.portal.delete(`/api/plugin/${profileNum}`)).status).toBe(200);
    }
    expect(readdirSync(root)).toEqual(["example-lamp"]);
    expect(workingDirectories().filter((directory) => directory.startsWith(join(root, "example-lamp-")))).toEqual([]);
  });

  test("one of two with the same name is refused", async () => {
    const answers = await Promise.all([upload("/api/plugins", archive), upload("/api/plugins", archive)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await controller.portal.delete("/api/plugin/2");
    expect(readdirSync(join(controller.data, "plugins"))).toEqual(["example-lamp"]);
  });
});

/** Of all processes of the machine, as far as they may be read. */
function workingDirectories(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readlinkSync(`/proc/${pid}/cwd`)];
      } catch {
        return [];
      }
    });
}
