import { describe, expect, test } from "vitest";
import { seededRandomness } from "../../src/util/randomness.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { readDocuments } from "./documents.ts";
import { KILLS, SEED } from "./effort.ts";
import { killFirstStart, killOften } from "./kills.ts";
import { startService } from "./service-process.ts";
import { readStoredHome } from "./stored-home.ts";

/** The median is the promise; a busy machine may delay single starts. */
const READY_MS_MEDIAN_MAX = 1000;
const READY_MS_MAX = 5000;
const SECONDS_A_KILL = 10;

const at = (sorted: readonly number[], part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
const sorted = (spans: readonly number[]) => [...spans].sort((a, b) => a - b);

describe("kill -9", () => {
  test(
    `loses no acknowledged write and halves none, ${KILLS} times under load`,
    async () => {
      const data = temporaryDirectory();
      const report = await killOften(data, KILLS, SEED);
      const { home, replayed, entries, gaps } = readStoredHome(data);
      const [ready, usable] = [sorted(report.readyMs), sorted(report.usableMs)];
      console.info(
        `${report.kills} kills (seed ${SEED}): ${report.acknowledged} writes acknowledged, ${report.wrong.length} wrong; ` +
          `${report.commands} commands, ${entries} journal entries; ready in ${at(ready, 0.5)} ms (p50), ${at(ready, 1)} ms ` +
          `(max), usable in ${at(usable, 0.5)} ms (p50), ${at(usable, 1)} ms (max)`,
      );
      expect(report.wrong).toEqual([]);
      expect(report.troubles).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(10 * KILLS);
      expect(gaps).toEqual([]);
      expect(home).toEqual(replayed);
      expect(at(usable, 0.5)).toBeLessThanOrEqual(READY_MS_MEDIAN_MAX);
      expect(at(usable, 1)).toBeLessThanOrEqual(READY_MS_MAX);
    },
    KILLS * SECONDS_A_KILL * 1000,
  );

  test("in the midst of a first start leaves a home that the next start completes", async () => {
    const randomness = seededRandomness(SEED);
    const whole = await contentsOf(temporaryDirectory());
    for (let round = 0; round < 6; round += 1) {
      const data = temporaryDirectory();
      await killFirstStart(data, 100 + randomness.next() * 350);
      expect(await contentsOf(data)).toEqual(whole);
    }
  }, 60_000);
});

/** How much there is of everything, seen with the credentials of the first start. */
async function contentsOf(data: string): Promise<Readonly<Record<string, number>>> {
  const { process, localUrl } = await startService(data, ["--demo", "--still", "--local-api"]);
  await using _ending = process;
  const client = createHttpsClient(() => localUrl, basicHeader);
  const documents = await readDocuments(client);
  client.close();
  return Object.fromEntries(Object.entries(documents).map(([name, things]) => [name, things.size]));
}
