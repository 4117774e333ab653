/**
 * The files of a plugin's directory. Its process can put a pipe, a device or a link in the place of any of them. Reading a pipe or
 * a device might never end, and a link might lead to the controller's own files.
 */

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Opening a pipe does not wait for its other end. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** @returns a regular file of the directory, also behind a link within it, which the caller closes; null without one */
export async function openOwnFile(directory: string, name: string): Promise<FileHandle | null> {
  const start = `${await realpath(directory)}${sep}`;
  const path = await realpath(join(directory, name)).catch(() => "");
  const file = await open(path, READ).catch(() => null);
  if (!file) return null;
  // Linux names the file that was opened: a folder of the path may have become a link meanwhile.
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
  if (opened.startsWith(start) && (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

/** @returns null without such a file, and for one that is longer */
export async function readOwnFile(directory: string, name: string, bytesMax: number): Promise<string | null> {
  const file = await openOwnFile(directory, name);
  if (!file) return null;
  try {
    const { size } = await file.stat();
    if (size > bytesMax) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}

/** Replaces what is in its place. While no process of the plugin runs. */
export async function writeOwnFile(directory: string, name: string, text: string, mode = 0o644): Promise<void> {
  const path = join(directory, name);
  const folder = dirname(path);
  const isOwn = (await realpath(folder).catch(() => "")) === dirname(join(await realpath(directory), name));
  if (!isOwn) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await rm(path, { recursive: true, force: true });
  await writeFile(path, text, { mode, flag: "wx" });
}
