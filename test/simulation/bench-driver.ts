/** A driver without devices: a test sends any report of a device through its host. */

import type { Driver, DriverHost, NodeSpec } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Services } from "../../src/http/services.ts";
import { memoryStore } from "../drivers/recording-host.ts";

export type Bench = { readonly host: DriverHost; readonly specs: readonly NodeSpec[] };

const NAME = "bench";
const NODEDEFS = ["DimmerLampSwitch_ADV", "RelayLampSwitch_ADV", "Thermostat", "Unheard_Of"];

/** Adds the driver and its nodes to a house that runs. */
export async function addBench(services: Services, count: number): Promise<Bench> {
  const host = new HomeHost(services, NAME, memoryStore());
  const driver = createDriver();
  services.drivers.add({ driver }, host);
  await driver.start(host, AbortSignal.any([]));
  const specs = Array.from({ length: count }, (_, index) => specOf(index));
  for (const spec of specs) host.node(spec);
  host.status("ready", "");
  return { host, specs };
}

function specOf(index: number): NodeSpec {
  const address = `AA 0 ${(index + 1).toString(16).toUpperCase()} 1`;
  const nodeDefId = NODEDEFS[index % NODEDEFS.length] ?? "";
  return {
    address,
    name: `Bench ${index}`,
    nodeDefId,
    family: 1,
    instance: 1,
    type: "1.32.69.0",
    primary: address,
    devtype: null,
  };
}

function createDriver(): Driver {
  return {
    name: NAME,
    start: async () => {},
    stop: async () => {},
    send: async () => ({ kind: "acked" }),
    query: async () => ({ kind: "acked" }),
  };
}
