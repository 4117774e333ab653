/** The package as it is published: built, installed beside its dependencies, run and compiled against. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTree } from "../support/source-tree.ts";
import { ACCOUNT, ScriptedServer } from "./support/scripted-server.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domovoi-client-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@domovoi"), { recursive: true });
  await run(process.execPath, [join(ROOT, "client/build.js"), join(modules, "@domovoi/client")]);
  for (const name of ["sax", "ws", "@types"]) await symlink(join(ROOT, "node_modules", name), join(modules, name));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test("loads a home in plain Node", async () => {
  await using server = await ScriptedServer.start();
  const options = JSON.stringify({ url: server.url, ...ACCOUNT });
  await writeFile(
    join(folder, "main.js"),
    `import { connect } from "@domovoi/client";
     await using home = await connect(${options});
     console.log(home.node("Porch Lantern").path, home.group("Evening").anyOn);`,
  );
  server.nowMs = Date.now;
  const { stdout } = await run(process.execPath, [join(folder, "main.js")]);
  expect(stdout).toBe("Garden/Porch Lantern true\n");
}, 60_000);

test("is packed, installed into an empty folder without a network, and runs its README's example", async () => {
  await using server = await ScriptedServer.start();
  server.nowMs = Date.now;
  const empty = await mkdtemp(join(tmpdir(), "domovoi-empty-"));
  const npm = (...args: readonly string[]) => run("npm", args, { cwd: empty });
  const packed = [
    join(folder, "node_modules/@domovoi/client"),
    ...["sax", "ws"].map((name) => join(ROOT, "node_modules", name)),
  ];
  const { stdout: listed } = await npm("pack", "--json", "--ignore-scripts", "--offline", ...packed);
  const packages = JSON.parse(listed) as readonly { filename: string; files: readonly { path: string }[] }[];
  const files = packages[0]?.files.map(({ path }) => path);
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "src/node.js", "src/node.d.ts", "src/browser.js"]),
  );
  expect(files?.filter((path) => /\.ts$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
  await writeFile(join(empty, "package.json"), '{"type":"module"}');
  await npm(
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    ...packages.map(({ filename }) => `./${filename}`),
  );
  const readme = await readFile(join(empty, "node_modules/@domovoi/client/README.md"), "utf8");
  const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  await writeFile(join(empty, "what-is-on.js"), example);
  const env = {
    PATH: process.env.PATH ?? "",
    DOMOVOI_URL: server.url,
    DOMOVOI_USER: ACCOUNT.user,
    DOMOVOI_PASSWORD: ACCOUNT.password,
  };
  const { stdout } = await run(process.execPath, [join(empty, "what-is-on.js")], { env });
  expect(stdout).toContain("Garden/Porch Lantern: ");
  await rm(empty, { recursive: true });
}, 60_000);

test("gives its types to who compiles against it, in Node and for browsers", async () => {
  await writeFile(
    join(folder, "main.ts"),
    `import { connect, ClientError, type HomeEvent } from "@domovoi/client";
     type Mine = {
       readonly nodes: { readonly Lamp: { readonly commands: { readonly DON: readonly [level: number] }; readonly properties: { readonly ST: number } } };
       readonly groups: "Evening"; readonly programs: never; readonly variables: never; readonly resources: never;
     };
     const home = await connect<Mine>({ url: "https://localhost", user: "a@b.c", password: "x" });
     await home.node("Lamp").send("DON", 40);
     await home.node("Lamp").don(40);
     // @ts-expect-error there is no such node
     home.node("Lantern");
     // @ts-expect-error it takes a number
     await home.node("Lamp").don("bright");
     // @ts-expect-error there is no such scene
     home.group("Morning");
     for await (const event of home.events()) if (event.kind === "property") event.property.value.length;
     export const last: HomeEvent["kind"] = "stream";
     export const code: string = new ClientError("CLOSED", "Closed.").code;`,
  );
  const compile = (module: string, resolution: string, lib: string, types: string) => {
    const options = {
      strict: true,
      noEmit: true,
      target: "es2024",
      module,
      moduleResolution: resolution,
      lib: lib.split(","),
      types: types.split(",").filter(Boolean),
    };
    const file = join(folder, `tsconfig.${resolution}.json`);
    return writeFile(file, JSON.stringify({ compilerOptions: options, files: ["main.ts"] })).then(() =>
      run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", file]),
    );
  };
  expect((await compile("nodenext", "nodenext", "es2024,esnext.disposable", "node")).stdout).toBe("");
  expect((await compile("esnext", "bundler", "es2024,esnext.disposable,dom", "")).stdout).toBe("");
}, 60_000);

test("its manifest names what it imports, and points at what was built", async () => {
  const manifest = JSON.parse(await readFile(join(folder, "node_modules/@domovoi/client/package.json"), "utf8"));
  const imported = readTree("client/src").flatMap(({ packages }) =>
    packages.filter((name) => !name.startsWith("node:")),
  );
  expect(Object.keys(manifest.dependencies)).toEqual([...new Set(imported)]);
  expect(manifest).not.toHaveProperty("private");
  expect(manifest.exports["."]).toEqual({
    node: { types: "./src/node.d.ts", default: "./src/node.js" },
    default: { types: "./src/browser.d.ts", default: "./src/browser.js" },
  });
});
