/** Tab in a real bash: what is offered, how it is quoted, and that nothing hangs or runs. The engine for zsh is the same. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quoteFor, readLine } from "../../src/cli/completion/complete.ts";
import { ACCOUNT, json, ScriptedServer } from "../client/support/scripted-server.ts";
import { NODES } from "../client/support/small-home.ts";
import { CommandLine } from "./command-line.ts";
import { pressTab } from "./shell.ts";

let line: CommandLine;
let saved: Readonly<Record<string, string>>;

beforeAll(async () => {
  line = await CommandLine.start();
  const { portalUrl } = line.controller.controller;
  const login = ["login", "house", "--url", portalUrl, "--user", "owner@example.org", "--ca", line.authority];
  const { DOMOVOI_PASSWORD = "", DOMOVOI_CONTROLLERS = "", DOMOVOI_CACHE = "" } = line.portal;
  saved = { DOMOVOI_CONTROLLERS, DOMOVOI_CACHE };
  expect((await line.run(login, { ...saved, DOMOVOI_PASSWORD })).code).toBe(0);
  // However busy the machine is, the names are there.
  await line.run(["__names"], saved);
});
afterAll(() => line[Symbol.asyncDispose]());

const tab = async (text: string) => pressTab(text, saved, line.directory);
const offered = async (text: string) => (await tab(text)).inserted;
const bare = { DOMOVOI_CONTROLLERS: "/nowhere/controllers.json", DOMOVOI_CACHE: "/nowhere/cache" };

describe("without a controller", { timeout: 60_000 }, () => {
  const offeredBare = async (text: string) => (await pressTab(text, bare, line.directory)).inserted;

  test("commands, their subcommands and options", async () => {
    expect(await offeredBare("domovoi no")).toEqual(["nodes"]);
    expect(await offeredBare("domovoi program ")).toEqual(expect.arrayContaining(["show", "edit", "apply"]));
    expect(await offeredBare("domovoi nodes --fa")).toEqual(["--family"]);
    expect(await offeredBare("domovoi completion ")).toEqual(["bash", "zsh"]);
  });

  test("commands within commands, and the names of networks", async () => {
    expect(await offeredBare("domovoi radio nvm ")).toEqual(expect.arrayContaining(["save", "restore"]));
    expect(await offeredBare("domovoi radio nodes --radio zwave")).toEqual(["zwave", "zwave2"]);
    expect((await pressTab("domovoi radio nvm save ", bare, line.directory)).isFiles).toBe(true);
  });

  test("files where a command or an option takes one", async () => {
    const { isFiles, inserted } = await pressTab("domovoi program apply ", bare, line.directory);
    expect([isFiles, inserted]).toEqual([true, []]);
    expect((await pressTab("domovoi nodes --ca ", bare, line.directory)).isFiles).toBe(true);
    expect((await pressTab("domovoi nodes ", bare, line.directory)).isFiles).toBe(false);
  });
});

describe("with a controller that is kept", { timeout: 60_000 }, () => {
  test("names of nodes, quoted as the line is", async () => {
    expect(await offered("domovoi status Hall\\ C")).toEqual(["Hall\\ Ceiling"]);
    expect(await offered('domovoi status "Hall C')).toEqual(["Hall Ceiling"]);
    expect(await offered("domovoi status 'Hall C")).toEqual(["Hall Ceiling"]);
    expect(await offered("domovoi radio interview Hall\\ C")).toEqual(["Hall\\ Ceiling"]);
    const { meant } = await tab("domovoi fire Door");
    expect(meant).toEqual(["Door Chime & Light"]);
  });

  test("commands that the node accepts, groups, programs, variables, folders, controllers", async () => {
    expect(await offered("domovoi send Hall\\ Ceiling DO")).toEqual(["DON", "DOF"]);
    expect(await offered("domovoi send Good\\ Night DO")).toEqual(["DON", "DOF"]);
    expect(await offered("domovoi run 'Hall M")).toEqual(["Hall Motion Light"]);
    expect(await offered("domovoi set Comf")).toEqual(["Comfort\\ Temperature"]);
    expect(await offered("domovoi nodes --folder Ki")).toEqual(["Kitchen"]);
    expect(await offered("domovoi nodes --controller ")).toEqual(["house"]);
  });

  test("names are kept in a file that only the owner can read", () => {
    const directory = saved.DOMOVOI_CACHE ?? "";
    const files = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect([statSync(directory).mode & 0o777, files]).toEqual([0o700, [0o600]]);
  });
});

test("a slow controller is not waited for; its names are there for a later Tab", { timeout: 60_000 }, async () => {
  await using server = await ScriptedServer.start();
  server.nowMs = Date.now;
  const release = Promise.withResolvers<void>();
  server.on("GET /api/nodes", async () => {
    await release.promise;
    return json(NODES);
  });
  const account = { DOMOVOI_URL: server.url, DOMOVOI_USER: ACCOUNT.user, DOMOVOI_PASSWORD: ACCOUNT.password };
  const env = { ...account, DOMOVOI_CACHE: join(line.directory, "slow") };
  const lanterns = async () => (await pressTab("domovoi status Po", env, line.directory)).inserted;
  expect(await lanterns()).toEqual([]);
  release.resolve();
  let found: readonly string[] = [];
  while (found.length === 0) found = await lanterns();
  expect(found).toEqual(["Porch\\ Lantern"]);
});

describe("words", () => {
  const written = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !/[\n\r]/.test(text));

  test("property: what is quoted is read as it was, in each way of quoting", () => {
    void fc.assert(
      fc.property(written, fc.constantFrom<"" | '"' | "'">("", '"', "'"), (text, quote) => {
        fc.pre(quoteFor(quote, text) !== null);
        const { words } = readLine(`domovoi ${quote}${quoteFor(quote, text)}${quote} `);
        expect(words).toEqual(["domovoi", text]);
      }),
    );
  });

  test.each([
    ["domovoi ", ["domovoi"], "", ""],
    ["domovoi no", ["domovoi"], "no", ""],
    ['domovoi "Hall C', ["domovoi"], "Hall C", '"'],
    ["domovoi 'it'\\''s' x", ["domovoi", "it's"], "x", ""],
    ['domovoi "a \\"b\\" \\c" ', ["domovoi", 'a "b" \\c'], "", ""],
    ["domovoi Hall\\ C", ["domovoi"], "Hall\\ C", ""],
  ])("%j", (text, words, current, quote) => {
    expect(readLine(text)).toEqual({ words, current, quote });
  });
});
