/** `domovoi serve`: settings in, the controller up, one line when it is ready, a clean end on a signal. */

import { X509Certificate } from "node:crypto";
import { flushCompileCache } from "node:module";
import { setDefaultHighWaterMark } from "node:stream";
import type { FirstAccounts, GeneratedCredentials } from "../auth/first-accounts.ts";
import type { Config } from "../config.ts";
import { type Controller, startController } from "../main.ts";
import { readSystemClockSync } from "../monitoring/clock-sync.ts";
import type { Claim } from "../store/postgres/claim.ts";
import { systemClock } from "../util/clock.ts";
import { createLog, type Log } from "../util/log.ts";
import { placeOf } from "../util/message-of.ts";
import { systemRandomness } from "../util/randomness.ts";
import { readSettings, type SettingOptions } from "./read-settings.ts";
import { createServiceManager } from "./service-manager.ts";

const STOP_MAX_MS = 4500;
/**
 * Bytes that a stream holds before it stops reading. Node's 64 KiB on each of thousands of connections whose requests wait for
 * their turn are a lot of memory, and decrypting them holds everybody else up.
 */
const STREAM_BUFFER_BYTES = 16_384;

/**
 * Work beside the controller in this process, such as following a twin's original. Started when the controller is up.
 */
export type Companion = { begin(controller: Controller, log: Log): Promise<{ end(): Promise<void> }> };

/**
 * Settles when it is ready; the process then lives until a signal ends it.
 * @throws ControllerError
 * @param companion makes the controller a mirror: its programs do not run.
 */
export async function serve(options: SettingOptions, companion?: Companion): Promise<void> {
  const signals = onSignals();
  setDefaultHighWaterMark(false, STREAM_BUFFER_BYTES);
  try {
    const config = readSettings(options);
    const log = createLog(config.logLevel);
    const manager = createServiceManager(process.env, log);
    const world = {
      clock: systemClock,
      randomness: systemRandomness,
      log,
      firstAccounts: givenAccounts(),
      readClockSync: readSystemClockSync,
    };
    endOnException(log);
    outliveStrays(log);
    const claim = config.standby ? await standByFirst(config, { ...world, manager }, signals) : null;
    if (claim === "ended") return;
    const onLost = () => process.exit(LOST_STATUS);
    const isMirror = companion !== undefined;
    let controller = await startController(config, {
      ...world,
      isMirror,
      onLost,
      restart: () => void restart(),
      ...(claim && { claim }),
    });
    const restart = async () => {
      const again = { ...world, isMirror, onLost, restart: () => void restart() };
      controller = await startAgain(controller, config, again).catch((error: unknown) => failedRestart(error, log));
    };
    if (controller.generatedCredentials) printCredentials(controller, controller.generatedCredentials);
    signals.onReload(() => void reload(controller, log));
    const beside = await companion?.begin(controller, log);
    signals.onEnd((signal) => {
      manager.stopping();
      void end(controller, beside ?? null, signal, log);
    });
    process.stdout.write(`ready ${controller.portalUrl} ${controller.localUrl}\n`);
    manager.ready();
    if (controller.generatedCredentials || process.stderr.isTTY) printFirstSteps(controller, config);
    flushCompileCache();
  } catch (error) {
    // The store's thread, or a listener that was opened already, must not keep a failed start alive.
    setImmediate(() => process.exit());
    throw error;
  }
}

type World = Parameters<typeof startController>[1];

/** With the ports of before, also where these were free ones. */
async function startAgain(controller: Controller, config: Config, world: World): Promise<Controller> {
  const portOf = (url: string, port: number) => (port === 0 ? Number(new URL(url).port) : port);
  const { portalUrl, localUrl } = controller;
  const ports = { portalPort: portOf(portalUrl, config.portalPort), localPort: portOf(localUrl, config.localPort) };
  await controller.stop();
  return startController({ ...config, ...ports }, world);
}

/** A service manager starts the process again. */
function failedRestart(error: unknown, log: Log): never {
  log.error("The controller could not start again.", { error });
  process.exit(1);
}

/** Of a process that is no longer the writer of its home. A service manager starts it again, as a standby. */
const LOST_STATUS = 75;

type Waiting = Pick<World, "clock" | "randomness" | "log"> & {
  readonly manager: ReturnType<typeof createServiceManager>;
};

