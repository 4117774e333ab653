/**
 * The service beside the real Zigbee2MQTT and a real mosquitto: its devices become nodes with the roles that they have, take
 * commands, report, and come back after a restart on either side. Run by run.sh: `node try-zigbee2mqtt.ts FOLDER`, where FOLDER has
 * Zigbee2MQTT installed. Ends with 1 when a check fails.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Home, isOver } from "@domovoi/client";
import { freePort } from "../../support/free-port.ts";
import { startPlainBroker } from "../../support/mqtt-brokers.ts";
import { DEVICES, type ZigbeeDevice } from "./devices-table.ts";

const ROOT = join(import.meta.dirname, "../../..");
const WAIT_MS = 15_000;
const [folder = ""] = process.argv.slice(2);

/** The role of the first node of each device. */
const ROLES: Readonly<Record<string, string>> = {
  bulb: "white-lamp",
  plug: "outlet",
  contact: "contact",
  climate: "temperature",
  motion: "motion",
  lock: "lock",
  blind: "cover",
  remote: "button",
  radiator: "thermostat",
  leak: "leak",
  "two gang": "switch",
  smoke: "smoke",
};
/** What a device is told, and the value of its status that the command must lead to. */
const COMMANDS: readonly (readonly [device: string, command: string, parameter: number | null, status: number])[] = [
  ["bulb", "DON", 40, 40],
  ["bulb", "DOF", null, 0],
  ["plug", "DON", null, 100],
  ["lock", "SECMD", 1, 100],
  ["blind", "FDDOWN", null, 0],
  ["two gang", "DON", null, 100],
];

const root = mkdtempSync(join(tmpdir(), "try-zigbee2mqtt-"));
const running: ChildProcess[] = [];
let failed = 0;
let passed = 0;

function check(what: string, isRight: boolean, seen: unknown): void {
  if (isRight) passed += 1;
  else {
    failed += 1;
    process.stdout.write(`FAILED ${what}: ${JSON.stringify(seen)}\n`);
  }
}

async function becomes<T>(what: string, read: () => T, isRight: (value: T) => boolean): Promise<void> {
  const untilMs = Date.now() + WAIT_MS;
  while (!isRight(read()) && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 50));
  check(what, isRight(read()), read());
}

const ieeeOf = (at: number) => `0x00124b00000000${(at + 2).toString(16).padStart(2, "0")}`;

function rowOf({ type, maker, model, isBattery, endpoints }: ZigbeeDevice, at: number) {
  const made = endpoints.map(([epId, devId, inClusterList, outClusterList]) => {
    const none = { clusters: {}, binds: [], configuredReportings: [], meta: {} };
    return [epId, { profId: 260, epId, devId, inClusterList, outClusterList, ...none }] as const;
  });
  return {
    id: at + 2,
    type,
    ieeeAddr: ieeeOf(at),
    nwkAddr: at + 2,
    manufId: maker[0],
    manufName: maker[1],
    powerSource: isBattery ? "Battery" : "Mains (single phase)",
    modelId: model,
    epList: endpoints.map(([id]) => id),
    endpoints: Object.fromEntries(made),
    ...{ appVersion: 1, stackVersion: 1, hwVersion: 1, zclVersion: 3, dateCode: "20240101", swBuildId: "1.0.0" },
    ...{ interviewCompleted: true, interviewState: "SUCCESSFUL", meta: { configured: 1 }, lastSeen: Date.now() },
  };
}

const COORDINATOR = {
  id: 1,
  type: "Coordinator",
  ieeeAddr: "0x00124b0000000001",
  nwkAddr: 0,
  manufId: 0,
  epList: [1],
  endpoints: {
    1: {
      ...{ profId: 260, epId: 1, devId: 5, inClusterList: [], outClusterList: [] },
      ...{ clusters: {}, binds: [], configuredReportings: [], meta: {} },
    },
  },
  interviewCompleted: true,
  interviewState: "SUCCESSFUL",
  meta: {},
  lastSeen: Date.now(),
};

