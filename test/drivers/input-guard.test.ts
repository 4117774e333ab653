/** Input that breaks an integration: what its owner sees, what the log says, and what happens when the same input comes again. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Driver } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { memoryStore } from "./recording-host.ts";

const NAME = "odd";
const SECRET = "the door code is 4711";

let controller: TestController;
let host: HomeHost;
let reads: number;
let starts: number;
let whenStarted: () => void;

beforeEach(async () => {
  [reads, starts, whenStarted] = [0, 0, () => {}];
  controller = await startTestController({ demo: false });
  const driver: Driver = {
    name: NAME,
    start: async () => {
      starts += 1;
      whenStarted();
    },
    stop: async () => host.status("stopped", ""),
    send: async () => ({ kind: "acked" }),
    query: async () => ({ kind: "acked" }),
  };
  host = new HomeHost(controller.services, NAME, memoryStore());
  controller.services.drivers.add({ driver }, host, true);
  await controller.services.drivers.run(NAME);
});

afterEach(() => controller[Symbol.asyncDispose]());

const state = () => controller.services.drivers.find(NAME);

function hear(text: string): void {
  void host.guard({ from: "home/door", content: Buffer.from(text) }, () => {
    reads += 1;
    JSON.parse(text);
  });
}

test("it fails with its reason, is started again, and the same message is not read a second time", async () => {
  hear(SECRET);
  expect(state()).toMatchObject({ state: "failed", detail: expect.stringContaining("home/door") });
  await controller.clock.advance(1000);
  expect([state()?.state, starts, reads]).toEqual(["ready", 2, 1]);
  hear(SECRET);
  hear("{}");
  expect([state()?.state, reads]).toEqual(["ready", 2]);
});

test("the log names topic, size and place of the failure, and nothing of the content", () => {
  hear(SECRET);
  const line = controller.lines.find(({ message }) => message.startsWith("Input could not be processed"));
  expect(line?.fields).toMatchObject({ driver: NAME, from: "home/door", bytes: SECRET.length, fault: "SyntaxError" });
  expect(JSON.stringify(controller.lines)).not.toContain("4711");
});

test("an integration that fails after each of five starts stays stopped with its reason until its owner starts it", async () => {
  for (let at = 0; at < 5; at += 1) {
    hear(`${SECRET} ${at}`);
    await controller.clock.advance(20_000);
  }
  expect(state()).toMatchObject({ state: "stopped", detail: expect.stringMatching(/home\/door.*stays stopped/) });
  await controller.clock.advance(3_600_000);
  expect(starts).toBe(5);
});

test("failures that are a minute apart do not stop it for good", async () => {
  for (let at = 0; at < 8; at += 1) {
    hear(`${SECRET} ${at}`);
    await controller.clock.advance(90_000);
  }
  expect([state()?.state, starts]).toEqual(["ready", 9]);
});

test("a message that breaks it while it starts ends that start", async () => {
  whenStarted = () => {
    if (starts < 4) hear(`${SECRET} ${starts}`);
  };
  hear(SECRET);
  await controller.clock.advance(60_000);
  expect([state()?.state, starts]).toEqual(["ready", 4]);
});

test("a message of one device is dropped with one line, is read again, and the integration goes on", async () => {
  const read = (node: number, text: string) =>
    host.guard({ from: `node ${node}`, content: text, isOfDevice: true }, () => {
      reads += 1;
      JSON.parse(text);
    });
  for (const node of [2, 3]) {
    for (let at = 0; at < 8; at += 1) void read(node, SECRET);
  }
  void read(2, "{}");
  const lines = controller.lines.filter(({ message }) => message.startsWith("A message of a device"));
  expect(lines.map(({ fields }) => fields.from)).toEqual(["node 2", "node 3"]);
  expect([state()?.state, starts, reads]).toEqual(["ready", 1, 17]);
});

test("an exception in a timer and a rejected promise are failures of the integration too", async () => {
  host.clock.setTimer(() => {
    throw new Error(SECRET);
  }, 10);
  await controller.clock.advance(10);
  expect(state()).toMatchObject({ state: "failed", detail: expect.stringContaining("a timer") });
  await controller.clock.advance(1000);
  await host.guard({ from: "plugin message status" }, async () => {
    throw new Error(SECRET);
  });
  expect(state()).toMatchObject({ state: "failed", detail: expect.stringContaining("plugin message status") });
});
