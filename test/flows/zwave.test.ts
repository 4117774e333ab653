/** An adapter on the serial port of a whole service: its devices in the home, its loss, its return. */

import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dimByHand, flap, switchByHand } from "../../simulators/zwave/device-acts.ts";
import { dimmerPlan, meterPlugPlan, parameterClasses, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";

const DIMMER = "ZW002_1";
const PLUG = "ZW003_1";
const METER = "ZW003_143";
const RELAY = "ZW004_1";
const REPORTS_PER_SECOND = 20;

let network: SimulatedNetwork;
let server: RadioServer;
let services: TestController;

beforeAll(async () => {
  network = await createSimulatedNetwork({
    // Nobody is silent here; a machine under load must not make it look so.
    noAckMs: 5000,
    devices: [
      dimmerPlan({ classes: parameterClasses([{ number: 7, size: 2, value: 300 }]) }),
      meterPlugPlan(),
      switchPlan({ name: "Relay" }),
    ],
  });
  server = await serveRadio(network);
  services = await startTestController({
    demo: false,
    zwavePort: server.url,
    nodeReportsPerSecond: REPORTS_PER_SECOND,
  });
  await services.login();
  await until(() => [DIMMER, PLUG, METER, RELAY].every((address) => status(address) !== null));
}, 60_000);

afterAll(async () => {
  await services[Symbol.asyncDispose]();
  await server.close();
  await network.stop();
});

describe("the devices of an adapter", () => {
  test("stand in the home with the type that clients know them by", async () => {
    const { data } = (await services.portal.get("/api/nodes")).json<{ data: { nodes: { node: WireNode[] } } }>();
    const types = data.nodes.node.map(({ address, devtype, pnode }) => [address, devtype.cat, devtype.gen, pnode]);
    expect(new Set(types)).toEqual(
      new Set([
        [DIMMER, "109", "4.17.1", DIMMER],
        [PLUG, "121", "4.16.1", PLUG],
        [METER, "143", "4.16.1", PLUG],
        [RELAY, "121", "4.16.1", RELAY],
      ]),
    );
    const names = data.nodes.node.map(({ name }) => name);
    expect(names).toContain("ZW 003 Meter");
  });

  test("are commanded through the interface, and report on the stream", async () => {
    const stream = await services.subscribe("rest");
    const answer = await services.portal.get(`/rest/nodes/${DIMMER}/cmd/DON/75/51`);
    expect(answer.status).toBe(200);
    const told = await stream.next((frame) => frame.control === "ST" && frame.node === DIMMER && frame.action === "75");
    expect([told.uom, told.prec]).toEqual(["51", "0"]);
    await stream.close();
  });

  test("are queried by the command that their nodedefs have for it", async () => {
    const answers = await Promise.all(
      [DIMMER, PLUG, METER].map((address) => services.portal.get(`/rest/nodes/${address}/cmd/QUERY`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("have nodedefs made for them, whose labels stand in the texts", async () => {
    const definition = await services.portal.get(`/rest/zwave/node/${METER}/def/get`);
    const [, nls] = /<nodedef id="UZW[0-9A-F]{8}" nls="(143_[0-9A-F]{8})"/.exec(definition.text) ?? [];
    const texts = await services.portal.get("/rest/profiles/family/4/profile/1/download/nls/en_US.txt");
    expect(texts.text).toContain(`ST-${nls}-ST-NAME = Power`);
    expect(texts.text).toContain("IX_LVL-101 = Unknown");
  });

  test("have their parameters read and written", async () => {
    const written = await services.portal.get(`/rest/zwave/node/${DIMMER}/config/set/7/-5/2`);
    expect(written.status).toBe(200);
    const read = await services.portal.get(`/rest/zwave/node/${DIMMER}/config/query/7`);
    expect(read.text).toContain('<config paramNum="7" size="2" value="-5" />');
    expect((await services.portal.get(`/rest/zwave/node/${DIMMER}/config/query/99`)).status).toBe(404);
  });

  test("are found again after a restart, under the owner's names, as they were", async () => {
    await services.portal.post(`/api/nodes/${DIMMER}`, { name: "Hall lamp", nodeType: "node" });
    const before = status(DIMMER);
    await services.restart();
    await services.login();
    await until(() => services.services.home.nodes.get(DIMMER)?.link === "online");
    expect([services.services.home.nodes.get(DIMMER)?.name, status(DIMMER)]).toEqual(["Hall lamp", before]);
  });
});

test("a device that reports without end is named, and its last value arrives", async () => {
  await switchByHand(network.device("Relay"), false);
  await flap(network.device("Relay"), 2 * REPORTS_PER_SECOND + 1);
  // One line carries everything in order, so the earlier reports have arrived when this one has.
  await dimByHand(network.device(2), 33);
  await until(() => status(DIMMER) === 33);
  const named = services.lines.filter(({ fields }) => "reportsPerSecondMax" in fields);
  expect(named.map(({ fields }) => [fields.driver, fields.node])).toEqual([["zwave", RELAY]]);
  await services.clock.advance(1000);
  expect(status(RELAY)).toBe(100);
});

test("an adapter that is unplugged is logged once, its devices keep their values, and it is used again when it is back", async () => {
  const before = status(DIMMER);
  network.unplug();
  await server.close();
  await until(() => services.services.home.nodes.get(DIMMER)?.link === "unreachable");
  expect(status(DIMMER)).toBe(before);
  expect((await services.portal.get(`/rest/nodes/${DIMMER}/cmd/DOF`)).status).toBe(503);
  network.replug();
  server = await serveRadio(network, Number(new URL(server.url).port));
  await inTime(() => services.services.home.nodes.get(DIMMER)?.link === "online");
  expect((await services.portal.get(`/rest/nodes/${DIMMER}/cmd/DOF`)).status).toBe(200);
  const said = services.lines.filter(({ message }) => message.startsWith("A driver is"));
  expect(said.map(({ level, fields }) => [level, fields.driver])).toEqual([
    ["error", "zwave"],
    ["info", "zwave"],
  ]);
}, 60_000);

test("the doors open without the adapter", async () => {
  const closed = await freePort();
  await using other = await startTestController({ demo: false, zwavePort: `tcp://127.0.0.1:${closed}` });
  await other.login();
  expect((await other.portal.get("/api/nodes")).status).toBe(200);
  expect(other.lines.filter(({ fields }) => fields.driver === "zwave").map(({ level }) => level)).toEqual(["error"]);
});

test("a path where no adapter is, is named with what to look for", async () => {
  const zwavePort = join(tmpdir(), "domovoi-no-adapter-here");
  await using other = await startTestController({ demo: false, zwavePort });
  const named = [expect.stringContaining(`There is no ${zwavePort}.`)];
  await vi.waitFor(() => expect(said(other)).toEqual(named), { timeout: PATIENCE_MS, interval: 50 });
});

function said({ lines }: TestController): readonly unknown[] {
  return lines.filter(({ fields }) => fields.driver === "zwave").map(({ fields }) => fields.detail);
}

type WireNode = { address: string; name: string; pnode: string; devtype: { cat: string; gen: string } };

const PATIENCE_MS = 15_000;
/** Longer than the driver's pauses, shorter than the time that it is given to start. */
const RESTARTED_MS = 5000;

function status(address: string): number | null {
  return services.services.home.nodes.get(address)?.properties.get("ST")?.value ?? null;
}

/** Resolves as soon as it is so, looked at whenever the home changes. */
function until(isSo: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(() => reject(new Error(`In vain: ${isSo}`))), patienceMs);
    const look = () => isSo() && end(resolve);
    const end = (settle: () => void) => {
      clearTimeout(late);
      // After the present event has been published.
      queueMicrotask(stop);
      settle();
    };
    const stop = services.services.feed.listen(look);
    look();
  });
}

/** The same, letting time of the house go by: what is tried again may fail once, and then waits longer. */
async function inTime(isSo: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 4 && !isSo(); attempt += 1) {
    await services.clock.advance(RESTARTED_MS);
    await until(isSo, PATIENCE_MS / 2).catch(() => {});
  }
  expect(isSo()).toBe(true);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number>((resolve) =>
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    }),
  );
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
