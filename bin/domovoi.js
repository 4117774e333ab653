#!/usr/bin/env node
// Domovoi needs Node 24. Where an older one starts this file, the Node that npm installed beside it takes over.
// Plain ES2020: an old Node must be able to read it.
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const MAJOR_NEEDED = 24;

const HEAP_FLAGS = [
  // The young generation may grow to 32 MB by default, which a house of lamps never needs and never gives back.
  "--max-semi-space-size=2",
  // By default garbage may grow to three times the memory in use before it is collected. With this a service under attack
  // takes 320 MB instead of 660.
  "--heap-growing-percent=60",
];

const SCRIPT_LOOK_MS = 500;
const MALLOC = {
  // By default each thread takes its memory from an arena of its own and hardly gives back: with two for all of them, a
  // service that has interviewed 200 radio devices holds some 20 MB less.
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX || "2",
  // The C library's own default, but fixed. Otherwise the first large block that is freed, such as that of a password hash,
  // raises it to 32 MB, and 64 MB of freed memory stay with the process.
  MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ || "131072",
};

if (process.argv[2] === "serve") endWithScript();
if (Number(process.versions.node.split(".")[0]) >= MAJOR_NEEDED) {
  if (process.argv[2] === "serve" && !isHeapChosen()) chooseHeap();
  // In the checkout, because the machine's temporary directory may be emptied or be another one for a service.
  module.enableCompileCache?.(join(dirname(fileURLToPath(import.meta.url)), "../node_modules/.cache/domovoi"));
  endWithParent();
  // What tools/build-service.js made; a checkout without the build tools runs its sources as they are.
  if (existsSync(join(import.meta.dirname, "../dist/domovoi.js"))) await import("../dist/domovoi.js");
  else await import("../src/cli/domovoi.ts");
} else {
  const bundled = bundledNode();
  if (bundled) await handOver(bundled);
  else {
    process.stderr.write(
      `Domovoi needs Node ${MAJOR_NEEDED} or newer; this is ${process.versions.node}. Run "npm ci", which installs one beside it.\n`,
    );
    process.exitCode = 1;
  }
}

// npm runs a script in a shell. A signal to npm ends npm and the shell, but not what runs in the shell.
function endWithScript() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const shell = process.ppid;
  const look = () => process.ppid !== shell && process.kill(process.pid, "SIGTERM");
  setInterval(look, SCRIPT_LOOK_MS).unref();
}

function isHeapChosen() {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS || ""].join(" ");
  return /--max[-_]semi[-_]space[-_]size/.test(flags);
}

// V8 lays out its heap before this file is read, so the process begins anew in its own place: the same id, 25 ms later and
// 12 MB smaller. Not with a channel to a parent, which would be cut; nor where one process cannot take another's place.
function chooseHeap() {
  if (process.send || process.platform === "win32") for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
  else {
    const args = [process.execPath, ...HEAP_FLAGS, ...process.execArgv, ...process.argv.slice(1)];
    process.execve(process.execPath, args, { ...process.env, ...MALLOC });
  }
}

function bundledNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`node-${platform}-${process.arch}/package.json`);
    const binary = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

async function handOver(binary) {
  // An import at the top would cost every command of a newer Node 10 ms.
  const { spawn } = await import("node:child_process");
  const child = spawn(binary, [...HEAP_FLAGS, ...process.argv.slice(1)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...MALLOC },
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`The bundled Node does not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}

// Where an older Node handed over and is killed, this one must not stay behind with its ports and its data.
function endWithParent() {
  if (!process.send) return;
  process.channel.unref();
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
}
