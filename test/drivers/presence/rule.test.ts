/** Who is at home by what phones, nodes and presses say: recorded sequences as tables, and laws over random lives. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HomePlace, metersBetween, readOwnTracks } from "../../../src/drivers/presence/owntracks.ts";
import {
  dueAtMs,
  NOTHING_KNOWN,
  type PersonState,
  PRECISE_HOLDS_MS,
  type PresenceInput,
  type PresenceRules,
  step,
  whereaboutsOf,
} from "../../../src/drivers/presence/rule.ts";

const START_MS = Date.UTC(2026, 4, 2, 12);
const MINUTE_MS = 60_000;
const RULES: PresenceRules = { leaveMs: 5 * MINUTE_MS, silentMs: 12 * 60 * MINUTE_MS, silentIsAway: false };
const HOME: HomePlace = {
  isPlaced: true,
  latitude: 52.52,
  longitude: 13.4,
  radiusM: 100,
  accuracyMaxM: 200,
  region: "Home",
};
/** A degree of latitude. */
const DEGREE_M = 111_195;

/** A fix that is so far north of the home. @param lateMin by how much the phone's time is before the controller's */
function fix(awayM: number, acc: number, lateMin = 0) {
  return { awayM, acc, lateMin };
}
type Told =
  | ReturnType<typeof fix>
  | { readonly region: "enter" | "leave"; readonly acc?: number }
  | { readonly node: "home" | "away" | null }
  | { readonly press: "home" | "away" }
  | "time";

function inputOf(told: Told, nowMs: number): PresenceInput {
  if (told === "time") return { kind: "time" };
  if ("node" in told) return { kind: "node", source: "n001_car", says: told.node };
  if ("press" in told) return { kind: "chosen", says: told.press };
  const message =
    "region" in told
      ? { _type: "transition", event: told.region, desc: "home", tst: nowMs / 1000, acc: told.acc }
      : {
          _type: "location",
          lat: HOME.latitude + told.awayM / DEGREE_M,
          lon: HOME.longitude,
          acc: told.acc,
          tst: (nowMs - told.lateMin * MINUTE_MS) / 1000,
        };
  const read = readOwnTracks(JSON.stringify(message), HOME);
  if (!read) throw new Error("A message of the table is no fix.");
  return {
    kind: "fix",
    source: "phone",
    says: read.says,
    isCoarse: read.isCoarse,
    fixAtMs: read.atMs,
    heardAtMs: nowMs,
  };
}

type Row = readonly [atMin: number, told: Told, becomes: "home" | "away" | null];

const SEQUENCES: Readonly<Record<string, readonly Row[]>> = {
  "coming needs no time, leaving five minutes": [
    [0, fix(20, 10), "home"],
    [10, fix(900, 10), "home"],
    [14.9, "time", "home"],
    [15, "time", "away"],
    [40, fix(60, 15), "home"],
  ],
  "who was never known is away only after the minutes": [
    [0, fix(5000, 10), null],
    [5, "time", "away"],
  ],
  "a jump to the next cell tower does not make anybody leave": [
    [0, fix(10, 8), "home"],
    [1, fix(700, 190), "home"],
    [2, fix(2500, 1500), "home"],
    [9, "time", "home"],
  ],
  "an inaccurate fix says nothing, neither home nor away": [
    [0, fix(0, 201), null],
    [1, fix(9000, 4000), null],
    [9, "time", null],
  ],
  "a fix that may be on either side keeps what was": [
    [0, fix(30, 10), "home"],
    [1, fix(150, 90), "home"],
    [9, "time", "home"],
  ],
  "flapping at the radius stays home": [
    [0, fix(95, 5), "home"],
    [2, fix(110, 5), "home"],
    [4, fix(99, 5), "home"],
    [6, fix(112, 5), "home"],
    [10, fix(90, 5), "home"],
    [12, fix(120, 5), "home"],
    [17, "time", "away"],
  ],
  "a late fix does not overrule a newer one": [
    [0, fix(4000, 10), null],
    [5, "time", "away"],
    [30, fix(20, 10), "home"],
    [31, fix(4000, 10, 20), "home"],
    [32, fix(4000, 10, 10), "home"],
    [45, "time", "home"],
  ],
  "a double fix changes nothing": [
    [0, fix(20, 10), "home"],
    [3, fix(800, 10), "home"],
    [5, fix(800, 10, 2), "home"],
    [8, fix(800, 10, 5), "away"],
  ],
  "a coarse fix counts again when the precise one is old": [
    [0, fix(10, 10), "home"],
    [14, fix(900, 150), "home"],
    [16, fix(900, 150), "home"],
    [21, "time", "away"],
  ],
  "a phone whose clock is an hour ahead is heard in order": [
    [0, fix(20, 10, -60), "home"],
    [1, fix(900, 10, -60), "home"],
    [6, "time", "away"],
    [7, fix(20, 10, -60), "home"],
  ],
  "a phone whose clock is an hour behind is heard in order": [
    [0, fix(20, 10, 60), "home"],
    [1, fix(900, 10, 60), "home"],
    [6, "time", "away"],
    [7, fix(20, 10, 60), "home"],
  ],
  "the phone's own region counts at once, and leaving it needs the minutes": [
    [0, { region: "enter", acc: 900 }, "home"],
    [10, { region: "leave", acc: 50 }, "home"],
    [15, "time", "away"],
    [20, { region: "enter" }, "home"],
    [30, { region: "leave", acc: 900 }, "home"],
    [40, "time", "home"],
  ],
  "a silent phone is not known": [
    [0, fix(20, 10), "home"],
    [719, "time", "home"],
    [720, "time", null],
    [721, fix(20, 10), "home"],
  ],
  "home wins when two sources disagree": [
    [0, fix(20, 10), "home"],
    [1, { node: "away" }, "home"],
    [10, fix(900, 10), "home"],
    [11, { node: "home" }, "home"],
    [16, "time", "home"],
    [20, { node: null }, "away"],
  ],
  "a press counts until a source says something else": [
    [0, fix(20, 10), "home"],
    [1, { press: "away" }, "away"],
    [2, fix(25, 10), "away"],
    [3, fix(900, 10), "away"],
    [8, "time", "away"],
    [9, fix(10, 10), "home"],
  ],
  "a press alone stays": [
    [0, { press: "home" }, "home"],
    [2000, "time", "home"],
  ],
};