function writeNetwork(data: string, broker: string): void {
  mkdirSync(data);
  const rows = [COORDINATOR, ...DEVICES.map(rowOf)];
  writeFileSync(join(data, "database.db"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const settings = {
    version: 5,
    mqtt: { base_topic: "zigbee2mqtt", server: broker },
    serial: { port: "/dev/null", adapter: "ember" },
    frontend: { enabled: false },
    homeassistant: { enabled: true },
    availability: { enabled: true },
    advanced: {
      ...{ log_output: ["console"], log_level: "error", pan_id: 6754, channel: 11 },
      ext_pan_id: [221, 221, 221, 221, 221, 221, 221, 221],
      network_key: [1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 13],
    },
    devices: Object.fromEntries(DEVICES.map(({ name }, at) => [ieeeOf(at), { friendly_name: name }])),
    groups: { "1": { friendly_name: "lamps" } },
  };
  // YAML holds JSON.
  writeFileSync(join(data, "configuration.yaml"), JSON.stringify(settings, null, 2));
}

function startZigbee2mqtt(data: string): ChildProcess {
  const program = join(folder, "node_modules/zigbee2mqtt/index.js");
  const child = spawn(process.execPath, ["-r", join(folder, "simulated-adapter.cjs"), program], {
    cwd: folder,
    env: { ...process.env, ZIGBEE2MQTT_DATA: data },
    stdio: ["pipe", "ignore", "inherit"],
  });
  running.push(child);
  return child;
}

async function startService(data: string, broker: string): Promise<{ child: ChildProcess; url: string }> {
  const ports = ["--portal-port", "0", "--local-port", "0", "--log-level", "error"];
  const args = [join(ROOT, "bin/domovoi.js"), "serve", "--data", data, "--mqtt-url", broker, ...ports];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    const [, url] = /^ready (\S+)/m.exec(output) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`The service ended: ${output}`);
}

const open = (url: string) =>
  connect({ url, user: "owner@example.org", password: process.env.DOMOVOI_OWNER_PASSWORD ?? "", insecure: true });

const nodeNamed = (home: Home, name: string) => [...home.nodes].find((node) => node.name === name);
/** null: there is none yet. */
function statusOf(home: Home, name: string, property = "ST"): number | null {
  const value = nodeNamed(home, name)?.properties.get(property)?.value ?? "";
  return value === "" ? null : Number(value);
}

async function tryHome(home: Home, bridge: ChildProcess): Promise<void> {
  const untilMs = Date.now() + WAIT_MS;
  while (DEVICES.some(({ name }) => !nodeNamed(home, name)) && Date.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await home.refresh();
  }
  for (const { name } of DEVICES) {
    check(`"${name}" is a node`, nodeNamed(home, name) !== undefined, null);
    check(`"${name}" has its role`, nodeNamed(home, name)?.role === ROLES[name], nodeNamed(home, name)?.role);
  }
  for (const [name, command, parameter, status] of COMMANDS) {
    const node = nodeNamed(home, name);
    await node
      ?.send(command, ...(parameter === null ? [] : [parameter]))
      .catch((error: Error) => check(`${name} ${command}`, false, error.message));
    await becomes(
      `"${name}" ${command} leads to ${status}`,
      () => statusOf(home, name),
      (value) => value === status,
    );
  }
  const act = (line: object) => bridge.stdin?.write(`${JSON.stringify(line)}\n`);
  const addressOf = (name: string) => 2 + DEVICES.findIndex((device) => device.name === name);
  act({ report: [addressOf("contact"), 1, "genOnOff", "onOff", 1] });
  await becomes(
    "a contact that opens is seen",
    () => statusOf(home, "contact"),
    (value) => value === 100 || value === 1,
  );
  act({ report: [addressOf("climate"), 1, "msTemperatureMeasurement", "measuredValue", 2150] });
  const temperature = () => statusOf(home, "climate", "CLITEMP") ?? statusOf(home, "climate");
  await becomes("a temperature is seen", temperature, (value) => value !== null && value === 2150);
}

/** Configuration that Zigbee2MQTT exposes, and operations that it carries out for the home. */
async function tryCare(home: Home): Promise<void> {
  for (const { name } of DEVICES) {
    const known = (await nodeNamed(home, name)?.parameters()) ?? [];
    process.stdout.write(
      `  ${name}: ${known.map((each) => `${each.number} ${each.name}`).join(", ") || "no parameters"}\n`,
    );
  }
  const bulb = nodeNamed(home, "bulb");
  const behavior = (await bulb?.parameters())?.find(({ choices }) => choices.length > 1);
  check("a bulb has a parameter with choices", behavior !== undefined, behavior);
  if (bulb && behavior) {
    const wanted = behavior.choices[1]?.value ?? 0;
    await bulb
      .writeParameter(behavior.number, wanted)
      .catch((error: Error) => check("it is written", false, error.message));
    const { value } = await bulb.readParameter(behavior.number);
    check(`${behavior.name} is read as it was written`, value === wanted, value);
  }
  const leak = nodeNamed(home, "leak");
  const operate = async (kind: string, input: Readonly<Record<string, unknown>>) => {
    let { operation } = { operation: await home.integrations.begin("mqtt", kind, input) };
    for (const untilMs = Date.now() + WAIT_MS; !isOver(operation) && Date.now() < untilMs; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      operation = (await home.integrations.operation("mqtt")) ?? operation;
    }
    check(`the operation ${kind}`, operation.stage === "done", operation.detail);
  };
  await operate("rename", { address: leak?.address, name: "cellar/leak" });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await home.refresh();
  const { name } = home.nodes.get(leak?.address ?? "");
  check("a device that is renamed in Zigbee2MQTT is the same node with the new name", name === "cellar/leak", name);
  await operate("rename", { address: leak?.address, name: "leak" });
  await operate("options", { address: bulb?.address, transition: 1 });
}

const port = await freePort();
const broker = await startPlainBroker(port);
try {
  process.env.DOMOVOI_OWNER_EMAIL = "owner@example.org";
  process.env.DOMOVOI_OWNER_PASSWORD ??= "owner password 1";
  const url = `mqtt://127.0.0.1:${port}`;
  writeNetwork(join(root, "zigbee"), url);
  let bridge = startZigbee2mqtt(join(root, "zigbee"));
  const service = await startService(join(root, "home"), url);
  {
    await using home = await open(service.url);
    await tryHome(home, bridge);
    await tryCare(home);
    const before = statusOf(home, "two gang");
    bridge.kill("SIGKILL");
    bridge = startZigbee2mqtt(join(root, "zigbee"));
    await becomes(
      "a value survives the end of Zigbee2MQTT",
      () => statusOf(home, "two gang"),
      (value) => value === before,
    );
  }
  service.child.kill("SIGKILL");
  const again = await startService(join(root, "home"), url);
  await using home = await open(again.url);
  await becomes(
    "all devices are there after kill -9 of the service",
    () => DEVICES.filter(({ name }) => nodeNamed(home, name)).length,
    (count) => count === DEVICES.length,
  );
  // Zigbee2MQTT may still be starting: until it is there, commands are refused or come to nothing.
  for (let tries = 0; tries < 10 && statusOf(home, "bulb") !== 60; tries += 1) {
    await nodeNamed(home, "bulb")
      ?.send("DON", 60)
      .catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  await becomes(
    "a lamp takes commands after both restarts",
    () => statusOf(home, "bulb"),
    (value) => value === 60,
  );
} finally {
  for (const child of running) child.kill("SIGKILL");
  await broker.stop();
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
