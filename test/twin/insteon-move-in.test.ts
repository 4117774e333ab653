/** A home with Insteon devices moves to a copy, which gets a modem with the same devices. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import type { DevicePlan } from "../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { beginMoveIn } from "../../src/twin/begin-move-in.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import { moveInCheckList } from "../../src/twin/move-in-check-list.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { passingUntil, passUntil } from "../support/passing-time.ts";
import { type RunningTwin, startTwin } from "../support/twin.ts";

const DEVICES: readonly DevicePlan[] = [
  { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" },
  { id: [0x1a, 0x2b, 0x3d], kind: "keypad" },
  { id: [0x1a, 0x2b, 0x3e], kind: "leak" },
];
const LAMP = "1A 2B 3C 1";
const NODES = 12;
const CHARS_MAX = 10_000_000;

const clock = new VirtualClock(START_MS);
let servers: readonly ModemServer[] = [];
let modem: SimulatedModem;
let original: TestController;
let copy: RunningTwin;

const nodes = ({ services }: TestController) => [...services.home.nodes.values()];

async function serve(served: SimulatedModem): Promise<string> {
  const server = await serveModem(served);
  servers = [...servers, server];
  return server.url;
}

beforeAll(async () => {
  const insteonPort = await serve(new SimulatedModem(clock, DEVICES));
  original = await passingUntil(clock, startTestController({ demo: false, insteonPort }, { clock }));
  await original.login();
  await passUntil(clock, () => nodes(original).length === NODES);
  await original.portal.post(`/api/nodes/${encodeURIComponent(LAMP)}`, { name: "Porch", nodeType: "node" });
  const fetch = async (path: string) => {
    const answer = await original.portal.get(path);
    return answer.status === 200 ? answer.text : null;
  };
  copy = await startTwin(await fetchOriginal(fetch, CHARS_MAX, () => {}));
  await beginMoveIn(copy.twin.services);
  modem = new SimulatedModem(copy.twin.clock, DEVICES);
}, 60_000);

afterAll(async () => {
  await copy?.[Symbol.asyncDispose]();
  await original?.[Symbol.asyncDispose]();
  for (const server of servers) await server.close();
});

test("the check list says that the nodes wait for the modem", () => {
  const item = moveInCheckList(copy.plan).find(({ what }) => what === "nodes of Insteon");
  expect(item).toMatchObject({ count: NODES, comes: "later", note: expect.stringContaining("modem") });
});

test("the modem takes the nodes over with their names, and commands reach the devices", async () => {
  const { twin } = copy;
  await passingUntil(twin.clock, twin.restart({ insteonPort: await serve(modem) }));
  await passUntil(twin.clock, () => twin.services.drivers.declared("insteon").size === NODES);
  expect(new Set(nodes(twin).map(({ driver }) => driver))).toEqual(new Set(["virtual"]));
  expect((await twin.portal.post("/api/move-in/take/insteon")).json()).toMatchObject({ successful: true });
  expect(nodes(twin).filter(({ driver }) => driver === "insteon")).toHaveLength(NODES);
  expect(twin.services.home.nodes.get(LAMP)?.name).toBe("Porch");
  const path = `/rest/nodes/${encodeURIComponent(LAMP)}/cmd/DON/128`;
  const answer = await passingUntil(twin.clock, twin.local.get(path));
  expect([answer.status, modem.device([0x1a, 0x2b, 0x3c]).level()]).toEqual([200, 128]);
});
