/** The whole service with devices at the end of a line (line-driver.ts) and programs that decide about them. */

import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createProgram } from "../../src/commands/edit-programs.ts";
import { parseConfig } from "../../src/config.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import { type Controller, startController } from "../../src/main.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { memoryStore } from "../../test/drivers/recording-host.ts";
import { type Target, targetOf } from "../harness/https-connection.ts";
import { deviceNames, type LineHome, PROPERTY } from "../harness/line-devices.ts";
import { serveCalls } from "../harness/worker.ts";
import { addressOf, LineDriver } from "./line-driver.ts";
import { PluginFleet, type PluginLoad } from "./plugin-load.ts";

/** Megabytes, of 2^20 bytes, that cannot be freed. */
export type Held = { readonly heapMb: number };

export type LineInput = {
  readonly dir: string;
  readonly home: LineHome;
  readonly settings?: Readonly<Record<string, unknown>>;
};
export type LineListeners = { readonly portal: Target; readonly local: Target; readonly line: Target };
/** A program for each of the first `count` devices without a program, so many of them due in each second. */
export type ScheduleInput = { readonly count: number; readonly perSecond: number; readonly inS: number };

/** A bridge that shows nodes to others; its type is its id. `settings` null: it is removed. */
export type BridgeInput = { readonly type: string; readonly settings: Readonly<Record<string, unknown>> | null };

const LOOK_MS = 20;
const CAUSE: Cause = { kind: "system", id: "bench", by: null };
const RAW_NUMBER = 56;
const DAY_S = 86_400;
const WRITTEN_AT_ONCE = 200;

let controller: Controller | null = null;
let plugins: PluginFleet | null = null;

serveCalls({
  start,
  /** When each program is due, in milliseconds since 1970; that of device m0 first. */
  schedule,
  lastSeq: () => inside().services.feed.lastSeq,
  held,
  startPlugins: ({ dir, load }: { readonly dir: string; readonly load: PluginLoad }) => {
    plugins = new PluginFleet(inside().services, dir);
    return plugins.start(load);
  },
  havePluginNodes: (load: PluginLoad) => plugins?.haveNodes(load),
  receivedOfPlugins: (sent: number) => plugins?.received(sent),
  bridge,
  /** The answer carries how well the service was meanwhile. */
  observe: (ms: number) => pause(ms),
  stop: () => inside().stop(),
});

async function start({ dir, home, settings = {} }: LineInput): Promise<LineListeners> {
  const plain = { data: dir, timeZone: "UTC", portalPort: 0, localPort: 0, logLevel: "warn" };
  const world = {
    clock: systemClock,
    randomness: systemRandomness,
    log: createLog("warn"),
    firstAccounts: {
      ownerEmail: process.env.DOMOVOI_OWNER_EMAIL,
      ownerPassword: process.env.DOMOVOI_OWNER_PASSWORD,
      localUser: process.env.DOMOVOI_LOCAL_USER,
      localPassword: process.env.DOMOVOI_LOCAL_PASSWORD,
    },
  };
  controller = await startController(parseConfig({ ...plain, ...settings }), world);
  const { services, portalUrl, localUrl } = controller;
  const driver = new LineDriver();
  const host = new HomeHost(services, driver.name, memoryStore());
  services.drivers.add({ driver }, host);
  await driver.start(host);
  host.status("ready", "");
  driver.introduce(deviceNames(home));
  await write(Array.from({ length: home.programs }, (_, index) => [`Lamp ${index}`, follows(index)]));
  return { portal: targetOf(portalUrl), local: targetOf(localUrl), line: { host: "127.0.0.1", port: driver.port } };
}

/** Adds an integration, or removes it. Settles when it shows the nodes, or has ended. */
async function bridge({ type, settings }: BridgeInput): Promise<void> {
  const { integrations } = inside().services;
  if (settings === null) return integrations.remove(type, "remove", CAUSE);
  await integrations.add({ type, id: type, name: null, settings, enabled: true }, CAUSE);
  for (;;) {
    const { state, reason } = integrations.find(type);
    if (state === "ready") return;
    if (state === "failed") throw new Error(reason);
    await pause(LOOK_MS);
  }
}

async function schedule({ count, perSecond, inS }: ScheduleInput): Promise<readonly number[]> {
  const firstS = Math.ceil(systemClock.now() / 1000) + inS;
  const due = Array.from({ length: count }, (_, index) => firstS + Math.floor(index / perSecond));
  await write(due.map((atS, index) => [`Schedule ${index}`, at(atS % DAY_S, index)]));
  return due.map((atS) => atS * 1000);
}

/** After a full collection: what an idle service would keep. */
function held(): Held {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 2 ** 20 };
}

async function write(programs: readonly (readonly [name: string, tree: ProgramTree])[]): Promise<void> {
  const { services } = inside();
  const rest = { parentId: null, comment: "", enabled: true, runAtStartup: false };
  for (let from = 0; from < programs.length; from += WRITTEN_AT_ONCE) {
    const some = programs.slice(from, from + WRITTEN_AT_ONCE);
    await Promise.all(some.map(([name, tree]) => createProgram(services, { ...rest, name, tree }, CAUSE)));
  }
}

/** "When sensor A turns on, turn lamp B on", and off with it. */
function follows(index: number): ProgramTree {
  const node = addressOf(`s${index}`);
  const value = { value: 0, prec: 0, uom: RAW_NUMBER };
  return {
    if: [{ andOr: "and", kind: "status", node, property: PROPERTY.watched, comparison: "GT", value }],
    then: [{ kind: "command", node: addressOf(`l${index}`), command: "DON", parameters: [] }],
    else: [{ kind: "command", node: addressOf(`l${index}`), command: "DOF", parameters: [] }],
  };
}

function at(secondOfDay: number, index: number): ProgramTree {
  const when = { kind: "at", at: { kind: "time", secondOfDay, date: null, offsetDays: 0 } } as const;
  return {
    if: [{ andOr: "and", kind: "schedule", days: null, when }],
    then: [{ kind: "command", node: addressOf(`m${index}`), command: "DON", parameters: [] }],
    else: [],
  };
}

function inside(): Controller {
  if (!controller) throw new Error("The controller was not started.");
  return controller;
}
