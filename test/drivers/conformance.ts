/**
 * The rules for every driver and transport. A driver's own test calls `describeDriver` with a way to make one over a
 * store, and names the devices on which the rules are tested. A capability that the driver lacks is null; its tests are
 * then skipped. Links, commissioning, network and groupcast are not tested here.
 *
 * @see docs/drivers.md
 */

import { describe, expect, test } from "vitest";
import type { DriverCommand } from "../../src/drivers/command.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import { memoryStore, type RecordingHost } from "./recording-host.ts";

export type Subject = {
  readonly driver: Driver;
  readonly host: RecordingHost;
  /**
   * Lets so much of the driver's time go by. Bytes on a real socket must have arrived before the virtual clock moves;
   * otherwise the driver's deadlines pass first.
   */
  advance(spanMs: number): Promise<void>;
  /** A lamp that takes DON and DOF and reports ST. */
  readonly lamp: string;
  /** Makes the lamp deaf: commands to it are no longer answered. */
  deafen(): void;
  /** Acts like a person at the lamp's paddle; absent without a simulation. */
  readonly press: ((control: string) => void) | null;
  /** A device with a configuration parameter of each size, and a signed one. */
  readonly parameters: { readonly address: string; readonly bySize: Readonly<Record<1 | 2 | 4, number>> } | null;
  readonly lock: { readonly address: string } | null;
};

/** How long a driver may take for anything that the suite asks. */
const PATIENCE_MS = 15_000;

/** The simulated devices belong to the store: for a store that was used before, they are as the last driver left them. */
type MakeSubject = (store: ServiceStore) => Promise<Subject> | Subject;

export function describeDriver(name: string, makeSubject: MakeSubject): void {
  const started = async (store: ServiceStore = memoryStore()) => {
    const subject = await makeSubject(store);
    await finish(subject, subject.driver.start(subject.host, new AbortController().signal));
    return subject;
  };
  describe(`the ${name} driver keeps the contract`, () => {
    describeFacts(started);
    describeCommands(started, makeSubject);
    describeLifetime(name, started, makeSubject);
    describeSettings(started);
  });
}

type Started = (store?: ServiceStore) => Promise<Subject>;

function describeFacts(started: Started): void {
  test("nodes are declared before anything is reported about them, with definitions that exist", async () => {
    const { host } = await started();
    expect(host.nodes.size).toBeGreaterThan(0);
    expect(host.violations).toEqual([]);
  });

  test("values at the start are reported as restored, or as the answers of devices that were asked", async () => {
    const { host } = await started();
    expect(["restore", "query"]).toEqual(expect.arrayContaining(host.reports.map(({ cause }) => cause)));
  });

  test("a person's press is reported as a control, never as a property", async ({ skip }) => {
    const subject = await started();
    if (!subject.press) return skip("The lamp has no paddle.");
    subject.host.forget();
    subject.press("DON");
    await subject.advance(PATIENCE_MS);
    expect(subject.host.controls).toContainEqual({ address: subject.lamp, control: "DON", value: 0 });
    expect(subject.host.reports.map((report) => report.id)).not.toContain("DON");
    expect(subject.host.value(subject.lamp)).toBeGreaterThan(0);
    expect(subject.host.violations).toEqual([]);
  });
}

