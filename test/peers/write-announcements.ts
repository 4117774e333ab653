/** The demo home announces itself on a broker of loopback. Writes to a file, as JSON, what the broker then has by topic. */

import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connectAsync } from "mqtt";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startTestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { startPlainBroker } from "../support/mqtt-brokers.ts";

const SETTLED_MS = 5000;
const TICK_MS = 20;
const clock = new VirtualClock(Date.now());
const ticking = setInterval(() => void clock.advance(TICK_MS), TICK_MS);
const port = await freePort();
const mqttUrl = `mqtt://127.0.0.1:${port}`;
const broker = await startPlainBroker(port);
const kept = new Map<string, string>();
const reader = await connectAsync(mqttUrl);
reader.on("message", (topic, payload) => kept.set(topic, payload.toString()));
await reader.subscribeAsync(["domovoi/#", "homeassistant/device/+/config"]);
const settings = { mqttUrl, mqttAnnounce: "user", mqttAnnounceSecured: true };
const controller = await startTestController(settings, { clock });
await pause(SETTLED_MS);
writeFileSync(String(process.argv[2]), JSON.stringify(Object.fromEntries(kept)));
await controller[Symbol.asyncDispose]();
await reader.endAsync();
await broker.stop();
clearInterval(ticking);
