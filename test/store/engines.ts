/** Both things that can keep a home, for tests of what the store promises whichever it is. */

import { afterAll } from "vitest";
import type { Config } from "../../src/config.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";

type EngineCase = {
  readonly name: string;
  /** Of a new home. */
  settings(): Promise<Partial<Config>>;
};

let server: Promise<PostgresServer> | null = null;

/** The server of this file's tests, started with the first of them that needs it. */
export function postgres(): Promise<PostgresServer> {
  server ??= startPostgres();
  return server;
}

/** Call once in a file that uses it. */
export function stopPostgres(): void {
  afterAll(async () => {
    await (await server)?.stop();
    server = null;
  });
}

export const ENGINES: readonly EngineCase[] = [
  { name: "SQLite", settings: async () => ({}) },
  { name: "PostgreSQL", settings: async () => ({ storeUrl: await (await postgres()).database() }) },
];