function describeCommands(started: Started, makeSubject: MakeSubject): void {
  test("a command ends as a success and its effect comes as a report that names it", async () => {
    const subject = await started();
    const outcome = await finish(subject, subject.driver.send(command(subject.lamp, "DON")));
    expect(["acked", "sent", "queued"]).toContain(outcome.kind);
    await subject.advance(PATIENCE_MS);
    expect(subject.host.value(subject.lamp)).toBeGreaterThan(0);
    expect(subject.host.violations).toEqual([]);
  });

  test("off is reported as zero for any stored level", async () => {
    const subject = await started();
    await finish(subject, subject.driver.send(command(subject.lamp, "DON")));
    await finish(subject, subject.driver.send(command(subject.lamp, "DOF")));
    await subject.advance(PATIENCE_MS);
    expect(subject.host.value(subject.lamp)).toBe(0);
  });

  test("each of many commands at once has exactly one end", async () => {
    const subject = await started();
    const sent = Array.from({ length: 20 }, (_, at) =>
      subject.driver.send(command(subject.lamp, at % 2 ? "DOF" : "DON")),
    );
    const outcomes = await Promise.all(sent.map((promise) => finish(subject, promise)));
    expect(outcomes.map(({ kind }) => kind)).not.toContain("failed");
  });

  test("a command that the device does not know fails as unsupported", async () => {
    const subject = await started();
    const outcome = await finish(subject, subject.driver.send(command(subject.lamp, "NOSUCH")));
    expect(outcome).toMatchObject({ kind: "failed", reason: "unsupported" });
  });

  test("a command to an unknown address fails, it does not throw", async () => {
    const subject = await started();
    const outcome = await finish(subject, subject.driver.send(command("0 0 0 9", "DON")));
    expect(outcome).toMatchObject({ kind: "failed", reason: "unreachable" });
  });

  test("a device that does not answer fails the command or times out, and changes nothing", async () => {
    const subject = await started();
    const before = subject.host.value(subject.lamp);
    subject.deafen();
    const abort = new AbortController();
    const sent = subject.driver.send(command(subject.lamp, "DON", abort.signal));
    await subject.advance(PATIENCE_MS);
    abort.abort();
    expect(await finish(subject, sent)).toMatchObject({ kind: "failed", retryable: true });
    expect(subject.host.value(subject.lamp)).toBe(before);
  });

  test("a command that was given up before it began is not done", async () => {
    const subject = await started();
    subject.host.forget();
    const outcome = await finish(subject, subject.driver.send(command(subject.lamp, "DON", AbortSignal.abort())));
    await subject.advance(PATIENCE_MS);
    expect(outcome).toMatchObject({ kind: "failed", reason: "timeout" });
    expect(subject.host.reports).toEqual([]);
  });

  test("a query is answered by reports", async () => {
    const subject = await started();
    subject.host.forget();
    const outcome = await finish(subject, subject.driver.query(subject.lamp, new AbortController().signal));
    await subject.advance(PATIENCE_MS);
    expect(outcome.kind).not.toBe("failed");
    expect(subject.host.last(subject.lamp, "ST")).toMatchObject({ cause: "query" });
  });

  test("before the start everything fails as not ready", async () => {
    const subject = await makeSubject(memoryStore());
    expect(await subject.driver.send(command(subject.lamp, "DON"))).toMatchObject({
      kind: "failed",
      reason: "not-ready",
    });
  });
}

const STARTS_AT_ONCE = /virtual|example/;

function describeLifetime(name: string, started: Started, makeSubject: MakeSubject): void {
  test("stopping settles what is under way as not ready", async () => {
    const subject = await started();
    subject.deafen();
    const sent = [
      subject.driver.send(command(subject.lamp, "DON")),
      subject.driver.query(subject.lamp, new AbortController().signal),
    ];
    await finish(subject, subject.driver.stop());
    const reasons = (await Promise.all(sent)).map((outcome) => outcome.kind === "failed" && outcome.reason);
    expect(reasons.every((reason) => reason === "not-ready" || reason === "no-ack")).toBe(true);
  });

  test("after the stop no report arrives", async () => {
    const subject = await started();
    await finish(subject, subject.driver.send(command(subject.lamp, "DON")));
    await finish(subject, subject.driver.stop());
    subject.host.forget();
    await subject.advance(600_000);
    expect([...subject.host.reports, ...subject.host.controls]).toEqual([]);
  });

  test("stopping twice is harmless", async () => {
    const { driver } = await started();
    await driver.stop();
    await expect(driver.stop()).resolves.toBeUndefined();
  });

  test("after a restart the devices are as they were", async () => {
    const store = memoryStore();
    const first = await started(store);
    const target = (first.host.value(first.lamp) ?? 0) > 0 ? "DOF" : "DON";
    await finish(first, first.driver.send(command(first.lamp, target)));
    await first.advance(PATIENCE_MS);
    const before = first.host.value(first.lamp);
    await finish(first, first.driver.stop());
    const second = await started(store);
    expect(second.host.known(second.lamp)).toBe(before);
  });

  test("what the nodes of the last run need is declared before the start, and nothing is reported as new", async ({
    skip,
  }) => {
    const store = memoryStore();
    const first = await started(store);
    await finish(first, first.driver.stop());
    const { driver, host } = await makeSubject(store);
    // Drivers that the listeners wait for declare everything when they start.
    if (STARTS_AT_ONCE.test(name)) return skip("Its start takes no time.");
    expect(driver.restore).toBeDefined();
    await driver.restore?.(host);
    const unknown = [...first.host.nodes.values()].filter(
      ({ nodeDefId, family, instance }) => !host.profile.nodedef(nodeDefId, family, instance),
    );
    expect(unknown).toEqual([]);
    expect(host.reports.filter(({ cause }) => cause !== "restore")).toEqual([]);
    expect([host.controls, host.violations]).toEqual([[], []]);
  });

  test("the same driver can be started again", async () => {
    const subject = await started();
    await finish(subject, subject.driver.stop());
    await finish(subject, subject.driver.start(subject.host, new AbortController().signal));
    expect((await finish(subject, subject.driver.send(command(subject.lamp, "DON")))).kind).not.toBe("failed");
  });
}

