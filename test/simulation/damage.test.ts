import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { seededRandomness } from "../../src/util/randomness.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { DAMAGE_KINDS, damage } from "./damage.ts";
import { type Documents, type Listed, readDocuments } from "./documents.ts";
import { DAMAGES, SEED } from "./effort.ts";
import { killOften } from "./kills.ts";
import { startService } from "./service-process.ts";

const KILLS_BEFORE = 3;

type Start = { readonly facts: ReadonlyMap<string, string>; readonly complaints: readonly string[] };

test(
  `a home starts after any of ${DAMAGES} damages to its files, and nothing is missing of which the log says nothing`,
  async () => {
    const used = temporaryDirectory();
    await killOften(used, KILLS_BEFORE, SEED);
    const whole = await startOn(copyOf(used));
    expect(whole.complaints).toEqual([]);
    const randomness = seededRandomness(SEED);
    const silent: string[] = [];
    let differing = 0;
    for (let round = 0; round < DAMAGES; round += 1) {
      const data = copyOf(used);
      const { what, shows } = damage(data, round % DAMAGE_KINDS, randomness);
      const { facts, complaints } = await startOn(data);
      const missing = [...whole.facts].filter(([key, value]) => facts.get(key) !== value).map(([key]) => key);
      if (missing.length > 0) differing += 1;
      if (missing.length > 0 && shows && complaints.length === 0) silent.push(`${what}: ${missing.join(", ")}`);
      // What was told at that start is put right by then.
      expect((await startOn(data)).complaints).toEqual([]);
    }
    console.info(
      `${DAMAGES} damages (seed ${SEED}): every start went well, ${differing} with something missing or older`,
    );
    expect(silent).toEqual([]);
  },
  DAMAGES * 10_000,
);

function copyOf(data: string): string {
  const copy = temporaryDirectory();
  cpSync(data, copy, { recursive: true });
  return copy;
}

/** What the home is, seen through the door, and what the log has to say about its start. */
async function startOn(data: string): Promise<Start> {
  const service = await startService(data, ["--demo", "--still", "--local-api"]);
  await using process = service.process;
  const door = createHttpsClient(() => service.localUrl, basicHeader);
  const facts = factsOf(await readDocuments(door));
  door.close();
  const { stderr } = await process.kill();
  return { facts, complaints: stderr.split("\n").filter((line) => /"level":"(warn|error)"/.test(line)) };
}

/** Times of runs and writes are left out: they are facts that were promised to nobody. */
function factsOf(documents: Documents): ReadonlyMap<string, string> {
  const lists = Object.entries(documents) as readonly [string, ReadonlyMap<string, Listed>][];
  return new Map(
    lists.flatMap(([list, things]) =>
      [...things].flatMap(([key, { name, enabled, runAtStartup, val, init, prec }]): [string, string][] => [
        [`${list} ${key}`, JSON.stringify({ name, enabled, runAtStartup, val, init, prec })],
      ]),
    ),
  );
}
