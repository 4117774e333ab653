/** A controller whose names steer terminals, end comments, run commands: what the command line makes of them. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cutTo, widthOf } from "../../src/cli/show/cut.ts";
import { plain, plainJson } from "../../src/cli/show/plain.ts";
import { tableText } from "../../src/cli/show/table.ts";
import { ACCOUNT, json, ScriptedServer } from "../client/support/scripted-server.ts";
import { NODES } from "../client/support/small-home.ts";
import { runDomovoi } from "../simulation/service-process.ts";
import { compile } from "./compile.ts";
import { pressTab } from "./shell.ts";

const HOSTILE = [
  "\u001b[2J\u001b]0;owned\u0007Lamp",
  "\u009b31mLamp",
  "Lamp\r\nSecond line\tand tab",
  "\u202eLamp\u2066",
  "$(touch pwned) `touch pwned`; touch pwned",
  `"'\\ */ }; declare const x: never; /*`,
  "👨‍👩‍👧‍👦 Familie 漢字 é",
  "n".repeat(200),
];

let server: ScriptedServer;
let env: Readonly<Record<string, string>>;
const directory = mkdtempSync(join(tmpdir(), "domovoi-hostile-"));

beforeAll(async () => {
  server = await ScriptedServer.start();
  server.nowMs = Date.now;
  const [template] = NODES.nodes.node;
  const node = HOSTILE.map((name, at) => ({
    ...template,
    name,
    address: `5C 2 D1 ${at + 1}`,
    pnode: `5C 2 D1 ${at + 1}`,
  }));
  server.on("GET /api/nodes", json({ nodes: { ...NODES.nodes, node } }));
  env = {
    DOMOVOI_URL: server.url,
    DOMOVOI_USER: ACCOUNT.user,
    DOMOVOI_PASSWORD: ACCOUNT.password,
    DOMOVOI_CACHE: join(directory, "cache"),
  };
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

/** Everything a terminal would carry out, but line ends. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runDomovoi(args, { env });
  return { code, stdout, stderr };
};

describe("names that steer terminals", { timeout: 60_000 }, () => {
  test("are shown as signs in tables and sentences, escaped in JSON, and come whole out of it", async () => {
    const table = await run("nodes");
    const asJson = await run("nodes", "--json");
    const status = await run("status", "Lamp\r\nSecond lin");
    expect([table.code, asJson.code, status.code]).toEqual([0, 0, 3]);
    for (const text of [table.stdout, asJson.stdout, status.stderr]) expect(text).not.toMatch(STEERING);
    expect(table.stdout.split("\n")).toHaveLength(HOSTILE.length + 2);
    expect(table.stdout).toContain("␛[2J␛]0;owned␇Lamp");
    const names = (JSON.parse(asJson.stdout) as readonly { name: string }[]).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(HOSTILE));
  });

  test("property: no text controls the terminal, a table keeps its lines, JSON keeps the text", () => {
    const text = fc.string({ unit: "binary", maxLength: 80 });
    void fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 20, max: 60 }),
        (names, columns) => {
          const table = tableText(
            [
              { title: "NAME", text: (name: string) => name },
              { title: "X", text: () => "x" },
            ],
            names,
            columns,
          );
          expect(table).not.toMatch(STEERING);
          expect(table.split("\n")).toHaveLength(names.length + 2);
          expect(plain(names[0] ?? "")).not.toMatch(STEERING);
          expect(plainJson(names)).not.toMatch(STEERING);
          expect(JSON.parse(plainJson(names, 2))).toEqual(names.map((name) => name.toWellFormed() && name));
        },
      ),
    );
  });

  test("property: a text is cut to the columns that are there, never within a character", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const cut = cutTo(text, columns);
        expect(widthOf(cut)).toBeLessThanOrEqual(Math.max(columns, 1));
        expect(cut.isWellFormed()).toBe(true);
        expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
    expect([cutTo("漢字漢字", 5), cutTo("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3), widthOf("é")]).toEqual(["漢字…", "👨‍👩‍👧‍👦…", 1]);
  });
});

describe("names that run", { timeout: 60_000 }, () => {
  test("in types they are texts: the file compiles, and every name finds its node", async () => {
    const { stdout } = await run("types");
    expect(stdout).not.toMatch(STEERING);
    const uses = HOSTILE.map((name) => `home.node(${JSON.stringify(name)}).send("DON", 5);`);
    expect(compile(stdout, uses)).toEqual([]);
  });

  test("on Tab they are quoted: bash expands nothing, and the word it makes is the name", async () => {
    await run("__names");
    const { meant } = await pressTab("domovoi send ", env, directory);
    expect(meant).toEqual(expect.arrayContaining(HOSTILE.filter((name) => !STEERING.test(name))));
    expect(meant.filter((name) => STEERING.test(name))).toEqual([]);
    const { meant: quoted } = await pressTab('domovoi send "', env, directory);
    expect(quoted).toContain("$(touch pwned) `touch pwned`; touch pwned");
    expect(existsSync(join(directory, "pwned"))).toBe(false);
  });
});
