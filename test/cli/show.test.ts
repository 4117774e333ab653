/** Output on a terminal: tables that fit, merged lines, colors only where they are shown. */

import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MergingLines } from "../../src/cli/home/watch.ts";
import { tableText } from "../../src/cli/show/table.ts";
import { ACCOUNT, ScriptedServer } from "../client/support/scripted-server.ts";
import { runDomovoi } from "../simulation/service-process.ts";

describe("a table", () => {
  const columns = [
    { title: "NAME", text: ({ name }: { readonly name: string }) => name },
    { title: "LEVEL", text: ({ level }: { readonly level: number }) => String(level), isRight: true },
  ];
  const rows = [
    { name: "Lamp", level: 5 },
    { name: "A lantern with a rather long name", level: 100 },
    { name: "街灯と門灯と玄関灯", level: 75 },
  ];

  test("has its full width without a terminal", () => {
    expect(tableText(columns, rows, null)).toBe(
      [
        "NAME                               LEVEL",
        "Lamp                                   5",
        "A lantern with a rather long name    100",
        "街灯と門灯と玄関灯                    75",
        "",
      ].join("\n"),
    );
  });

  test("fits the terminal, the widest column first", () => {
    expect(tableText(columns, rows, 20)).toBe(
      ["NAME           LEVEL", "Lamp               5", "A lantern wi…    100", "街灯と門灯と…     75", ""].join("\n"),
    );
  });

  test("has one width for thousands of lines", () => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ name: `Lamp ${at}`, level: at }));
    const lines = tableText(columns, many, null).split("\n").slice(0, -1);
    expect(lines).toHaveLength(1002);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([16]));
  });
});

describe("lines on a terminal", () => {
  const merged = (act: (lines: MergingLines) => void) => {
    const printed: string[] = [];
    const lines = new MergingLines((line) => printed.push(stripVTControlCharacters(line)));
    act(lines);
    lines.end();
    return printed;
  };

  test("of one property within a moment become one, the last, with their number; others stay", () => {
    const printed = merged((lines) => {
      for (let level = 1; level <= 100; level += 1) {
        lines.write(`Lamp ${level}%`, "lamp ST");
        lines.write(`Fan ${level % 2}`, "fan ST");
      }
    });
    expect(printed).toEqual(["Lamp 100% (100 reports)", "Fan 0 (100 reports)"]);
  });

  test("keep the order of what stands for itself", () => {
    const printed = merged((lines) => {
      lines.write("Lamp 1%", "lamp ST");
      lines.write("Button pressed", null);
      lines.write("Lamp 2%", "lamp ST");
    });
    expect(printed).toEqual(["Lamp 1%", "Button pressed", "Lamp 2%"]);
  });
});

describe("colours", () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    server.nowMs = Date.now;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("are not in a pipe unless they are forced, and say nothing that the words do not", async () => {
    const env = { DOMOVOI_URL: server.url, DOMOVOI_USER: ACCOUNT.user, DOMOVOI_PASSWORD: ACCOUNT.password };
    const bare = await runDomovoi(["nodes"], { env });
    const forced = await runDomovoi(["nodes"], { env: { ...env, FORCE_COLOR: "1" } });
    expect(bare.stdout).not.toContain("\u001b");
    expect(forced.stdout).toContain("\u001b[");
    expect(stripVTControlCharacters(forced.stdout)).toBe(bare.stdout);
  });
});
