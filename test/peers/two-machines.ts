/**
 * A home with two machines, each in a network namespace of its own, with the database in a third and a radio in a fourth: the machine
 * that runs the home is cut off, frozen, and killed, and comes back. Prints second by second what clients of each machine and a person
 * at a wall switch see, and ends with 1 when an acknowledged write is missing, or both machines acknowledge in the same second without
 * a takeover. Needs root, for the namespaces.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const BRIDGE = "homebr0";
const MACHINES = { db: "10.213.7.1", a: "10.213.7.2", b: "10.213.7.3", radio: "10.213.7.4" } as const;
const RADIO_PORT = 9761;
const SWITCH_PROGRAMS = ["DON", "DOF"].map(
  (command) => `Program 'Switch ${command}'

If
    Control [2D 40 1 1] is switched ${command}

Then
    Set [2D 40 2 1] ${command}
`,
);
const PORT = 5432;
const PASSWORD = "correct-horse-battery";
const POSTGRES = execFileSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | tail -1"], { encoding: "utf8" }).trim();

type Name = keyof typeof MACHINES;
type Seen = { readonly atMs: number; readonly machine: "a" | "b"; readonly status: number; readonly number: number };
/** A press of the wall switch, and how long the lamp took; null: it had not followed at the next press. */
type Press = { readonly atMs: number; readonly tookMs: number | null };

const root = mkdtempSync(join(tmpdir(), "two-machines-"));
const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "ignore" });
const inside = (name: Name, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn("ip", ["netns", "exec", `home-${name}`, command, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
/** From the fault to its end. */
const SCENARIO_MS = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const running: ChildProcess[] = [];

function makeNetwork(): void {
  ip("link", "add", BRIDGE, "type", "bridge");
  ip("addr", "add", "10.213.7.254/24", "dev", BRIDGE);
  ip("link", "set", BRIDGE, "up");
  for (const [name, address] of Object.entries(MACHINES)) {
    ip("netns", "add", `home-${name}`);
    ip("link", "add", `hv-${name}`, "type", "veth", "peer", "name", "eth0", "netns", `home-${name}`);
    ip("link", "set", `hv-${name}`, "master", BRIDGE, "up");
    ip("-n", `home-${name}`, "addr", "add", `${address}/24`, "dev", "eth0");
    ip("-n", `home-${name}`, "link", "set", "eth0", "up");
    ip("-n", `home-${name}`, "link", "set", "lo", "up");
  }
}

function removeNetwork(): void {
  for (const name of Object.keys(MACHINES)) {
    try {
      ip("netns", "del", `home-${name}`);
    } catch {
      // It was not made.
    }
  }
  try {
    ip("link", "del", BRIDGE);
  } catch {
    // It was not made.
  }
}

async function startDatabase(): Promise<void> {
  const data = join(root, "pg");
  execFileSync("install", ["-d", "-o", "postgres", data]);
  execFileSync("chmod", ["755", root]);
  const asUser = (command: string) => execFileSync("su", ["postgres", "-c", command], { stdio: "ignore" });
  asUser(`${POSTGRES}/initdb -D ${data} -U home --auth=trust --no-sync`);
  writeFileSync(join(data, "pg_hba.conf"), "local all all trust\nhost all all 10.213.7.0/24 trust\n");
  const server = `${POSTGRES}/postgres -D ${data} -h ${MACHINES.db} -p ${PORT} -k ${data}`;
  running.push(inside("db", "su", ["postgres", "-c", `exec ${server}`]));
  for (let tries = 0; ; tries += 1) {
    try {
      asUser(`psql -h ${data} -U home -d postgres -c 'CREATE DATABASE home'`);
      return;
    } catch (error) {
      if (tries > 100) throw error;
      await pause(100);
    }
  }
}

/** Started again whenever it ends, as a service manager does. */
function keepRunning(name: "a" | "b"): { child(): ChildProcess; stop(): void } {
  let isStopped = false;
  let child: ChildProcess;
  const start = () => {
    const options = [
      "--demo",
      "--still",
      "--data",
      join(root, name),
      "--host",
      MACHINES[name],
      "--standby",
      "--local-api",
    ];
    const url = `postgres://home@${MACHINES.db}:${PORT}/home`;
    const ports = ["--portal-port", "443", "--local-port", "8443", "--log-level", "error", "--store-url", url];
    ports.push("--insteon-port", `tcp://${MACHINES.radio}:${RADIO_PORT}`);
    child = inside(name, process.execPath, [join(ROOT, "bin/domovoi.js"), "serve", ...options, ...ports], {
      DOMOVOI_OWNER_EMAIL: "owner@example.org",
      DOMOVOI_OWNER_PASSWORD: PASSWORD,
      DOMOVOI_LOCAL_USER: "admin",
      DOMOVOI_LOCAL_PASSWORD: PASSWORD,
    });
    running.push(child);
    child.once("exit", () => {
      if (!isStopped) setTimeout(start, 500);
    });
  };
  start();
  return {
    child: () => child,
    stop() {
      isStopped = true;
    },
  };
}

process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

/** A client that writes a rising number to each machine, ten times a second. */
function writeTo(machine: "a" | "b", seen: Seen[], next: () => number, isOver: () => boolean): Promise<void> {
  const headers = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}` };
  const once = async () => {
    const number = next();
    try {
      const url = `https://${MACHINES[machine]}:8443/rest/vars/set/2/1/${number}`;
      const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(900) });
      seen.push({ atMs: Date.now(), machine, status, number });
    } catch {
      seen.push({ atMs: Date.now(), machine, status: 0, number });
    }
  };
  return (async () => {
    while (!isOver()) await Promise.all([once(), pause(100)]);
  })();
}

