/** The laws of the project, held by a test. When one annoys you, change the rule here in the same commit and say why. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../src/config.ts";
import { ERROR_CODES } from "../src/errors.ts";
import { routes } from "../src/http/routes.ts";
import { CLIENT_TYPES, clientCopies, clientTypes } from "../tools/client-types.ts";
import { CLIENT_MODULES, FOUNDATION, SERVICE_MODULES, withModuleTables } from "./support/modules.ts";
import { listFolder, readText, readTree, type SourceFile } from "./support/source-tree.ts";

const SOURCE = readTree("src", "bin");
const CLIENT = readTree("client/src");
const TESTS = readTree("test", "bench", "tools", "examples", "simulators");
const PAGE = readTree("web/src");
const EVERYTHING = [...SOURCE, ...CLIENT, ...PAGE, ...TESTS];
const FILE_LINES_MAX = 500;
const FUNCTION_LINES_MAX = 70;
/** An arm for every member of the union of changes, and nothing else: they grow with the union. */
const SWITCHES_OVER_CHANGES: ReadonlySet<string> = new Set(["rowsOf", "tailsOf", "keyOf", "inverseOf", "take"]);

const CLIENT_PACKAGES: readonly string[] = ["sax", "ws"];
const CLIENT_ENTRIES: readonly string[] = ["client/src/node.ts", "client/src/browser.ts"];
/** Built into bundles, or run by name. */
const BY_NAME: readonly string[] = ["test/client/support/page.ts", "test/support/install-programs.ts"];

function moduleOf(path: string): string {
  const parts = path
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .split("/");
  if (parts[0] !== "drivers") return parts[0] ?? "";
  return parts.length === 2 ? "driver" : `drivers/${parts[1]}`;
}

const isTable = (path: string) => /\/builtin\/|-table\.ts$|^src\/config\.ts$/.test(path) || path === CLIENT_TYPES;
const names = (files: readonly SourceFile[]) => files.map(({ path }) => path);

