/**
 * Starts and ends `zwave-js` on one adapter. Everything that it could do by itself is switched off: no logs of its
 * own (they contain codes), no statistics, no check for updates, and no value that a device did not report.
 */

import { existsSync } from "node:fs";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DriverHost } from "../driver.ts";
import type { ServiceStore } from "../service.ts";
import type { LibraryFiles, LogFactory, StackSettings, ZWaveLibrary, ZWavePort, ZWaveStack } from "./library.ts";
import { errorSentence } from "./network/error-sentence.ts";
import { createNetworkCache } from "./network-cache.ts";
import { letCommandsPass, readAhead } from "./patches.ts";
import { type SecurityKeys, securityKeys } from "./security-keys.ts";

export type StackOptions = {
  readonly port: ZWavePort;
  /** A directory that exists; nothing is written there. */
  readonly dir: string;
  /** The number of the radio's region, as the serial protocol has it; null = as the adapter is set. */
  readonly region: number | null;
  /** The keys of a network that exists already; without them those that the driver keeps. */
  readonly keys?: SecurityKeys;
  /** A simulated adapter is not checked for a waiting bootloader, which takes a second. */
  readonly isSimulated?: boolean;
};

/** @throws what the library says when the adapter cannot be used. */
export async function startStack(
  library: ZWaveLibrary,
  host: DriverHost,
  { port, dir, region, keys = securityKeys(host), isSimulated = false }: StackOptions,
  signal: AbortSignal,
): Promise<ZWaveStack> {
  const settings: StackSettings = {
    host: { db: createNetworkCache(host.store, () => host.clock.now()), fs: DATABASE_FILES, log: SILENT },
    storage: { cacheDir: dir },
    logConfig: { enabled: false },
    securityKeys: keys.classic,
    securityKeysLongRange: keys.longRange,
    // A value changes when the device reports it, not when it is set.
    disableOptimisticValueUpdate: true,
    attempts: OPEN_ONCE,
    ...(isSimulated ? { testingHooks: { skipFirmwareIdentification: true } } : {}),
    ...(region === null ? {} : { rf: { region } }),
  };
  const stack = new library.Driver(port, settings);
  letCommandsPass(library, stack);
  const give = () => void endStack(stack);
  signal.addEventListener("abort", give, { once: true });
  try {
    await ready(stack, isSimulated ? null : host.store, signal);
    return stack;
  } catch (error) {
    await endStack(stack);
    throw signal.aborted ? error : startFailure(typeof port === "string" ? port : null, error);
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** Never throws: an adapter that is gone cannot be closed, and nothing depends on it. */
export async function endStack(stack: ZWaveStack): Promise<void> {
  await stack.destroy().catch(() => {});
}

/** The registry tries again by itself; the library's own ten attempts would keep the controller waiting. Its types leave this out. */
const OPEN_ONCE = { openSerialPort: 1 } as object;

const SILENT: LogFactory = () => ({
  getLogger: () => ({ log: () => {} }),
  isLoglevelVisible: () => false,
  isNodeLoggingVisible: () => false,
  updateConfiguration: () => {},
  getConfiguration: () => ({
    enabled: false,
    level: "error",
    transports: [],
    logToFile: false,
    maxFiles: 0,
    filename: "",
    forceConsole: false,
  }),
  destroy: () => {},
});

/** Resolves when the adapter is identified; devices may still be interviewed. */
function ready(stack: ZWaveStack, ahead: ServiceStore | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    stack.on("error", reject);
    stack.once("bootloader ready", () => reject(new Error("The adapter waits for new firmware.")));
    stack.once("driver ready", resolve);
    stack.start().then(() => {
      if (ahead) stack.once("driver ready", readAhead(stack, ahead));
    }, reject);
  });
}

/** Why an adapter could not be opened or does not answer, as a sentence that says what to do. */
type Row = readonly [said: RegExp, sentence: (port: string) => string];

/** By what the system and the library say; the first that fits. */
const ROWS: readonly Row[] = [
  [
    /no such file|ENOENT/i,
    (port) => `There is no ${port}. Is the adapter plugged in? Adapters are listed in /dev/serial/by-id.`,
  ],
  [
    /permission denied|EACCES/i,
    (port) => `The service has no permission to open ${port}: add its user to the group dialout, then restart it.`,
  ],
  [/cannot lock|temporarily unavailable|EBUSY|busy/i, (port) => `${port} is in use by another process.`],
  [/inappropriate ioctl|is a directory|ENOTTY|EISDIR/i, (port) => `${port} is not a serial port.`],
  [/ECONNREFUSED/, (port) => `Nothing listens at ${port}.`],
  [/ENOTFOUND|EAI_AGAIN/, (port) => `The host of ${port} is unknown.`],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|^(?=.*connect).*timed? ?out/is, (port) => `${port} cannot be reached.`],
  [
    /Failed to initialize the driver|waiting for (a|an) (response|ACK|callback)|did not respond/i,
    (port) => `The device at ${port} does not answer like a Z-Wave adapter. Unplug it and plug it in again.`,
  ],
];

/** @param port as the settings name it; null: a simulated one. */
export function startFailure(port: string | null, error: unknown): Error {
  const said = error instanceof Error ? error.message : "";
  const row = port === null ? undefined : ROWS.find(([pattern]) => pattern.test(said));
  const [firstLine = ""] = errorSentence(error).split(/\sat \S+ \(/, 1);
  return new Error(row ? row[1](port ?? "") : firstLine.trimEnd(), { cause: error });
}

const INDEX = "index.json";
const refuse = () => Promise.reject(new Error("The Z-Wave library stores nothing else in files."));

/**
 * The files of the library: its database of devices, which changes only with the package.
 *
 * The package contains no index of this database. The library makes one from 2,400 files, which takes three seconds or more. `npm ci` and
 * the Debian package have it made at the installation. With an index, the library would look at every start for files that are newer.
 */
export const DATABASE_FILES: LibraryFiles = {
  readFile: (path) => readFile(path),
  stat: (path) => stat(path),
  // Without a listing the library finds no newer files.
  readDir: async (path) => (existsSync(join(path, INDEX)) ? [] : readdir(path)),
  // The library needs a directory for its cache; the cache itself is in the driver's store.
  ensureDir: () => Promise.resolve(),
  writeFile: (path, bytes) => (basename(path) === INDEX ? writeIndex(path, bytes) : refuse()),
  copyFile: refuse,
  open: refuse,
  deleteDir: refuse,
  makeTempDir: refuse,
};

/**
 * Replaces the index in one step, because nothing checks whether an existing one is complete. It fails if the service cannot write into the
 * package's directory; the library then makes the index at every start.
 */
async function writeIndex(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.${process.pid}.new`;
  await writeFile(beside, bytes, { flush: true });
  await rename(beside, path);
}
