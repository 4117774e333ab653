/**
 * Verification of random homes, with the engine as the judge: homes are lived in, and nothing that verification called
 * impossible happens; what it says can happen is brought about. DOMOVOI_VERIFIED_HOMES says how many, DOMOVOI_SEED where they
 * begin; a failure names its seed.
 */

import { beforeAll, describe, expect, test } from "vitest";
import type { ProgramEntry } from "../../src/home/programs.ts";
import type { Finding } from "../../src/programs/verify/finding.ts";
import { verifyPrograms } from "../../src/programs/verify/verify-programs.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { FAULTY_NAMES } from "../programs/verify/faulty-names.ts";
import { hasPath } from "../programs/verify/places.ts";
import { entriesOf } from "../programs/verify/verify-case.ts";
import { inOneGo } from "../support/in-one-go.ts";
import { SEED, VERIFIED_HOMES } from "./effort.ts";
import { LivedHome } from "./false-alarms/lived-home.ts";
import { happen, Picker, randomPrograms } from "./false-alarms/random-programs.ts";
import { refutationOf } from "./false-alarms/refutations.ts";
import { showingsOf } from "./false-alarms/showings.ts";

const LIFE = 40;
const MS_A_HOME = 1000;

type Verified = {
  readonly seed: number;
  readonly entries: readonly ProgramEntry[];
  readonly findings: readonly Finding[];
};

const words = (seed: number, { code, program, path, sentence }: Finding) =>
  `seed ${seed}: ${code} of ${program} at ${path}: ${sentence}`;

describe(`${VERIFIED_HOMES} random homes`, { timeout: 15_000 + MS_A_HOME * VERIFIED_HOMES }, () => {
  const homes: Verified[] = [];

  beforeAll(
    async () => {
      for (let seed = SEED; seed < SEED + VERIFIED_HOMES; seed += 1) {
        const entries = randomPrograms(new Picker(seededRandomness(seed)));
        const { ports } = await LivedHome.furnished(entries);
        homes.push({ seed, entries, findings: inOneGo(verifyPrograms(ports)) });
      }
    },
    15_000 + MS_A_HOME * VERIFIED_HOMES,
  );

  test("are worth looking at", () => {
    const codes = new Set(homes.flatMap(({ findings }) => findings.map(({ code }) => code)));
    expect(homes.flatMap(({ findings }) => findings).length).toBeGreaterThan(homes.length);
    expect(codes.size).toBeGreaterThan(12);
  });

  test("every place that a finding or its proof names is in its program", () => {
    const lost = homes.flatMap(({ seed, entries, findings }) => {
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      const isThere = ({ program, path }: { readonly program: number | null; readonly path: string | null }) =>
        program === null || !byId.has(program) || hasPath(byId.get(program), path);
      return findings.filter((each) => ![each, ...each.chain].every(isThere)).map((each) => words(seed, each));
    });
    expect(lost).toEqual([]);
  });

  test('findings of "never" never occur, and findings of "always" always hold', async () => {
    const refuted: string[] = [];
    for (const { seed, entries, findings } of homes) {
      const pick = new Picker(seededRandomness(seed + 1_000_000_007));
      const services = await LivedHome.furnished(entries);
      const ids = entries.flatMap(({ kind, id }) => (kind === "program" ? id : []));
      await services.start(pick.chance(0.5));
      for (let at = 0; at < LIFE; at += 1) {
        await happen(pick, services, ids);
        await services.settle();
      }
      services.stop();
      refuted.push(...findings.filter((each) => refutationOf(each, services.trace)).map((each) => words(seed, each)));
    }
    expect(refuted).toEqual([]);
  });

  test("loops are cut, blinking goes on, waits end early and programs meet, each as its proof begins", async () => {
    const missed: string[] = [];
    let shown = 0;
    for (const { seed, entries } of homes) {
      const { ports } = await LivedHome.furnished(entries);
      for (const { finding, isShown } of await showingsOf(ports, entries)) {
        shown += 1;
        if (!isShown) missed.push(words(seed, finding));
      }
    }
    expect(missed).toEqual([]);
    expect(shown).toBeGreaterThan(homes.length / 20);
  });

  test("a mistake that is put among them is found", async () => {
    const mistakes = Object.values(FAULTY_NAMES);
    const missed: string[] = [];
    for (const { seed } of homes) {
      const pick = new Picker(seededRandomness(seed));
      const [code, path, ...programs] = pick.of(mistakes);
      const wrong = entriesOf(programs);
      const { ports } = await LivedHome.furnished([...wrong, ...randomPrograms(pick, wrong.length)]);
      const isFound = inOneGo(verifyPrograms(ports)).some((each) => each.code === code && each.path === path);
      if (!isFound) missed.push(`seed ${seed}: ${code} at ${path}`);
    }
    expect(missed).toEqual([]);
  });
});