/** People at the page of each machine: they look once a second. */
async function lookAt(machine: "a" | "b", seen: Seen[], isOver: () => boolean): Promise<void> {
  const url = `https://${MACHINES[machine]}`;
  let token = "";
  const look = async () => {
    const signal = AbortSignal.timeout(900);
    if (token === "") {
      const body = JSON.stringify({ username: "owner@example.org", password: PASSWORD });
      const headers = { "Content-Type": "application/json" };
      const login = await fetch(`${url}/api/login`, { method: "POST", headers, body, signal });
      if (login.status === 200) token = ((await login.json()) as { data: { accessToken: string } }).data.accessToken;
      return login.status;
    }
    return (await fetch(`${url}/api/nodes`, { headers: { Authorization: `Bearer ${token}` }, signal })).status;
  };
  while (!isOver()) {
    const atMs = Date.now();
    const status = await look().catch(() => 0);
    seen.push({ atMs, machine, status, number: 0 });
    await pause(atMs + 1000 - Date.now());
  }
}

/** @returns begins to press it */
function serveSwitch(presses: Press[]): () => void {
  const script = join(import.meta.dirname, "serve-wall-switch.ts");
  const child = inside("radio", process.execPath, [script, MACHINES.radio, String(RADIO_PORT)]);
  running.push(child);
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [atMs, took] = line.split(" ");
      presses.push({ atMs: Number(atMs), tookMs: took === "not" ? null : Number(took) });
    }
  });
  return () => child.stdin?.write("press\n");
}

/** Once the radio's devices are known, as the owner at the machine that runs the home. */
async function addPrograms(): Promise<void> {
  const basic = Buffer.from(`admin:${PASSWORD}`).toString("base64");
  const headers = { Authorization: `Basic ${basic}`, "Content-Type": "application/json" };
  for (const text of SWITCH_PROGRAMS) {
    for (let tries = 0; ; tries += 1) {
      const request = { method: "POST", headers, body: JSON.stringify({ text }) };
      const answer = await fetch(`https://${MACHINES.a}:8443/api/programs/text`, request);
      if (answer.ok) break;
      if (tries > 100) throw new Error(`The program was refused: ${await answer.text()}`);
      await pause(200);
    }
  }
}

/** What everybody saw in each second of a scenario: of writes and of the page, the answers; of the switch, until the lamp followed. */
function printSeconds(
  fromMs: number,
  writes: readonly Seen[],
  looks: readonly Seen[],
  presses: readonly Press[],
): void {
  const word = (seen: readonly Seen[], machine: "a" | "b") => {
    const statuses = seen.filter((each) => each.machine === machine).map(({ status }) => status);
    return [...new Set(statuses)].map((status) => (status === 0 ? "-" : status)).join("/") || "-";
  };
  const column = (text: string) => text.padEnd(12);
  process.stdout.write(`${["second", "writes a", "writes b", "page a", "page b", "switch"].map(column).join("")}\n`);
  for (let second = -1; second < SCENARIO_MS / 1000; second += 1) {
    const [from, to] = [fromMs + 1000 * second, fromMs + 1000 * (second + 1)];
    const within = <T extends { readonly atMs: number }>(all: readonly T[]) =>
      all.filter(({ atMs }) => atMs >= from && atMs < to);
    const [written, looked, pressed] = [within(writes), within(looks), within(presses)];
    const answers = [word(written, "a"), word(written, "b"), word(looked, "a"), word(looked, "b")];
    const times = pressed.map(({ tookMs }) => (tookMs === null ? "no light" : `${tookMs} ms`));
    process.stdout.write(`${[String(second), ...answers, times.join(", ")].map(column).join("")}\n`);
  }
}

