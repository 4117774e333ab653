/** `domovoi serve`: settings in, the controller up, one line when it is ready, a clean end on a signal. */

import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { GeneratedCredentials } from "../auth/first-accounts.ts";
import { type Config, parseConfig } from "../config.ts";
import { ControllerError } from "../errors.ts";
import { type Controller, startController } from "../main.ts";
import { systemClock } from "../util/clock.ts";
import { createLog, type Log } from "../util/log.ts";
import { systemRandomness } from "../util/randomness.ts";

/** What commander makes of the options: setting names, all optional, plus the settings file. */
export type ServeOptions = Readonly<Record<string, string | boolean | undefined>> & { readonly config?: string };

const STOP_MAX_MS = 4500;

export async function serve(options: ServeOptions): Promise<void> {
  let log = createLog("info");
  try {
    const config = readConfig(options);
    log = createLog(config.logLevel);
    const controller = await startController(config, {
      clock: systemClock,
      randomness: systemRandomness,
      log,
      firstAccounts: {
        ownerEmail: process.env.DOMOVOI_OWNER_EMAIL,
        ownerPassword: process.env.DOMOVOI_OWNER_PASSWORD,
        localUser: process.env.DOMOVOI_LOCAL_USER,
        localPassword: process.env.DOMOVOI_LOCAL_PASSWORD,
      },
    });
    endOnSignals(controller, log);
    if (controller.generatedCredentials) printCredentials(controller, controller.generatedCredentials);
    process.stdout.write(`ready ${controller.portalUrl} ${controller.localUrl}\n`);
    flushCompileCache();
  } catch (error) {
    if (!(error instanceof ControllerError)) log.error("The controller cannot start.", { error });
    process.stderr.write(
      `domovoi: ${error instanceof ControllerError ? error.message : "The controller cannot start; the line above tells why."}\n`,
    );
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  }
}

function readConfig(options: ServeOptions): Config {
  const { config: file, ...given } = options;
  return parseConfig({ ...(file === undefined ? {} : readSettingsFile(file)), ...given });
}

function readSettingsFile(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new ControllerError("BAD_VALUE", { sentence: `The settings file ${file} cannot be read.`, cause });
  }
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch (cause) {
    throw new ControllerError("BAD_VALUE", { sentence: `The settings file ${file} is not valid JSON.`, cause });
  }
  throw new ControllerError("BAD_VALUE", {
    sentence: `The settings file ${file} does not hold an object of settings.`,
  });
}

function endOnSignals(controller: Controller, log: Log): void {
  let ending = false;
  const end = (signal: string) => {
    if (ending) return;
    ending = true;
    log.info("The controller ends.", { signal });
    setTimeout(() => process.exit(0), STOP_MAX_MS).unref();
    controller.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("The end was not clean.", { error });
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("SIGHUP", () => {
    controller
      .reloadCertificate()
      .catch((error: unknown) => log.error("The certificate cannot be read again.", { error }));
  });
}

/** For the person at the terminal, once: not through the log, which is kept and may be passed on. */
function printCredentials(controller: Controller, { owner, local }: GeneratedCredentials): void {
  const lines = [
    "",
    "  Domovoi is new here. Note these credentials; they are not shown again:",
    "",
    ...(owner ? [`    Portal  ${controller.portalUrl}   ${owner.login}   ${owner.password}`] : []),
    ...(local ? [`    Local   ${controller.localUrl}   ${local.login}   ${local.password}`] : []),
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}
