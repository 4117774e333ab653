/** A real store in a directory of its own, on a fixed clock, with a readable log. */

import type { SpawnOptions } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Config, parseConfig } from "../../src/config.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import type { ControllerRecord } from "../../src/home/controller.ts";
import type { Home } from "../../src/home/home.ts";
import { openStore, type StorePorts } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Clock } from "../../src/util/clock.ts";
import type { Log } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

// Each store starts a worker, which would strip the same TypeScript again every time.
module.enableCompileCache();

/** For processes that tests start: their output is read, and they share the compile cache. */
export const CHILD_OPTIONS = {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
} as const satisfies SpawnOptions;

export const START_MS = Date.UTC(2026, 0, 1);

export const CAUSE: Cause = { kind: "request", id: "r1", by: "owner" };

export const CONTROLLER: ControllerRecord = {
  uuid: "02:00:00:00:00:01",
  name: "Home",
  timeZone: "UTC",
  latitude: 52.5,
  longitude: 13.4,
  batchMode: false,
  batteryWrites: false,
};

/** A lamp that has no properties yet. */
export function nodeAdded(address: string): Change {
  return {
    type: "node-added",
    node: {
      address,
      name: "Lamp",
      nodeDefId: "D",
      family: 1,
      instance: 1,
      type: "1.0.0.0",
      parent: null,
      primary: address,
      enabled: true,
      devtype: null,
      driver: "virtual",
    },
  };
}

/** A report of the state of a device. */
export function stateReported(address: string, value: number | null): Change {
  const property = { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: START_MS };
  return { type: "property-changed", address, property };
}

export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "domovoi-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

type LogLine = {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: object;
};

export function recordingLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine["level"]) =>
    (message: string, fields: object = {}) => {
      lines.push({ level, message, fields });
    };
  const log = { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: () => log };
  return log;
}

export type OpenHome = {
  readonly store: Store;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly log: ReturnType<typeof recordingLog>;
  /** Commits the change and waits until it is on disk. */
  write(change: Change): Promise<number>;
  close(): Promise<void>;
};

type Overrides = Partial<Omit<StorePorts, "config" | "log">> & { readonly settings?: Partial<Config> };

/** Opens the home of the directory, or makes a new one there. */
export async function openHome(dir: string, { settings = {}, ...ports }: Overrides = {}): Promise<OpenHome> {
  const clock = ports.clock ?? new VirtualClock(START_MS);
  const log = recordingLog();
  const store = await openStore({
    bootId: "boot-1",
    ...ports,
    dir,
    clock,
    log,
    config: parseConfig({ data: dir, ...settings }),
  });
  const { home, lastSeq } = store.loadHome() ?? store.createHome(CONTROLLER);
  const feed = new ChangeFeed(home, clock, lastSeq);
  feed.record(store.record);
  const write = async (change: Change) => {
    const { seq } = feed.commit(change, CAUSE);
    await store.committed(seq);
    return seq;
  };
  onTestFinished(() => store.close());
  return { store, home, feed, clock, log, write, close: () => store.close() };
}
