/** A real home with its feed, profile, queue and driver host, a scripted driver, a virtual clock and an instant disk. */

import { createCommandQueue } from "../../src/commands/command-queue.ts";
import type { CommandRequest } from "../../src/commands/node-command.ts";
import { sendStatement } from "../../src/commands/perform-statement.ts";
import type { CommandPorts } from "../../src/commands/ports.ts";
import { parseConfig } from "../../src/config.ts";
import type { DriverCommand, Outcome } from "../../src/drivers/command.ts";
import type { Driver, DriverHost, NodeSpec } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { DriverRegistry } from "../../src/drivers/registry.ts";
import type { PropertyReport } from "../../src/drivers/report.ts";
import { ControllerError, type ErrorCode } from "../../src/errors.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Change, ChangeType, Entry } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { Notifier } from "../../src/notifications/notifier.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "../../src/profile/nodedef.ts";
import { Profile } from "../../src/profile/profile.ts";
import { ProgramRunner } from "../../src/programs/runner.ts";
import type { Log, LogFields } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

export const START_MS = Date.UTC(2026, 5, 10, 10, 0, 0);
export const REQUEST: Cause = { kind: "request", id: "request-1", by: "ann" };
export const UUID = "02:00:00:00:00:01";

type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };
type Scripted = ReturnType<typeof scriptedDriver>;
export type CommandServices = CommandPorts & {
  readonly clock: VirtualClock;
  readonly driver: Scripted;
  readonly host: DriverHost;
  readonly entries: Entry[];
  readonly lines: LogLine[];
  /** Numbers whose commit was waited for. */
  readonly durable: number[];
};

/** Answers with `outcome` unless the test replaces `answer`. */
export function scriptedDriver(name = "scripted") {
  const driver = {
    name,
    sent: [] as DriverCommand[],
    queried: [] as string[],
    answer: async (_command: DriverCommand): Promise<Outcome> => ({ kind: "acked" }),
    answerQuery: async (_address: string): Promise<Outcome> => ({ kind: "acked" }),
    start: async () => {},
    stop: async () => {},
    send(command: DriverCommand) {
      driver.sent.push(command);
      return driver.answer(command);
    },
    query(address: string) {
      driver.queried.push(address);
      return driver.answerQuery(address);
    },
  };
  return driver;
}

export async function createServices(
  settings: Record<string, unknown> = {},
  more: Partial<Driver> = {},
): Promise<CommandServices> {
  const config = parseConfig(settings);
  const clock = new VirtualClock(START_MS);
  const home = new Home({
    uuid: UUID,
    name: "Casa",
    timeZone: "Europe/Berlin",
    latitude: 52.52,
    longitude: 13.405,
    batchMode: false,
    batteryWrites: true,
  });
  const feed = new ChangeFeed(home, clock, 0);
  const entries: Entry[] = [];
  feed.listen((entry) => entries.push(entry));
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const lines: LogLine[] = [];
  const log = recordingLog(lines);
  const drivers = new DriverRegistry(clock, log, config);
  const queue = createCommandQueue({ config, clock });
  const durable: number[] = [];
  const durability = { committed: async (seq: number) => void durable.push(seq) };
  const randomness = seededRandomness(1);
  const notifier = new Notifier({ config, home, profile, drivers, storeOf: memoryStore, clock, log });
  const without = { config, home, feed, profile, drivers, durability, queue, notifier, clock, randomness, log };
  const programs = new ProgramRunner({ ...without, send: (action, cause) => sendStatement(without, action, cause) });
  const ports: CommandPorts = { ...without, programs };
  const driver = Object.assign(scriptedDriver(), more);
  const host = new HomeHost(ports, driver.name, memoryStore());
  drivers.add({ driver }, host);
  await drivers.start();
  host.define(4, 1, { nodedefs: NODEDEFS, editors: EDITORS }, false);
  programs.start(false);
  return { ...ports, clock, driver, host, entries, lines, durable };
}

