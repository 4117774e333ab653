/**
 * The Matter controller of a whole service and devices in another process, over the network: included with the command line,
 * commanded, and each side killed and started again. In a network namespace of its own, with the two ends of one link. Needs root.
 *
 *     node test/peers/matter-devices.ts
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const DOMOVOI = join(ROOT, "bin/domovoi.js");
const [PORTAL, LOCAL, PLAIN] = [19_445, 18_445, 18_446];
const OWNER = { DOMOVOI_OWNER_EMAIL: "owner@example.org", DOMOVOI_OWNER_PASSWORD: "owner password 1" };
const ACCOUNT = { DOMOVOI_LOCAL_USER: "admin", DOMOVOI_LOCAL_PASSWORD: "local password 1" };
const [PLUG, DIMMER] = ["ZM00001_001_1", "ZM00001_002_1"];
const PATIENCE_MS = 240_000;

if (process.argv[2] !== "inside") {
  const { status } = spawnSync("unshare", ["--net", process.execPath, import.meta.filename, "inside"], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}

const data = mkdtempSync(join(tmpdir(), "matter-devices-"));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let failures = 0;
const running: { service?: ChildProcess; device?: ChildProcess } = {};

try {
  for (const command of [
    "link set lo up",
    "link add matter0 type veth peer name matter1",
    "link set matter0 up",
    "link set matter1 up",
  ]) {
    execFileSync("ip", command.split(" "));
  }
  // Link-local addresses are checked for duplicates first.
  await pause(2000);
  const code = await startDevice();
  await startService();
  const included = domovoi("radio", "include", "--radio", "matter", code, "--yes");
  check("the device is included by its digits", included.status === 0 && included.stdout.includes("Two devices"));
  const profiles = (await rest("/rest/profiles")).text;
  check("its nodedefs are in the profiles", /"UZM[0-9A-F]{8}"/.test(profiles));
  await tookUntil("a command arrives", () => commanded(PLUG, "DON"));
  await tookUntil("its effect is reported", async () => (await value(PLUG, "ST")) === "100");
  await tookUntil("a level arrives", () => commanded(DIMMER, "DON/50"));
  await tookUntil("the level is reported", async () => (await value(DIMMER, "ST")) === "50");

  await killed("service");
  await startService();
  check("after a kill of the service the nodes are there at once", (await value(PLUG, "ST")) === "100");
  await tookUntil("a command arrives after the kill of the service", () => commanded(PLUG, "DOF"));
  await tookUntil(
    "its effect is reported after the kill of the service",
    async () => (await value(PLUG, "ST")) === "0",
  );

  await killed("device");
  await tookUntil("the killed device is known to be silent", async () => (await value(PLUG, "ERR")) === "1");
  check("its values stay", (await value(PLUG, "ST")) === "0");
  await startDevice();
  await tookUntil("the device is known to be back", async () => (await value(PLUG, "ERR")) === "0");
  await tookUntil("a command arrives after the kill of the device", () => commanded(PLUG, "DON"));
  await tookUntil(
    "its effect is reported after the kill of the device",
    async () => (await value(PLUG, "ST")) === "100",
  );

  const excluded = domovoi("radio", "exclude", "--radio", "matter", PLUG);
  check("the device is removed", excluded.status === 0 && (await value(PLUG, "ST")) === null);
} finally {
  for (const each of Object.values(running)) each.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);

async function startDevice(): Promise<string> {
  const script = join(import.meta.dirname, "serve-matter-device.ts");
  const device = spawn(process.execPath, [script, join(data, "device")], { stdio: ["pipe", "pipe", "inherit"] });
  running.device = device;
  const [line] = await once(device.stdout ?? device, "data");
  return String(line).trim();
}

async function startService(): Promise<void> {
  const config = join(data, "settings.json");
  writeFileSync(config, JSON.stringify({ matterController: true }));
  const ports = ["--portal-port", String(PORTAL), "--local-port", String(LOCAL), "--plain-port", String(PLAIN)];
  running.service = spawn(
    process.execPath,
    [DOMOVOI, "serve", "--data", join(data, "home"), "--config", config, ...ports],
    {
      ...{ env: { ...process.env, ...OWNER, ...ACCOUNT }, stdio: "ignore" },
    },
  );
  await until(async () => (await rest("/rest/config")).status === 200);
}

async function killed(which: keyof typeof running): Promise<void> {
  const ended = running[which] && once(running[which], "exit");
  running[which]?.kill("SIGKILL");
  await ended;
}

function domovoi(...words: readonly string[]) {
  const where = ["--url", `https://127.0.0.1:${PORTAL}`, "--ca", join(data, "home/secrets/ca-cert")];
  const account = { DOMOVOI_USER: OWNER.DOMOVOI_OWNER_EMAIL, DOMOVOI_PASSWORD: OWNER.DOMOVOI_OWNER_PASSWORD };
  const done = spawnSync(process.execPath, [DOMOVOI, ...words, ...where], {
    ...{ env: { ...process.env, ...account }, encoding: "utf8" },
  });
  if (done.status !== 0) process.stdout.write(`${words.join(" ")}: ${done.stdout}${done.stderr}\n`);
  return done;
}

async function rest(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const login = Buffer.from(`${ACCOUNT.DOMOVOI_LOCAL_USER}:${ACCOUNT.DOMOVOI_LOCAL_PASSWORD}`).toString("base64");
  try {
    const answer = await fetch(`http://127.0.0.1:${PLAIN}${path}`, { headers: { Authorization: `Basic ${login}` } });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

async function commanded(address: string, command: string): Promise<boolean> {
  return (await rest(`/rest/nodes/${address}/cmd/${command}`)).status === 200;
}

/** As the interface writes it; null: there is none. */
async function value(address: string, id: string): Promise<string | null> {
  const { text } = await rest(`/rest/status/${address}`);
  return new RegExp(`id="${id}" value="([^"]*)"`).exec(text)?.[1] ?? null;
}

async function until(isTrue: () => Promise<boolean>): Promise<boolean> {
  const ends = Date.now() + PATIENCE_MS;
  while (Date.now() < ends) {
    if (await isTrue()) return true;
    await pause(200);
  }
  return false;
}

async function tookUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const began = Date.now();
  check(what, await until(isTrue), ` after ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

function check(what: string, isTrue: boolean, more = ""): void {
  if (!isTrue) failures += 1;
  process.stdout.write(`${isTrue ? "ok  " : "FAIL"}  ${what}${more}\n`);
}
