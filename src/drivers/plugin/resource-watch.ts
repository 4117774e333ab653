/**
 * Measures what the processes of all plugins take, and reports the plugin that takes more than it may. A plugin is measured with
 * everything that its process has started.
 */

import { readdir, readFile } from "node:fs/promises";
import type { Clock, Timer } from "../../util/clock.ts";
import type { PluginUsage } from "../plugin-port.ts";

export type ResourceLimits = {
  readonly pluginMemoryMaxMiB: number;
  readonly pluginsMemoryMaxMiB: number;
  readonly pluginCpuMaxPercent: number;
  readonly pluginCpuWindowMs: number;
};

export type Watched = {
  /** Also of its process group. */
  readonly pid: number;
  /** While a plugin starts, it may compute for longer. */
  isStarting(): boolean;
  /** @param reason a sentence. The plugin is no longer watched. */
  exceeded(reason: string): void;
};

export type Watch = { readonly usage: PluginUsage; end(): void };

const CHECK_MS = 2000;
/** A start may compute for so many windows. */
const START_WINDOWS = 4;
/** The first sample comes some time after the start: such a part of a window is enough. */
const WINDOW_SHARE = 0.75;
const MIB = 1_048_576;
/** Linux counts CPU time in hundredths of a second for every program. */
const TICK_MS = 10;

type Sample = { readonly atMs: number; readonly cpuMs: number };
type Entry = { readonly watched: Watched; samples: Sample[]; wasStarting: boolean; usage: PluginUsage };
type Group = { cpuMs: number; memoryBytes: number };

export class ResourceWatch {
  readonly #clock: Clock;
  readonly #limits: ResourceLimits;
  readonly #entries = new Set<Entry>();
  #timer: Timer | null = null;

  constructor(clock: Clock, limits: ResourceLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  watch(watched: Watched): Watch {
    const entry: Entry = { watched, samples: [], wasStarting: true, usage: { memoryMiB: 0, cpuPercent: 0 } };
    this.#entries.add(entry);
    this.#timer ??= this.#clock.setTimer(() => void this.#check(), CHECK_MS);
    return {
      get usage() {
        return entry.usage;
      },
      end: () => void this.#entries.delete(entry),
    };
  }

  async #check(): Promise<void> {
    const groups = await readGroups(new Set([...this.#entries].map(({ watched }) => watched.pid)));
    // CPU time passes in real time, independent of the controller's clock.
    const atMs = performance.now();
    for (const entry of this.#entries) {
      const group = groups.get(entry.watched.pid);
      if (group) this.#note(entry, { atMs, cpuMs: group.cpuMs }, group.memoryBytes);
    }
    for (const entry of [...this.#entries]) {
      const reason = this.#reasonOf(entry);
      if (reason !== null) this.#exceed(entry, reason);
    }
    this.#limitSum();
    this.#timer = this.#entries.size > 0 ? this.#clock.setTimer(() => void this.#check(), CHECK_MS) : null;
  }

  /** Keeps the samples of the longest window. */
  #note(entry: Entry, sample: Sample, memoryBytes: number): void {
    const isStarting = entry.watched.isStarting();
    // CPU time of the start does not count any more.
    if (entry.wasStarting && !isStarting) entry.samples = [];
    entry.wasStarting = isStarting;
    const { samples } = entry;
    const since = sample.atMs - this.#windowMs(entry);
    samples.push(sample);
    while ((samples[1]?.atMs ?? since) < since) samples.shift();
    const first = samples[0] ?? sample;
    const spanMs = sample.atMs - first.atMs;
    const cpuPercent = spanMs <= 0 ? 0 : Math.round(((sample.cpuMs - first.cpuMs) * 100) / spanMs);
    entry.usage = { memoryMiB: Math.round(memoryBytes / MIB), cpuPercent };
  }

  #windowMs({ watched }: Entry): number {
    return this.#limits.pluginCpuWindowMs * (watched.isStarting() ? START_WINDOWS : 1);
  }

  #reasonOf(entry: Entry): string | null {
    const { pluginMemoryMaxMiB, pluginCpuMaxPercent } = this.#limits;
    const { memoryMiB, cpuPercent } = entry.usage;
    if (memoryMiB > pluginMemoryMaxMiB) {
      return `The plugin took ${memoryMiB} MiB of memory; it may have ${pluginMemoryMaxMiB} (pluginMemoryMaxMiB).`;
    }
    const [first, last] = [entry.samples[0], entry.samples.at(-1)];
    const spanMs = first && last ? last.atMs - first.atMs : 0;
    if (spanMs < this.#windowMs(entry) * WINDOW_SHARE || cpuPercent <= pluginCpuMaxPercent) return null;
    return `The plugin used ${cpuPercent} % of a processor for ${Math.round(spanMs / 1000)} seconds; it may use ${pluginCpuMaxPercent} % (pluginCpuMaxPercent).`;
  }

  /** All plugins together take too much: the largest one has to go. */
  #limitSum(): void {
    const { pluginsMemoryMaxMiB: maxMiB } = this.#limits;
    const entries = [...this.#entries].sort((a, b) => b.usage.memoryMiB - a.usage.memoryMiB);
    const sumMiB = entries.reduce((sum, { usage }) => sum + usage.memoryMiB, 0);
    const [largest] = entries;
    if (!largest || sumMiB <= maxMiB) return;
    this.#exceed(
      largest,
      `All plugins together took ${sumMiB} MiB of memory; they may have ${maxMiB} (pluginsMemoryMaxMiB), and this one took the most.`,
    );
  }

  #exceed(entry: Entry, reason: string): void {
    this.#entries.delete(entry);
    entry.watched.exceeded(reason);
  }
}

/** CPU time and memory by process group; empty where the system does not report them. */
async function readGroups(wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, Group>> {
  const groups = new Map<number, Group>();
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
    // The name of the program is in brackets and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const groupId = Number(fields[2]);
    if (!wanted.has(groupId)) continue;
    const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    const group = groups.get(groupId) ?? { cpuMs: 0, memoryBytes: 0 };
    // With the time of its children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
    groups.set(groupId, { cpuMs: group.cpuMs + ticks * TICK_MS, memoryBytes: group.memoryBytes + kilobytes * 1024 });
  }
  return groups;
}
