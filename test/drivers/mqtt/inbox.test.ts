/** Messages wait in turns of the event loop, within limits, and long lists are read in slices. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { bulb } from "../../../simulators/zigbee/device-kinds.ts";
import { NumberedDevices, ZIGBEE_DEVICES } from "../../../src/drivers/exposed/numbered-devices.ts";
import { bridgeDevices } from "../../../src/drivers/mqtt/bridge-device.ts";
import { Inbox } from "../../../src/drivers/mqtt/inbox.ts";
import { jsonItems } from "../../../src/drivers/mqtt/json-items.ts";
import { createLog } from "../../../src/util/log.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { RecordingHost } from "../recording-host.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

function inboxOf(bytesMax = 1_000_000) {
  const read: string[] = [];
  const lines: string[] = [];
  const log = createLog("debug", { write: (line: string) => void lines.push(line) });
  const guard = (_input: unknown, readOne: () => void | Promise<void>) => readOne();
  const inbox = new Inbox({ log, guard }, bytesMax, ({ topic, payload }) => {
    read.push(`${topic} ${payload}`);
    return null;
  });
  const push = (topic: string, text: string) => inbox.push({ topic, payload: Buffer.from(text), isRetained: false });
  return { inbox, read, lines, push };
}

test("a burst is read in order, at most twenty messages in a turn of the event loop", async () => {
  const { inbox, read, push } = inboxOf();
  for (let at = 0; at < 50; at += 1) push(`t${at % 2}`, String(at));
  await turn();
  // Fewer where a turn takes longer than its time, as on a busy machine.
  expect(read.length).toBeLessThanOrEqual(20);
  expect(read.length).toBeGreaterThan(0);
  while (inbox.waiting > 0) await turn();
  expect(read).toEqual(Array.from({ length: 50 }, (_, at) => `t${at % 2} ${at}`));
});

test("of a topic that floods, as much is held as the limit says, and its latest message is not lost", async () => {
  const { inbox, read, lines, push } = inboxOf();
  for (let at = 0; at < 10_000; at += 1) push("flood", String(at));
  push("other", "here");
  expect(inbox.waiting).toBe(201);
  while (inbox.waiting > 0) await turn();
  expect(read.slice(-2)).toEqual(["flood 9999", "other here"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("flood");
});

test("all waiting messages together have a limit in bytes and in number", () => {
  const { inbox, push } = inboxOf(1000);
  for (let at = 0; at < 100; at += 1) push(`t${at}`, "x".repeat(100));
  expect(inbox.waiting).toBe(10);
  const many = inboxOf(10_000_000);
  for (let at = 0; at < 30_000; at += 1) many.push(`t${at}`, "x");
  expect(many.inbox.waiting).toBe(20_000);
  inbox.close();
  many.inbox.close();
});

test("a list is read item by item as JSON reads it, whatever its texts hold", () => {
  const item = fc.oneof(fc.jsonValue(), fc.constant({ a: '],[}{"\\' }));
  fc.assert(
    fc.property(fc.array(item), fc.constantFrom(0, 1), (list, indent) => {
      expect([...jsonItems(Buffer.from(JSON.stringify(list, null, indent)))]).toEqual(JSON.parse(JSON.stringify(list)));
    }),
  );
});

test.each(["", "{}", "null", "[1", "[{]", '["', "x[1]", "[1,,2]", `["${"x".repeat(300_000)}"]`])(
  "%.20j is no list of devices, and what reads it says so",
  (text) => {
    expect(() => [...jsonItems(Buffer.from(text))]).toThrow(SyntaxError);
  },
);

test("the first list of a large home is planned a device a slice, and a longer one than is taken is cut", () => {
  const host = new RecordingHost(new VirtualClock(0));
  const devices = new NumberedDevices(host, ZIGBEE_DEVICES);
  const listed = Array.from({ length: 410 }, (_, at) => bulb(`Lamp ${at}`).listed);
  let planned = 0;
  for (const _pause of devices.adopt(bridgeDevices(Buffer.from(JSON.stringify(listed))), 400)) {
    expect(host.nodes.size - planned).toBeLessThanOrEqual(1);
    planned = host.nodes.size;
  }
  expect(planned).toBe(400);
  expect(host.logLines.join()).toContain('"ignored":10');
});
