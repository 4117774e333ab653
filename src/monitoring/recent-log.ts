/** The latest lines of the log, for the support report: what happened, without names of people or things. */

import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import type { Log, LogFields } from "../util/log.ts";
import { withoutNames } from "./without-names.ts";

/** Fields that say where it happened. Others may hold names, addresses of clients or what a device reported. */
const FIELDS_SHOWN: ReadonlySet<string> = new Set([
  ...["driver", "integration", "node", "nodedef", "backup", "kind", "route", "status", "state", "signal"],
  ...["limit", "input", "detail", "reason", "error"],
]);
const TEXT_CHARS_MAX = 300;
const STACK_LINES = 6;

export class RecentLog {
  readonly #clock: Pick<Clock, "now">;
  readonly #linesMax: number;
  readonly #lines: string[] = [];

  constructor(clock: Pick<Clock, "now">, linesMax: number) {
    this.#clock = clock;
    this.#linesMax = linesMax;
  }

  /** The log, with its lines but those of debug remembered too. */
  over(log: Log): Log {
    return this.#over(log, {});
  }

  /** The oldest first. */
  lines(): readonly string[] {
    return [...this.#lines];
  }

  #over(log: Log, bound: LogFields): Log {
    const write = (level: "info" | "warn" | "error") => (message: string, fields?: LogFields) => {
      log[level](message, fields);
      this.#remember(level, message, { ...bound, ...fields });
    };
    return {
      debug: (message, fields) => log.debug(message, fields),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
      child: (fields) => this.#over(log.child(fields), { ...bound, ...fields }),
    };
  }

  #remember(level: string, message: string, fields: LogFields): void {
    const shown = Object.entries(fields).flatMap(([name, value]) => {
      const isShown = FIELDS_SHOWN.has(name) || typeof value === "number" || typeof value === "boolean";
      return isShown ? [[name, shownValue(value)]] : [];
    });
    const rest = shown.length > 0 ? ` ${JSON.stringify(Object.fromEntries(shown))}` : "";
    const time = new Date(this.#clock.now()).toISOString();
    this.#lines.push(`${time} ${level} ${withoutNames(message.slice(0, TEXT_CHARS_MAX))}${rest}`);
    if (this.#lines.length > this.#linesMax) this.#lines.shift();
  }
}

function shownValue(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "string") return withoutNames(value.slice(0, TEXT_CHARS_MAX));
  return value instanceof Error ? shownError(value) : "…";
}

/** Where a bug is, by file and line. The text of an error that is not ours may quote what it failed over. */
function shownError(error: Error): object {
  const code: unknown = Reflect.get(error, "code");
  const known = { name: error.name, ...(typeof code === "string" ? { code } : {}) };
  if (error instanceof ControllerError) return { ...known, message: withoutNames(error.message) };
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  const at = frames.slice(0, STACK_LINES).map(placeOf);
  return { ...known, at };
}

/** `…/src/home/home.ts:12:5)` → `home/home.ts:12` */
function placeOf(line: string): string {
  return /^.+:\d+(?=:\d+\)?$)/.exec(line.split(/[/\\]/).slice(-2).join("/"))?.[0] ?? "…";
}