const ROUNDS: readonly (readonly [size: 1 | 2 | 4, value: number])[] = [
  [1, -1],
  [1, 127],
  [2, -32_768],
  [2, 1000],
  [4, -2_147_483_648],
  [4, 2_147_483_647],
];

const NO_PARAMETERS = "The driver has no parameters.";

function describeSettings(started: Started): void {
  test.for(ROUNDS)(
    "a parameter of %i bytes takes %i, gives it back, and keeps it over a restart",
    async ([size, value], { skip }) => {
      const store = memoryStore();
      const first = await started(store);
      const { parameters } = first.driver;
      if (!parameters || !first.parameters) return skip(NO_PARAMETERS);
      const { address, bySize } = first.parameters;
      const number = bySize[size];
      const { signal } = new AbortController();
      const outcome = await finish(first, parameters.set(address, { number, size, value }, signal));
      expect(outcome.kind).not.toBe("failed");
      expect(await finish(first, parameters.get(address, number, signal))).toEqual({ number, size, value });
      await finish(first, first.driver.stop());
      const second = await started(store);
      expect(await finish(second, (second.driver.parameters ?? parameters).get(address, number, signal))).toEqual({
        number,
        size,
        value,
      });
    },
  );

  test("an unknown parameter is null, and one of the wrong size is refused", async ({ skip }) => {
    const subject = await started();
    const { parameters } = subject.driver;
    if (!parameters || !subject.parameters) return skip(NO_PARAMETERS);
    const { address, bySize } = subject.parameters;
    const { signal } = new AbortController();
    expect(await finish(subject, parameters.get(address, 254, signal))).toBeNull();
    const wrong = parameters.set(address, { number: bySize[4], size: 1, value: 1 }, signal);
    expect(await finish(subject, wrong)).toMatchObject({ kind: "failed", reason: "bad-parameter" });
  });

  test("user codes are set and cleared, and stand in no log", async ({ skip }) => {
    const subject = await started();
    const { codes } = subject.driver;
    if (!codes || !subject.lock) return skip("The driver has no locks.");
    const { address } = subject.lock;
    const { signal } = new AbortController();
    expect(codes.slots(address)).toBeGreaterThan(0);
    expect(codes.slots(subject.lamp)).toBe(0);
    expect((await finish(subject, codes.set(address, 3, "824613", signal))).kind).not.toBe("failed");
    expect((await finish(subject, codes.clear(address, 3, signal))).kind).not.toBe("failed");
    expect(await finish(subject, codes.set(address, 9999, "1234", signal))).toMatchObject({ reason: "bad-parameter" });
    expect(subject.host.logLines.join("\n")).not.toContain("824613");
    expect(JSON.stringify(subject.host.reports)).not.toContain("824613");
  });
}

function command(address: string, id: string, signal: AbortSignal = new AbortController().signal): DriverCommand {
  return { id: `test-${id}`, address, command: id, parameters: [], signal };
}

/** Lets time go by until the promise has settled. */
async function finish<T>({ advance }: Pick<Subject, "advance">, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let waitedMs = 0; !isSettled && waitedMs < PATIENCE_MS; waitedMs += 100) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (!isSettled) await advance(100);
  }
  return promise;
}
