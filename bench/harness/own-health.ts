/** Watches the process that measures: a generator whose event loop pauses measures its own pauses. */

import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { machineSeconds } from "./process-figures.ts";

export type Health = {
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly collections: number;
  readonly collectingMs: number;
  readonly longestCollectionMs: number;
  /** Share of one core that the process took, 0 … 1 and more when several threads worked. */
  readonly cores: number;
  /**
   * The same for all processes of the machine. The part that is neither ours nor the server's comes from other
   * programs.
   */
  readonly machineCores: number;
};

const RESOLUTION_MS = 1;

/** @returns a function that ends the watch and returns the result. */
export function watchOwnHealth(): () => Health {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const pauses: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) pauses.push(entry.duration);
  });
  observer.observe({ entryTypes: ["gc"] });
  delay.enable();
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const startMachine = machineSeconds();
  return () => {
    delay.disable();
    for (const entry of observer.takeRecords()) pauses.push(entry.duration);
    observer.disconnect();
    const cpu = process.cpuUsage(startCpu);
    const seconds = (performance.now() - startMs) / 1000;
    return {
      // The histogram holds the spacing of its own timer; what is beyond it is delay.
      loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS),
      loopDelayMaxMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      collections: pauses.length,
      collectingMs: pauses.reduce((sum, ms) => sum + ms, 0),
      longestCollectionMs: Math.max(0, ...pauses),
      cores: (cpu.user + cpu.system) / 1e6 / seconds,
      machineCores: (machineSeconds() - startMachine) / seconds,
    };
  };
}
