/**
 * The processes of plugins, as Linux lists them. The environment of each holds the directory of its plugin, so that a process that left
 * the process group of its plugin is found, too. Empty where the system has no /proc.
 */

import { readdir, readFile, realpath } from "node:fs/promises";

export type ProcessFigures = {
  readonly pid: number;
  readonly cpuMs: number;
  /** Of its children that have ended, if it waited for their end. */
  readonly endedCpuMs: number;
  readonly memoryBytes: number;
  readonly openFiles: number;
  /** Since its start, to files and sockets. */
  readonly writtenBytes: number;
};

type Known = { readonly startedAt: string; readonly directory: string | null };

const MARK = "PLUGIN_DIRECTORY";
/** Linux counts CPU time in hundredths of a second for every program. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat behind the name of the program. */
const GROUP = 2;
const CPU_TICKS = [11, 12];
const ENDED_CPU_TICKS = [13, 14];
const STARTED_AT = 19;

/** Variables for the environment of every process of a plugin. */
export async function markOf(directory: string): Promise<Readonly<Record<string, string>>> {
  return { [MARK]: await realpath(directory) };
}

/** Ends the processes of a plugin that its process group does not hold, or that a controller before this one left behind. */
export async function endLeftProcesses(directory: string): Promise<void> {
  const mark = await realpath(directory).catch(() => directory);
  // A process may start another one while it is being ended.
  for (let rounds = 0; rounds < 5; rounds += 1) {
    const pids = await processIds();
    const owners = await Promise.all(pids.map(async (pid) => ({ pid, directory: await directoryOf(pid) })));
    const left = owners.filter((each) => each.directory === mark);
    if (left.length === 0) return;
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}

export class ProcessTable {
  #known = new Map<number, Known>();

  /**
   * @param groups directories of plugins by their process group, for processes whose environment the system hides
   * @returns the processes by the directory of their plugin.
   */
  async read(groups: ReadonlyMap<number, string>): Promise<ReadonlyMap<string, readonly ProcessFigures[]>> {
    const found = new Map<string, ProcessFigures[]>();
    const known = new Map<number, Known>();
    const ownStart = Number((await statOf("self"))[STARTED_AT]);
    for (const pid of await processIds()) {
      const fields = await statOf(pid);
      const startedAt = fields[STARTED_AT] ?? "";
      const before = this.#known.get(pid);
      const marked = before?.startedAt === startedAt ? before.directory : await directoryOf(pid);
      // While a new process becomes another program, its environment is empty, or still that of the controller.
      if (marked !== null || Number(startedAt) < ownStart) known.set(pid, { startedAt, directory: marked });
      const directory = marked ?? groups.get(Number(fields[GROUP]));
      if (directory === undefined) continue;
      const msOf = (places: readonly number[]) => sum(places.map((at) => Number(fields[at] ?? 0))) * TICK_MS;
      const times = { cpuMs: msOf(CPU_TICKS), endedCpuMs: msOf(ENDED_CPU_TICKS) };
      found.set(directory, [...(found.get(directory) ?? []), { pid, ...times, ...(await figuresOf(pid)) }]);
    }
    this.#known = known;
    return found;
  }
}

/**
 * CPU time between two readings, never negative. What a child used until the reading before is counted already when its parent,
 * after its end, shows it as its own; a child without a parent that waits for it shows nothing any more.
 */
export function cpuMsBetween(before: readonly ProcessFigures[], now: readonly ProcessFigures[]): number {
  const known = new Map(before.map((each) => [each.pid, each]));
  const own = sum(now.map(({ pid, cpuMs }) => Math.max(0, cpuMs - (known.get(pid)?.cpuMs ?? 0))));
  const ended = sum(now.map(({ pid, endedCpuMs }) => Math.max(0, endedCpuMs - (known.get(pid)?.endedCpuMs ?? 0))));
  const living = new Set(now.map(({ pid }) => pid));
  const counted = sum(before.filter(({ pid }) => !living.has(pid)).map((each) => each.cpuMs + each.endedCpuMs));
  return own + Math.max(0, ended - counted);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

async function figuresOf(pid: number): Promise<Omit<ProcessFigures, "pid" | "cpuMs" | "endedCpuMs">> {
  const status = await readText(`/proc/${pid}/status`);
  const io = await readText(`/proc/${pid}/io`);
  return {
    memoryBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
    openFiles: (await readdir(`/proc/${pid}/fd`).catch(() => [])).length,
    writtenBytes: Number(/^wchar: (\d+)/m.exec(io)?.[1] ?? 0),
  };
}

async function statOf(pid: number | "self"): Promise<readonly string[]> {
  const stat = await readText(`/proc/${pid}/stat`);
  // The name of the program is in brackets and may contain anything.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

async function processIds(): Promise<readonly number[]> {
  return (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
}

async function directoryOf(pid: number): Promise<string | null> {
  const variable = (await readText(`/proc/${pid}/environ`)).split("\0").find((each) => each.startsWith(`${MARK}=`));
  return variable?.slice(MARK.length + 1) ?? null;
}

/** "" for a process that has ended, or of another user. */
function readText(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}
