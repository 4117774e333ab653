import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { STORE_KILLS } from "../simulation/effort.ts";
import { CHILD_OPTIONS, openHome, temporaryDirectory } from "../support/test-store.ts";

const WRITER = fileURLToPath(new URL("./acknowledging-writer.ts", import.meta.url));
const DIRECTORIES = 2;
const KILLS_EACH = Math.ceil(STORE_KILLS / DIRECTORIES);

/** Lets a process write until it has acknowledged some hundreds of writes, and kills it in the midst of more. */
async function writeAndKill(dir: string, first: number, writesBefore: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, [WRITER, dir, String(first)], CHILD_OPTIONS);
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.split("\n").length > writesBefore) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return output.split("\n").slice(0, -1).map(Number);
}

async function killTimes(dir: string): Promise<void> {
  let acknowledged: number[] = [];
  for (let kill = 0; kill < KILLS_EACH; kill += 1) {
    acknowledged = [...acknowledged, ...(await writeAndKill(dir, 1 + 100_000 * kill, 1 + 37 * kill))];
  }
  const { home, store, log, close } = await openHome(dir, { settings: { variablesAfterBoot: "keep" } });
  const accounts = new Set(store.accounts.accounts().map(({ id }) => id));
  const lost = acknowledged.filter((number) => {
    const isKept = home.variables[1].get(number)?.value === number;
    return !isKept || (number % 3 !== 0 && !accounts.has(`a${number}`));
  });
  // An edit is there as a whole, with its way back, or not at all.
  const edited = [...home.edits.values()].map(({ touched }) => Number(touched[0]?.slice("folder f".length))).sort();
  const folders = [...home.folders.keys()].map((key) => Number(key.slice(1))).sort();
  const scenes = [...home.groups.keys()].map((key) => Number(key.slice(1))).sort();
  const variables = [...home.variables[1].keys()].filter((number) => number % 5 === 0).sort();
  expect(edited.length).toBeGreaterThan(0);
  expect([folders, scenes, variables]).toEqual([edited, edited, edited]);
  expect(acknowledged.length).toBeGreaterThan(KILLS_EACH);
  expect(lost).toEqual([]);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  await close();
}

test(`no acknowledged write is lost by ${DIRECTORIES * KILLS_EACH} kills`, {
  timeout: 60_000 + 3000 * STORE_KILLS,
}, async () => {
  await Promise.all(Array.from({ length: DIRECTORIES }, () => killTimes(temporaryDirectory())));
});