describe("recorded sequences", () => {
  test.each(Object.entries(SEQUENCES))("%s", (_name, rows) => {
    let state = NOTHING_KNOWN;
    const seen = rows.map(([atMin, told]) => {
      const nowMs = START_MS + Math.round(atMin * MINUTE_MS);
      state = step(state, inputOf(told, nowMs), nowMs, RULES);
      return whereaboutsOf(state);
    });
    expect(seen).toEqual(rows.map(([, , becomes]) => becomes));
  });

  test("a silent phone is away where its owner has chosen that, and nothing is due afterwards", () => {
    const rules = { ...RULES, silentIsAway: true };
    const home = step(NOTHING_KNOWN, inputOf(fix(20, 10), START_MS), START_MS, rules);
    const silent = step(home, { kind: "time" }, START_MS + rules.silentMs, rules);
    expect([whereaboutsOf(silent), dueAtMs(silent, rules)]).toEqual(["away", null]);
  });

  test("a clock that was set back makes no minute longer, and the next fix is no late one", () => {
    const home = step(NOTHING_KNOWN, inputOf(fix(20, 10), START_MS), START_MS, RULES);
    const earlierMs = START_MS - 3_600_000;
    const leaving = step(home, inputOf(fix(900, 10), earlierMs), earlierMs, RULES);
    const left = step(leaving, { kind: "time" }, earlierMs + RULES.leaveMs, RULES);
    expect([whereaboutsOf(leaving), whereaboutsOf(left)]).toEqual(["home", "away"]);
  });
});

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({
    awayM: fc.constantFrom(0, 50, 99, 120, 400, 5000),
    acc: fc.constantFrom(5, 40, 101, 190, 300),
    lateMin: fc.constantFrom(0, 0, 0, 3, 60, -30),
  }),
  fc.record({ region: fc.constantFrom("enter" as const, "leave" as const), acc: fc.constantFrom(10, 500) }),
  fc.record({ node: fc.constantFrom("home" as const, "away" as const, null) }),
  fc.record({ press: fc.constantFrom("home" as const, "away" as const) }),
  fc.constant("time" as const),
);
const lives = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), told), { maxLength: 40 });

type Moment = {
  readonly nowMs: number;
  readonly told: Told;
  readonly before: PersonState;
  readonly after: PersonState;
};

function live(steps: readonly (readonly [number, Told])[], restart = (state: PersonState) => state): readonly Moment[] {
  let [nowMs, before] = [START_MS, NOTHING_KNOWN];
  return steps.map(([spanMin, each]) => {
    nowMs += spanMin * MINUTE_MS;
    const after = step(restart(before), inputOf(each, nowMs), nowMs, RULES);
    const moment = { nowMs, told: each, before, after };
    before = after;
    return moment;
  });
}

const phoneOf = (state: PersonState) => state.sources.phone;

