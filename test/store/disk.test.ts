import { spawn, spawnSync } from "node:child_process";
import { on, once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DiskReserve } from "../../src/store/disk-reserve.ts";
import { systemClock } from "../../src/util/clock.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, CHILD_OPTIONS, openHome, recordingLog, START_MS, temporaryDirectory } from "../support/test-store.ts";

const WRITER = fileURLToPath(new URL("./acknowledging-writer.ts", import.meta.url));
const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;

describe("a disk that does not take writes", () => {
  test("is waited for: what was refused is there when it takes them again", async () => {
    const dir = temporaryDirectory();
    const { feed, home, store, log, close } = await openHome(dir, { clock: systemClock });
    await store.committed(feed.lastSeq);
    const blocker = new DatabaseSync(join(dir, "domovoi.sqlite"));
    blocker.exec("BEGIN IMMEDIATE");
    const { seq } = feed.commit({ type: "folder-added", folder: { address: "1", name: "A", parent: null } }, CAUSE);
    await expect(store.committed(seq)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryAfterS: 1 });
    expect(home.folders.size).toBe(1);
    blocker.exec("ROLLBACK");
    blocker.close();
    await vi.waitFor(() => store.committed(seq), 10_000);
    expect(log.lines.map(({ level }) => level)).toEqual(["error", "info"]);
    await close();
    expect((await openHome(dir)).home.folders.get("1")?.name).toBe("A");
  });

  test.skipIf(!hasPrlimit)("because it is full recovers by itself, and nothing acknowledged is lost", async () => {
    const dir = temporaryDirectory();
    const child = spawn(process.execPath, [WRITER, dir], CHILD_OPTIONS);
    const lines = linesOf(child.stdout);
    const acknowledged = await readUntil(lines, (line) => line === "100");
    limitFileSize(child.pid, "50000");
    acknowledged.push(...(await readUntil(lines, (line) => line === "STORE_UNAVAILABLE")));
    limitFileSize(child.pid, "unlimited");
    acknowledged.push(...(await readUntil(lines, (line) => line !== "STORE_UNAVAILABLE")));
    child.kill("SIGKILL");
    await once(child, "exit");
    const { home, store } = await openHome(dir, { settings: { variablesAfterBoot: "keep" } });
    const accounts = new Set(store.accounts.accounts().map(({ id }) => Number(id.slice(1))));
    const numbers = acknowledged.map(Number).filter((number) => number > 0);
    expect(
      numbers.filter((number) => !home.variables[1].has(number) || (number % 3 > 0 && !accounts.has(number))),
    ).toEqual([]);
  });
});

describe("the reserve on the disk", () => {
  const RESERVE_BYTES = 65_536;

  function setUp(bytes = RESERVE_BYTES) {
    const path = join(temporaryDirectory(), "domovoi.reserve");
    const clock = new VirtualClock(START_MS);
    const log = recordingLog();
    const reserve = new DiskReserve({ path, bytes, clock, log });
    reserve.start();
    onTestFinished(() => reserve.stop());
    return { path, clock, log, reserve };
  }

  test("is made a while after the start, given up once with an error in the log, and made again", async () => {
    const { path, clock, log, reserve } = setUp();
    expect(reserve.giveUp()).toBe(false);
    await clock.advance(60_000);
    await vi.waitFor(() => expect(statSync(path).size).toBe(RESERVE_BYTES));
    expect([reserve.giveUp(), reserve.giveUp()]).toEqual([true, false]);
    expect(log.lines).toMatchObject([{ level: "error", fields: { bytes: RESERVE_BYTES } }]);
    await clock.advance(3_600_000);
    await vi.waitFor(() => expect(statSync(path).size).toBe(RESERVE_BYTES));
  });

  test("is not made where it would take what is left", async () => {
    const { path, clock } = setUp(Number.MAX_SAFE_INTEGER);
    await clock.advance(60_000);
    expect(existsSync(path)).toBe(false);
  });
});

/** A full disk's effect on a file that has to grow. */
function limitFileSize(pid: number | undefined, bytes: string): void {
  const { status } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
  expect(status).toBe(0);
}

function linesOf(stream: NodeJS.ReadableStream): AsyncIterator<[string]> {
  const reader = createInterface({ input: stream });
  return on(reader, "line", { close: ["close"] }) as AsyncIterator<[string]>;
}

async function readUntil(lines: AsyncIterator<[string]>, isLast: (line: string) => boolean): Promise<string[]> {
  const read: string[] = [];
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error("The process ended before it was told to.");
    read.push(value[0]);
    if (isLast(value[0])) return read;
  }
}
