/**
 * The output of a plugin: its own log file, its standard output, and the reason of a crash, read from where its
 * libraries put it.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { shortLines } from "../../util/foreign-text.ts";
import { openOwnFile } from "./own-files.ts";

const TAIL_BYTES = 65_536;
/** Where the libraries write; the first file that was written last is the one that counts. */
const LOG_FILE = join("logs", "debug.log");
/** Written when a library could not even be imported. It holds the token. */
const CRASH_FILE = "crash.log";
const REDACTED = "[secret]";
/** As JSON, as a dictionary of Python, in the body of a request and behind a slash: the library for Python logs tokens in all four. */
const OAUTH_SECRET = /(\b(?:(?:access_|refresh_|id_)?token|client_secret)["']?\s*[:=/]\s*["']?)[^"'&\s,}]+/g;

/** The end of a file as text; "" without a file. */
async function tailOf(directory: string, name: string): Promise<string> {
  const file = await openOwnFile(directory, name);
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return size > length ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    await file.close();
  }
}

export async function pluginLog(directory: string, output: string, secrets: readonly string[]): Promise<string> {
  const parts = [await tailOf(directory, join(".domovoi", "install.log")), await tailOf(directory, LOG_FILE), output];
  return redact(parts.filter((part) => part !== "").join("\n"), secrets);
}

/** @param sinceMs when the process was started: what was written before has nothing to do with its end. */
export async function crashReason(
  directory: string,
  output: string,
  sinceMs: number,
  secrets: readonly string[],
): Promise<string> {
  const written = await Promise.all(
    [CRASH_FILE, LOG_FILE].map(async (name) => {
      const changedAtMs = (await stat(join(directory, name)).catch(() => null))?.mtimeMs ?? 0;
      return changedAtMs >= sinceMs ? tailOf(directory, name) : "";
    }),
  );
  // Redacted before lines are cut: half a secret would not be found.
  const texts = [...written, output].map((text) => shortLines(redact(text, secrets).trim()));
  for (const lines of texts) {
    const error = lastError(lines);
    if (error !== null) return error;
  }
  return texts.at(-1)?.at(-1) ?? "";
}

/** The last line that names an exception, as tracebacks end with it. */
function lastError(lines: readonly string[]): string | null {
  const line = lines.findLast((each) => /\b\w*(?:Error|Exception)\b(?::|$)/.test(each.trim()));
  return line?.slice(line.search(/\b\w*(?:Error|Exception)\b/)).trim() ?? null;
}

/** The start of a plugin holds its token, plain and within a longer text. */
function redact(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return hidden.replace(/(PG3INIT\W+)[A-Za-z0-9+/=]{20,}/g, `$1${REDACTED}`).replace(OAUTH_SECRET, `$1${REDACTED}`);
}
