/**
 * Reports to systemd that the service is ready, alive, and about to stop. Node has no datagram sockets of the Unix kind, so
 * systemd-notify sends the reports: one shell for the whole run, which gets a line for each. While the event loop hangs no line is
 * written, and systemd restarts the service (WatchdogSec of the unit).
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Log } from "../util/log.ts";

type ServiceManager = { ready(): void; stopping(): void };

const SEND_EACH_LINE = 'while read -r state; do systemd-notify "$state" || exit 1; done';
/** Reports in each time that systemd waits, so that one may be late. */
const BEATS = 3;

/** Does nothing where no service manager waits for reports. @param env of the process; its children get no address to report to */
export function createServiceManager(env: NodeJS.ProcessEnv, log: Log): ServiceManager {
  const { NOTIFY_SOCKET: address, WATCHDOG_USEC: watchdog, ...rest } = env;
  if (address === undefined) return { ready: () => {}, stopping: () => {} };
  delete env.NOTIFY_SOCKET;
  let shell: ChildProcess | null = null;
  const start = () => {
    const made = spawn("/bin/sh", ["-c", SEND_EACH_LINE], {
      env: { ...rest, NOTIFY_SOCKET: address },
      stdio: ["pipe", "ignore", "inherit"],
    });
    const lost = (error: unknown) => {
      if (shell === made) log.error("Reports to systemd fail; it may restart the service.", { error });
      if (shell === made) shell = null;
    };
    made.once("error", lost);
    made.once("exit", lost);
    made.stdin?.on("error", () => {});
    return made;
  };
  const send = (state: string) => {
    shell ??= start();
    shell.stdin?.write(`${state}\n`);
  };
  return {
    ready() {
      send("READY=1");
      const periodMs = Number(watchdog ?? 0) / 1000 / BEATS;
      if (periodMs > 0) setInterval(() => send("WATCHDOG=1"), periodMs).unref();
    },
    stopping: () => send("STOPPING=1"),
  };
}