describe("of every life it is true that", () => {
  const always = (law: (moment: Moment) => void) =>
    fc.assert(
      fc.property(lives, (steps) => {
        for (const each of live(steps)) law(each);
      }),
      { numRuns: 500 },
    );

  test("a source that says home needs the minutes before it says away", () => {
    always(({ before, after, nowMs }) => {
      for (const [name, { says }] of Object.entries(after.sources)) {
        const was = before.sources[name];
        const turned = says === "away" && was?.says !== "away";
        if (turned) expect(nowMs - (was?.leavingAtMs ?? nowMs)).toBeGreaterThanOrEqual(RULES.leaveMs);
      }
    });
  });

  test("a late fix moves nothing but the time when the phone was heard", () => {
    always(({ before, after, told: each, nowMs }) => {
      if (typeof each === "string" || !("lateMin" in each)) return;
      const now = step(before, { kind: "time" }, nowMs, RULES);
      const isLate = nowMs - each.lateMin * MINUTE_MS < (phoneOf(now)?.fixAtMs ?? 0);
      if (isLate) expect({ ...phoneOf(after), heardAtMs: 0 }).toEqual({ ...phoneOf(now), heardAtMs: 0 });
    });
  });

  test("a coarse fix says nothing while a precise one is fresh", () => {
    always(({ before, after, told: each, nowMs }) => {
      if (typeof each === "string" || !("lateMin" in each) || each.acc <= HOME.radiusM) return;
      const now = step(before, { kind: "time" }, nowMs, RULES);
      const precise = phoneOf(now)?.preciseAtMs ?? null;
      const isFresh = precise !== null && nowMs - each.lateMin * MINUTE_MS - precise < PRECISE_HOLDS_MS;
      if (isFresh)
        expect([phoneOf(after)?.says, phoneOf(after)?.leavingAtMs]).toEqual([
          phoneOf(now)?.says,
          phoneOf(now)?.leavingAtMs,
        ]);
    });
  });

  test("nothing changes by time alone before it is due", () => {
    always(({ after, nowMs }) => {
      const due = dueAtMs(after, RULES) ?? nowMs + 10_000_000;
      expect(due).toBeGreaterThan(nowMs);
      expect(step(after, { kind: "time" }, due - 1, RULES)).toEqual(after);
    });
  });

  test("a restart between any two messages changes nothing", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const stored = (state: PersonState): PersonState => JSON.parse(JSON.stringify(state));
        expect(live(steps, stored).at(-1)?.after).toEqual(live(steps).at(-1)?.after);
      }),
    );
  });
});

describe("the reader of OwnTracks", () => {
  const read = (message: unknown) => readOwnTracks(JSON.stringify(message), HOME);

  test.each([
    ["no JSON", "{lat:"],
    ["a list", "[]"],
    ["no type", '{"lat":1}'],
    ["no time", '{"_type":"location","lat":1,"lon":1,"acc":1}'],
    ["a time before all times", '{"_type":"location","lat":1,"lon":1,"acc":1,"tst":-5}'],
    ["a latitude that is a text", '{"_type":"location","lat":"52.52","lon":1,"acc":1,"tst":1}'],
    ["a latitude beyond the pole", '{"_type":"location","lat":95,"lon":1,"acc":1,"tst":1}'],
    ["deep nesting", `{"_type":"location","x":${"[".repeat(70)}${"]".repeat(70)}}`],
  ])("refuses %s", (_name, text) => expect(readOwnTracks(text, HOME)).toBeUndefined());

  test.each([["status"], ["lwt"], ["card"], ["waypoints"]])("ignores a message %s", (type) =>
    expect(read({ _type: type, tst: 1 })).toBeNull(),
  );

  test("takes the phone's region for the home, whatever its distance is", () => {
    const place = { _type: "location", lat: 53, lon: 13.4, acc: 900, tst: 1 };
    expect(read({ ...place, inregions: ["Work", "HOME"] })).toMatchObject({ says: "home" });
    expect(read({ ...place, inregions: ["Work"] })).toMatchObject({ says: null });
    expect(read({ _type: "transition", event: "leave", desc: "Work", tst: 1 })).toBeNull();
  });

  test("says nothing by distances while the home has no place of its own", () => {
    const [text, unplaced] = [
      { _type: "location", lat: 52.52, lon: 13.4, acc: 5, tst: 1 },
      { ...HOME, isPlaced: false },
    ];
    expect(readOwnTracks(JSON.stringify(text), unplaced)).toMatchObject({
      says: null,
      note: expect.stringContaining("place"),
    });
    const inHome = JSON.stringify({ ...text, inregions: ["Home"] });
    expect(readOwnTracks(inHome, unplaced)).toMatchObject({ says: "home" });
  });

  test("says why an encrypted phone is not heard", () => {
    expect(read({ _type: "encrypted", data: "x" })).toMatchObject({
      says: null,
      note: expect.stringContaining("encrypted"),
    });
  });

  test("never returns a place", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (lat, lon) => {
          const fix = read({ _type: "location", lat, lon, acc: 5, tst: 1_700_000_000 });
          expect(Object.keys(fix ?? {}).toSorted()).toEqual(["atMs", "isCoarse", "note", "says"]);
          expect(fix?.note).not.toMatch(/\d/);
        },
      ),
    );
  });

  test.each([
    ["Berlin to Hamburg", [52.52, 13.405], [53.5511, 9.9937], 255_000],
    ["across the date line", [0, 179.9], [0, -179.9], 22_239],
    ["pole to pole", [90, 0], [-90, 0], 20_015_087],
  ] as const)("measures %s", (_name, [lat, lon], [otherLat, otherLon], meters) => {
    const one = { latitude: lat, longitude: lon };
    const measured = metersBetween(one, { latitude: otherLat, longitude: otherLon });
    expect(Math.abs(measured - meters) / meters).toBeLessThan(0.01);
  });
});
