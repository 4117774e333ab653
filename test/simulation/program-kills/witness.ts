/**
 * Loaded into the service's process before the service. Records every command when a driver gets it, and kills the
 * process at a given moment. The records belong to the operating system, not to the process, so they survive any end.
 * DOMOVOI_WITNESS names the file, DOMOVOI_END the moment: "command 3" is the third command that a driver gets,
 * "once-only 1" the first that may not be repeated, "commit 2" the second commit.
 */

import { openSync, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { isOnceOnly, type MomentKind } from "./moments.ts";

if (isMainThread) {
  const { DriverRegistry } = await import("../../../src/drivers/registry.ts");
  const { Writer } = await import("../../../src/store/writer.ts");
  const file = openSync(process.env.DOMOVOI_WITNESS ?? "", "a", 0o600);
  const [end, times] = (process.env.DOMOVOI_END ?? "never 1").split(" ");
  let left = Number(times);
  const reach = (kind: MomentKind) => {
    if (kind !== end) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };

  const add = DriverRegistry.prototype.add;
  DriverRegistry.prototype.add = function (runner, host, isHeld) {
    const { driver } = runner;
    const send = driver?.send.bind(driver);
    if (driver && send)
      driver.send = (command) => {
        const values = command.parameters.map(({ value }) => ` ${value}`).join("");
        writeSync(file, `${command.address}\t${command.command}${values}\n`);
        reach("command");
        if (isOnceOnly(command.command)) reach("once-only");
        return send(command);
      };
    add.call(this, runner, host, isHeld);
  };

  const committed = Writer.prototype.committed;
  Writer.prototype.committed = async function (seq) {
    await committed.call(this, seq);
    reach("commit");
  };
}
