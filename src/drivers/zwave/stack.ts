/**
 * Starts and ends `zwave-js` on one adapter. Everything that it could do by itself is switched off: no logs of its
 * own (they contain codes), no statistics, no check for updates, and no value that a device did not report.
 */

import type { DriverHost, DriverStore } from "../driver.ts";
import { DATABASE_FILES } from "./database-files.ts";
import type { LogFactory, StackSettings, ZWaveLibrary, ZWavePort, ZWaveStack } from "./library.ts";
import { letCommandsPass, readAhead } from "./patches.ts";
import { startFailure } from "./network/start-failure.ts";
import { createNetworkCache } from "./network-cache.ts";
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
function ready(stack: ZWaveStack, ahead: DriverStore | null, signal: AbortSignal): Promise<void> {
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
