/** A PostgreSQL server of its own for the tests of a file; a database of its own for each test. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { endWithUs } from "./ends-with-us.ts";
import { freePort } from "./free-port.ts";

export type PostgresServer = {
  readonly port: number;
  readonly process: () => ChildProcess;
  /** A new, empty database. @returns its URL */
  database(): Promise<string>;
  /** Ends the server as a power cut would: nothing is written any more. */
  kill(): Promise<void>;
  /** Starts it again on its files. */
  restart(): Promise<void>;
  run(database: string, text: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
};

const VERSIONS = "/usr/lib/postgresql";

/** The programs of Debian's newest PostgreSQL. @throws Error that says what to install */
function programsDirectory(): string {
  const versions = existsSync(VERSIONS)
    ? readdirSync(VERSIONS)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  if (versions[0] === undefined) throw new Error("These tests need PostgreSQL: apt-get install postgresql");
  return join(VERSIONS, String(versions[0]), "bin");
}

/** The server refuses to run as root: it runs as its own user then. */
function user(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export async function startPostgres(options: readonly string[] = []): Promise<PostgresServer> {
  const bin = programsDirectory();
  const owner = user();
  const directory = mkdtempSync(join(tmpdir(), "domovoi-postgres-"));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, "data");
  const spawned = { ...owner, cwd: directory, stdio: "ignore" } as const;
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "home", "--auth=trust", "--no-sync", "-E", "UTF8"], spawned);
  const port = await freePort();
  let server = await start();

  async function start(): Promise<ChildProcess> {
    const args = ["-D", data, "-p", String(port), "-k", directory, "-h", "127.0.0.1", ...options];
    const child = spawn(join(bin, "postgres"), args, spawned);
    endWithUs(child);
    for (;;) {
      try {
        await query("postgres", "SELECT 1");
        return child;
      } catch (error) {
        if (child.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
  async function query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "home", database, connectionTimeoutMillis: 2000 });
    client.on("error", () => {});
    try {
      await client.connect();
      const result = await client.query(text);
      return Array.isArray(result) ? [] : result.rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  /** Ends it by this signal, if it has not ended by itself. */
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await gone;
  };
  return {
    port,
    process: () => server,
    async database() {
      const name = `home_${randomBytes(6).toString("hex")}`;
      await query("postgres", `CREATE DATABASE ${name}`);
      return `postgres://home@127.0.0.1:${port}/${name}`;
    },
    // SIGQUIT ends the server and all its processes at once, without a checkpoint.
    kill: () => end("SIGQUIT"),
    async restart() {
      server = await start();
    },
    run: query,
    async stop() {
      await end("SIGINT");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
