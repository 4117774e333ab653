/**
 * Notifications of `domovoi serve` to systemd. The test gives it the socket's address, and a program instead of
 * systemd-notify that records them.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { CREDENTIALS, startService } from "../simulation/service-process.ts";
import { temporaryDirectory } from "../support/test-store.ts";

test("systemd is notified that the service is ready, then that it is alive, then that it stops", {
  timeout: 60_000,
}, async () => {
  const directory = temporaryDirectory();
  const told = join(directory, "told");
  const notify = join(directory, "systemd-notify");
  writeFileSync(notify, `#!/bin/sh\nprintf '%s %s\\n' "$NOTIFY_SOCKET" "$1" >> '${told}'\n`);
  chmodSync(notify, 0o755);
  const states = () => (existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : []);
  const env = { ...CREDENTIALS, NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "300000" };
  const { process: service } = await startService(join(directory, "data"), [], {
    env,
    path: `${directory}:${process.env.PATH}`,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  await vi.waitFor(() => expect(states().filter((each) => each.endsWith("WATCHDOG=1")).length).toBeGreaterThan(2), {
    timeout: 30_000,
  });
  service.signal("SIGTERM");
  expect((await service.ended).code).toBe(0);
  expect(states().at(0)).toBe("/run/notify READY=1");
  await vi.waitFor(() => expect(states()).toContain("/run/notify STOPPING=1"), { timeout: 30_000 });
});

test("as a script of npm the service ends with the shell of the script", { timeout: 60_000 }, async () => {
  const entry = resolve("bin/domovoi.js");
  const serve = `"${process.execPath}" "${entry}" serve --data data --portal-port 0 --local-port 0; true`;
  const env = { ...process.env, ...CREDENTIALS, npm_lifecycle_event: "start" };
  const shell = spawn("sh", ["-c", serve], { cwd: temporaryDirectory(), env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(shell, "close");
  await once(shell.stdout.setEncoding("utf8"), "data");
  shell.kill("SIGTERM");
  // Its output ends when the last process that writes to it has ended.
  await closed;
});