/** How long nobody acknowledged after that moment. */
function outage(seen: readonly Seen[], fromMs: number): number {
  const acknowledged = seen.filter(({ status, atMs }) => status === 200 && atMs > fromMs).map(({ atMs }) => atMs);
  let longest = 0;
  let last = fromMs;
  for (const atMs of acknowledged) {
    longest = Math.max(longest, atMs - last);
    last = atMs;
  }
  return longest;
}

let problems = 0;
try {
  removeNetwork();
  makeNetwork();
  await startDatabase();
  const presses: Press[] = [];
  const beginPressing = serveSwitch(presses);
  const a = keepRunning("a");
  const seen: Seen[] = [];
  let number = 0;
  let over = false;
  const next = () => (number += 1);
  await pause(4000);
  await addPrograms();
  beginPressing();
  const b = keepRunning("b");
  const looks: Seen[] = [];
  const isOver = () => over;
  const clients = [
    writeTo("a", seen, next, isOver),
    writeTo("b", seen, next, isOver),
    lookAt("a", looks, isOver),
    lookAt("b", looks, isOver),
  ];
  await pause(4000);
  const writer = () => seen.findLast(({ status }) => status === 200)?.machine ?? "a";
  const of = { a, b };
  const scenario = async (what: string, begin: (name: "a" | "b") => void, end: (name: "a" | "b") => void) => {
    const name = writer();
    const atMs = Date.now();
    begin(name);
    await pause(SCENARIO_MS);
    const after = writer();
    process.stdout.write(
      `${what}: "${name}" ran the home, then "${after}"; no write was acknowledged for ${outage(seen, atMs)} ms\n`,
    );
    printSeconds(atMs, seen, looks, presses);
    if (after === name) problems += 1;
    // In the last three seconds the switch works again.
    if (presses.some(({ atMs: pressedAtMs, tookMs }) => pressedAtMs > atMs + SCENARIO_MS - 3000 && tookMs === null))
      problems += 1;
    end(name);
    await pause(6000);
    if (writer() !== after) problems += 1;
  };
  const pidOf = (name: "a" | "b") => of[name].child().pid ?? 0;
  await scenario(
    "its machine is cut off",
    (name) => ip("link", "set", `hv-${name}`, "down"),
    (name) => ip("link", "set", `hv-${name}`, "up"),
  );
  await scenario(
    "it is frozen",
    (name) => process.kill(pidOf(name), "SIGSTOP"),
    (name) => process.kill(pidOf(name), "SIGCONT"),
  );
  await scenario(
    "it is killed",
    (name) => process.kill(pidOf(name), "SIGKILL"),
    () => {},
  );
  over = true;
  await Promise.all(clients);
  const last = seen.filter(({ status }) => status === 200).at(-1);
  const answer = await fetch(`https://${MACHINES[writer()]}:8443/rest/vars/get/2/1`, {
    headers: { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}` },
  });
  const value = Number(/<val>(\d+)<\/val>/.exec(await answer.text())?.[1]);
  // Requests of two machines overlap; the value is one that was acknowledged among the last.
  const isKept = seen.some(({ status, number: written }) => status === 200 && written === value);
  process.stdout.write(
    `${seen.filter(({ status }) => status === 200).length} writes acknowledged; the last ${last?.number}, kept ${value}\n`,
  );
  if (!isKept || Math.abs(value - (last?.number ?? 0)) > 20) problems += 1;
  a.stop();
  b.stop();
} finally {
  for (const child of running) child.kill("SIGKILL");
  execFileSync("sh", ["-c", `for n in db a b radio; do ip netns pids home-$n 2>/dev/null | xargs -r kill -9; done`]);
  await pause(500);
  removeNetwork();
  rmSync(root, { recursive: true, force: true });
}
process.exit(problems === 0 ? 0 : 1);
