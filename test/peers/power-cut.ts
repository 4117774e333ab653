/**
 * A true power cut: the file system stops taking anything while a home is written, and is mounted again with what it had by then.
 * Once with the home in its data directory there, once with the database's server there. Prints, and ends with 1, when an
 * acknowledged write is missing. Needs root, loop devices, and `xfs_io`.
 *
 *     node test/peers/power-cut.ts [ROUNDS, default 10]
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.ts";
import { openStore } from "../../src/store/open-store.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";

const WRITER = join(import.meta.dirname, "../store/acknowledging-writer.ts");
const rounds = Number(process.argv[2] ?? 10);
const root = mkdtempSync(join(tmpdir(), "power-cut-"));
const [image, mounted] = [join(root, "image"), join(root, "disk")];
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "ignore" });
const mount = () => run("mount", "-o", "loop", image, mounted);

/** Writes until so many were acknowledged, and then the power is cut. @returns the numbers that were acknowledged before it */
async function writeUntilCut(
  dir: string,
  round: number,
  storeUrl: string,
  cut: () => void,
): Promise<readonly number[]> {
  const first = String(1 + 100_000 * round);
  const child: ChildProcess = spawn(process.execPath, [WRITER, dir, first, storeUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: number[] = [];
  const ended = once(child, "close");
  let rest = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The writer ended with ${code}.`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      acknowledged.push(...lines.filter((line) => /^\d+$/.test(line)).map(Number));
      if (acknowledged.length > 100 + 20 * round) resolve();
    });
  });
  // A file system that is shut down lets an fsync succeed that is under way, for any program; a machine without power does not.
  const before = [...acknowledged];
  cut();
  child.kill("SIGKILL");
  await ended;
  return before;
}

async function lostOf(dir: string, storeUrl: string, acknowledged: readonly number[]): Promise<readonly number[]> {
  const config = parseConfig({ data: dir, storeUrl, leaseMs: 500, variablesAfterBoot: "keep" });
  const store = await openStore({ dir, config, clock: systemClock, log: createLog("silent") });
  const variables = store.loadHome()?.home.variables[1];
  await store.close();
  return acknowledged.filter((number) => variables?.get(number)?.value !== number);
}

async function tryRounds(what: string, server: PostgresServer | null, disk: string): Promise<number> {
  const dir = server ? join(root, "machine") : join(disk, "machine");
  mkdirSync(dir);
  const storeUrl = (await server?.database()) ?? "";
  const acknowledged: number[] = [];
  let lost: readonly number[] = [];
  for (let round = 0; round < rounds && lost.length === 0; round += 1) {
    const cut = () => run("xfs_io", "-x", "-c", "shutdown", mounted);
    acknowledged.push(...(await writeUntilCut(dir, round, storeUrl, cut)));
    await server?.kill();
    run("umount", mounted);
    mount();
    await server?.restart();
    lost = await lostOf(dir, storeUrl, acknowledged);
  }
  process.stdout.write(
    `${what}: ${rounds} power cuts, ${acknowledged.length} writes acknowledged, ${lost.length} lost\n`,
  );
  return lost.length;
}

let problems = 0;
let server: PostgresServer | null = null;
try {
  run("truncate", "-s", "1G", image);
  run("mkfs.ext4", "-q", image);
  mkdirSync(mounted);
  mount();
  run("chmod", "755", root);
  run("chmod", "777", mounted);
  problems += await tryRounds("a home in its data directory", null, mounted);
  process.env.TMPDIR = mounted;
  server = await startPostgres();
  run("sync", "-f", mounted);
  problems += await tryRounds("a home in PostgreSQL", server, mounted);
} finally {
  await server?.stop();
  run("umount", mounted);
  rmSync(root, { recursive: true, force: true });
}
process.exit(problems === 0 ? 0 : 1);