describe("layers", () => {
  test("every module imports only what ARCHITECTURE.md lists", () => {
    const offences = SOURCE.filter(({ path }) => path.startsWith("src/") && path !== "src/main.ts").flatMap((file) => {
      const module = moduleOf(file.path);
      const allowed = new Set([module, ...FOUNDATION, ...(SERVICE_MODULES[module]?.imports ?? [])]);
      return file.imports
        .filter(({ from }) => from.startsWith("src/") && !allowed.has(moduleOf(from)))
        .map(({ from }) => `${file.path} → ${from}`);
    });
    expect(offences).toEqual([]);
  });

  test("every module of the client imports only what ARCHITECTURE.md lists, and nothing of the service", () => {
    const moduleIn = (path: string) =>
      path
        .replace(/^client\/src\//, "")
        .replace(/\.ts$/, "")
        .split("/")[0] ?? "";
    const offences = CLIENT.flatMap(({ path, imports, packages }) => {
      const allowed = new Set([moduleIn(path), ...(CLIENT_MODULES[moduleIn(path)]?.imports ?? [])]);
      const foreign = packages.filter((name) => !name.startsWith("node:") && !CLIENT_PACKAGES.includes(name));
      return [...imports.map(({ from }) => from).filter((from) => !allowed.has(moduleIn(from))), ...foreign].map(
        (from) => `${path} → ${from}`,
      );
    });
    expect(offences).toEqual([]);
    const ofNode = CLIENT.filter(({ packages }) => packages.some((name) => name.startsWith("node:") || name === "ws"));
    expect(names(ofNode)).toEqual(["client/src/transport/node-transport.ts", "client/src/transport/read-body.ts"]);
  });

  test("only the families table and drivers know a family by its number or prefix", () => {
    const core = SOURCE.filter(({ path }) =>
      /^src\/(home|wire|http|stream|twin)\/|^src\/drivers\/report-checks/.test(path),
    );
    const knows =
      /z-?wave|zmatter|zigbee|\bZ[WYBM](\d|\b)|FAMIL(Y|IES) = [\d[]|family(\.id)?\)? ?(===|!==|:) ?(\d|"\d)|family \d/i;
    const knowing = core.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => (knows.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    );
    expect(knowing).toEqual([]);
  });

  test("node:http is imported for its types alone, because an import loads fetch too", () => {
    const values = [...SOURCE, ...CLIENT].filter(({ text }) => /^import (?!type ).* from "node:http";/m.test(text));
    expect(names(values)).toEqual([]);
  });

  test("there are no import cycles, types included, in service, client, page, tests and tools", () => {
    expect(findCycles(EVERYTHING)).toEqual([]);
  });

  test("only edges and util touch the clock, chance and the disk of the machine", () => {
    const inner = SOURCE.filter(({ path }) =>
      /^src\/(profile|home|wire|commands|programs|demo|stream|auth)\//.test(path),
    );
    const client = CLIENT.filter(({ path }) => path !== "client/src/clock.ts");
    const touches = [...inner, ...client].filter(({ text }) =>
      /\bDate\.now\(|\bMath\.random\(|\bset(Timeout|Interval)\(/.test(text),
    );
    expect(names(touches)).toEqual([]);
  });
});

describe("sizes", () => {
  test(`no file is longer than ${FILE_LINES_MAX} lines, tables excepted`, () => {
    expect(names(EVERYTHING.filter(({ path, lines }) => lines > FILE_LINES_MAX && !isTable(path)))).toEqual([]);
  });

  test(`no function of the service is longer than ${FUNCTION_LINES_MAX} lines`, () => {
    const long = [...SOURCE, ...CLIENT]
      .filter(({ path }) => !isTable(path))
      .flatMap(({ path, functions }) =>
        functions
          .filter(
            ({ name, lines }) => lines > FUNCTION_LINES_MAX && !SWITCHES_OVER_CHANGES.has(name.split(" ")[0] ?? ""),
          )
          .map(({ name, lines }) => `${path}: ${name}, ${lines} lines`),
      );
    expect(long).toEqual([]);
  });
});

describe("the meaning of states", () => {
  const code = [...SOURCE, ...PAGE, ...CLIENT];
  const offences = (allowed: (path: string) => boolean, pattern: RegExp) =>
    code
      .filter(({ path }) => !allowed(path))
      .flatMap(({ path, text }) =>
        text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
      );

  test("only tables and the law of words name the units of doors, bolts, barriers and switches", () => {
    const isLaw = (path: string) =>
      isTable(path) || /profile\/(state-shapes|uom)|status-words|parse\/status/.test(path);
    const numbers = /(uom|unit)["']?\)? ?(:|===|!==|=) ?["']?(11|78|79|97)\b|reading\("\w+", (11|78|79|97),/i;
    expect(offences(isLaw, numbers)).toEqual([]);
    expect(offences(isLaw, /UOM\.(openClosed|deadbolt|barrier)\b|["'](11|78|79|97)["']/)).toEqual([]);
  });

  test("only models of devices with raw levels compare a status with zero", () => {
    const models = ["lamp", "wired-sensors", "radio-lights"].map((name) => `src/drivers/virtual/devices/${name}.ts`);
    const compared = /(value\("ST"\)|status\??\.value)\)?( \?\? 0\))? ?(>|!==|===) ?0\b/;
    expect(offences((path) => models.includes(path), compared)).toEqual([]);
  });
});

test("a new change stops the compiler at every switch over changes: none of them has a default", () => {
  const open = SOURCE.filter(({ text }) => /switch \((\w+\.)*change\.type\)/.test(text) && /^\s*default:/m.test(text));
  expect(names(open)).toEqual([]);
});

describe("nothing is dead", () => {
  test("every file is reached from the command line or is run by name", () => {
    const entries = [
      "bin/domovoi.js",
      // By the container file.
      "bin/healthy.js",
      "src/store/journal-worker.ts",
      "src/store/backup/backup-worker.ts",
      "src/replays/replay-worker.ts",
      "src/store/samples/history-worker.ts",
      "src/store/recording/past-worker.ts",
      "src/drivers/calendar/calendar-worker.ts",
      "src/drivers/plugin/broker-worker.ts",
      "src/drivers/plugin/unpack-worker.ts",
      "src/bridges/matter/matter-worker.ts",
      "src/drivers/matter/matter-controller-worker.ts",
    ];
    const reached = reach(entries);
    expect(names(SOURCE.filter(({ path }) => !path.endsWith(".d.ts") && !reached.has(path)))).toEqual([]);
  });

  test("every export is imported by another file", () => {
    const used = new Set(
      EVERYTHING.flatMap(({ imports }) => imports.flatMap(({ from, names }) => names.map((name) => `${from} ${name}`))),
    );
    const whole = new Set(
      EVERYTHING.flatMap(({ imports }) => imports.filter(({ isAll }) => isAll).map(({ from }) => from)),
    );
    const inner = EVERYTHING.filter(({ path }) => !whole.has(path) && ![...CLIENT_ENTRIES, ...BY_NAME].includes(path));
    const dead = inner.flatMap(({ path, exports }) =>
      exports.filter((name) => !used.has(`${path} ${name}`)).map((name) => `${path}: ${name}`),
    );
    expect(dead).toEqual([]);
  });

  test("nothing is marked as unfinished", () => {
    const marks = EVERYTHING.filter(({ path }) => path !== "test/tidy.test.ts").filter(({ text }) =>
      /\b(TODO|FIXME|XXX|HACK)\b|\b(test|it|describe)\.(skip|only|todo)\(/.test(text),
    );
    expect(names(marks)).toEqual([]);
  });

  test("tests name promises, not numbers of documents that are not in the project", () => {
    const numbered = TESTS.filter(({ path }) => path !== "test/tidy.test.ts").filter(({ text }) =>
      /\b(wire-(modern|legacy|nucore|ha)|ruling) \d/i.test(text),
    );
    expect(names(numbered)).toEqual([]);
  });

  test("inner modules do not name wire elements", () => {
    const offences = SOURCE.filter(({ path }) => /^src\/(home|commands|programs)\//.test(path)).filter(({ text }) =>
      /<Event|seqnum|RestResponse/.test(text),
    );
    expect(names(offences)).toEqual([]);
  });
});

describe("documents match the code", () => {
  test("the module tables of ARCHITECTURE.md follow from test/support/modules.ts (npm run docs:modules)", () => {
    const text = readText("ARCHITECTURE.md");
    expect(text).toBe(withModuleTables(text));
    expect(text.match(/<!-- modules:(service|client) -->/g)).toHaveLength(2);
  });

  test("the client's types of bodies follow from the schemas of the routes (npm run client:types)", () => {
    expect(readText(CLIENT_TYPES) === clientTypes(routes)).toBe(true);
    for (const [path, text] of clientCopies()) expect(readText(path)).toBe(text);
  });

  test("every route stands on its page, and every path on a page is a route", () => {
    const pages = new Map(
      listFolder("docs/interface").map((name) => [name.replace(/\.md$/, ""), readText(`docs/interface/${name}`)]),
    );
    const spelled = routes.map(({ method, path, page }) => ({
      page,
      line: `${method} ${path.replace(/:([a-zA-Z]+)/g, "{$1}").replace(/\*$/, "…")}`,
    }));
    const missing = spelled
      .filter(({ page, line }) => !pages.get(page)?.includes(`\`${line}\``))
      .map(({ page, line }) => `${page}.md: ${line}`);
    const known = new Set(spelled.map(({ line }) => line));
    const claimed = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)`/gm)].map(([, line]) => ({ page, line: line ?? "" })),
    );
    const invented = claimed.filter(({ line }) => !known.has(line)).map(({ page, line }) => `${page}.md: ${line}`);
    expect({ missing, invented }).toEqual({ missing: [], invented: [] });
  });

  test("every error code is documented, and every documented one exists", () => {
    const documented = [...readText("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(documented.sort()).toEqual([...ERROR_CODES].sort());
  });

  test("every setting is documented, and every documented one exists", () => {
    const documented = [...readText("docs/operations.md").matchAll(/^\| `([a-zA-Z0-9]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(documented.sort()).toEqual(Object.keys(SETTINGS).sort());
  });

  test("every rule of the client has a test, and every rule that a test names exists", () => {
    const rules = [...readText("client/RULES.md").matchAll(/^\| ([A-Z]\d+)\s+\|/gm)].map(([, rule]) => rule);
    const shown = TESTS.filter(({ path }) => path.startsWith("test/client/")).flatMap(({ text }) =>
      [...text.matchAll(/["`]((?:[A-Z]\d+ )+)/g)].flatMap(([, named = ""]) => named.trim().split(" ")),
    );
    expect([...new Set(shown)].sort()).toEqual(rules.toSorted());
  });

  test("every test that SECURITY.md names exists", () => {
    const named = [...readText("SECURITY.md").matchAll(/`((?:test|bench)\/[\w./-]+)`/g)].map(([, path]) => path ?? "");
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(import.meta.dirname, "..", path)))).toEqual([]);
  });

  test("every file of the service that ARCHITECTURE.md and the READMEs of the drivers name exists", () => {
    const here = (path: string) => existsSync(join(import.meta.dirname, "..", path));
    const named = (page: string) =>
      [...readText(page).matchAll(/`([\w-]+(?:\/[\w-]+)*\.ts)`/g)].map(([, name = ""]) => name);
    const all = [...SOURCE, ...EVERYTHING].map(({ path }) => path);
    const missing = (page: string, folder: string) =>
      named(page).filter(
        (name) =>
          !here(`src/${name}`) && !here(name) && !here(folder + name) && !all.some((path) => path.endsWith(`/${name}`)),
      );
    expect(missing("ARCHITECTURE.md", "src/")).toEqual([]);
    expect(missing("src/drivers/zwave/README.md", "src/drivers/zwave/")).toEqual([]);
  });

  test("every document that code or documents name exists", () => {
    const written = [
      ...EVERYTHING.map(({ path, text }) => ({ path, text })),
      ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map((path) => ({ path, text: readText(path) })),
    ];
    const named = written.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[a-z/]+[\w-]*\.md\b/g)].map(([name]) => ({ path, name })),
    );
    const missing = named.filter(({ name }) => !existsSync(join(import.meta.dirname, "..", name)));
    expect(missing).toEqual([]);
  });

  test("every file, script and command that a document names exists", () => {
    const folder = listFolder("docs").filter((name) => name.endsWith(".md"));
    const pages = [
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      ...folder.map((name) => `docs/${name}`),
    ];
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Readonly<Record<string, string>> };
    const commandLine = SOURCE.filter(({ path }) => path.startsWith("src/cli/"));
    const isCommand = (name: string) => commandLine.some(({ text }) => new RegExp(`"${name}[" ]`).test(text));
    const missing = pages.flatMap((page) => {
      const named = (pattern: RegExp) => [...readText(page).matchAll(pattern)].map(([, name = ""]) => name);
      const files = named(
        /\b((?:src|test|bench|tools|client|packaging|simulators|examples)\/[\w./-]+\.(?:ts|md|mjs))\b/g,
      );
      const runs = named(/\bnpm run ([a-z]+(?::[a-z]+)?)\b(?! -w)/g);
      const commands = named(/(?:`|^ {0,4}(?:\$ )?)domovoi ([a-z]+(?:-[a-z]+)*)/gm);
      return [
        ...files.filter((name) => !existsSync(join(import.meta.dirname, "..", name))),
        ...runs.filter((name) => scripts[name] === undefined),
        ...commands.filter((name) => !isCommand(name)),
      ].map((name) => `${page}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("no word that the glossary replaces is in an exported name or in a text for users", () => {
    const [, table = ""] = readText("docs/glossary.md").split("## Replaced words");
    const replaced = [...table.matchAll(/^\| ([a-z]+) \|/gm)].map(([, word]) => word);
    const word = new RegExp(`\\b(${replaced.join("|")})\\b`, "i");
    const wordsOf = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
    const exported = [...SOURCE, ...CLIENT].flatMap(({ path, exports }) =>
      exports.filter((name) => word.test(wordsOf(name))).map((name) => `${path}: ${name}`),
    );
    const pages = ["errors", "operations", "cli"].map((page) => `docs/${page}.md`);
    const texts = ["src/errors.ts", "src/config.ts", ...pages].flatMap((path) =>
      readText(path)
        .split("\n")
        .flatMap((line, at) => (word.test(line) && !/^\s*(\/\*\*|\*|\/\/)/.test(line) ? [`${path}:${at + 1}`] : [])),
    );
    expect(replaced.length).toBeGreaterThan(3);
    expect([...exported, ...texts]).toEqual([]);
  });

  test("every dependency has its line in an ADR", () => {
    const manifest = JSON.parse(readText("package.json")) as Record<string, Record<string, string>>;
    const decisions = listFolder("docs/adr")
      .map((name) => readText(`docs/adr/${name}`))
      .join("\n");
    const all = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    );
    expect(all.filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
  });

  test("the lock file names no address to download from", () => {
    const lock = JSON.parse(readText("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    const addressed = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes("://"));
    expect(addressed.map(([path]) => path)).toEqual([]);
  });
});

function reach(entries: readonly string[]): ReadonlySet<string> {
  const byPath = new Map([...SOURCE, ...CLIENT].map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (!file || reached.has(path)) return;
    reached.add(path);
    for (const { from } of file.imports) visit(from);
  };
  entries.forEach(visit);
  return reached;
}

function findCycles(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const { from } of byPath.get(path)?.imports ?? []) visit(from, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}
