/**
 * Memory and processor time of a process, from Linux. On other systems the figures are NaN and the table shows a
 * dash.
 */

import { readdirSync, readFileSync } from "node:fs";

/** Kernel ticks of a second in /proc; 100 on every common build of Linux. */
const TICKS_PER_SECOND = 100;
const UTIME = 11;

/** Megabytes, of 2^20 bytes as everywhere for memory, that the process keeps in memory. */
export function residentMb(pid: number): number {
  const rollup = readProc(`${pid}/smaps_rollup`) ?? readProc(`${pid}/status`) ?? "";
  const kilobytes = /^(?:Rss|VmRSS):\s+(\d+) kB/m.exec(rollup)?.[1];
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1024;
}

/** As `residentMb`, good to a megabyte: walking the pages for the exact figure holds up a process with many of them. */
export function roughlyResidentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(`${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1024;
}

/**
 * Resident megabytes without those of files: the memory of the process itself. The rest is pages of the Node program.
 */
export function anonymousMb(pid: number): number {
  const kilobytes = /^Anonymous:\s+(\d+) kB/m.exec(readProc(`${pid}/smaps_rollup`) ?? "")?.[1];
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1024;
}

/** Files, sockets and timers of the kernel that the process has open. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

/** Seconds of processor time of all its threads until now. */
export function processorSeconds(pid: number): number {
  return secondsIn(`${pid}/stat`);
}

/** The same for its main thread alone. Unlike a latency, it does not depend on what else the machine does. */
export function mainThreadSeconds(pid: number): number {
  return secondsIn(`${pid}/task/${pid}/stat`);
}

function secondsIn(file: string): number {
  const stat = readProc(file);
  if (stat === null) return Number.NaN;
  // The name in parentheses may hold spaces, so fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) / TICKS_PER_SECOND;
}

/** Seconds of processor time of the whole machine since it booted. */
export function machineSeconds(): number {
  const fields =
    /^cpu +(.*)$/m
      .exec(readProc("stat") ?? "")?.[1]
      ?.split(" ")
      .map(Number) ?? [];
  const [user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields;
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

function readProc(name: string): string | null {
  try {
    return readFileSync(`/proc/${name}`, "utf8");
  } catch {
    return null;
  }
}
