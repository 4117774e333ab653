/** The directories of plugins: archives are unpacked into them, and nothing of an archive gets outside of its own. */

import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import { withoutEnds } from "../../util/foreign-text.ts";
import { runInThread } from "../../util/thread-task.ts";
import type { PluginFolders, PluginGiven } from "../plugin-port.ts";
import { type Manifest, RUNTIMES, type Runtime, readManifest } from "./manifest.ts";
import type { UnpackTask } from "./unpack-worker.ts";

type FolderLimits = Pick<Config, "pluginUnpackedBytesMax" | "pluginInstallMs">;

/** Of the thread that unpacks. The unpacked bytes are outside of this heap. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128 };
const OWN = ".domovoi";
/** In the directory of a plugin whose installation has not ended. */
const UNFINISHED = join(OWN, "unfinished");
/** Directories in which archives are unpacked. A plugin's former files are in one of them while newer ones are put in their place. */
const STAGE = ".new-";
const UNPACKED = ".files";
const PRIVATE = 0o700;
const REMOVE_RETRIES = 5;
/** What plugins write beside their files, kept by name over an upgrade, as is the folder that their server.json names. */
const KEPT = ["logs", "persist", "config", "data", ".effectLists.json", ".netatmo.credentials"];

export function pluginFolders(root: string, limits: FolderLimits): PluginFolders {
  return {
    async unpack(archive, given) {
      const staged = await stage(root, archive, given, limits);
      const { name } = staged.manifest;
      await writeFile(join(staged.directory, UNFINISHED), "");
      const folder = await moveToNew(staged.directory, root, slug(name ?? "plugin"));
      await rm(staged.parent, { recursive: true, force: true });
      return { folder, name, keep: () => rm(join(root, folder, UNFINISHED), { force: true }) };
    },
    async replace(folder, archive, given) {
      const staged = await stage(root, archive, given, limits);
      const directory = join(root, folder);
      try {
        const { persistFolder } = staged.manifest;
        for (const name of new Set([...KEPT, ...(persistFolder === null ? [] : [persistFolder])])) {
          const from = join(directory, name);
          if (await exists(from)) await cp(from, join(staged.directory, name), { recursive: true, filter: isPlain });
        }
        await rename(directory, join(staged.parent, folder)).catch(() => {});
        await rename(staged.directory, directory);
      } finally {
        await restoreFormer(staged.parent, root, new Set([folder]));
        await rm(staged.parent, { recursive: true, force: true });
      }
    },
    // A process that is ending may still write a file meanwhile.
    remove: (folder) => rm(join(root, folder), { recursive: true, force: true, maxRetries: REMOVE_RETRIES }),
    async removeLeftovers(used) {
      for (const name of await namesIn(root)) {
        const directory = join(root, name);
        if (name.startsWith(STAGE)) await restoreFormer(directory, root, used);
        else if (used.has(name) || !(await exists(join(directory, UNFINISHED)))) continue;
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

/** @returns the name of the new directory: the given one, or `name-2` and so on if that exists. */
async function moveToNew(directory: string, root: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? name : `${name}-${number}`;
    try {
      await rename(directory, join(root, folder));
      return folder;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    }
  }
}

/** The upgrade that moved the files away did not get as far as the newer ones. */
async function restoreFormer(stage: string, root: string, used: ReadonlySet<string>): Promise<void> {
  for (const folder of await namesIn(stage)) {
    if (used.has(folder) && !(await exists(join(root, folder)))) await rename(join(stage, folder), join(root, folder));
  }
}

type Staged = { readonly parent: string; readonly directory: string; readonly manifest: Manifest };

/** Unpacked, read and made private; nothing else has changed yet. */
async function stage(root: string, archive: Uint8Array, given: PluginGiven, limits: FolderLimits): Promise<Staged> {
  await mkdir(root, { recursive: true, mode: PRIVATE });
  const parent = await mkdtemp(join(root, STAGE));
  try {
    const unpacked = join(parent, UNPACKED);
    await mkdir(unpacked);
    await unpack(archive, unpacked, limits);
    const directory = await within(unpacked);
    const runtime = RUNTIMES.find((each): each is Runtime => each === given.runtime) ?? null;
    const manifest = await readManifest(directory, { runtime, executable: given.executable });
    await mkdir(join(directory, OWN), { recursive: true });
    await chmod(directory, PRIVATE);
    return { parent, directory, manifest };
  } catch (error) {
    await rm(parent, { recursive: true, force: true });
    throw error instanceof ControllerError || isOfMachine(error) ? error : damaged(error);
  }
}

/** The disk is full or broken: not the archive's fault. */
function isOfMachine(error: unknown): boolean {
  const code = error instanceof Error ? String(Reflect.get(error, "code")) : "";
  return ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"].includes(code);
}

/** Names that clash, that no file can have, or that are too long. The text of the error holds paths. */
function damaged(cause: unknown): ControllerError {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const sentence = `The archive cannot be unpacked${typeof code === "string" ? ` (${code})` : ""}.`;
  return new ControllerError("PLUGIN_REFUSED", { sentence, cause });
}

/** In a thread, because a small archive may hold hundreds of megabytes. */
function unpack(archive: Uint8Array, directory: string, limits: FolderLimits): Promise<void> {
  const task: UnpackTask = { archive, directory, bytesMax: limits.pluginUnpackedBytesMax };
  const entry = new URL(`./unpack-worker${extname(import.meta.url)}`, import.meta.url);
  const signal = AbortSignal.timeout(limits.pluginInstallMs);
  return runInThread({ entry, task, resourceLimits: RESOURCE_LIMITS, onProgress: () => {}, signal });
}

/** Archives often hold one directory with everything in it. */
async function within(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() ? join(directory, only.name) : directory;
}

function slug(name: string): string {
  return withoutEnds(name.toLowerCase().replace(/[^a-z0-9]+/g, "-"), "-").slice(0, 40) || "plugin";
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}

/** Pipes, sockets and devices hold no data of their own, and cannot be copied. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
