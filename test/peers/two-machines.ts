/**
 * A home with two machines, each in a network namespace of its own, and the database in a third: the machine that runs the home is
 * cut off, frozen, and killed, and comes back. Prints what a client at each machine sees, and ends with 1 when an acknowledged write
 * is missing or two machines acknowledge at once. Needs root, for the namespaces.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const BRIDGE = "homebr0";
const MACHINES = { db: "10.213.7.1", a: "10.213.7.2", b: "10.213.7.3" } as const;
const PORT = 5432;
const PASSWORD = "correct-horse-battery";
const POSTGRES = execFileSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | tail -1"], { encoding: "utf8" }).trim();

type Name = keyof typeof MACHINES;
type Seen = { readonly atMs: number; readonly machine: "a" | "b"; readonly status: number; readonly number: number };

const root = mkdtempSync(join(tmpdir(), "two-machines-"));
const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "ignore" });
const inside = (name: Name, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn("ip", ["netns", "exec", `home-${name}`, command, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
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
    const options = ["--demo", "--still", "--data", join(root, name), "--host", MACHINES[name], "--standby"];
    const url = `postgres://home@${MACHINES.db}:${PORT}/home`;
    const ports = ["--portal-port", "443", "--local-port", "8443", "--log-level", "error", "--store-url", url];
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
  const a = keepRunning("a");
  const seen: Seen[] = [];
  let number = 0;
  let over = false;
  const next = () => (number += 1);
  await pause(4000);
  const b = keepRunning("b");
  const clients = [writeTo("a", seen, next, () => over), writeTo("b", seen, next, () => over)];
  await pause(4000);
  const writer = () => seen.findLast(({ status }) => status === 200)?.machine ?? "a";
  const of = { a, b };
  const scenario = async (what: string, begin: (name: "a" | "b") => void, end: (name: "a" | "b") => void) => {
    const name = writer();
    const atMs = Date.now();
    begin(name);
    await pause(8000);
    const after = writer();
    process.stdout.write(
      `${what}: "${name}" ran the home, then "${after}"; no write was acknowledged for ${outage(seen, atMs)} ms\n`,
    );
    if (after === name) problems += 1;
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
  execFileSync("sh", ["-c", `for n in db a b; do ip netns pids home-$n 2>/dev/null | xargs -r kill -9; done`]);
  await pause(500);
  removeNetwork();
  rmSync(root, { recursive: true, force: true });
}
process.exit(problems === 0 ? 0 : 1);
