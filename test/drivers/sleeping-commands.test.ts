/** Commands that wait for a sleeping device, as every driver with such devices keeps them. */

import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/drivers/command.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import { parseWaiting, type SleepingCommand, SleepingCommands } from "../../src/drivers/sleeping-commands.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "./recording-host.ts";

const ACKED: Outcome = { kind: "acked" };
const NOT_READY: Outcome = { kind: "failed", reason: "not-ready", detail: "It does not run.", retryable: true };

describe("commands that wait for a sleeping device", () => {
  const KEEP_MS = 60_000;
  const waiting = (id: string, more: Partial<SleepingCommand> = {}): SleepingCommand => ({
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
    const perform = ({ id }: SleepingCommand) => {
      sent.push(id);
      return outcome ? Promise.resolve(outcome) : new Promise<Outcome>(() => {});
    };
    const sleepers = new SleepingCommands({ host, stored: "waiting 7 ", max: 2, keepMs: KEEP_MS, perform });
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

  test("end when the device leaves, and by themselves when it does not wake", async () => {
    const clock = new VirtualClock(0);
    const { sleepers, sent, host } = service(memoryStore(), ACKED, clock);
    await sleepers.queue(waiting("a"));
    sleepers.removed(mine);
    await sleepers.queue(waiting("b"));
    await clock.advance(KEEP_MS - 1);
    expect(host.settlements).toHaveLength(1);
    await clock.advance(1);
    const reasons = host.settlements.map(({ outcome }) => outcome.kind === "failed" && outcome.reason);
    expect([reasons, sent, host.store.keys()]).toEqual([["unreachable", "timeout"], [], []]);
    expect((await sleepers.queue(waiting("c", { atMs: clock.now() }))).kind).toBe("queued");
  });

  test("of an earlier run end at their time, and after a stop nothing ends", async () => {
    const clock = new VirtualClock(0);
    const store = memoryStore();
    const before = service(store, ACKED, clock);
    await before.sleepers.queue(waiting("a"));
    before.sleepers.stop();
    await clock.advance(KEEP_MS / 2);
    const after = service(store, ACKED, clock);
    after.sleepers.restore();
    await clock.advance(KEEP_MS / 2);
    expect([before.ends(), after.ends()]).toEqual([
      [],
      [
        ["a", "queued"],
        ["a", "failed"],
      ],
    ]);
  });

  test("stays for the next start when the transport goes, and in the store of its own network", async () => {
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

  test("that the transport had accepted when the device fell asleep end with it; the next service does not send them twice", async () => {
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
