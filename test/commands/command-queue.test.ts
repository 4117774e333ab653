/** Order, limits and deadlines of commands to devices. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCommandQueue, Slots } from "../../src/commands/command-queue.ts";
import { parseConfig } from "../../src/config.ts";
import type { ControllerError } from "../../src/errors.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { codeOf, settle } from "./command-services.ts";

function createQueue(settings = {}) {
  const config = parseConfig(settings);
  const clock = new VirtualClock(0);
  return { queue: createCommandQueue({ config, clock }), clock, config };
}

const messageOf = (work: Promise<unknown>) => work.catch((error: ControllerError) => `${error.code}: ${error.message}`);
const forever = () => new Promise<never>(() => {});

describe("order", () => {
  test("a node gets one thing at a time, in order; nodes do not wait for each other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ node: fc.nat(3), delayMs: fc.nat(50) }), { maxLength: 40 }),
        async (works) => {
          const { queue, clock } = createQueue();
          const begun: number[][] = [[], [], [], []];
          const underWay = [0, 0, 0, 0];
          let most = 0;
          const all = works.map(({ node, delayMs }, index) =>
            queue.run(String(node), async () => {
              begun[node]?.push(index);
              underWay[node] = (underWay[node] ?? 0) + 1;
              most = Math.max(most, underWay[node]);
              await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs));
              underWay[node] -= 1;
            }),
          );
          await clock.advance(5000);
          await Promise.all(all);
          const expected = begun.map((_, node) => works.flatMap((work, index) => (work.node === node ? [index] : [])));
          expect(begun).toEqual(expected);
          expect(most).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("work that fails lets the next one begin", async () => {
    const { queue } = createQueue();
    const first = queue.run("a", () => {
      throw new Error("before its first await");
    });
    const second = queue.run("a", async () => 2);
    await expect(first).rejects.toThrow("before its first await");
    await expect(second).resolves.toBe(2);
  });
});

describe("limits", () => {
  test("a full node refuses; the others do not", async () => {
    const { queue } = createQueue({ nodeQueueMax: 2 });
    const [, ...waiting] = [1, 2, 3].map(() => codeOf(queue.run("a", forever)));
    expect(await codeOf(queue.run("a", forever))).toBe("QUEUE_FULL");
    expect(await queue.run("b", async () => 1)).toBe(1);
    queue.stop();
    expect(await Promise.all(waiting)).toEqual(["DRIVER_UNAVAILABLE", "DRIVER_UNAVAILABLE"]);
  });

  test("the deadline counts from acceptance: what waited too long is never begun", async () => {
    const { queue, clock, config } = createQueue();
    const begun: string[] = [];
    const stuck = messageOf(queue.run("a", forever));
    const late = messageOf(queue.run("a", async () => void begun.push("late")));
    await clock.advance(config.commandDeadlineMs - 1);
    const fresh = queue.run("a", async () => void begun.push("fresh"));
    await clock.advance(1);
    expect([await stuck, await late]).toEqual([
      "DEVICE_TIMEOUT: The device did not answer in time.",
      "DEVICE_TIMEOUT: The device was busy with earlier commands until the deadline; this one was not sent.",
    ]);
    await fresh;
    expect(begun).not.toContain("late");
  });

  test("work that ends after its deadline changes nothing for what came after it", async () => {
    const { queue, clock, config } = createQueue();
    const [late, next] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    const first = codeOf(queue.run("a", () => late.promise));
    await clock.advance(config.commandDeadlineMs);
    expect(await first).toBe("DEVICE_TIMEOUT");
    const second = queue.run("a", () => next.promise);
    late.resolve();
    await settle();
    expect(queue.lengthOf("a")).toBe(1);
    next.resolve(2);
    expect([await second, queue.lengthOf("a")]).toEqual([2, 0]);
  });

  test("the caller can withdraw what waits, not what is under way", async () => {
    const { queue } = createQueue();
    const caller = new AbortController();
    const gate = Promise.withResolvers<number>();
    const underWay = queue.run("a", () => gate.promise, caller.signal);
    const waiting = codeOf(queue.run("a", forever, caller.signal));
    caller.abort();
    expect(await waiting).toBe("DEVICE_TIMEOUT");
    gate.resolve(1);
    expect(await underWay).toBe(1);
    expect(await codeOf(queue.run("a", forever, caller.signal))).toBe("DEVICE_TIMEOUT");
  });

  test("stopping settles everything, notifies the work, and refuses more", async () => {
    const { queue } = createQueue();
    const told = Promise.withResolvers<void>();
    const listening = (signal: AbortSignal) => {
      signal.addEventListener("abort", () => told.resolve());
      return forever();
    };
    const works = [codeOf(queue.run("a", listening)), codeOf(queue.run("a", forever)), codeOf(queue.run("b", forever))];
    queue.stop();
    expect(await Promise.all(works)).toEqual(["DRIVER_UNAVAILABLE", "DRIVER_UNAVAILABLE", "DRIVER_UNAVAILABLE"]);
    await told.promise;
    expect([queue.stopping.aborted, await codeOf(queue.run("a", forever))]).toEqual([true, "DRIVER_UNAVAILABLE"]);
  });

  test("stopping forgets the questions and firings that wait", async () => {
    const { queue } = createQueue();
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    for (const [name, slots] of Object.entries({ queries: queue.queries, fires: queue.fires })) {
      // More than there are slots of either kind.
      for (let count = 0; count < 20; count += 1) {
        slots.run(null, () => {
          begun.push(name);
          return gate.promise;
        });
      }
    }
    const before = begun.length;
    expect(before).toBeLessThan(40);
    queue.stop();
    gate.resolve();
    await settle();
    await settle();
    expect(begun).toHaveLength(before);
  });
});

describe("slots", () => {
  test("as many at once as there are slots, the rest in order", async () => {
    const slots = new Slots(2, 10);
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const begun: number[] = [];
    gates.forEach((gate, index) => {
      slots.run(null, () => {
        begun.push(index);
        return gate.promise;
      });
    });
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
  });

  test("a key that is waiting or under way is taken once, and again afterwards", async () => {
    const slots = new Slots(1, 10);
    const turns: number[] = [];
    const turn = async () => void turns.push(1);
    slots.run("a", turn);
    slots.run("a", turn);
    await settle();
    slots.run("a", turn);
    await settle();
    expect(turns).toHaveLength(2);
  });

  test("too many waiting is refused; stopping forgets those who wait", async () => {
    const slots = new Slots(1, 1);
    const gate = Promise.withResolvers<void>();
    const late: number[] = [];
    slots.run(null, () => gate.promise);
    slots.run(null, async () => void late.push(1));
    expect(() => slots.run(null, async () => {})).toThrow("waiting");
    slots.stop();
    gate.resolve();
    await settle();
    expect(late).toEqual([]);
  });
});
