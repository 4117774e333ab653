/** Words of states: every unit says what its names say, and unknown is never a state. */

import { expect, test } from "vitest";
import { type CommandWord, commandOf, locksBy, valueAfter, type WordCommand } from "../../src/profile/command-words.ts";
import type { NodeRole } from "../../src/profile/roles-table.ts";
import { isActive, NAMED_STATES, type StatusWord, valueOfWord, wordOfValue } from "../../src/profile/status-words.ts";
import { findUom } from "../../src/profile/uom.ts";

const NAMES: Readonly<Record<string, StatusWord>> = {
  ...{ Open: "open", Closed: "closed", On: "on", Off: "off", True: "on", False: "off" },
  ...{ Locked: "locked", Lock: "locked", Unlocked: "unlocked", Unlock: "unlocked", Problem: "jammed" },
};

test.each([...NAMED_STATES])(
  "unit %i: the word of each value is its name, and the word's value is that value",
  (uom) => {
    const named = [...findUom(uom).names].flatMap(([value, name]) =>
      NAMES[name] ? [[value, NAMES[name]] as const] : [],
    );
    expect(named.length).toBeGreaterThan(1);
    for (const [value, word] of named) {
      expect([uom, wordOfValue(null, uom, value), valueOfWord(word, uom)]).toEqual([uom, word, value]);
    }
  },
);

test.each([11, 78, 79, 97, 51])("unit %i: 101 and no value are no state, and no alarm", (uom) => {
  for (const value of [101, null, Number.NaN]) {
    expect([wordOfValue(null, uom, value), isActive(null, uom, value)]).toEqual([null, null]);
  }
});

const WORDS: readonly [
  role: NodeRole | null,
  uom: number,
  value: number,
  word: StatusWord | null,
  active: boolean | null,
][] = [
  ["contact", 78, 100, "open", true],
  ["contact", 100, 255, "open", true],
  ["contact", 100, 0, "closed", false],
  ["cover", 51, 40, "open", true],
  ["garage-door", 97, 40, "open", true],
  ["garage-door", 97, 103, null, null],
  ["lock", 11, 102, "jammed", true],
  ["lock", 78, 100, "locked", false],
  ["leak", 78, 100, "wet", true],
  ["leak-dry", 100, 255, "dry", false],
  ["leak-dry", 100, 0, "wet", true],
  ["smoke", 78, 0, "off", false],
  ["dimmer", 51, 1, "on", true],
  ["appliance", 25, 2, "on", true],
  ["meter", 73, 12, null, true],
];

test.each(WORDS)("%s, unit %i, %i is %s", (role, uom, value, word, active) => {
  expect([wordOfValue(role, uom, value), isActive(role, uom, value)]).toEqual([word, active]);
});

test("a word has the value of its role where the unit only counts", () => {
  const values = [
    valueOfWord("open", 51),
    valueOfWord("open", 100),
    valueOfWord("closed", 100, "contact"),
    valueOfWord("wet", 100, "leak"),
    valueOfWord("wet", 100, "leak-dry"),
    valueOfWord("jammed", 51),
    valueOfWord("on", 4),
  ];
  expect(values).toEqual([100, 255, 0, 255, 0, null, null]);
});

const nodedef = (...ids: readonly string[]) => ({
  accepts: ids.map((id) => ({ id, parameters: id === "SECMD" ? [{}] : [] })),
});

const COMMANDS: readonly [word: CommandWord, accepts: readonly string[], command: WordCommand | null][] = [
  ["open", ["DON", "FDUP", "FDDOWN"], { command: "FDUP", parameter: null }],
  ["close", ["DON", "FDUP", "FDDOWN"], { command: "FDDOWN", parameter: null }],
  ["open", ["DON", "DOF"], { command: "DON", parameter: null }],
  ["unlock", ["SECMD", "UNLOCK"], { command: "SECMD", parameter: 0 }],
  ["lock", ["LOCK"], { command: "LOCK", parameter: null }],
  ["stop", ["DON"], null],
];

test.each(COMMANDS)("%s of %j is %j", (word, accepts, command) => {
  expect(commandOf(word, nodedef(...accepts))).toEqual(command);
});

test("the status after a command, in the unit of the status", () => {
  expect([
    valueAfter("DON", null, 79),
    valueAfter("DOF", null, 79),
    valueAfter("DON", null, 11),
    valueAfter("DFON", null, 100),
    valueAfter("SECMD", 1, 11),
    valueAfter("SECMD", 0, 78),
    valueAfter("OPEN", null, 97),
    valueAfter("CLOSE", null, 51),
    valueAfter("BEEP", null, 51),
  ]).toEqual([0, 100, 100, 255, 100, 0, 100, 0, null]);
  expect([locksBy(0), locksBy(1), locksBy(255)]).toEqual([false, true, true]);
});
