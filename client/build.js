// Writes the package as it is published: JavaScript, types, and a manifest that points at them.
//
//     node build.js [folder]        default: dist
//
// In the checkout the sources are the package; Node does not read TypeScript below node_modules, so others get this.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const here = import.meta.dirname;
const target = resolve(process.argv[2] ?? join(here, "dist"));
rmSync(target, { recursive: true, force: true });

const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
const tsc = join(typescript, "bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(here, "tsconfig.json"), "--outDir", join(target, "src")], {
  stdio: "inherit",
});

const read = (path) => JSON.parse(readFileSync(join(here, path), "utf8"));
const { private: _private, scripts: _scripts, exports, dependencies: _own, ...manifest } = read("package.json");
// The packages that the sources import, in the versions that the checkout is tested with.
const { sax, ws } = read("../package.json").dependencies;
const dependencies = { sax, ws };
const built = (source) => ({ types: source.replace(/\.ts$/, ".d.ts"), default: source.replace(/\.ts$/, ".js") });
const published = Object.fromEntries(
  Object.entries(exports["."]).map(([condition, source]) => [condition, built(source)]),
);
writeFileSync(
  join(target, "package.json"),
  `${JSON.stringify({ ...manifest, dependencies, engines: { node: ">=20.3" }, sideEffects: false, files: ["src"], exports: { ".": published } }, null, 2)}\n`,
);
for (const name of ["README.md", "RULES.md"]) copyFileSync(join(here, name), join(target, name));
copyFileSync(join(here, "../LICENSE"), join(target, "LICENSE"));
