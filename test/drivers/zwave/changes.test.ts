/** Devices that are not what they were: a part is missing after an interview, another device is in their place. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { dimmerPlan, stripPlan } from "../../../simulators/zwave/device-kinds.ts";
import type { ZWaveDriver } from "../../../src/drivers/zwave/zwave-driver.ts";
import { SimulatedRadio, settled, type WaitingHost } from "./simulated-adapter.ts";

const STRIP = "ZW002_1";
const FIRST = "ZW002_2";
const THIRD = "ZW002_4";
const METER = "ZW002_4143";

let services: SimulatedRadio;
let driver: ZWaveDriver;
let host: WaitingHost;

beforeAll(async () => {
  services = await SimulatedRadio.create([stripPlan({ outlets: 3 })]);
  ({ driver, host } = await services.started());
  await settled(driver);
}, 60_000);

afterAll(() => services.stop());

const links = () => [STRIP, FIRST, THIRD, METER].map((address) => host.links.get(address));
const isOver = () => driver.commissioning?.operation()?.stage === "done";

test("a node that an interview misses stays, unreachable and with ERR 1, and recovers when it is reported again", async () => {
  const { node } = services.network.device(2);
  const outlet = node.endpoints.get(3);
  node.endpoints.delete(3);
  driver.commissioning?.begin("interview", { address: STRIP });
  await host.until(() => host.links.get(THIRD) === "unreachable" && isOver());
  expect(links()).toEqual(["online", "online", "unreachable", "unreachable"]);
  expect([host.nodes.has(THIRD), host.value(THIRD, "ERR")]).toEqual([true, 1]);
  const { signal } = new AbortController();
  expect(await driver.query(THIRD, signal)).toMatchObject({ kind: "failed", reason: "unreachable" });
  if (outlet) node.endpoints.set(3, outlet);
  driver.commissioning?.begin("interview", { address: STRIP });
  await host.until(() => host.links.get(METER) === "online" && isOver());
  expect([links(), host.value(THIRD, "ERR")]).toEqual([["online", "online", "online", "online"], 0]);
  expect(host.violations).toEqual([]);
}, 30_000);

test("a device in the place of another has the nodes of its own alone, and the first keeps its address", async () => {
  services.network.device(2).condition = "silent";
  driver.commissioning?.begin("replace", { address: STRIP, security: "insecure" });
  await services.network.adapter.hears(0x63);
  await host.until(() => driver.commissioning?.operation()?.stage === "waiting");
  await services.network.press(await services.network.newcomer(dimmerPlan()));
  await host.until(() => !host.nodes.has(THIRD) && isOver());
  expect([...host.nodes.keys()]).toEqual([STRIP]);
  expect(host.nodedefOf(STRIP)?.accepts.map(({ id }) => id)).toContain("FDUP");
  expect(host.violations).toEqual([]);
}, 30_000);
