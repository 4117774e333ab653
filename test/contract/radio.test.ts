/** Clients at a controller with two radios: an unmodified one from npm and the modern one, on simulated devices of both. */

import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notify } from "../../simulators/zwave/device-acts.ts";
import { dimmerPlan, lockPlan, parameterClasses } from "../../simulators/zwave/device-kinds.ts";
import type { Received, SimulatedDevice } from "../../simulators/zwave/simulated-device.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";
import { buildIsyNodejs, type IsyNode, type IsyNodejs, type RunningIsy } from "./clients/isy-nodejs.ts";
import { ModernClient } from "./modern-client/client.ts";
import { HttpError } from "./modern-client/session.ts";

const DIMMER = "ZW002_1";
const LOCK = "ZW003_1";
const LOCK_ALARMS = "ZW003_306";
const SECOND_DIMMER = "ZY002_1";
const PARAMETER = 7;
const CODE = "24681357";
const ACCESS_CONTROL = 6;
const CODE_ADDED = 14;
/** The same as the interface numbers a lock's alarms. */
const TOLD_CODE_ADDED = "20";

const dimmer = () => dimmerPlan({ classes: parameterClasses([{ number: PARAMETER, size: 2, value: 300 }]) });

let networks: readonly SimulatedNetwork[];
let servers: readonly RadioServer[];
let controller: TestController;
let stream: FrameStream;

beforeAll(async () => {
  networks = await Promise.all([
    createSimulatedNetwork({ devices: [dimmer(), lockPlan({ security: [], listening: "always" })] }),
    createSimulatedNetwork({ devices: [dimmer()], homeId: 0xd0_30_70_02 }),
  ]);
  servers = await Promise.all(networks.map((network) => serveRadio(network)));
  const [zwavePort = "", zwave2Port = ""] = servers.map(({ url }) => url);
  controller = await startTestController({ demo: false, legacyPadding: true, zwavePort, zwave2Port });
  await controller.login();
  stream = await controller.subscribe("rest");
  await interviewed([DIMMER, LOCK, SECOND_DIMMER]);
}, 60_000);

afterAll(async () => {
  await stream.close();
  await controller[Symbol.asyncDispose]();
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(networks.map((network) => network.stop()));
});

/** Settles when all of them have a status. */
function interviewed(addresses: readonly string[]): Promise<void> {
  const { feed, home } = controller.services;
  return new Promise((resolve) => {
    const look = () => {
      if (addresses.every((address) => home.nodes.get(address)?.properties.get("ST")?.value != null)) resolve();
    };
    feed.listen(look);
    look();
  });
}

/** A device of the first or the second radio. */
function device(radio: 0 | 1, name: string): SimulatedDevice {
  const found = networks[radio]?.device(name);
  if (!found) throw new Error(`There is no radio ${radio}.`);
  return found;
}

/** The last command of a class that reached a device, without encapsulation. */
const heard = ({ received }: SimulatedDevice, className: string, command: number): Received | undefined =>
  received.findLast((one) => one.className === className && one.command === command);

