/** The driver of examples/driver over TCP: its bridge runs in the process, the clock is virtual. */

import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { BulbBridge } from "../../examples/driver/bulb-bridge.ts";
import { BulbDriver } from "../../examples/driver/bulb-driver.ts";
import { bulbType } from "../../examples/driver/integration-type.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import type { DeviceLink } from "../../src/home/device-links.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { describeDriver } from "./conformance.ts";
import { memoryStore, RecordingHost } from "./recording-host.ts";

const KITCHEN = "BULB_kitchen";
const HALL = "BULB_hall";

/** A bridge outlives the driver, as real devices do: one for each store. */
const bridges = new Map<ServiceStore, { readonly bridge: BulbBridge; readonly port: number }>();

afterEach(() => {
  for (const { bridge } of bridges.values()) bridge.close();
  bridges.clear();
});

async function bridgeOf(store: ServiceStore) {
  const known = bridges.get(store);
  if (known) return known;
  const bridge = new BulbBridge(["kitchen", "hall"]);
  const made = { bridge, port: await bridge.listen(0) };
  bridges.set(store, made);
  return made;
}

async function makeSubject(store: ServiceStore) {
  const { bridge, port } = await bridgeOf(store);
  const clock = new VirtualClock(0);
  const host = new RecordingHost(clock, store);
  const clients: Socket[] = [];
  const driver = new BulbDriver("bulbs", () => {
    const socket = connect(port, "127.0.0.1");
    clients.push(socket);
    return socket;
  });
  const advance = async (spanMs: number) => {
    await settled(clients, bridge);
    await clock.advance(spanMs);
    await settled(clients, bridge);
  };
  const deafen = () => {
    for (const bulb of bridge.bulbs.values()) bulb.isDeaf = true;
  };
  const press = (control: string) => bridge.press("kitchen", control === "DOF" ? "OFF" : "ON");
  return { bridge, driver, host, advance, lamp: KITCHEN, deafen, press, parameters: null, lock: null };
}

/** Time passes only when every byte that was sent has been read: the deadlines of the driver are on the virtual clock. */
async function settled(clients: readonly Socket[], { sockets }: BulbBridge): Promise<void> {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const isQuiet = () =>
    clients.every((client) => {
      if (client.destroyed) return true;
      const server = [...sockets].find((each) => each.remotePort === client.localPort);
      return server?.bytesRead === client.bytesWritten && server?.bytesWritten === client.bytesRead;
    });
  do await turn();
  while (!isQuiet());
  await turn();
}

describeDriver("example", makeSubject);

async function started(store: ServiceStore = memoryStore(), wantedLinks: readonly DeviceLink[] = []) {
  const subject = await makeSubject(store);
  subject.host.wantedLinks = wantedLinks;
  const starting = subject.driver.start(subject.host, new AbortController().signal);
  await subject.advance(100);
  await starting;
  await subject.advance(100);
  return subject;
}

const link: DeviceLink = {
  scene: "1234",
  deviceGroup: 17,
  controller: HALL,
  responder: KITCHEN,
  level: null,
  ramp: null,
  command: null,
};

describe("the example's driver", () => {
  test("has nodes of the families of its type only, and a temperature in tenths of a degree", async () => {
    const { host } = await started();
    expect([...host.nodes.values()].map(({ family }) => family)).toEqual(bulbType.families.concat(bulbType.families));
    expect(host.last(KITCHEN, "CLITEMP")).toMatchObject({ value: 215, prec: 1 });
  });

  test("sends the level of On", async () => {
    const { bridge, driver, host, advance } = await started();
    const parameters = [{ id: "", value: 40, uom: 51, prec: 0 }];
    const sent = driver.send({ ...command, parameters });
    await advance(100);
    expect([await sent, bridge.bulbs.get("kitchen")?.level, host.value(KITCHEN)]).toEqual([{ kind: "acked" }, 40, 40]);
  });

  test("shows a bulb that does not answer as unreachable, until it says something", async () => {
    const { driver, host, press, advance, deafen } = await started();
    deafen();
    const sent = driver.send(command);
    await advance(5000);
    expect([await sent, host.links.get(KITCHEN)]).toMatchObject([{ reason: "no-ack" }, "unreachable"]);
    press("ON");
    await advance(100);
    expect(host.links.get(KITCHEN)).toBe("online");
  });

  test("says that it failed when the bridge closes the connection, and fails to start without a bridge", async () => {
    const { bridge, driver, host, advance } = await started();
    bridge.close();
    await closed(host);
    expect(host.states).toEqual(["failed"]);
    await driver.stop();
    const again = driver.start(host, new AbortController().signal);
    await expect(again).rejects.toThrow("The bridge did not list its bulbs.");
    await advance(100);
  });

  test("a bulb follows the button of another one as long as a scene wants it, also over a restart", async () => {
    const store = memoryStore();
    const { bridge, driver, host, advance } = await started(store, [link]);
    expect(driver.links.state(link)).toEqual({ state: "done", detail: "" });
    expect([driver.links.carries(link, "DON"), driver.links.carries(link, "BRT")]).toEqual([true, false]);
    bridge.press("hall", "ON");
    await advance(100);
    expect([host.value(HALL), host.value(KITCHEN)]).toEqual([100, 100]);
    await driver.stop();
    const second = await started(store);
    expect(bridge.bulbs.get("kitchen")?.follows.size).toBe(0);
    expect(second.driver.links.state(link)).toBeNull();
    expect(second.host.violations).toEqual([]);
  });

  test("a link that a bulb cannot hold is left to the controller", async () => {
    const level = { id: "OL", value: 40, uom: 51, prec: 0 };
    const { bridge, driver } = await started(memoryStore(), [{ ...link, level }]);
    expect(driver.links.state({ ...link, level })).toMatchObject({ state: "software" });
    expect(bridge.bulbs.get("kitchen")?.follows.size).toBe(0);
  });

  test("a link that a bulb did not take is written again on request", async () => {
    const { bridge, driver, host, advance, deafen } = await started();
    deafen();
    host.wantedLinks = [link];
    driver.links.refresh();
    await advance(5000);
    expect(driver.links.state(link)).toMatchObject({ state: "failed" });
    for (const bulb of bridge.bulbs.values()) bulb.isDeaf = false;
    driver.links.retry(link.scene);
    await advance(100);
    expect(driver.links.state(link)).toMatchObject({ state: "done" });
  });
});

const command = {
  id: "test-1",
  address: KITCHEN,
  command: "DON",
  parameters: [],
  signal: new AbortController().signal,
};

/** Until the driver has reported its state. */
async function closed({ states }: RecordingHost): Promise<void> {
  while (states.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
}
