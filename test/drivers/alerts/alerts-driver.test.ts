/** The driver of alerts keeps the contract of drivers; it has no device, so a deaf one is one that is stopped. */

import { expect, test } from "vitest";
import type { AlertWorld } from "../../../src/drivers/alerts/alert-world.ts";
import { AlertsDriver } from "../../../src/drivers/alerts/alerts-driver.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { describeDriver } from "../conformance.ts";
import { RecordingHost } from "../recording-host.ts";

const LEAK = "2C 44 8 1";

const WORLD: AlertWorld = {
  addresses: () => [LEAK],
  sensed: (address) => (address === LEAK ? { kind: "water", says: false } : null),
  follow: () => () => {},
  sentences: () => [],
  filled: (text) => text,
  reach: () => [{ channel: "mail", accountId: null }],
  channelName: (channel) => channel,
  deliver: async () => null,
  pageUrl: () => "",
  readAction: () => ({ kind: "program", id: 1, verb: "runThen" }),
  actionText: () => "",
  mayAnswer: () => "owner",
  act: async () => {},
  confirm: async () => {},
  causeOf: () => null,
};

test("deliveries have a limit on the sum of all alerts, and what is above it counts as not delivered", async () => {
  const clock = new VirtualClock(1_000_000_000);
  const host = new RecordingHost(clock);
  const delivered: string[] = [];
  const channels = ["one", "two", "three"];
  const world: AlertWorld = {
    ...WORLD,
    reach: () => channels.map((channel) => ({ channel, accountId: null })),
    deliver: async (channel) => {
      delivered.push(channel);
      return null;
    },
  };
  const limits = { order: "all", againMs: 600_000, lastsMs: 7_200_000, deliveriesPerMinute: 4 };
  const driver = new AlertsDriver({ name: "alerts", isSensing: true, world, ...limits });
  await driver.start(host, new AbortController().signal);
  driver.commissioning.begin("add-alert", { name: "Boiler" });
  await clock.advance(0);
  const send = (address: string) => {
    const { signal } = new AbortController();
    return driver.send({ id: address, address, command: "DON", parameters: [], signal });
  };
  for (const address of ["n000_alert1", "n000_alert2"]) await send(address);
  await clock.advance(1000);
  await expect.poll(() => delivered.length).toBe(4);
  const failures = () => driver.alerts().flatMap(({ told }) => told.filter(({ failure }) => failure !== ""));
  await expect.poll(() => failures().length).toBe(2);
  await driver.stop();
});

describeDriver("alerts", (store: ServiceStore) => {
  const clock = new VirtualClock(1_000_000_000);
  const host = new RecordingHost(clock, store);
  const driver = new AlertsDriver({
    name: "alerts",
    isSensing: true,
    order: "home, 3 all",
    againMs: 600_000,
    lastsMs: 7_200_000,
    deliveriesPerMinute: 60,
    world: WORLD,
  });
  return {
    ...{ driver, host, lamp: "n000_alert1", parameters: null, lock: null, press: null },
    advance: (spanMs) => clock.advance(spanMs),
    deafen: () => void driver.stop(),
  };
});
