/** A home in PostgreSQL with two machines, on a real server: the writer dies, stands still, or loses its database. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/util/clock.ts";
import { postgres, stopPostgres } from "../store/engines.ts";
import { endWithUs } from "../support/ends-with-us.ts";
import { CHILD_OPTIONS, openHome, temporaryDirectory } from "../support/test-store.ts";
import { TAKEOVERS } from "./effort.ts";

stopPostgres();

const WRITER = fileURLToPath(new URL("../store/acknowledging-writer.ts", import.meta.url));

class Writer {
  readonly acknowledged: number[] = [];
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(dir: string, first: number, url: string) {
    this.child = spawn(process.execPath, [WRITER, dir, String(first), url], CHILD_OPTIONS);
    endWithUs(this.child);
    this.#ended = once(this.child, "close");
    let rest = "";
    this.child.stdout?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (/^\d+$/.test(line)) this.acknowledged.push(Number(line));
    });
  }

  async until(count: number): Promise<void> {
    while (this.acknowledged.length < count) {
      if (this.child.exitCode !== null) throw new Error(`The writer ended with ${this.child.exitCode}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.#ended;
  }
}

/** Every acknowledged write is there, and every edit as a whole. The usual lease: a large home takes a moment to read. */
async function expectNothingLost(url: string, acknowledged: readonly number[]): Promise<void> {
  const settings = { storeUrl: url, variablesAfterBoot: "keep" } as const;
  const { home, log, close } = await openHome(temporaryDirectory(), { clock: systemClock, settings });
  expect(acknowledged.filter((number) => home.variables[1].get(number)?.value !== number)).toEqual([]);
  const edited = [...home.edits.values()].map(({ touched }) => Number(touched[0]?.slice("folder f".length))).sort();
  expect([...home.folders.keys()].map((key) => Number(key.slice(1))).sort()).toEqual(edited);
  expect([...home.groups.keys()].map((key) => Number(key.slice(1))).sort()).toEqual(edited);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  await close();
}

describe(`in ${TAKEOVERS} rounds each, no acknowledged write is lost and none is torn`, {
  timeout: 60_000 + 20_000 * TAKEOVERS,
}, () => {
  test("when the writer is killed and the other machine goes on", async () => {
    const url = await (await postgres()).database();
    const dirs = [temporaryDirectory(), temporaryDirectory()];
    const acknowledged: number[] = [];
    for (let round = 0; round < TAKEOVERS; round += 1) {
      const writer = new Writer(dirs[round % 2] ?? "", 1 + 100_000 * round, url);
      await writer.until(40 + 30 * round);
      await writer.end("SIGKILL");
      acknowledged.push(...writer.acknowledged);
    }
    await expectNothingLost(url, acknowledged);
  });

  test("when the writer stands still, another one writes, and it wakes up", async () => {
    const url = await (await postgres()).database();
    const acknowledged: number[] = [];
    for (let round = 0; round < TAKEOVERS; round += 1) {
      const asleep = new Writer(temporaryDirectory(), 1 + 200_000 * round, url);
      await asleep.until(40);
      asleep.child.kill("SIGSTOP");
      const next = new Writer(temporaryDirectory(), 100_001 + 200_000 * round, url);
      await next.until(40);
      asleep.child.kill("SIGCONT");
      const [code] = await once(asleep.child, "exit");
      expect(code).toBe(75);
      await next.until(next.acknowledged.length + 20);
      await next.end("SIGKILL");
      acknowledged.push(...asleep.acknowledged, ...next.acknowledged);
    }
    await expectNothingLost(url, acknowledged);
  });

  test("when the database ends without a checkpoint and comes back", async () => {
    const server = await postgres();
    const url = await server.database();
    const writer = new Writer(temporaryDirectory(), 1, url);
    for (let round = 0; round < TAKEOVERS; round += 1) {
      await writer.until(writer.acknowledged.length + 40);
      await server.kill();
      await server.restart();
    }
    await writer.until(writer.acknowledged.length + 40);
    await writer.end("SIGKILL");
    await expectNothingLost(url, writer.acknowledged);
  });
});
