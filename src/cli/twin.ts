/**
 * `domovoi twin`: reads another controller or its saved documents, describes the twin, makes it, follows the
 * original.
 */

import { once } from "node:events";
import { ClientError, connect, type Home } from "@domovoi/client";
import type { Config } from "../config.ts";
import { newController } from "../demo/new-controller.ts";
import { holdsTwin, makeTwin, requireEmpty, requireFits } from "../twin/make-twin.ts";
import type { Original } from "../twin/original.ts";
import { readOriginal } from "../twin/original-files.ts";
import { planTwin, type TwinPlan } from "../twin/plan-twin.ts";
import { readController } from "../twin/read-controller.ts";
import { twinReport } from "../twin/twin-report.ts";
import { delay, systemClock } from "../util/clock.ts";
import { createLog, type Log } from "../util/log.ts";
import { systemRandomness } from "../util/randomness.ts";
import type { ConnectionOptions } from "./connection/connection-options.ts";
import { type Access, findAccess } from "./connection/find-access.ts";
import { type FollowPorts, followOriginal } from "./follow-original.ts";
import { CommandFailure, usageFailure } from "./outcome.ts";
import { readSettings, type SettingOptions } from "./read-settings.ts";
import { type Companion, serve } from "./serve.ts";
import { plain } from "./show/plain.ts";

export type TwinOptions = ConnectionOptions & {
  readonly data: string;
  readonly fromFiles?: string;
  readonly dryRun?: boolean;
  readonly follow?: boolean;
  readonly host?: string;
  readonly portalPort?: string;
  readonly localPort?: string;
  readonly config?: string;
};

/** @param url goes before the option. */
export async function makeTwinOf(url: string | undefined, options: TwinOptions): Promise<void> {
  const given = url === undefined ? options : { ...options, url };
  if (given.fromFiles !== undefined && (given.follow || given.url !== undefined)) {
    throw usageFailure(
      "Saved documents are made into a twin, and cannot be followed: either --from-files or an address.",
    );
  }
  if (given.follow && !given.dryRun) await makeAndFollow(given);
  else await make(given);
}

async function makeAndFollow(options: TwinOptions): Promise<void> {
  const access = await findAccess(options);
  if (!(await holdsTwin(portsOf(options)))) await make(options);
  await serve(settingsOf(options), following(access));
}

async function make(options: TwinOptions): Promise<void> {
  const ports = portsOf(options);
  if (!options.dryRun) requireEmpty(ports.config.data);
  const plan = await planOf(options);
  process.stdout.write(`${twinReport(plan).map(plain).join("\n")}\n`);
  requireFits(plan, ports.config);
  if (options.dryRun) return;
  const onProgress = (done: number, all: number) => say(`${done} of ${all} things are on disk.`);
  await makeTwin(plan, { ...ports, onProgress });
  process.stdout.write(`The twin is in ${ports.config.data}: domovoi serve --data ${ports.config.data}\n`);
}

export function portsOf(options: TwinOptions) {
  const config = readSettings(settingsOf(options));
  // The information that the start of a service logs is of no use at a terminal.
  const log: Log = createLog(config.logLevel === "info" ? "warn" : config.logLevel);
  return { config, clock: systemClock, log };
}

/** The options that are settings of the twin. */
function settingsOf({ data, host, portalPort, localPort, config }: TwinOptions): SettingOptions {
  const given = { data, host, portalPort, localPort, config };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Describes the twin of a controller, or of its saved documents. */
export async function planOf(options: TwinOptions): Promise<TwinPlan> {
  const { config, clock } = portsOf(options);
  const original =
    options.fromFiles === undefined
      ? await fetchFrom(await findAccess(options), config)
      : readOriginal(options.fromFiles);
  return planTwin(original, { controller: newController(config, systemRandomness), nowMs: clock.now() });
}

async function fetchFrom(access: Access, config: Config): Promise<Original> {
  try {
    return await readController(access, config, (path, characters) =>
      say(`${path}: ${characters === null ? "not there" : `${characters} characters`}`),
    );
  } catch (error) {
    throw failureOf(error, access);
  }
}

const CERTIFICATE_HINT =
  ". Name its authority with --ca FILE, or in a network that you trust skip the check with --insecure.";

const REFUSED = {
  portal: "is refused by its portal. A controller without a portal, such as an ISY994, is read with its local account",
  local: "or the password is wrong. At a portal accounts are e-mail addresses",
};

function failureOf(error: unknown, { url, mode, user }: Access): unknown {
  if (!(error instanceof ClientError)) return error;
  if (error.code === "AUTH_FAILED") {
    const sentence = `The controller at ${url} cannot be read: the account ${user} ${REFUSED[mode]}.`;
    return new CommandFailure("credentials", sentence, error);
  }
  const outcome = error.code === "HTTP_STATUS" ? "failed" : "unreachable";
  const hint = error.message.includes("certificate") ? CERTIFICATE_HINT : "";
  return new CommandFailure(outcome, `The controller at ${url} cannot be read: ${error.message}${hint}`, error);
}

/** The twin is served whether its original is there or not. */
function following(access: Access): Companion {
  return {
    async begin({ services }, log) {
      const ending = new AbortController();
      const ended = follow(access, { ...services, log }, ending.signal);
      return {
        async end() {
          ending.abort();
          await ended;
        },
      };
    },
  };
}

/** Until the signal: waits for the original as long as it takes, then keeps in step with it. The library connects again. */
async function follow(access: Access, ports: FollowPorts, signal: AbortSignal): Promise<void> {
  const original = await reach(access, ports.log, signal);
  if (!original) return;
  if (isOriginalOf(original, ports)) {
    const leave = followOriginal(original, ports);
    if (!signal.aborted) await once(signal, "abort");
    leave();
  }
  await original.close();
}

/** A twin keeps the identity of its original, as far as the original sent one. */
function isOriginalOf({ config }: Home, { home, log }: FollowPorts): boolean {
  if (config.uuid === "" || config.uuid === home.controller.uuid) return true;
  const [received, expected] = [config.uuid, home.controller.uuid];
  log.error("This is another controller than the one that the twin was made from; it is not followed.", {
    received,
    expected,
  });
  return false;
}

const RETRY_MS = 5000;

/** null when it was stopped before, or when the original refuses the account. */
async function reach(access: Access, log: Log, signal: AbortSignal): Promise<Home | null> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await connect({ ...access, stream: "rest" });
    } catch (error) {
      if (error instanceof ClientError && error.code === "AUTH_FAILED") {
        log.error("The original refuses the account, so the twin is not updated.", { original: access.url });
        return null;
      }
      if (attempt === 1)
        log.warn("The original does not answer; the twin waits for it.", { original: access.url, error });
      await delay(systemClock, RETRY_MS, signal).catch(() => {});
    }
  }
  return null;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
