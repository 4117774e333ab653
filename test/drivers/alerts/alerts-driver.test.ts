/** The driver of alerts keeps the contract of drivers; it has no device, so a deaf one is one that is stopped. */

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
