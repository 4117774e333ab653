/** The parts of the driver by themselves: whose turn it is, what a report shows, how the network is kept. */

import { describe, expect, test } from "vitest";
import { type Config, parseConfig } from "../../../src/config.ts";
import type { Outcome } from "../../../src/drivers/command.ts";
import { Attribution } from "../../../src/drivers/zwave/attribution.ts";
import { declaredBefore } from "../../../src/drivers/zwave/declared-before.ts";
import { DeadNodes } from "../../../src/drivers/zwave/events.ts";
import { zwaveType } from "../../../src/drivers/zwave/integration-type.ts";
import { createNetworkCache } from "../../../src/drivers/zwave/network-cache.ts";
import { securityKeys } from "../../../src/drivers/zwave/security-keys.ts";
import { Bus } from "../../../src/drivers/zwave/sending/bus.ts";
import { ACKED, outcomeOfStatus, outcomeOfSupervision } from "../../../src/drivers/zwave/sending/outcome.ts";
import { startFailure } from "../../../src/drivers/zwave/stack.ts";
import { wantedBy } from "../../../src/integrations/reconcile.ts";
import { createLog } from "../../../src/util/log.ts";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore } from "../recording-host.ts";

const { signal } = new AbortController();

describe("the bus", () => {
  test("gives a device one thing at a time, in order", async () => {
    const bus = new Bus(signal, 4);
    const done: string[] = [];
    const work = (name: string) => async (): Promise<Outcome> => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
      return ACKED;
    };
    await Promise.all([bus.run(5, signal, work("first")), bus.run(5, signal, work("second"))]);
    expect(done).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  test("a device that does not answer holds up no other", async () => {
    const bus = new Bus(signal, 4);
    void bus.run(5, signal, () => new Promise<Outcome>(() => {}));
    expect(await bus.run(6, signal, async () => ACKED)).toEqual(ACKED);
  });

  test("work that is withdrawn while it waits is not done", async () => {
    const bus = new Bus(signal, 4);
    const abort = new AbortController();
    let isDone = false;
    void bus.run(5, signal, () => new Promise<Outcome>(() => {}));
    const waiting = bus.run(5, abort.signal, async () => {
      isDone = true;
      return ACKED;
    });
    abort.abort();
    expect(await waiting).toMatchObject({ kind: "failed", reason: "timeout" });
    expect(isDone).toBe(false);
  });

  test("everything ends when the radio does", async () => {
    const stop = new AbortController();
    const bus = new Bus(stop.signal, 4);
    const never = () => new Promise<Outcome>(() => {});
    const ends = [bus.run(5, signal, never), bus.run(5, signal, never)];
    stop.abort();
    const outcomes = await Promise.all(ends);
    expect(outcomes.map((outcome) => outcome.kind === "failed" && outcome.reason)).toEqual(["not-ready", "not-ready"]);
    expect(await bus.run(5, signal, never)).toMatchObject({ reason: "not-ready" });
  });
});

describe("a report", () => {
  test("about the value that a command moves shows its effect, until it is there", () => {
    const attribution = new Attribution(() => 0);
    attribution.expect(5, "lamp", "c1", 50);
    expect(attribution.causeOf(5, "lamp", 20)).toEqual({ cause: "ack", commandId: "c1" });
    expect(attribution.causeOf(6, "lamp", 50)).toEqual({ cause: "report" });
    expect(attribution.causeOf(5, "lamp", 50)).toEqual({ cause: "ack", commandId: "c1" });
    expect(attribution.causeOf(5, "lamp", 50)).toEqual({ cause: "ack", commandId: "c1" });
    expect(attribution.causeOf(5, "lamp", 0)).toEqual({ cause: "report" });
  });

  test("a minute later is the device's own doing", () => {
    let nowMs = 0;
    const attribution = new Attribution(() => nowMs);
    attribution.expect(5, "lamp", "c1", 50);
    nowMs = 60_001;
    expect(attribution.causeOf(5, "lamp", 20)).toEqual({ cause: "report" });
  });

  test("after a command that failed is the device's own doing", () => {
    const attribution = new Attribution(() => 0);
    attribution.expect(5, "lamp", "c1", 50);
    attribution.forget(5, "lamp", "c1");
    expect(attribution.causeOf(5, "lamp", 50)).toEqual({ cause: "report" });
  });

  test("during a query of the device counts as its answer, for this device alone", async () => {
    const attribution = new Attribution(() => 0);
    await attribution.asking(5, async () => {
      expect(attribution.causeOf(5, "lamp", 1)).toEqual({ cause: "query" });
      expect(attribution.causeOf(6, "other", 1)).toEqual({ cause: "report" });
    });
    expect(attribution.causeOf(5, "lamp", 1)).toEqual({ cause: "report" });
  });
});

test("a device that does not answer is queried after a minute, then after twice that, at most every hour", async () => {
  const clock = new VirtualClock(0);
  const asked: number[] = [];
  const dead = new DeadNodes(clock, 3_600_000, async () => asked.push(clock.now() / 60_000));
  dead.lost(5);
  await clock.advance(5 * 3_600_000);
  expect(asked).toEqual([1, 3, 7, 15, 31, 63, 123, 183, 243]);
  dead.back(5);
  await clock.advance(5 * 3_600_000);
  expect(asked).toHaveLength(9);
});

describe("the outcome of a command", () => {
  test.each([
    [255, "acked"],
    [1, "acked"],
    [254, "sent"],
    [2, "failed"],
    [0, "failed"],
    [5, "failed"],
    [77, "failed"],
  ])("status %i is %s", (status, kind) => {
    expect(outcomeOfStatus(status).kind).toBe(kind);
  });

  test("nothing confirms what a device cannot supervise", () => {
    expect(outcomeOfSupervision(undefined).kind).toBe("sent");
  });
});

describe("the network's cache", () => {
  const options = {
    enableTimestamps: true,
    serializer: (_key: string, value: Uint8Array) => Buffer.from(value).toString("hex"),
    reviver: (_key: string, value: unknown) => new Uint8Array(Buffer.from(String(value), "hex")),
  };

  test("finds after a restart what it was given, with its time", async () => {
    const store = memoryStore();
    const before = createNetworkCache(store, () => 1000).createInstance<Uint8Array>("/any/d0.values.jsonl", options);
    await before.open();
    before.set("a", Uint8Array.of(1, 2));
    before.set("gone", Uint8Array.of(3));
    before.delete("gone");
    await before.close();
    const after = createNetworkCache(store, () => 2000).createInstance<Uint8Array>("d0.values.jsonl", options);
    await after.open();
    expect([...after.entries()]).toEqual([["a", Uint8Array.of(1, 2)]]);
    expect(after.getTimestamp("a")).toBe(1000);
    after.set("a", Uint8Array.of(4), false);
    expect(after.getTimestamp("a")).toBe(1000);
  });

  test("keeps networks and their parts apart, and clears its own alone", async () => {
    const factory = createNetworkCache(memoryStore(), () => 0);
    const [one, other] = [
      factory.createInstance<number>("d0.jsonl"),
      factory.createInstance<number>("d0.values.jsonl"),
    ];
    one.set("a", 1);
    other.set("a", 2);
    one.clear();
    expect([one.size, other.get("a")]).toEqual([0, 2]);
  });

  test("keeps no user code", async () => {
    const store = memoryStore();
    const cache = createNetworkCache(store, () => 0).createInstance<string>("d0.values.jsonl");
    const key = '{"nodeId":5,"commandClass":99,"endpoint":0,"property":"userCode","propertyKey":3}';
    cache.set(key, "824613");
    expect(cache.get(key)).toBe("824613");
    expect(store.keys()).toEqual([]);
  });
});

test("keys are made once, each its own", () => {
  const place = { store: memoryStore(), randomness: seededRandomness(1) };
  const first = securityKeys(place);
  const again = securityKeys(place);
  expect(again).toEqual(first);
  const all = [...Object.values(first.classic), ...Object.values(first.longRange)].map((key) => key.join());
  expect(new Set(all).size).toBe(6);
});

describe("the nodes that were declared before", () => {
  const siren = { name: "ZW 005 Siren", shapeId: "UZW01" };
  const told = { homeId: 7, nodes: { ZW005_1: siren } };

  test.each([
    [told, 7, [["ZW005_1", siren]]],
    [told, 8, []],
    ["broken", 7, []],
    [{ homeId: 7, nodes: { ZW006_1: "Siren", ZW005_1: siren } }, 7, [["ZW005_1", siren]]],
  ])("%#", (kept, homeId, nodes) => {
    const store = memoryStore();
    store.set("told", kept);
    expect([...declaredBefore(store, homeId)]).toEqual(nodes);
  });
});

describe("an adapter that cannot be opened", () => {
  const tty = "/dev/ttyACM0";

  test.each([
    ["Failed to open the serial port: Error: No such file or directory, cannot open /dev/ttyACM0", tty, "There is no"],
    ["Failed to open the serial port: Error: Permission denied, cannot open /dev/ttyACM0", tty, "group dialout"],
    ["Failed to open the serial port: Error Resource temporarily unavailable Cannot lock port", tty, "another process"],
    ["Error: Inappropriate ioctl for device setting custom baud rate of 115200", tty, "is not a serial port"],
    ["connect ECONNREFUSED 10.0.0.9:5555", "tcp://10.0.0.9:5555", "Nothing listens"],
    ["getaddrinfo ENOTFOUND attic.local", "tcp://attic.local:5555", "is unknown"],
    [
      "Failed to initialize the driver: ZWaveError: Timeout\n    at Driver.x (file:///y.js:1:2)",
      tty,
      "does not answer",
    ],
  ])("%s", (said, port, expected) => {
    const { message } = startFailure(port, new Error(said));
    expect([message.includes(expected), message.includes(port), message.includes("file:")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("an unexpected error is reported without its stack", () => {
    const said = new Error("Something odd (ZW0100)\n    at Driver.x (file:///y.js:1:2)");
    expect(startFailure(tty, said).message).toBe("Something odd (ZW0100)");
  });
});

describe("the adapters of the settings", () => {
  const none = parseConfig({ data: "data" });
  const wantedZWave = (config: Config) =>
    wantedBy({ ...config, twin: false }, [zwaveType(config, createLog("silent"), new VirtualClock(0))]);

  test.each([
    [none, []],
    [{ ...none, zwavePort: "/dev/ttyACM0" }, ["zwave"]],
    [{ ...none, zwave2Port: "tcp://10.0.0.9:5555" }, ["zwave2"]],
    [{ ...none, zwavePort: "tcp://[::1]:5555", zwave2Port: "COM3" }, ["zwave", "zwave2"]],
  ])("%#", (config, names) => {
    expect(wantedZWave(config).map(({ id }) => id)).toEqual(names);
  });

  test.each(["ttyACM0", "http://10.0.0.9", "tcp://host", "/dev/tty ACM0"])("%s is no port", (zwavePort) => {
    expect(() => wantedZWave({ ...none, zwavePort })).toThrow("zwavePort");
  });

  test("a region that there is not keeps the service from starting", () => {
    const adapter = { ...none, zwavePort: "/dev/ttyACM0" };
    expect(() => wantedZWave({ ...adapter, zwaveRegion: "Atlantis" })).toThrow(
      "zwaveRegion must be one of Europe, USA,",
    );
    expect(wantedZWave({ ...adapter, zwaveRegion: "europe (long range)" })[0]?.settings.region).toBe(
      "Europe (Long Range)",
    );
  });
});
