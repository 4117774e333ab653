/** With `--postgres` every home of a run is kept in a database of its own; the variable names the server. */

import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

export const SERVER = "BENCH_POSTGRES";

/** Value of the setting `storeUrl` of a home that starts in a directory, and moves in; empty without `--postgres`. */
export async function newStoreUrl(dir: string): Promise<string> {
  const server = process.env[SERVER];
  if (server === undefined) return "";
  // The directory may be the copy of a home that was prepared in another database.
  rmSync(join(dir, "domovoi.origin"), { force: true });
  const name = `home_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${server}/${name}`;
}
