/**
 * Data directories as a home of a given size leaves them after a while: made once for a run of the bench, by the service's
 * own code, and copied for every process that is measured.
 */

import { cpSync } from "node:fs";
import type { PreparedHome, PrepareInput } from "../servers/embedded-controller.ts";
import type { Children } from "./children.ts";

export const OWNER = { login: "owner@bench.example", password: "bench-owner-password" } as const;
const LOCAL = { login: "bench", password: "bench-local-password" } as const;
export const LOCAL_AUTHORIZATION = `Basic ${Buffer.from(`${LOCAL.login}:${LOCAL.password}`).toString("base64")}`;
/** Credentials of a new data directory, as the service takes them from its environment. */
export const FIRST_ACCOUNTS = {
  DOMOVOI_OWNER_EMAIL: OWNER.login,
  DOMOVOI_OWNER_PASSWORD: OWNER.password,
  DOMOVOI_LOCAL_USER: LOCAL.login,
  DOMOVOI_LOCAL_PASSWORD: LOCAL.password,
} as const;

type HomeSize = {
  readonly nodes: number;
  /** Entries that the journal has grown by since the home was made. */
  readonly journalEntries: number;
  /** The process was killed right after the last of them was acknowledged, so the database was not closed. */
  readonly killed: boolean;
};

/** A copy of a prepared home, for one process. */
export type HomeCopy = PreparedHome & { readonly dir: string; readonly nodes: number };

/** The home that measures use unless they say otherwise. */
export const USUAL: HomeSize = { nodes: 500, journalEntries: 100_000, killed: false };

export class Homes {
  readonly #children: Children;
  readonly #directory: (name: string) => string;
  readonly #prepared = new Map<string, { readonly dir: string; readonly home: PreparedHome }>();

  constructor(children: Children, directory: (name: string) => string) {
    this.#children = children;
    this.#directory = directory;
  }

  async copy(size: HomeSize): Promise<HomeCopy> {
    const name = `home-${size.nodes}-${size.journalEntries}${size.killed ? "-killed" : ""}`;
    const prepared = this.#prepared.get(name) ?? (await this.#prepare(name, size));
    this.#prepared.set(name, prepared);
    const dir = this.#directory("copy");
    cpSync(prepared.dir, dir, { recursive: true });
    return { ...prepared.home, dir, nodes: size.nodes };
  }

  async #prepare(name: string, size: HomeSize) {
    const dir = this.#directory(name);
    const child = this.#children.fork("servers/embedded-controller.ts", FIRST_ACCOUNTS);
    const input: PrepareInput = { ...size, dir, login: OWNER.login, password: OWNER.password };
    const { value: home } = await child.call<PreparedHome>("prepare", input);
    await child.end();
    return { dir, home };
  }
}
