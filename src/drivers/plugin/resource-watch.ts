/**
 * Measures what the processes and directories of all plugins take, and reports the plugin that takes more than it may. A plugin is
 * measured with everything that its process has started.
 */

import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import type { Clock, Timer } from "../../util/clock.ts";
import type { PluginUsage } from "../plugin-port.ts";
import { cpuMsBetween, type ProcessFigures, ProcessTable } from "./process-table.ts";

type ResourceLimits = {
  readonly pluginProcessesMax: number;
  readonly pluginsProcessesMax: number;
  readonly pluginOpenFilesMax: number;
  readonly pluginDiskMaxMiB: number;
  readonly pluginsDiskMaxMiB: number;
  readonly pluginMemoryMaxMiB: number;
  readonly pluginsMemoryMaxMiB: number;
  readonly pluginCpuMaxPercent: number;
  readonly pluginCpuWindowMs: number;
};

type Watched = {
  /** Also of its process group. */
  readonly pid: number;
  readonly directory: string;
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
/** The directory of a plugin is measured when its processes have written so much since, or after some minutes. */
const WRITTEN_MAX = 32 * MIB;
const DISK_MS = 300_000;
const DISK_LIMIT_MS = 60_000;
const NO_USE: PluginUsage = { memoryMiB: 0, cpuPercent: 0, processes: 0, openFiles: 0, diskMiB: 0 };

type Sample = { readonly atMs: number; readonly cpuMs: number };
/** When the directory was measured, and what the processes had written then. */
type DiskMeasuring = { readonly atMs: number; readonly writtenBytes: number };
type Entry = {
  readonly watched: Watched;
  samples: Sample[];
  /** As they were at the latest sample. */
  processes: readonly ProcessFigures[];
  wasStarting: boolean;
  usage: PluginUsage;
  disk: DiskMeasuring;
};

export class ResourceWatch {
  readonly #clock: Clock;
  readonly #limits: ResourceLimits;
  readonly #entries = new Set<Entry>();
  readonly #table = new ProcessTable();
  #timer: Timer | null = null;
  #measuring: Promise<void> = Promise.resolve();

  constructor(clock: Clock, limits: ResourceLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  watch(watched: Watched): Watch {
    const disk = { atMs: Number.NEGATIVE_INFINITY, writtenBytes: 0 };
    const entry: Entry = { watched, samples: [], processes: [], wasStarting: true, usage: NO_USE, disk };
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
    const directories = new Map<Entry, string>();
    for (const entry of this.#entries) {
      const { directory } = entry.watched;
      directories.set(entry, await realpath(directory).catch(() => directory));
    }
    const groups = new Map([...directories].map(([{ watched }, directory]) => [watched.pid, directory]));
    const processes = await this.#table.read(groups);
    // CPU time passes in real time, independent of the controller's clock.
    const atMs = performance.now();
    const written: Entry[] = [];
    for (const [entry, directory] of directories) {
      const own = processes.get(directory);
      if (!own) continue;
      this.#note(entry, atMs, own);
      const disk = { atMs, writtenBytes: sumOf(own, "writtenBytes") };
      if (!isDiskDue(entry.disk, disk)) continue;
      entry.disk = disk;
      written.push(entry);
    }
    this.#measureDisk(written);
    for (const entry of [...this.#entries]) {
      const reason = this.#reasonOf(entry);
      if (reason !== null) this.#exceed(entry, reason);
    }
    this.#limitSums();
    this.#timer = this.#entries.size > 0 ? this.#clock.setTimer(() => void this.#check(), CHECK_MS) : null;
  }

  /** Keeps the samples of the longest window. */
  #note(entry: Entry, atMs: number, processes: readonly ProcessFigures[]): void {
    const sample = { atMs, cpuMs: (entry.samples.at(-1)?.cpuMs ?? 0) + cpuMsBetween(entry.processes, processes) };
    entry.processes = processes;
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
    entry.usage = {
      ...entry.usage,
      memoryMiB: Math.round(sumOf(processes, "memoryBytes") / MIB),
      cpuPercent,
      processes: processes.length,
      openFiles: Math.max(...processes.map(({ openFiles }) => openFiles)),
    };
  }

  /** One process reads them all, because a start of one takes the controller some time. The limits on the processes do not wait for it. */
  #measureDisk(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#measuring = this.#measuring.then(async () => {
      const sizes = await diskMiBOf(entries.map(({ watched }) => watched.directory));
      for (const entry of entries)
        entry.usage = { ...entry.usage, diskMiB: sizes.get(entry.watched.directory) ?? entry.usage.diskMiB };
    });
  }

  #windowMs({ watched }: Entry): number {
    return this.#limits.pluginCpuWindowMs * (watched.isStarting() ? START_WINDOWS : 1);
  }

  #reasonOf(entry: Entry): string | null {
    const { pluginMemoryMaxMiB, pluginCpuMaxPercent, ...limits } = this.#limits;
    const { memoryMiB, cpuPercent, processes, openFiles, diskMiB } = entry.usage;
    if (memoryMiB > pluginMemoryMaxMiB) {
      return `The plugin took ${memoryMiB} MiB of memory; it may have ${pluginMemoryMaxMiB} (pluginMemoryMaxMiB).`;
    }
    if (processes > limits.pluginProcessesMax) {
      return `The plugin has ${processes} processes; it may have ${limits.pluginProcessesMax} (pluginProcessesMax).`;
    }
    if (openFiles > limits.pluginOpenFilesMax) {
      return `A process of the plugin has ${openFiles} open files; it may have ${limits.pluginOpenFilesMax} (pluginOpenFilesMax).`;
    }
    if (diskMiB > limits.pluginDiskMaxMiB) {
      return `The plugin's files take ${diskMiB} MiB; they may take ${limits.pluginDiskMaxMiB} (pluginDiskMaxMiB). Delete some in ${entry.watched.directory}, or raise the limit.`;
    }
    const [first, last] = [entry.samples[0], entry.samples.at(-1)];
    const spanMs = first && last ? last.atMs - first.atMs : 0;
    if (spanMs < this.#windowMs(entry) * WINDOW_SHARE || cpuPercent <= pluginCpuMaxPercent) return null;
    return `The plugin used ${cpuPercent} % of a processor for ${Math.round(spanMs / 1000)} seconds; it may use ${pluginCpuMaxPercent} % (pluginCpuMaxPercent).`;
  }

  /** All plugins together take too much: the one that takes the most has to go. */
  #limitSums(): void {
    const { pluginsMemoryMaxMiB, pluginsProcessesMax, pluginsDiskMaxMiB } = this.#limits;
    this.#limitSum("memoryMiB", pluginsMemoryMaxMiB, "MiB of memory", "pluginsMemoryMaxMiB");
    this.#limitSum("processes", pluginsProcessesMax, "processes", "pluginsProcessesMax");
    this.#limitSum("diskMiB", pluginsDiskMaxMiB, "MiB of files", "pluginsDiskMaxMiB");
  }

  #limitSum(figure: keyof PluginUsage, max: number, unit: string, setting: string): void {
    const entries = [...this.#entries].sort((a, b) => b.usage[figure] - a.usage[figure]);
    const sum = entries.reduce((all, { usage }) => all + usage[figure], 0);
    const [largest] = entries;
    if (!largest || sum <= max) return;
    this.#exceed(
      largest,
      `All plugins together have ${sum} ${unit}; they may have ${max} (${setting}), and this one has the most.`,
    );
  }

  #exceed(entry: Entry, reason: string): void {
    this.#entries.delete(entry);
    entry.watched.exceeded(reason);
  }
}

function sumOf(processes: readonly ProcessFigures[], figure: keyof ProcessFigures): number {
  return processes.reduce((sum, each) => sum + each[figure], 0);
}

function isDiskDue(before: DiskMeasuring, now: DiskMeasuring): boolean {
  return now.atMs - before.atMs >= DISK_MS || Math.abs(now.writtenBytes - before.writtenBytes) >= WRITTEN_MAX;
}

/** A process of its own reads the directories, which may hold thousands of files. @returns those that it could read */
async function diskMiBOf(directories: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const options = { timeout: DISK_LIMIT_MS };
  // It has counted the rest where a file went away meanwhile.
  const { stdout } = await promisify(execFile)("du", ["-sk", ...directories], options).catch((error: unknown) => ({
    stdout: error instanceof Error && "stdout" in error ? String(error.stdout) : "",
  }));
  const rows = stdout.split("\n").map((row) => /^(\d+)\t(.*)$/.exec(row));
  return new Map(rows.flatMap((row) => (row ? [[row[2] ?? "", Math.round(Number(row[1]) / 1024)]] : [])));
}
