import { cpSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { CAUSE, openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { DAMAGE_KINDS, damage } from "./damage.ts";
import { type Documents, type Listed, readDocuments } from "./documents.ts";
import { DAMAGES, SEED, STORE_DAMAGES } from "./effort.ts";
import { killOften } from "./kills.ts";
import { startService } from "./service-process.ts";

const KILLS_BEFORE = 3;
const ACCOUNT = { id: "", kind: "local", login: "a", role: "user", passwordHash: "h", createdAtMs: 1 } as const;

type Start = { readonly facts: ReadonlyMap<string, string>; readonly complaints: readonly string[] };

test(
  `a home starts after any of ${DAMAGES} damages to its files, and nothing is missing of which the log says nothing`,
  async () => {
    const used = temporaryDirectory();
    await killOften([used], KILLS_BEFORE, SEED);
    const whole = await startOn(copyOf(used));
    expect(whole.complaints).toEqual([]);
    const randomness = seededRandomness(SEED);
    const silent: string[] = [];
    let differing = 0;
    for (let round = 0; round < DAMAGES; round += 1) {
      const data = copyOf(used);
      const what = damage(data, Math.floor(randomness.next() * DAMAGE_KINDS), randomness);
      const { facts, complaints } = await startOn(data);
      const missing = [...whole.facts].filter(([key, value]) => facts.get(key) !== value).map(([key]) => key);
      if (missing.length > 0) differing += 1;
      if (missing.length > 0 && complaints.length === 0) silent.push(`${what}: ${missing.join(", ")}`);
      // Values that were reported at that start are corrected by then.
      expect((await startOn(data)).complaints).toEqual([]);
    }
    console.info(
      `${DAMAGES} damages (seed ${SEED}): every start went well, ${differing} with something missing or older`,
    );
    expect(silent).toEqual([]);
  },
  60_000 + DAMAGES * 10_000,
);

test(
  `a store opens after any of ${STORE_DAMAGES} damages to its files, and never loses anything without an error in the log`,
  async () => {
    const used = await leaveKilled();
    const whole = await openOn(copyOf(used));
    expect(whole.complaints).toEqual([]);
    const randomness = seededRandomness(SEED);
    const silent: string[] = [];
    const lost = new Map<string, number>();
    for (let round = 0; round < STORE_DAMAGES; round += 1) {
      const data = copyOf(used);
      const what = damage(data, round % DAMAGE_KINDS, randomness);
      const { state, complaints } = await openOn(data);
      const isLoss = state !== whole.state;
      const kind = what.replace(/\d[\d,]*/g, "…");
      if (isLoss) lost.set(kind, (lost.get(kind) ?? 0) + 1);
      if (isLoss && !complaints.includes("error")) silent.push(what);
      expect((await openOn(data)).complaints, what).toEqual([]);
      rmSync(data, { recursive: true });
    }
    console.info(`${STORE_DAMAGES} damages (seed ${SEED}); with a loss, all of them logged:`, Object.fromEntries(lost));
    expect(silent).toEqual([]);
  },
  60_000 + STORE_DAMAGES * 5000,
);

/** The directory of a killed store: a checkpoint, then a snapshot, then writes that are in the log only. */
async function leaveKilled(): Promise<string> {
  const running = temporaryDirectory();
  const clock = new VirtualClock(START_MS);
  const first = await openHome(running, { clock, bootId: null });
  for (let at = 0; at < 200; at += 1) first.feed.commit(folder(`a${at}`), CAUSE);
  await first.store.accounts.putAccount({ ...ACCOUNT, id: "early" });
  await first.close();
  const { store, write } = await openHome(running, { clock, bootId: null });
  for (let at = 0; at < 20; at += 1) await write(folder(`b${at}`));
  await store.accounts.putAccount({ ...ACCOUNT, id: "late" });
  for (let at = 0; at < 20; at += 1) await write(folder(`c${at}`));
  return copyOf(running);
}

function folder(address: string): Change {
  return { type: "folder-added", folder: { address, name: `Folder ${address}`, parent: null } };
}

/** Everything that was acknowledged, and the levels of what the log says about the start. */
async function openOn(dir: string): Promise<{ readonly state: string; readonly complaints: readonly string[] }> {
  const { home, store, log, close } = await openHome(dir, { settings: { variablesAfterBoot: "keep" }, bootId: null });
  const state = JSON.stringify({ home: homeSnapshot(home), accounts: store.accounts.accounts() });
  await close();
  const complaints = log.lines.map(({ level }) => level).filter((level) => level === "warn" || level === "error");
  return { state, complaints };
}

function copyOf(data: string): string {
  const copy = temporaryDirectory();
  cpSync(data, copy, { recursive: true });
  return copy;
}

/** The home over HTTP, and the log of its start. */
async function startOn(data: string): Promise<Start> {
  const service = await startService(data, ["--demo", "--still", "--local-api"]);
  await using process = service.process;
  const client = createHttpsClient(() => service.localUrl, basicHeader);
  const facts = factsOf(await readDocuments(client));
  client.close();
  const { stderr } = await process.kill();
  return { facts, complaints: stderr.split("\n").filter((line) => /"level":"(warn|error)"/.test(line)) };
}

/** Without times of runs and writes, which may differ. */
function factsOf(documents: Documents): ReadonlyMap<string, string> {
  const lists = Object.entries(documents) as readonly [string, ReadonlyMap<string, Listed>][];
  return new Map(
    lists.flatMap(([list, things]) =>
      [...things].flatMap(([key, { name, enabled, runAtStartup, val, init, prec }]): [string, string][] => [
        [`${list} ${key}`, JSON.stringify({ name, enabled, runAtStartup, val, init, prec })],
      ]),
    ),
  );
}
