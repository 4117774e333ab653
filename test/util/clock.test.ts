import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/util/clock.ts";

const MONTH_MS = 31 * 86_400_000;

test("the machine's timer of a month waits for a month, and can be cancelled in between", () => {
  vi.useFakeTimers();
  try {
    const [kept, cancelled] = [vi.fn(), vi.fn()];
    systemClock.setTimer(kept, MONTH_MS);
    const timer = systemClock.setTimer(cancelled, MONTH_MS);
    vi.advanceTimersByTime(MONTH_MS - 1);
    expect(kept).not.toHaveBeenCalled();
    timer.cancel();
    vi.advanceTimersByTime(1);
    expect(kept).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test("the time that has passed does not follow the time of day", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  try {
    const before = systemClock.elapsed();
    vi.setSystemTime(MONTH_MS);
    expect(systemClock.now()).toBe(MONTH_MS);
    expect(systemClock.elapsed() - before).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});
