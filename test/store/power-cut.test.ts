/** The disk after a power cut: only synced data. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { seededRandomness } from "../../src/util/randomness.ts";
import { FaultyDisk, hasFaultyDisk } from "../support/disk/faulty-disk.ts";
import { CHILD_OPTIONS, openHome, temporaryDirectory } from "../support/test-store.ts";

const WRITER = fileURLToPath(new URL("./acknowledging-writer.ts", import.meta.url));

/** A process that writes without end and prints the number of each write that was acknowledged. */
class Writing {
  readonly acknowledged: number[] = [];
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(dir: string, disk: FaultyDisk, first = 1) {
    const env = { ...CHILD_OPTIONS.env, ...disk.environment };
    this.#child = spawn(process.execPath, [WRITER, dir, String(first)], { ...CHILD_OPTIONS, env });
    const lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Reads on until so many more were acknowledged, or one was refused. */
  async until(what: number | "refused"): Promise<void> {
    for (let count = 0; what === "refused" || count < what; ) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("The process ended before it was told to.");
      const isRefusal = value === "STORE_UNAVAILABLE";
      if (isRefusal && what === "refused") return;
      if (isRefusal) continue;
      this.acknowledged.push(Number(value));
      count += 1;
    }
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    const rest = [];
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) rest.push(next.value);
    this.acknowledged.push(...rest.filter((line) => line !== "STORE_UNAVAILABLE").map(Number));
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }
}

/** Numbers that were acknowledged and are not there, and what the log complains about. */
async function openAfter(dir: string, acknowledged: readonly number[]) {
  const { home, store, log, close } = await openHome(dir, { settings: { variablesAfterBoot: "keep" } });
  const accounts = new Set(store.accounts.accounts().map(({ id }) => id));
  const lost = acknowledged.filter((number) => {
    const isStored = home.variables[1].get(number)?.value === number;
    return !isStored || (number % 3 !== 0 && !accounts.has(`a${number}`));
  });
  await close();
  return { lost, complaints: log.lines.filter(({ level }) => level === "error" || level === "warn") };
}

describe.skipIf(!hasFaultyDisk)("a loss of power", { timeout: 60_000 }, () => {
  test.each([
    ["that loses everything that was not synced", false],
    ["that loses a part of what was not synced", true],
  ])("%s loses no acknowledged write", async (_, isPartial) => {
    const dir = temporaryDirectory();
    const disk = new FaultyDisk(dir);
    const acknowledged: number[] = [];
    let undone = 0;
    for (let cut = 0; cut < 4; cut += 1) {
      const writing = new Writing(dir, disk, 1 + 100_000 * cut);
      await writing.until(40 + 150 * cut);
      await writing.kill();
      acknowledged.push(...writing.acknowledged);
      undone += disk.cutPower(isPartial ? seededRandomness(cut) : null);
    }
    expect(undone).toBeGreaterThan(0);
    expect(await openAfter(dir, acknowledged)).toEqual({ lost: [], complaints: [] });
  });

  test("after syncs that failed loses no write that was acknowledged later", async () => {
    const dir = temporaryDirectory();
    const disk = new FaultyDisk(dir);
    const writing = new Writing(dir, disk);
    for (let outage = 0; outage < 3; outage += 1) {
      await writing.until(40);
      disk.set("sync fails");
      await writing.until("refused");
      disk.set("none");
    }
    await writing.until(40);
    await writing.kill();
    disk.cutPower();
    expect(await openAfter(dir, writing.acknowledged)).toEqual({ lost: [], complaints: [] });
  });
});
