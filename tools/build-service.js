// Bundles src/ and the client library into dist/, which bin/domovoi.js runs: a start loads four files instead of 700 small ones,
// in half the time. Of the packages of node_modules the small ones that a start reads are bundled too. Names are not shortened, so
// that a stack trace can be read. Without the build tools there is no dist/, so that bin/domovoi.js never runs
// what older sources were built to. Runs after `npm ci`, before `npm start` and before the tests.
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

const COMMAND_LINE = ["src/cli/domovoi.ts"];
/** The commands that start a controller in their process. */
const SERVICE = ["src/cli/serve.ts", "src/cli/twin.ts", "src/cli/move-in/move-in.ts"];
/** What a checkout alone has. */
const CHECKOUT_ONLY = [
  "@domovoi/client",
  /^@modelcontextprotocol\/sdk/,
  "zod",
  "zod-to-json-schema",
  "ajv",
  "ajv-formats",
  "qr",
];
/** Small packages of many files that a start reads, and the packages that these need. */
const SMALL = [
  ...[
    "@cfworker/json-schema",
    "commander",
    "fflate",
    "find-my-way",
    "pino",
    "sax",
    "suncalc",
    "temporal-polyfill",
    "ws",
  ],
  ...["fast-decode-uri-component", "fast-deep-equal", "fast-querystring", "ret", "safe-regex2", "temporal-utils"],
  ...["@pinojs/redact", "atomic-sleep", "on-exit-leak-free", "pino-std-serializers", "quick-format-unescaped"],
  ...["safe-stable-stringify", "sonic-boom", "thread-stream"],
];

const serviceApart = {
  name: "service-apart",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    const path = SERVICE.find((path) => resolved?.id === join(root, path));
    return path ? { id: `./${basename(path, ".ts")}.js`, external: true } : resolved;
  },
};

if (import.meta.main) await buildService();

/** Writes only the files that differ, so that a service that runs from `dist/` can still load the others. */
export default async function buildService() {
  const files = hasBuildTools() ? await bundle() : new Map();
  mkdirSync(dist, { recursive: true });
  for (const [name, code] of files) if (read(name) !== code) write(name, code);
  for (const name of readdirSync(dist)) if (name.endsWith(".js") && !files.has(name)) rmSync(join(dist, name));
}

function hasBuildTools() {
  try {
    createRequire(import.meta.url).resolve("vite/package.json");
    return true;
  } catch {
    return false;
  }
}

/** By file name. The command line, the service and each thread are bundled apart: what one of them starts with is in few files. */
async function bundle() {
  const threads = globSync("src/**/*-worker.ts", { cwd: root });
  const files = new Map();
  for (const sources of [COMMAND_LINE, SERVICE, ...threads.map((path) => [path])]) {
    for (const { fileName, code } of await bundleOf(sources)) files.set(fileName, inAscii(code));
  }
  return files;
}

async function bundleOf(sources) {
  const { build } = await import("vite");
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: sources === COMMAND_LINE ? [serviceApart] : [],
    ssr: { noExternal: [...CHECKOUT_ONLY, ...SMALL] },
    build: {
      ssr: true,
      write: false,
      target: "node24",
      rolldownOptions: {
        input: Object.fromEntries(sources.map((path) => [basename(path, ".ts"), join(root, path)])),
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          comments: false,
          codeSplitting: { groups: [{ name: startChunk(join(root, sources[0])), debugName: "start" }] },
        },
      },
    },
  });
  return output;
}

/** A source with one other character takes two bytes of memory for each. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Names the chunk of the modules that the entry imports directly or through others: they are loaded together, so they are one file.
 * Without the entry: it may wait for a command whose code imports this file.
 */
function startChunk(entry) {
  let loaded;
  return (id, modules) => {
    loaded ??= importedBy(entry, modules);
    return loaded.has(id) ? `${basename(entry, ".ts")}-start` : null;
  };
}

function importedBy(entry, modules) {
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  found.delete(entry);
  return found;
}

function read(name) {
  try {
    return readFileSync(join(dist, name), "utf8");
  } catch {
    return null;
  }
}

function write(name, code) {
  const unfinished = join(dist, `${name}.${process.pid}`);
  writeFileSync(unfinished, code);
  renameSync(unfinished, join(dist, name));
}
