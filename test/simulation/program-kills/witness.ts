/**
 * Loaded into the service's process before the service: writes down every command at the moment in which a driver gets it.
 * What is written belongs to the machine, not to the process, so it outlives any end of it. DOMOVOI_WITNESS names the file.
 */

import { openSync, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const { DriverRegistry } = await import("../../../src/drivers/registry.ts");
  const file = openSync(process.env.DOMOVOI_WITNESS ?? "", "a", 0o600);
  const add = DriverRegistry.prototype.add;
  DriverRegistry.prototype.add = function (driver, host) {
    const send = driver.send.bind(driver);
    driver.send = (command) => {
      const values = command.parameters.map(({ value }) => ` ${value}`).join("");
      writeSync(file, `${command.address}\t${command.command}${values}\n`);
      return send(command);
    };
    add.call(this, driver, host);
  };
}
