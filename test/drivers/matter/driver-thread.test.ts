/** The Matter driver and its thread, played by the test: what it does when the thread says odd things, or ends. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ControllerEvent, ControllerOrder } from "../../../src/drivers/matter/controller-messages.ts";
import { MatterDriver } from "../../../src/drivers/matter/matter-driver.ts";
import type { PeerDescription } from "../../../src/drivers/matter/peer-description.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { RecordingHost } from "../recording-host.ts";

const LAMP = "ZM00001_001_1";
const storage = mkdtempSync(join(tmpdir(), "matter-"));

afterAll(() => rmSync(storage, { recursive: true }));

test("a device that was reset and is commissioned anew is the same, and forgotten under its former id", async () => {
  const { host, say, orders } = await started(peer("peer1"));
  say({ kind: "link", peer: "peer1", link: "lost" });
  say({ kind: "peer", description: peer("peer2"), isFresh: true });
  say({ kind: "link", peer: "peer2", link: "online" });
  expect([...host.nodes.keys()]).toEqual([LAMP]);
  expect(host.links.get(LAMP)).toBe("online");
  expect(orders.at(-1)).toMatchObject({ kind: "remove", peer: "peer1", force: true });
});

test("two devices to which their maker gave the same number are two", async () => {
  const { host, say, orders } = await started(peer("peer1"));
  say({ kind: "link", peer: "peer1", link: "online" });
  say({ kind: "peer", description: peer("peer2"), isFresh: true });
  expect([...host.nodes.keys()]).toEqual([LAMP, "ZM00002_001_1"]);
  expect(orders).toEqual([]);
});

test("a message that makes no sense is a failure of the integration alone, and the others are taken", async () => {
  const { host, say } = await started(peer("peer1"));
  say({ kind: "peer", description: { ...peer("peer3"), endpoints: [null as never] }, isFresh: true });
  say({ kind: "values", peer: "unknown", endpoint: 1, cluster: "onOff", values: { onOff: true }, isAnswer: false });
  say({ kind: "values", peer: "peer1", endpoint: 1, cluster: "onOff", values: { onOff: true }, isAnswer: false });
  expect(host.value(LAMP)).toBe(100);
  expect(host.violations).toEqual([expect.stringMatching(/^Matter peer of peer3: /)]);
});

test("when the thread ends, the driver has failed, and what is under way ends as not ready", async () => {
  const { host, driver, end } = await started(peer("peer1"));
  const { signal } = new AbortController();
  const sent = driver.send({ id: "c", address: LAMP, command: "DON", parameters: [], signal });
  end("out of memory");
  expect(await sent).toMatchObject({ kind: "failed", reason: "not-ready" });
  expect(host.states.at(-1)).toBe("failed");
});

async function started(...peers: readonly PeerDescription[]) {
  const host = new RecordingHost(new VirtualClock(0));
  const orders: ControllerOrder[] = [];
  let [say, end] = [(_event: ControllerEvent): void => {}, (_reason: string): void => {}];
  const options = { name: "matter", storage, networkInterface: null, homeName: "Home", lockCode: "" };
  const driver = new MatterDriver(options, (_task, { event, ended }) => {
    [say, end] = [event, ended];
    setImmediate(() => {
      for (const description of peers) event({ kind: "peer", description, isFresh: false });
      event({ kind: "ready" });
      for (const description of peers) event({ kind: "link", peer: description.peer, link: "online" });
    });
    return { send: (order) => void orders.push(order), end: async () => {} };
  });
  await driver.start(host, new AbortController().signal);
  return { host, driver, orders, say, end };
}

function peer(id: string): PeerDescription {
  const lamp = { onOff: { features: [], values: { onOff: false } } };
  return {
    ...{
      peer: id,
      identity: "maker-1",
      name: "Lamp",
      product: "Lamp",
      firmware: null,
      sleep: { kind: "none", idleMs: 0 },
    },
    endpoints: [
      { number: 0, parent: null, deviceTypes: [22], clusters: {} },
      { number: 1, parent: 0, deviceTypes: [256], clusters: lamp },
    ],
  };
}
