/** Programs against generated types, through the real compiler. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const HEAD = [
  'import { connect, within } from "@domovoi/client";',
  'import type { MyHome } from "./my-home.d.ts";',
  "export const home = await connect<MyHome>({ url: '', user: '', password: '' });",
  "export const level: number = Math.random();",
  "void within;",
];

/** Starts of what does not compile: the line of `uses` from 0, and the compiler's number; -1 for the types themselves. */
type Complaint = readonly [line: number, code: string];

/** @param uses a statement a line */
export function compile(types: string, uses: readonly string[]): readonly Complaint[] {
  const directory = mkdtempSync(join(tmpdir(), "domovoi-types-"));
  try {
    const options = {
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        paths: { "@domovoi/client": [join(ROOT, "client/src/node.ts")] },
        typeRoots: [join(ROOT, "node_modules/@types")],
        skipLibCheck: false,
      },
      include: [directory],
    };
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(options));
    writeFileSync(join(directory, "my-home.d.ts"), types);
    writeFileSync(join(directory, "use.ts"), [...HEAD, ...uses, ""].join("\n"));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const args = [tsc, "--noEmit", "--pretty", "false", "-p", directory];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: directory });
    const complaints = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)].map(
      ([, file, at, code]): Complaint => [file === "use.ts" ? Number(at) - HEAD.length - 1 : -1, code ?? ""],
    );
    if (complaints.length === 0 && stdout !== "") throw new Error(stdout);
    return complaints;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
