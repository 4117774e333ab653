/**
 * isy-nodejs as its author published it: TypeScript without a build. It is compiled here with the settings of its own
 * build script, without type checks, and then runs unchanged. The types of what a test uses are declared here.
 */

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { vi } from "vitest";

type IsyDriver = {
  readonly value: unknown;
  readonly state: { readonly rawValue: unknown; readonly formattedValue: unknown };
  readonly changedEventName: string;
};

export type IsyNode = {
  readonly address: string;
  readonly name: string;
  readonly folder: string;
  readonly drivers: Readonly<Record<string, IsyDriver>>;
  readonly events: { on(event: string, listener: () => void): void };
  sendCommand(command: string, value?: unknown): Promise<unknown>;
  // Only of devices that it knows by their nodedef.
  on?(level?: number): Promise<unknown>;
  off?(): Promise<unknown>;
  arm?(mode: number): Promise<unknown>;
  updateOnLevel?(level: number): Promise<unknown>;
  updateRampRate?(index: number): Promise<unknown>;
  updateHeatSetpoint?(degrees: number): Promise<unknown>;
};

type IsyScene = IsyNode & {
  readonly members: readonly (IsyNode | undefined)[];
  updateIsOn(isOn: boolean): Promise<unknown>;
};

type IsyVariable = {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly value: unknown;
};

type Isy = {
  readonly id: string;
  readonly nodes: ReadonlyMap<string, IsyNode>;
  readonly devices: ReadonlyMap<string, IsyNode>;
  readonly scenes: ReadonlyMap<string, IsyScene>;
  readonly variables: ReadonlyMap<string, IsyVariable>;
  readonly folderMap: ReadonlyMap<string, string>;
  readonly webSocketEndpoint: { readonly isConnected: boolean };
  initialize(): Promise<boolean>;
  initializeWebSocket(): Promise<void>;
  sendSetVariable(id: number, type: number, value: number): Promise<unknown>;
  /** A path below `/rest/`, answered as an object of the document's elements. */
  sendRequest(path: string, options?: { readonly trailingSlash: boolean }): Promise<unknown>;
  close(): Promise<void>;
};

type IsyLine = { readonly level: string; readonly message: string };

type IsyOptions = {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Milliseconds without a message after which it opens another stream. Default: its own 60 s. */
  readonly guardianInterval?: number;
};

export type RunningIsy = {
  readonly isy: Isy;
  /** Its log, debug lines included. */
  readonly lines: readonly IsyLine[];
  /** The first line from now on, or from `since` on, that says it. */
  says(words: string, since?: number): Promise<IsyLine>;
};

/** The compiled package. Each client of it has a copy of its own, because it keeps what it found in statics. */
export type IsyNodejs = { start(options: IsyOptions): Promise<RunningIsy>; remove(): Promise<void> };

const root = join(import.meta.dirname, "../../..");
const packageFolder = join(root, "node_modules/isy-nodejs");
/** As in the package's own tsconfig.json. */
const NOT_BUILT = ["ZigBeeLegacy", "Poly", "Brultech", "NCD", "Scene", "UDI"].map((family) =>
  join(packageFolder, `src/Devices/${family}/Generated`),
);
const REQUIRE = createRequire(join(packageFolder, "package.json"));

type Winston = {
  createLogger(options: object): object;
  readonly transports: { readonly Stream: new (options: object) => object };
  readonly format: { json(): object };
  readonly loggers: { readonly loggers: Map<string, object> };
};

type Package = { readonly ISY: { create(config: object, logger: object, storagePath: string): Promise<Isy> } };

export async function buildIsyNodejs(): Promise<IsyNodejs> {
  const folder = await mkdtemp(join(tmpdir(), "domovoi-isy-nodejs-"));
  await compile(folder);
  let copies = 0;
  return {
    async start(options) {
      copies += 1;
      const copy = join(folder, `copy-${copies}`);
      await cp(join(folder, "dist"), copy, { recursive: true });
      return start(load(join(copy, "ISY.js")), copy, options);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Files that it imports from other packages are found through a link to where those are installed. */
async function compile(folder: string): Promise<void> {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const settings = {
    compilerOptions: {
      ...{ rootDir: join(packageFolder, "src"), outDir: join(folder, "dist") },
      ...{ target: "es2022", module: "esnext", moduleResolution: "bundler" },
      ...{ noCheck: true, noResolve: true, lib: ["es5"], types: [], isolatedModules: true, strict: false },
    },
    include: [join(packageFolder, "src")],
    exclude: NOT_BUILT,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);
}

/** The package prints a table while it is loaded. */
function load(file: string): Package {
  const silent = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    return createRequire(import.meta.url)(file);
  } finally {
    silent.mockRestore();
  }
}

async function start({ ISY }: Package, storage: string, options: IsyOptions): Promise<RunningIsy> {
  const { hostname, port, protocol } = new URL(options.url);
  const { logger, lines, says } = recordingLogger();
  const isy = await ISY.create(
    {
      host: hostname,
      port: Number(port),
      protocol: protocol.replace(":", ""),
      username: options.username,
      password: options.password,
      // Otherwise the first one is kept as the only one of the process.
      apiOnly: true,
      webSocketOptions: options.guardianInterval === undefined ? {} : { guardianInterval: options.guardianInterval },
    },
    logger,
    storage,
  );
  return { isy, lines, says };
}

function recordingLogger(): Pick<RunningIsy, "lines" | "says"> & { readonly logger: object } {
  const winston = REQUIRE("winston") as Winston;
  // All clients of a process share one logger, which the first one made; this one gets its own.
  winston.loggers.loggers.delete("isy");
  const lines: IsyLine[] = [];
  const waiting = new Set<() => void>();
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      lines.push(JSON.parse(chunk) as IsyLine);
      for (const look of [...waiting]) look();
      done();
    },
  });
  const transport = new winston.transports.Stream({ stream, level: "debug", format: winston.format.json() });
  const says = (words: string, since = lines.length) =>
    new Promise<IsyLine>((resolve) => {
      const look = () => {
        const found = lines.slice(since).find(({ message }) => message.includes(words));
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { logger: winston.createLogger({ level: "debug", transports: [transport] }), lines, says };
}
