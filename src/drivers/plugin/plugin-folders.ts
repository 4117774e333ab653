/** The directories of plugins: archives are unpacked into them, and nothing of an archive gets outside of its own. */

import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ControllerError } from "../../errors.ts";
import type { PluginFolders, PluginGiven } from "../plugin-port.ts";
import { type Manifest, readManifest, type Runtime, RUNTIMES } from "./manifest.ts";
import { messageOf } from "../../util/message-of.ts";

type FolderLimits = { readonly pluginUnpackedBytesMax: number };

const FILES_MAX = 20_000;
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
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
      const { persistFolder } = staged.manifest;
      for (const name of new Set([...KEPT, ...(persistFolder === null ? [] : [persistFolder])])) {
        const from = join(directory, name);
        if (await exists(from)) await cp(from, join(staged.directory, name), { recursive: true });
      }
      await rename(directory, join(staged.parent, folder)).catch(() => {});
      await rename(staged.directory, directory);
      await rm(staged.parent, { recursive: true, force: true });
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
    await unpack(archive, unpacked, limits.pluginUnpackedBytesMax);
    const directory = await within(unpacked);
    const runtime = RUNTIMES.find((each): each is Runtime => each === given.runtime) ?? null;
    const manifest = await readManifest(directory, { runtime, executable: given.executable });
    await mkdir(join(directory, OWN), { recursive: true });
    await chmod(directory, PRIVATE);
    return { parent, directory, manifest };
  } catch (error) {
    await rm(parent, { recursive: true, force: true });
    throw error;
  }
}

async function unpack(archive: Uint8Array, directory: string, bytesMax: number): Promise<void> {
  if (startsWith(archive, GZIP)) return unpackTar(archive, directory, bytesMax);
  if (startsWith(archive, ZIP)) return unpackZip(archive, directory, bytesMax);
  throw refused("The file is neither a .tgz nor a .zip archive.");
}

/** The library leaves out absolute paths and paths that lead outside; links are left out here. */
async function unpackTar(archive: Uint8Array, directory: string, bytesMax: number): Promise<void> {
  const { extract } = await import("tar");
  const count = counter(bytesMax);
  let refusal: unknown = null;
  const sink = extract({
    cwd: directory,
    filter: (_path, entry) => {
      if (!("type" in entry) || (entry.type !== "File" && entry.type !== "Directory" && entry.type !== "OldFile"))
        return false;
      try {
        count(entry.size);
        return true;
      } catch (error) {
        refusal = error;
        return false;
      }
    },
  });
  await pipeline(Readable.from([archive]), sink).catch((error: unknown) => {
    throw refused(`The archive cannot be read: ${messageOf(error)}`);
  });
  if (refusal) throw refusal;
}

async function unpackZip(archive: Uint8Array, directory: string, bytesMax: number): Promise<void> {
  const { unzip } = await import("fflate");
  const count = counter(bytesMax);
  const files = await new Promise<Readonly<Record<string, Uint8Array>>>((resolve, reject) => {
    const filter = ({ originalSize }: { readonly originalSize: number }) => {
      count(originalSize);
      return true;
    };
    try {
      unzip(archive, { filter }, (error, unzipped) =>
        error ? reject(refused(`The archive cannot be read: ${error.message}`)) : resolve(unzipped),
      );
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  for (const [path, bytes] of Object.entries(files)) {
    if (path.endsWith("/")) continue;
    if (path.startsWith("/") || path.includes("\\") || path.split("/").includes("..")) {
      throw refused(`The archive holds "${path}", which leads outside of the plugin's directory.`);
    }
    await mkdir(join(directory, dirname(path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  }
}

/** Archives often hold one directory with everything in it. */
async function within(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() ? join(directory, only.name) : directory;
}

function counter(bytesMax: number): (bytes: number) => void {
  let files = 0;
  let sum = 0;
  return (bytes) => {
    files += 1;
    sum += bytes;
    if (files > FILES_MAX) throw refused(`The archive holds more than ${FILES_MAX} files.`);
    if (sum > bytesMax)
      throw refused(`Unpacked, the archive is longer than ${bytesMax} bytes (pluginUnpackedBytesMax).`);
  };
}

function startsWith(archive: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => archive[at] === byte);
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "plugin"
  );
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

function refused(sentence: string): ControllerError {
  return new ControllerError("PLUGIN_REFUSED", sentence);
}
