/**
 * Names of a home for completion: from a file that only its owner can read, or from the controller when the file is old and the
 * controller answers at once. Tab never waits longer, and never asks for a password.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Home } from "@domovoi/client";
import type { Access } from "../connection/find-access.ts";
import { CommandFailure } from "../outcome.ts";

export type Names = {
  readonly nodes: readonly {
    readonly name: string;
    readonly address: string;
    /** Id and name of what it accepts. */
    readonly commands: readonly (readonly [id: string, name: string])[];
  }[];
  readonly groups: readonly string[];
  readonly folders: readonly string[];
  readonly programs: readonly string[];
  readonly programFolders: readonly string[];
  readonly variables: readonly string[];
  readonly resources: readonly string[];
};

/** The content of the cache file: the names, and the time of the last attempt to read them, successful or not. */
type Kept = { readonly askedAtMs: number; readonly names: Names | null };

const FRESH_MS = 5 * 60_000;
/** After a controller did not answer, it is left alone for a while. */
const RETRY_MS = 30_000;
const DEADLINE_MS = 1000;
const FILL_DEADLINE_MS = 15_000;
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/** @returns null without a source of names. @param controller named on the line */
export async function loadNames(controller: string | undefined): Promise<Names | null> {
  const access = await accessWithoutAsking(controller);
  if (!access) return null;
  const file = fileFor(access);
  const kept = readKept(file);
  const ageMs = Date.now() - (kept?.askedAtMs ?? 0);
  if (kept && ageMs >= 0 && ageMs < FRESH_MS) return kept.names;
  const asked = await askWithin(access, DEADLINE_MS);
  if (asked !== null && asked !== "late") {
    keep(file, { askedAtMs: Date.now(), names: asked });
    return asked;
  }
  // Stale names are better than none. Counting them as fresh keeps the next Tab from waiting.
  keep(file, { askedAtMs: Date.now() - FRESH_MS + RETRY_MS, names: kept?.names ?? null });
  if (asked === "late") fillLater(controller);
  return kept?.names ?? null;
}

/** For the next Tab, by a process of its own: a large home takes longer than a person waits. */
export async function fillNames(controller: string | undefined): Promise<void> {
  const access = await accessWithoutAsking(controller);
  const names = access && (await askWithin(access, FILL_DEADLINE_MS));
  if (access && names && names !== "late") keep(fileFor(access), { askedAtMs: Date.now(), names });
}

function fillLater(controller: string | undefined): void {
  const [node, command = ""] = process.argv;
  const args = [command, "__names", ...(controller === undefined ? [] : ["--controller", controller])];
  spawn(node ?? process.execPath, args, { detached: true, stdio: "ignore" }).unref();
}

async function accessWithoutAsking(controller: string | undefined): Promise<Access | null> {
  const { findAccess } = await import("../connection/find-access.ts");
  const refuse = () => Promise.reject(new CommandFailure("credentials", "Completion asks no questions."));
  try {
    return await findAccess(controller === undefined ? {} : { controller }, refuse);
  } catch {
    return null;
  }
}

/** Null when it cannot be had, such as for a wrong password. */
async function askWithin(access: Access, deadlineMs: number): Promise<Names | "late" | null> {
  const deadline = Promise.withResolvers<"late">();
  const timer = setTimeout(deadline.resolve, deadlineMs, "late");
  try {
    return await Promise.race([ask(access, deadlineMs), deadline.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(access: Access, deadlineMs: number): Promise<Names> {
  const { openHome } = await import("../connection/with-home.ts");
  await using home = await openHome(access, { stream: "off", deadlineMs });
  return namesOf(home);
}

function namesOf(home: Home): Names {
  const name = (thing: { readonly name: string }) => thing.name;
  const programs = [...home.programs];
  return {
    nodes: [...home.nodes].map(({ name, address, nodedef }) => ({
      ...{ name, address },
      commands: nodedef?.accepts.map((each) => [each.id, each.name] as const) ?? [],
    })),
    groups: [...home.groups].map(name),
    folders: [...home.folders].map(name),
    programs: programs.map(name),
    programFolders: programs.filter(({ isFolder }) => isFolder).map(name),
    variables: [...home.variables].map(name).filter((each) => each !== ""),
    resources: [...home.resources].map(name),
  };
}

/** One file for every controller and account. */
function fileFor({ url, user }: Access): string {
  const mark = createHash("sha256").update(`${url} ${user}`).digest("hex").slice(0, 16);
  return join(cacheDirectory(), `names-${mark}.json`);
}

function cacheDirectory(): string {
  const { DOMOVOI_CACHE: directory, XDG_CACHE_HOME: cacheHome } = process.env;
  return directory || join(cacheHome || join(homedir(), ".cache"), "domovoi");
}

/** Null for a file that is not there, is another's, is open to others, or cannot be read: it is only a memory. */
function readKept(file: string): Kept | null {
  try {
    const { uid, mode, size } = statSync(file);
    const isOwn = process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o077) === 0);
    if (!isOwn || size > KEPT_BYTES_MAX) return null;
    // Written by this very file below, and readable by its owner alone.
    return JSON.parse(readFileSync(file, "utf8")) as Kept;
  } catch {
    return null;
  }
}

function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}.new`;
    writeFileSync(beside, JSON.stringify(kept), { mode: 0o600, flag: "wx" });
    renameSync(beside, file);
  } catch {
    // Without a memory the next Tab asks again.
  }
}