function recordingLog(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  const log: Log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: () => log };
  return log;
}

export function memoryStore() {
  const values = new Map<string, unknown>();
  return {
    get: (key: string) => values.get(key),
    set: (key: string, value: unknown) => void values.set(key, value),
    delete: (key: string) => void values.delete(key),
    keys: () => [...values.keys()],
    saved: async () => {},
  };
}

export const range = (uom: number, min: number, max: number) => ({
  uom,
  prec: 0,
  min,
  max,
  step: null,
  subset: null,
  names: new Map<number, string>(),
});
const EDITORS = [
  { id: "PERCENT", ranges: [range(51, 0, 100)] },
  { id: "RATE", ranges: [range(25, 0, 31)] },
  { id: "INDEX", ranges: [range(25, 0, 255)] },
];

export const parameter = (
  id: string,
  editor: string,
  init: string | null = null,
  optional = true,
): CommandParameter => ({
  id,
  editor,
  name: id,
  init,
  optional,
});
export const command = (id: string, ...parameters: CommandParameter[]): CommandDefinition => ({
  id,
  name: id,
  native: false,
  format: null,
  parameters,
});
export const nodedef = (id: string, ...accepts: CommandDefinition[]): Nodedef => ({
  id,
  name: id,
  nls: null,
  icon: null,
  properties: [],
  sends: [],
  accepts,
  controlLinks: [],
  respondLinks: [],
});

const SWITCH = [command("DON"), command("DOF")];
const DIMMER = [
  command("DON", parameter("", "PERCENT"), parameter("RR", "RATE")),
  command("DOF"),
  command("DFON"),
  command("DFOF"),
  command("BRT"),
  command("DIM"),
];
const NODEDEFS = [
  nodedef("DIMMER", ...DIMMER, command("LEVEL", parameter("", "PERCENT", "OL", false))),
  nodedef("RELAY", ...SWITCH, command("QUERY")),
  nodedef("COVER", command("FDUP"), command("FDDOWN"), command("FDSTOP")),
  nodedef("LOCK", command("SECMD", parameter("", "INDEX", null, false))),
  nodedef("ODD", command("DON", parameter("", "INDEX")), command("DOF"), command("BEEP", parameter("", "INDEX"))),
  nodedef("SETUP", command("BOTH", parameter("A", "PERCENT"), parameter("B", "RATE", "RATE"))),
];

export function spec(address: string, nodeDefId = "DIMMER", patch: Partial<NodeSpec> = {}): NodeSpec {
  return {
    address,
    name: `Device ${address}`,
    nodeDefId,
    family: 4,
    instance: 1,
    type: "4.17.1.0",
    primary: address,
    devtype: null,
    ...patch,
  };
}

export function report(address: string, value: number | null, patch: Partial<PropertyReport> = {}): PropertyReport {
  return { address, id: "ST", value, uom: 51, prec: 0, cause: "report", ...patch };
}

/** Values without an id as `75` or `75/51`, with their unit. */
export const request = (address: string, command: string, ...values: string[]): CommandRequest => ({
  address,
  command,
  parameters: values.map((text) => {
    const [value, uom] = text.split("/").map(Number);
    return { id: "", value: value ?? 0, uom: uom ?? 0, prec: 0 };
  }),
});

/** The changes of one type, in order. */
export function told<T extends ChangeType>(
  services: CommandServices,
  type: T,
): readonly Extract<Change, { type: T }>[] {
  return services.entries.flatMap(({ change }) =>
    change.type === type ? [change as Extract<Change, { type: T }>] : [],
  );
}

/** The code of the failure that `work` ends in. */
export async function codeOf(work: Promise<unknown>): Promise<ErrorCode | "none"> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof ControllerError) return error.code;
    throw error;
  }
}

/** Lets promises settle that wait for nothing but each other. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