/** @returns the claim of this machine, once it has the home; "ended" when a signal came first. */
async function standByFirst(
  config: Config,
  { manager, ...world }: Waiting,
  signals: Signals,
): Promise<Claim | "ended"> {
  const { awaitTakeover } = await import("../standby.ts");
  const abort = new AbortController();
  signals.onEnd(() => {
    manager.stopping();
    abort.abort();
  });
  try {
    return await awaitTakeover(config, {
      ...world,
      signal: abort.signal,
      onReady({ portalUrl, localUrl }) {
        process.stdout.write(`standby ${portalUrl} ${localUrl}\n`);
        manager.ready();
      },
      onLost: () => process.exit(LOST_STATUS),
    });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    setImmediate(() => process.exit(0));
    return "ended";
  }
}

/** EX_SOFTWARE of sysexits.h. */
const BROKEN_STATUS = 70;

/**
 * Part of a change may have been applied, so nothing goes on and nothing more is written. What was acknowledged is on disk; a service
 * manager starts the process again.
 */
function endOnException(log: Log): void {
  process.on("uncaughtException", (error) => {
    log.error("The service ends because of an error that no part of it handles.", placeOf(error));
    process.exit(BROKEN_STATUS);
  });
}

/** A promise that a part of the services, or a radio's library, lets fall must not take the whole home down. */
function outliveStrays(log: Log): void {
  process.on("unhandledRejection", (error) =>
    log.error("A part of the service failed without an error handler.", placeOf(error)),
  );
}

type Signals = {
  /** Called with the first signal that ends the service, also when it came before. */
  onEnd(act: (signal: string) => void): void;
  onReload(act: () => void): void;
};

/** Heard from the beginning: a start that is ended must still print what it generated, and a reload must not end it. */
function onSignals(): Signals {
  let ended: string | null = null;
  let whenEnded = (_signal: string): void => {};
  let whenReloaded = (): void => {};
  const hear = (signal: string) => {
    if (ended !== null) return;
    ended = signal;
    setTimeout(() => process.exit(0), STOP_MAX_MS).unref();
    whenEnded(signal);
  };
  process.on("SIGTERM", hear);
  process.on("SIGINT", hear);
  process.on("SIGHUP", () => whenReloaded());
  return {
    onEnd(act) {
      whenEnded = act;
      if (ended !== null) act(ended);
    },
    onReload(act) {
      whenReloaded = act;
    },
  };
}

type Beside = Awaited<ReturnType<Companion["begin"]>>;

async function end(controller: Controller, beside: Beside | null, signal: string, log: Log): Promise<void> {
  log.info("The controller ends.", { signal });
  try {
    await beside?.end();
    await controller.stop();
    process.exit(0);
  } catch (error) {
    log.error("The end was not clean.", { error });
    process.exit(1);
  }
}

async function reload(controller: Controller, log: Log): Promise<void> {
  try {
    await controller.reloadCertificate();
    log.info("The certificate was read again.");
  } catch (error) {
    log.error("The certificate cannot be read again; the one before stays in use.", { error });
  }
}

/** An empty variable is one that is not set: files of environments often list them so. */
export function givenAccounts(): FirstAccounts {
  const given = (name: string) => process.env[name] || undefined;
  return {
    ownerEmail: given("DOMOVOI_OWNER_EMAIL"),
    ownerPassword: given("DOMOVOI_OWNER_PASSWORD"),
    localUser: given("DOMOVOI_LOCAL_USER"),
    localPassword: given("DOMOVOI_LOCAL_PASSWORD"),
  };
}

/**
 * For the person at the terminal, once: not through the log, which is kept and may be passed on.
 * @param urls null: the controller does not listen for clients yet.
 */
export function printCredentials(
  urls: Pick<Controller, "portalUrl" | "localUrl"> | null,
  { owner, local }: GeneratedCredentials,
): void {
  const lines = [
    "",
    "  These passwords are new. Write them down; they are not shown again:",
    "",
    ...(owner ? [`    Portal  ${urls?.portalUrl ?? ""}   ${owner.login}   ${owner.password}`] : []),
    ...(local ? [`    Local   ${urls?.localUrl ?? ""}   ${local.login}   ${local.password}`] : []),
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}

/** Three lines to paste into another terminal. The first asks for the password alone. */
function printFirstSteps({ portalUrl, caCertificate, services }: Controller, config: Config): void {
  const domovoi = process.env.npm_command === undefined ? "domovoi" : "npx domovoi";
  const owner = services.auth.accounts.list().find(({ kind, role }) => kind === "portal" && role === "owner");
  const isOwnCertificate = config.certificateFile === "";
  const trust = isOwnCertificate ? ` --trust ${new X509Certificate(caCertificate).fingerprint256}` : "";
  const lines = [
    "",
    "  In another terminal:",
    "",
    `    ${domovoi} login --url ${portalUrl}${owner ? ` --user ${owner.login}` : ""}${trust}`,
    `    ${domovoi} nodes`,
    `    ${domovoi} ${config.demo ? "send 'Porch Light' On" : "watch"}`,
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}
