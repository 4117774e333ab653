/** Writes a planned twin into a data directory of its own. */

import { readdirSync } from "node:fs";
import type { Config } from "../config.ts";
import { badValue } from "../errors.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { TwinPlan } from "./plan-twin.ts";

type MakePorts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Called now and then with the number of changes that are on disk. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Called when all of the home is there, before the directory counts as a twin. */
  readonly beforeComplete?: (made: { store: Store; home: Home; feed: ChangeFeed }) => Promise<void>;
};

/** Changes between two waits for the disk, so that the store's backlog never overflows. */
const CHANGES_AT_ONCE = 5000;

/** @throws ControllerError BAD_VALUE when the directory is not empty. */
export function requireEmpty(directory: string): void {
  if (isEmpty(directory)) return;
  throw badValue(`The directory ${directory} is not empty: a twin is made in a new one, so that no home is lost.`);
}

/** @throws ControllerError BAD_VALUE when the original is larger than the settings allow a home to be. */
export function requireFits({ tree, changes }: TwinPlan, config: Config): void {
  const variables = changes.flatMap((change) => (change.type === "variable-added" ? [change.variable.type] : []));
  const counts = [
    ["nodes", tree.nodes.length, "nodesMax"],
    ["programs", changes.filter(({ type }) => type === "program-added").length, "programsMax"],
    ["integer variables", variables.filter((type) => type === 1).length, "variablesMax"],
    ["state variables", variables.filter((type) => type === 2).length, "variablesMax"],
  ] as const;
  for (const [what, count, setting] of counts) {
    if (count <= config[setting]) continue;
    const sentence = `The original has ${count} ${what}, and the setting ${setting} allows ${config[setting]}.`;
    throw badValue(`${sentence} Make the twin again with a larger one.`);
  }
}

/** The same goes for a directory that does not exist yet. */
function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return true;
  }
}

/** Whether the directory holds a twin already. @throws ControllerError STORE_UNAVAILABLE */
export async function holdsTwin({ config, clock, log }: MakePorts): Promise<boolean> {
  if (isEmpty(config.data)) return false;
  const store = await openStore({ dir: config.data, config, clock, log });
  try {
    return store.receivedDocuments.names().length > 0;
  } finally {
    await store.close();
  }
}

/** @throws ControllerError BAD_VALUE for a directory that is not empty; STORE_UNAVAILABLE */
export async function makeTwin({ controller, changes, received }: TwinPlan, ports: MakePorts): Promise<void> {
  const { config, clock, log, onProgress, beforeComplete } = ports;
  requireEmpty(config.data);
  const store = await openStore({ dir: config.data, config, clock, log });
  try {
    const { home, lastSeq } = store.createHome(controller);
    const feed = new ChangeFeed(home, clock, lastSeq);
    feed.record(store.record);
    for (const [at, change] of changes.entries()) {
      feed.commit(change, SYSTEM_CAUSE);
      if ((at + 1) % CHANGES_AT_ONCE !== 0) continue;
      await store.committed(feed.lastSeq);
      onProgress?.(at + 1, changes.length);
    }
    await store.committed(feed.lastSeq);
    await beforeComplete?.({ store, home, feed });
    // Written last: a directory with received documents holds the complete twin.
    for (const [name, document] of received) store.receivedDocuments.set(name, { text: document, base: null });
    await store.saved();
  } finally {
    await store.close();
  }
}
