/** The log for the person at home: one JSON line per event on standard error, secrets removed wherever they stand. */

import { type DestinationStream, destination, pino } from "pino";

export type LogFields = Readonly<Record<string, unknown>>;

export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
};

const SECRET_NAMES = /password|token$|^(ssl|secret|authorization|cookie|set-cookie|code|key|creds)$/i;

/** @param level one of debug, info, warn, error, silent. */
export function createLog(level: string, stream: DestinationStream = destination({ fd: 2, sync: true })): Log {
  return wrap(
    pino(
      {
        level,
        base: null,
        formatters: { level: (label) => ({ level: label }) },
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
      },
      stream,
    ),
  );
}

type Sink = { [L in "debug" | "info" | "warn" | "error"]: (fields: object, message: string) => void } & {
  child(fields: object): Sink;
  isLevelEnabled(level: string): boolean;
};

function wrap(sink: Sink): Log {
  return {
    // The one level that busy paths write to: when it is off it costs nothing.
    debug: (message, fields) => {
      if (sink.isLevelEnabled("debug")) sink.debug(redact(fields), message);
    },
    info: (message, fields) => sink.info(redact(fields), message),
    warn: (message, fields) => sink.warn(redact(fields), message),
    error: (message, fields) => sink.error(redact(fields), message),
    child: (fields) => wrap(sink.child(redact(fields))),
  };
}

/** A copy without secrets, at most four levels deep; errors become name, message and code. */
function redact(fields: LogFields = {}, depth = 0): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SECRET_NAMES.test(name) && typeof value !== "number") clean[name] = "[redacted]";
    else if (value instanceof Error)
      clean[name] = { name: value.name, message: value.message, code: Reflect.get(value, "code") };
    else if (value !== null && typeof value === "object" && !Array.isArray(value))
      clean[name] = depth < 4 ? redact(value as LogFields, depth + 1) : "[deep]";
    else clean[name] = value;
  }
  return clean;
}
