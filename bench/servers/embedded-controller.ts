/**
 * The whole service inside a process of the bench, for what cannot be done through its listeners: filling a journal quickly,
 * hearing when a command is handed to its driver, reports as fast as the streams take them.
 */

import { parseConfig } from "../../src/config.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { SeriesPoint } from "../../src/home/history.ts";
import type { Node } from "../../src/home/nodes.ts";
import { type Controller, startController } from "../../src/main.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { requestOnce, type Target, targetOf } from "../harness/https-connection.ts";
import { newStoreUrl } from "../harness/store-url.ts";
import { serveCalls } from "../harness/worker.ts";

type EmbedInput = { readonly dir: string; readonly nodes: number };
export type Listeners = { readonly portal: Target; readonly local: Target };
export type PrepareInput = EmbedInput & {
  readonly journalEntries: number;
  readonly killed: boolean;
  readonly login: string;
  readonly password: string;
};
export type PreparedHome = {
  readonly uuid: string;
  /** Token of the owner; valid for an hour, also after restarts. */
  readonly accessToken: string;
  /** Addresses of nodes that take DFON and DFOF and report the effect at once. */
  readonly switches: readonly string[];
};
export type FloodInput = {
  readonly frames: number;
  /** Frames that were sent and not yet received by the slowest client. */
  readonly window: number;
};

const CAUSE: Cause = { kind: "report", id: "bench", by: "bench" };
const PROPERTY = "OL";
/** Entries that wait for one commit while a journal is filled. */
const FILL_BATCH = 5000;
const SAMPLES_POLL_MS = 50;
/** Reports of one turn of the event loop during a flood. */
const FLOOD_BATCH = 64;

let controller: Controller | null = null;
let taken = 0;
const sentAtNs: Record<string, number> = {};

serveCalls(
  {
    async prepare(input: PrepareInput): Promise<PreparedHome> {
      const { portal } = await start(input);
      const accessToken = await logIn(portal, input);
      const startMs = systemClock.now();
      await fill(input.journalEntries);
      await writeSamples(input.journalEntries, startMs);
      const home = inside().services.home;
      const prepared = { uuid: home.controller.uuid, accessToken, switches: switches() };
      // A killed process answers nothing, so the parent kills it once it has the answer; see `Homes`.
      if (!input.killed) await inside().stop();
      return prepared;
    },
    start,
    /** From now on records when commands are sent to their driver. */
    watchSent() {
      const driver = inside().services.drivers.of("virtual");
      const send = driver.send.bind(driver);
      driver.send = (command) => {
        sentAtNs[command.id] = Number(process.hrtime.bigint());
        return send(command);
      };
    },
    /** By the id of the command; the clock is the machine's monotonic one, which all processes share. */
    sentTimes: () => sentAtNs,
    flood,
  },
  (name, value) => {
    if (name === "taken") taken = value as number;
  },
);

async function start({ dir, nodes }: EmbedInput): Promise<Listeners> {
  const config = parseConfig({
    data: dir,
    demo: true,
    demoNodes: nodes,
    still: true,
    portalPort: 0,
    localPort: 0,
    logLevel: "warn",
    storeUrl: await newStoreUrl(dir),
  });
  controller = await startController(config, {
    clock: systemClock,
    randomness: systemRandomness,
    log: createLog("warn"),
    firstAccounts: {
      ownerEmail: process.env.DOMOVOI_OWNER_EMAIL,
      ownerPassword: process.env.DOMOVOI_OWNER_PASSWORD,
      localUser: process.env.DOMOVOI_LOCAL_USER,
      localPassword: process.env.DOMOVOI_LOCAL_PASSWORD,
    },
  });
  return { portal: targetOf(controller.portalUrl), local: targetOf(controller.localUrl) };
}

function inside(): Controller {
  if (!controller) throw new Error("The controller was not started.");
  return controller;
}

async function logIn(portal: Target, { login, password }: PrepareInput): Promise<string> {
  const body = JSON.stringify({ username: login, password });
  const answer = await requestOnce(portal, { method: "POST", path: "/api/login", body });
  const { data } = JSON.parse(answer.body.toString()) as { data: { accessToken: string } };
  return data.accessToken;
}

async function fill(entries: number): Promise<void> {
  const { feed, durability } = inside().services;
  const nodes = reporters();
  for (let index = 0; index < entries; index += 1) {
    report(nodes, index);
    if (index % FILL_BATCH === 0) await durability.committed(feed.lastSeq);
  }
  await durability.committed(feed.lastSeq);
}

/** Until the samples hold every report, as in a home that has run for a while. */
async function writeSamples(entries: number, fromMs: number): Promise<void> {
  const nodes = reporters();
  const address = nodes[(entries - 1) % nodes.length]?.address ?? "";
  const expected = Math.ceil(entries / nodes.length);
  const written = async () => {
    const nowMs = systemClock.now();
    const span = { fromMs, toMs: nowMs + 1, points: 1, nowMs };
    const series = await inside().services.history.series({ address, property: PROPERTY, ...span });
    const [point] = JSON.parse(new TextDecoder().decode(series)) as readonly SeriesPoint[];
    return point?.count ?? 0;
  };
  while ((await written()) < expected) await new Promise<void>((resolve) => setTimeout(resolve, SAMPLES_POLL_MS));
}

/** Reports as fast as the slowest client takes their frames. */
async function flood({ frames, window }: FloodInput): Promise<void> {
  const nodes = reporters();
  taken = 0;
  for (let told = 0; told < frames; ) {
    const batch = Math.min(FLOOD_BATCH, frames - told, taken + window - told);
    for (let index = 0; index < batch; index += 1) report(nodes, told++);
    await new Promise<void>((resolve) => (batch > 0 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
}

/** Lamps with an on level: a value that no program of the demo waits for. */
function reporters(): readonly Node[] {
  return [...inside().services.home.nodes.values()].filter((node) => node.properties.has(PROPERTY));
}

/** One changed value, nodes in turn. */
function report(nodes: readonly Node[], index: number): void {
  const node = nodes[index % nodes.length];
  const before = node?.properties.get(PROPERTY);
  if (!node || !before) throw new Error("The home has lamps.");
  const value = (Math.floor(index / nodes.length) + index) % 100;
  const property = { ...before, value, changedAtMs: systemClock.now() };
  inside().services.feed.commit({ type: "property-changed", address: node.address, property }, CAUSE);
}

function switches(): readonly string[] {
  const nodes = [...inside().services.home.nodes.values()];
  return nodes.filter(({ nodeDefId }) => /^(Dimmer|Relay)LampSwitch/.test(nodeDefId)).map(({ address }) => address);
}
