/** Events when the next run of programs changes. */

import { describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import type { Program } from "../../src/home/programs.ts";
import { narrator, PROGRAM } from "./narrator.ts";
import { CONTROLLER, START_MS } from "./services.ts";

describe("a schedule", () => {
  const at = (secondOfDay: number): ProgramTree => {
    const when = { kind: "at", at: { kind: "time", secondOfDay, date: null, offsetDays: 0 } } as const;
    return {
      ...PROGRAM.tree,
      if: [{ andOr: "and", kind: "paren", conditions: [{ andOr: "and", kind: "schedule", days: null, when }] }],
    };
  };
  const daily: Change = { type: "program-added", program: { ...PROGRAM, tree: at(60) } };
  const changed = (parts: Partial<Program>): Change => ({
    type: "program-changed",
    program: { ...PROGRAM, tree: at(60), ...parts },
  });
  const told = (...changes: readonly Change[]) => {
    const { tell } = narrator();
    return changes.map((change) => tell(change).filter((body) => body.startsWith("<control>_1</control><action>5<")));
  };
  const [moved, still] = [[expect.stringMatching(/<node>[0-9A-F]{8}\.[0-9A-F]+<\/node><eventInfo><\/eventInfo>/)], []];

  test("that is added, moved, disabled or removed is sent with a key", () =>
    expect(
      told(
        daily,
        changed({ tree: at(120) }),
        changed({ tree: at(120), enabled: false }),
        changed({ tree: PROGRAM.tree }),
        daily,
        { type: "program-removed", id: 28 },
      ),
    ).toEqual([moved, moved, moved, moved, moved, moved]));
  test("is not sent for a name, a run, or a program without one", () =>
    expect(
      told(
        daily,
        changed({ name: "Night" }),
        { type: "program-ran", id: 28, run: { nextRunAtMs: START_MS + 60_000 } },
        {
          type: "program-added",
          program: { ...PROGRAM, id: 29 },
        },
      ),
    ).toEqual([moved, still, still, still]));
  test("is sent when the time zone of the home changes", () => {
    const controller = { ...CONTROLLER, timeZone: "Asia/Tokyo" };
    expect(told({ type: "controller-changed", controller }, daily)).toEqual([still, moved]);
    expect(told(daily, { type: "controller-changed", controller })).toEqual([moved, moved]);
  });
});
