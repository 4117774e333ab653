/** Verification and the engine agree about loops: random programs that the engine cuts, and loops that are found. */

import { describe, expect, test } from "vitest";
import { Profile } from "../../../src/profile/profile.ts";
import { verifyPrograms } from "../../../src/programs/verify/verify-programs.ts";
import { inOneGo } from "../../support/in-one-go.ts";
import { randomHome } from "../random-home.ts";
import { ENGINE_LIMITS, Stage, type StageOptions } from "../stage.ts";
import { assign, control, integerIs, stateIs, statusOf } from "../words.ts";

const LIMITS = { programStepsMax: 300, programChainStartsMax: 60 };
const LOOPS: Readonly<Record<string, StageOptions["programs"]>> = {
  "a variable that counts itself up": { 5: { if: [stateIs(1, 0, "GT")], then: [assign(2, 1, "ADD=", 1)] } },
  "a variable that flips itself": {
    5: { if: [stateIs(1, 1)], then: [assign(2, 1, "EQ", 0)], else: [assign(2, 1, "EQ", 1)] },
  },
  "three states that go round": {
    5: { if: [stateIs(1, 1)], then: [assign(2, 1, "EQ", 2)] },
    6: { if: [stateIs(1, 2)], then: [assign(2, 1, "EQ", 3)] },
    7: { if: [stateIs(1, 3)], then: [assign(2, 1, "EQ", 1)] },
  },
  "programs that run one another": {
    5: { if: [stateIs(1, 1)], then: [control(6, "runthen")] },
    6: { then: [control(5, "runif")] },
  },
  "by the status of the other": {
    5: { if: [statusOf(6, false), stateIs(1, 1)], then: [control(6, "runthen")], else: [control(6, "runelse")] },
    6: {},
  },
};
const NO_LOOPS: Readonly<Record<string, StageOptions["programs"]>> = {
  "a counter that ends": {
    5: { if: [stateIs(1, 0, "GT"), stateIs(1, 9, "LT")], then: [assign(2, 1, "ADD=", 1)] },
  },
  "a flag that is taken down": { 5: { if: [stateIs(1, 1)], then: [assign(2, 1, "EQ", 0)] } },
  "integer variables": {
    5: { if: [stateIs(1, 1), integerIs(1, 0)], then: [assign(1, 1, "ADD=", 1), control(6, "runif")] },
    6: { if: [integerIs(1, 5, "LT")], then: [assign(1, 1, "ADD=", 1)] },
  },
};

function livedThrough(programs: StageOptions["programs"]): { readonly isCut: boolean; readonly isFound: boolean } {
  const home = new Stage({ programs: programs ?? {}, limits: LIMITS });
  const isFound = hasLoop(home);
  home.write(2, 1, 1);
  return { isCut: home.traced("cut").length > 0, isFound };
}

function hasLoop({ home, nowMs }: Stage): boolean {
  const limits = { ...ENGINE_LIMITS, ...LIMITS };
  return inOneGo(verifyPrograms({ home, profile: new Profile(), nowMs, limits, isChannel: () => true })).some(
    ({ code }) => code === "LOOP",
  );
}

describe("a loop without a wait", () => {
  test.each(Object.entries(LOOPS))("%s: found, and cut by the engine", (_name, programs) => {
    expect(livedThrough(programs)).toEqual({ isCut: true, isFound: true });
  });

  test.each(Object.entries(NO_LOOPS))("%s: neither", (_name, programs) => {
    expect(livedThrough(programs)).toEqual({ isCut: false, isFound: false });
  });

  test("is found in random homes that the engine cuts", () => {
    const missed: number[] = [];
    let cuts = 0;
    for (let seed = 100; seed < 160; seed += 1) {
      const { options, life } = randomHome(seed, 25);
      const home = new Stage({ ...options, limits: LIMITS });
      const isFound = hasLoop(home);
      for (const happen of life) {
        happen(home);
        home.advance(1);
      }
      if (!home.traced("cut").some(({ limit }) => limit !== "programStepsMax")) continue;
      cuts += 1;
      if (!isFound) missed.push(seed);
    }
    expect(cuts).toBeGreaterThan(2);
    expect(missed).toEqual([]);
  });
});
