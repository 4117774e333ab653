/**
 * `domovoi report`: the support report of a running controller, or of a data directory while its service is stopped.
 */

import { existsSync, writeFileSync } from "node:fs";
import { badValue } from "../../errors.ts";
import { readDataSizes } from "../../monitoring/data-sizes.ts";
import { machineFacts, shownSettings } from "../../monitoring/report.ts";
import { inspectDirectory } from "../../store/inspect-directory.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withSession } from "../connection/with-home.ts";
import { readSettings } from "../read-settings.ts";
import { plainJson } from "../show/plain.ts";
import { checkNewFile, writeWholeFile } from "../whole-file.ts";

type ReportOptions = ConnectionOptions & { readonly data?: string; readonly config?: string };

/** @param file undefined: standard output. */
export async function runReport(file: string | undefined, options: ReportOptions): Promise<void> {
  if (file !== undefined) checkNewFile(file);
  if (options.data !== undefined) return write(file, await reportOfDirectory(options.data, options.config));
  await withSession(options, async (session) => write(file, (await session.request("GET", "/api/report")).data));
}

async function reportOfDirectory(data: string, config: string | undefined): Promise<object> {
  if (!existsSync(data)) throw badValue(`There is no directory "${data}".`);
  return {
    time: new Date().toISOString(),
    machine: machineFacts(),
    settings: shownSettings(readSettings(config === undefined ? { data } : { data, config })),
    files: await readDataSizes(data),
    database: inspectDirectory(data),
    log: 'Not in this report, because the service does not run: "journalctl -u domovoi" shows it.',
  };
}

async function write(file: string | undefined, report: unknown): Promise<void> {
  const text = `${plainJson(report, 2)}\n`;
  if (file === undefined) return void process.stdout.write(text);
  await writeWholeFile(file, async (path) => writeFileSync(path, text, { mode: 0o600, flag: "wx" }));
  process.stdout.write(`${file}: ${text.length} characters. It is text: read it before you hand it on.\n`);
}