describe("isy-nodejs", () => {
  const trusted = getCACertificates("default");
  let client: IsyNodejs;
  let running: RunningIsy;

  beforeAll(async () => {
    client = await buildIsyNodejs();
    setDefaultCACertificates([...trusted, controller.controller.caCertificate]);
    running = await client.start({ url: controller.local.url, ...LOCAL });
    const replayed = running.says("Received Heartbeat");
    await running.isy.initialize();
    await replayed;
  }, 60_000);

  afterAll(async () => {
    const last = running.says("Received Heartbeat");
    await controller.clock.advance(20_000);
    await last;
    await running.isy.close();
    setDefaultCACertificates(trusted);
    await client.remove();
  });

  function node(address: string): IsyNode {
    const found = running.isy.nodes.get(address);
    if (!found) throw new Error(`The client has no node ${address}.`);
    return found;
  }

  function becomes(address: string, wanted: number): Promise<void> {
    const { drivers, events } = node(address);
    return new Promise((resolve) => {
      events.on(drivers.ST?.changedEventName ?? "", () => {
        if (drivers.ST?.state.rawValue === wanted) resolve();
      });
    });
  }

  test("loads the devices of both radios without an error", () => {
    expect(running.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect([...running.isy.nodes.keys()]).toEqual(expect.arrayContaining([DIMMER, LOCK, LOCK_ALARMS, SECOND_DIMMER]));
  });

  test.each([
    [DIMMER, 0],
    [SECOND_DIMMER, 1],
  ] as const)("dims %s: the device hears it, and its report comes back to the client", async (address, radio) => {
    const seen = becomes(address, 40);
    await node(address).sendCommand("DON", [40, 51]);
    await seen;
    expect(heard(device(radio, "Dimmer"), "Multilevel Switch", 1)?.payload).toMatch(/^28/);
  });

  test("turns the bolt of the lock", async () => {
    const seen = becomes(LOCK, 100);
    await node(LOCK).sendCommand("SECMD", [1, 84]);
    await seen;
    expect(heard(device(0, "Lock"), "Door Lock", 1)?.payload).toBe("ff");
  });

  test("writes a parameter with a request of its own making, and reads it back", async () => {
    const plain = { trailingSlash: false };
    await running.isy.sendRequest(`zwave/node/${DIMMER}/config/set/${PARAMETER}/-5/2`, plain);
    const read = await running.isy.sendRequest(`zwave/node/${DIMMER}/config/query/${PARAMETER}`, plain);
    expect(JSON.stringify(read)).toContain("-5");
    expect(heard(device(0, "Dimmer"), "Configuration", 4)?.payload).toBe("0702fffb");
  });

  test("sets a code of the lock with its own request, and receives the lock's report", async () => {
    const lock = device(0, "Lock");
    const answer = await running.isy.sendRequest(`zwave/node/${LOCK}/security/user/4/set/code/${CODE}`);
    expect(JSON.stringify(answer)).toMatch(/"succeeded":"?true/);
    expect(heard(lock, "User Code", 1)?.payload).toBe(`0401${Buffer.from(CODE).toString("hex")}`);
    const told = running.says(`(${LOCK_ALARMS}): Command ALARM event received`);
    await notify(lock, ACCESS_CONTROL, CODE_ADDED, [4]);
    await told;
  });
});

describe("the modern client", () => {
  let client: ModernClient;

  beforeAll(async () => {
    const { portal, clock } = controller;
    client = new ModernClient({ url: portal.url, mode: "portal", credentials: OWNER, clock });
    await client.connect();
  }, 30_000);

  afterAll(async () => {
    await client.stop();
  });

  test("finds a nodedef for every node of both radios, under the prefix of each", () => {
    const lost = [...client.home.nodes.values()].filter((node) => !client.nodedef(node));
    expect(lost).toEqual([]);
    expect([DIMMER, SECOND_DIMMER].map((address) => client.isDimmable(address))).toEqual([true, true]);
    expect(client.node(SECOND_DIMMER)).toMatchObject({ family: "12" });
  });

  test.each([
    [DIMMER, 0, "_21"],
    [SECOND_DIMMER, 1, "_25"],
  ] as const)("writes a parameter of %s, reads it back, and sees it on the stream", async (address, radio, control) => {
    await client.writeParameter(address, PARAMETER, -300, 2);
    expect(await client.readParameter(address, PARAMETER)).toEqual({ size: 2, value: -300 });
    expect(heard(device(radio, "Dimmer"), "Configuration", 4)?.payload).toBe("0702fed4");
    const told = await stream.next((frame) => frame.control === control && frame.eventInfo.includes('value="-300"'));
    expect(told.eventInfo).toContain(`node="${address}" paramNum="${PARAMETER}" size="2"`);
  });

  test("both radios' devices are reached under both prefixes", async () => {
    for (const prefix of ["/rest/zwave", "/rest/zmatter/zwave"]) {
      for (const address of [DIMMER, SECOND_DIMMER]) {
        const { text } = await client.session.get(`${prefix}/node/${address}/config/query/${PARAMETER}`);
        expect(text).toContain(`<config paramNum="${PARAMETER}" size="2" value="-300" />`);
      }
    }
  });

  test("sets a code of the lock and deletes it; the lock's report is published, the code nowhere", async () => {
    const lock = device(0, "Lock");
    await client.setLockCode(LOCK, 3, CODE);
    expect(heard(lock, "User Code", 1)?.payload).toBe(`0301${Buffer.from(CODE).toString("hex")}`);
    await notify(lock, ACCESS_CONTROL, CODE_ADDED, [3]);
    const told = await stream.next(({ control, node }) => control === "ALARM" && node === LOCK_ALARMS);
    expect(told.action).toBe(TOLD_CODE_ADDED);
    await client.deleteLockCode(LOCK, 3);
    expect(heard(lock, "User Code", 1)?.payload).toMatch(/^0300/);
    expect(stream.frames.filter(({ raw }) => raw.includes(CODE))).toEqual([]);
    expect(JSON.stringify(controller.lines)).not.toContain(CODE);
  });

  test("a slot that the lock does not have is refused, and nothing is sent", async () => {
    const before = device(0, "Lock").received.length;
    await expect(client.setLockCode(LOCK, 99, CODE)).rejects.toThrow(HttpError);
    expect(device(0, "Lock").received).toHaveLength(before);
  });
});
