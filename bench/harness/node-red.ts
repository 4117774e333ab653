/**
 * Node-RED at the other end of the line that our devices speak (servers/line-driver.ts): the same TCP connection, the same
 * text in and out, "when A turns on, turn B on" as three of its nodes. It is installed on demand, outside of the checkout.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pause } from "./arrivals.ts";
import type { Child, Children } from "./children.ts";
import type { Target } from "./https-connection.ts";
import { PROPERTY } from "./line-devices.ts";
import { freePort } from "./peer-program.ts";

type RunningNodeRed = Child & { readonly line: Target };

const MANIFEST = fileURLToPath(new URL("../peers/node-red/package.json", import.meta.url));
const INSTALL_MAX_MS = 300_000;
const START_MAX_MS = 30_000;

export function nodeRedVersion(): string {
  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as { readonly dependencies: Record<string, string> };
  return manifest.dependencies["node-red"] ?? "";
}

/** @returns the directory that it is installed in. @throws Error with a sentence when it cannot be installed. */
export async function installNodeRed(say: (text: string) => void): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const dir = join(cache, "domovoi-bench", `node-red-${nodeRedVersion()}`);
  if (existsSync(join(dir, "node_modules/node-red/red.js"))) return dir;
  say(`installing Node-RED ${nodeRedVersion()} into ${dir}, once`);
  // Next to its place, so that an install that was cut off is never taken for a whole one.
  const begun = `${dir}.begun-${process.pid}`;
  mkdirSync(begun, { recursive: true });
  copyFileSync(MANIFEST, join(begun, "package.json"));
  try {
    await npmInstall(begun);
    rmSync(dir, { recursive: true, force: true });
    renameSync(begun, dir);
    return dir;
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}

async function npmInstall(cwd: string): Promise<void> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn("npm", args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: INSTALL_MAX_MS });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const failed = new Promise<never>((_resolve, reject) => child.once("error", reject));
  const [code] = (await Promise.race([once(child, "exit"), failed])) as [number | null];
  if (code === 0) return;
  throw new Error(`Node-RED could not be installed: npm ended with ${code}. ${errors.trim().split("\n").at(-1) ?? ""}`);
}

/** @param dir that it is installed in. @param userDir empty directory. */
export async function startNodeRed(children: Children, dir: string, userDir: string): Promise<RunningNodeRed> {
  const line = { host: "127.0.0.1", port: await freePort() };
  const settings = { uiHost: "127.0.0.1", uiPort: await freePort(), httpAdminRoot: false, httpNodeRoot: false };
  const quiet = { logging: { console: { level: "error", metrics: false, audit: false } } };
  writeFileSync(join(userDir, "settings.js"), `module.exports = ${JSON.stringify({ ...settings, ...quiet })};`);
  writeFileSync(join(userDir, "flows.json"), JSON.stringify(flow(line.port)));
  const program = join(dir, "node_modules/node-red/red.js");
  const args = [program, "--settings", join(userDir, "settings.js"), "--userDir", userDir, "flows.json"];
  const child = await children.start({ command: process.execPath, args, env: { HOME: dirname(userDir) }, ready: null });
  await untilOpen(line);
  return { ...child, line };
}

/**
 * One flow for all pairs, which is the least that Node-RED can do: nothing looks for the right rule among 200, nothing is
 * kept. `s17 GV0 1` becomes `l17 DON`.
 */
function flow(port: number): readonly object[] {
  const change = (id: string, from: string, to: string) => ({
    id,
    type: "change",
    z: "tab",
    rules: [
      {
        t: "change",
        p: "payload",
        pt: "msg",
        from: `^s(\\d+) ${PROPERTY.watched} ${from}$`,
        fromt: "re",
        to,
        tot: "str",
      },
    ],
    wires: [["out"]],
  });
  const endsIn = (v: string) => ({ t: "regex", v: ` ${v}$`, vt: "str", case: false });
  return [
    { id: "tab", type: "tab", label: "bench" },
    {
      id: "in",
      type: "tcp in",
      z: "tab",
      server: "server",
      host: "",
      port: String(port),
      datamode: "stream",
      datatype: "utf8",
      newline: "\\n",
      topic: "",
      trim: false,
      base64: false,
      tls: "",
      wires: [["decide"]],
    },
    {
      id: "decide",
      type: "switch",
      z: "tab",
      property: "payload",
      propertyType: "msg",
      rules: [endsIn("1"), endsIn("0")],
      checkall: "false",
      repair: false,
      outputs: 2,
      wires: [["on"], ["off"]],
    },
    change("on", "1", "l$1 DON\n"),
    change("off", "0", "l$1 DOF\n"),
    {
      id: "out",
      type: "tcp out",
      z: "tab",
      host: "",
      port: "",
      beserver: "reply",
      base64: false,
      end: false,
      tls: "",
      wires: [],
    },
  ];
}

async function untilOpen({ host, port }: Target): Promise<void> {
  const lateMs = performance.now() + START_MAX_MS;
  for (;;) {
    const socket = connect({ host, port });
    try {
      await once(socket, "connect");
      return;
    } catch (error) {
      if (performance.now() > lateMs) throw error;
      await pause(50);
    } finally {
      socket.destroy();
    }
  }
}
