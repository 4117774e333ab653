/** The parts of the driver by themselves: whose turn it is, what a report shows, how the network is kept. */

import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { Outcome } from "../../../src/drivers/command.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { Attribution } from "../../../src/drivers/zwave/attribution.ts";
import { declaredBefore } from "../../../src/drivers/zwave/declared-before.ts";
import { DeadNodes } from "../../../src/drivers/zwave/events.ts";
import { wantedZWave } from "../../../src/drivers/zwave/integration-type.ts";
import { createNetworkCache } from "../../../src/drivers/zwave/network-cache.ts";
import { securityKeys } from "../../../src/drivers/zwave/security-keys.ts";
import { Bus } from "../../../src/drivers/zwave/sending/bus.ts";
import { ACKED, NOT_READY, outcomeOfStatus, outcomeOfSupervision } from "../../../src/drivers/zwave/sending/outcome.ts";
import { Sleepers } from "../../../src/drivers/zwave/sending/sleepers.ts";
import { parseWaiting, type Waiting } from "../../../src/drivers/zwave/sending/waiting.ts";
import { startFailure } from "../../../src/drivers/zwave/stack.ts";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

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

describe("commands that wait for a sleeping device", () => {
  const limits = { zwaveSleeperQueueMax: 2, zwaveSleeperKeepMs: 60_000 };
  const waiting = (id: string, more: Partial<Waiting> = {}): Waiting => ({
    id,
    address: "ZW005_1",
    request: { kind: "command", command: "BEEP", parameters: [] },
    atMs: 0,
    isRepeatable: true,
    mayBeOut: false,
    ...more,
  });
  const mine = (address: string) => address.startsWith("ZW005_");

  /** A service over a store that outlives it; what goes out has no end unless `outcome` is one. */
  function service(store: ServiceStore, outcome: Outcome | null = ACKED, clock = new VirtualClock(0)) {
    const host = new RecordingHost(clock, store);
    host.writes = (address, phase, active) => void host.written.push({ address, phase, active });
    const sent: string[] = [];
    const perform = ({ id }: Waiting) => {
      sent.push(id);
      return outcome ? Promise.resolve(outcome) : new Promise<Outcome>(() => {});
    };
    const sleepers = new Sleepers({ host, homeId: 7, limits, perform });
    const ends = () => host.settlements.map(({ id, outcome }) => [id, outcome.kind]);
    return { host, sleepers, sent, ends };
  }

  test("are reported as pending, sent in order when the device wakes, and their outcomes are published", async () => {
    const { host, sleepers, sent, ends } = service(memoryStore());
    for (const id of ["a", "b"]) expect((await sleepers.queue(waiting(id))).kind).toBe("queued");
    expect(await sleepers.queue(waiting("c"))).toMatchObject({ kind: "failed", reason: "rejected" });
    await sleepers.awake((address) => address === "ZW006_1");
    expect(sent).toEqual([]);
    await sleepers.awake(mine);
    await Promise.resolve();
    expect([sent, ends()]).toEqual([
      ["a", "b"],
      [
        ["a", "acked"],
        ["b", "acked"],
      ],
    ]);
    expect(host.written.map(({ active }) => active)).toEqual([true, false]);
    expect(host.store.keys()).toEqual([]);
  });

  test("waits on in the next service, also what was under way when this one ended", async () => {
    const store = memoryStore();
    const before = service(store, null);
    await before.sleepers.queue(waiting("a"));
    await before.sleepers.awake(mine);
    const { sleepers, sent, ends } = service(store);
    sleepers.restore();
    expect([ends(), sent]).toEqual([[["a", "queued"]], []]);
    await sleepers.awake(mine);
    expect(sent).toEqual(["a"]);
  });

  test("are not repeated when they must not be: one that was interrupted by the end of the service fails with that reason", async () => {
    const store = memoryStore();
    const before = service(store, null);
    await before.sleepers.queue(waiting("a", { isRepeatable: false }));
    await before.sleepers.awake(mine);
    await before.sleepers.queue(waiting("b", { isRepeatable: false }));
    const { host, sleepers, sent } = service(store);
    sleepers.restore();
    expect(host.settlements).toMatchObject([
      { id: "a", outcome: { kind: "failed", detail: expect.stringContaining("is unknown") } },
      { id: "b", outcome: { kind: "queued" } },
    ]);
    await sleepers.awake(mine);
    expect(sent).toEqual(["b"]);
  });

  test("ends when the device leaves, and when it has waited too long", async () => {
    const clock = new VirtualClock(0);
    const { sleepers, sent, host } = service(memoryStore(), ACKED, clock);
    await sleepers.queue(waiting("a"));
    sleepers.removed(mine);
    await sleepers.queue(waiting("b"));
    await clock.advance(limits.zwaveSleeperKeepMs + 1);
    expect((await sleepers.queue(waiting("c", { atMs: clock.now() }))).kind).toBe("queued");
    expect((await sleepers.queue(waiting("d", { atMs: clock.now() }))).kind).toBe("queued");
    const reasons = host.settlements.map(({ outcome }) => outcome.kind === "failed" && outcome.reason);
    expect([reasons, sent]).toEqual([["unreachable", "timeout"], []]);
  });

  test("stays for the next start when the radio goes, and in the store of its own network", async () => {
    const store = memoryStore();
    const { sleepers, ends } = service(store, NOT_READY);
    await sleepers.queue(waiting("a"));
    await sleepers.awake(mine);
    await Promise.resolve();
    expect([ends(), store.keys()]).toEqual([[], ["waiting 7 ZW005_1"]]);
  });

  test("are answered as pending also when they cannot be stored, and the log says so", async () => {
    const store = { ...memoryStore(), saved: () => Promise.reject(new Error("The disk is full.")) };
    const { sleepers } = service(store);
    expect(await sleepers.queue(waiting("a"))).toMatchObject({
      kind: "queued",
      detail: expect.stringContaining("lost"),
    });
  });

  test("does not wait for a disk that hangs", async () => {
    const clock = new VirtualClock(0);
    const { sleepers } = service({ ...memoryStore(), saved: () => new Promise(() => {}) }, ACKED, clock);
    const answer = sleepers.queue(waiting("a"));
    await clock.advance(2000);
    expect(await answer).toMatchObject({ kind: "queued", detail: expect.stringContaining("lost") });
  });

  test("that the radio had accepted when the device fell asleep end with it; the next service does not send them twice", async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const store = memoryStore();
    const { sleepers, sent, ends } = service(store);
    expect((await sleepers.queue(waiting("a", { isRepeatable: false }), promise)).kind).toBe("queued");
    const next = service(copyOf(store));
    next.sleepers.restore();
    expect(next.ends()).toEqual([["a", "failed"]]);
    await sleepers.awake(mine);
    resolve(ACKED);
    await promise;
    expect([sent, ends()]).toEqual([[], [["a", "acked"]]]);
  });

  test("query once for any number of requests", async () => {
    const { sleepers } = service(memoryStore());
    const query = waiting("", { request: { kind: "query" } });
    for (let round = 0; round < 5; round += 1) expect((await sleepers.queue(query)).kind).toBe("queued");
    expect(sleepers.load).toEqual({ ZW005_1: 1 });
  });

  test.each([
    null,
    "broken",
    [{ id: 1 }],
    [{ ...waiting("a"), request: { kind: "parameter", parameter: { number: "7" } } }],
  ])("unreadable ones are left out: %j", (kept) => expect(parseWaiting(kept)).toEqual([]));

  test("are read under the former name of the request, too", () => {
    const { request, ...others } = waiting("a");
    expect(parseWaiting([{ ...others, wish: request }])).toMatchObject([waiting("a")]);
  });
});

/** The same in another store, with its present content. */
function copyOf(store: ServiceStore): ServiceStore {
  const copy = memoryStore();
  for (const key of store.keys()) copy.set(key, store.get(key));
  return copy;
}

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
    expect(() => wantedZWave({ ...adapter, zwaveRegion: "Atlantis" })).toThrow("zwaveRegion is one of: Europe, USA,");
    expect(wantedZWave({ ...adapter, zwaveRegion: "europe (long range)" })[0]?.settings.region).toBe(
      "Europe (Long Range)",
    );
  });
});
