import { describe, expect, test } from "vitest";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import { nlsText, readNls } from "../../src/profile/nls.ts";
import { Profile } from "../../src/profile/profile.ts";

const profile = new Profile();
declareBuiltinProfile(profile);
const dimmer = nodedef("UZW1", {
  name: "Dimmer",
  properties: "ST:_51_0_N_LVL",
  accepts: "DON DOF",
  labels: { ST: "Brightness" },
});
profile.declare(12, 1, { nodedefs: [{ ...dimmer, nls: "109" }], names: new Map([["LVL-101", "Unknown"]]) }, true);

/** Reads the text as clients do: split at the first equals sign, trim, skip comments. */
function parse(text: string | null): Map<string, string> {
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]),
  );
}

describe("the NLS text", () => {
  test("is the same for the global family and the wired one", () => {
    expect(nlsText(profile, -1, 1)).toBe(nlsText(profile, 1, 1));
  });

  test("labels every command and property globally", () => {
    const names = parse(nlsText(profile, -1, 1));
    expect(names.get("CMD-DON-NAME")).toBe("On");
    expect(names.get("ST-CLISPH-NAME")).toBe("Heat Setpoint");
    expect(names.get("CMD-CLISPH-NAME")).toBe("Heat Setpoint");
    expect(names.has("CMD-ST-NAME")).toBe(false);
  });

  test("labels what radio nodedefs have, by their NLS prefix", () => {
    const names = parse(nlsText(profile, 12, 1));
    expect(Object.fromEntries(names)).toEqual({
      "NDN-109-NAME": "Dimmer",
      "ST-109-ST-NAME": "Brightness",
      "CMD-109-DON-NAME": "On",
      "CMD-109-DOF-NAME": "Off",
      "LVL-101": "Unknown",
    });
  });

  test("keeps a label on its line and leaves out impossible characters", () => {
    const odd = new Profile();
    odd.declare(10, 2, {
      names: new Map([
        ["A-1", "two\nlines = one"],
        ["#A-2", "comment"],
        ["A=3", "split"],
        ["A-4", " "],
      ]),
    });
    expect(nlsText(odd, 10, 2)).toBe("A-1 = two lines = one\n");
  });

  test("does not exist for a family that is not there", () => {
    expect(nlsText(profile, 10, 7)).toBeNull();
  });
});

describe("an NLS text is read", () => {
  test("line by line, with any end of line and any blanks", () => {
    expect(readNls("A-1 = one\r\n  B=two words \rC-2\t=\tthree = 3\nD = #4")).toEqual([
      ["A-1", "one"],
      ["B", "two words"],
      ["C-2", "three = 3"],
      ["D", "#4"],
    ]);
  });

  test("without comments, and lines without a key or a label", () => {
    expect(readNls("# A = 1\n  #B = 2\n = 3\nC =\nD = \nplain words\n\nE=5")).toEqual([["E", "5"]]);
  });

  test("as it was written", () => {
    const written = new Profile();
    const names = new Map([
      ["LVL-0", "Off"],
      ["LVL-1", "On = bright"],
    ]);
    written.declare(10, 3, { names });
    expect(readNls(nlsText(written, 10, 3) ?? "")).toEqual([...names]);
  });
});
