/** A log whose errors are also sent to the owner as alarms. */

import type { Log } from "../util/log.ts";

export type AlarmLog = Log & {
  /** From this call on errors are also sent as alarms. Earlier errors are in the log only. */
  onError(notify: (message: string) => void): void;
};

export function createAlarmLog(log: Log): AlarmLog {
  let notify: (message: string) => void = () => {};
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.info(message, fields),
    warn: (message, fields) => log.warn(message, fields),
    error(message, fields) {
      log.error(message, fields);
      const about = typeof fields?.driver === "string" ? ` (${fields.driver})` : "";
      notify(`${message}${about}`);
    },
    child: (fields) => log.child(fields),
    onError(listener) {
      notify = listener;
    },
  };
}
