/** The Insteon driver keeps the contract of every driver, on a simulated modem that speaks the real bytes. */

import type { DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { describeDriver, type Subject } from "../conformance.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const LAMP: DevicePlan = { id: [0x1a, 0x2b, 0x3c], kind: "dimmer" };
const RELAY: DevicePlan = { id: [0x0a, 0x02, 0x03], kind: "relay" };

/** The devices are known from an earlier run, as at every start but the first. */
async function makeSubject(store: ServiceStore): Promise<Subject> {
  if (store.keys().length === 0) {
    const earlier = await SimulatedInsteonHome.discovered([LAMP, RELAY], store);
    await earlier.driver.stop();
  }
  const home = new SimulatedInsteonHome([LAMP, RELAY], store);
  const lamp = home.device(LAMP);
  return {
    driver: home.driver,
    host: home.host,
    advance: (spanMs) => home.pass(spanMs),
    lamp: "1A 2B 3C 1",
    deafen: () => {
      lamp.isDeaf = true;
    },
    press: (control) => {
      lamp.levels.set(1, control === "DOF" ? 0 : 255);
      home.modem.press(lamp, 1, { DON: 0x11, DFON: 0x12, DOF: 0x13 }[control] ?? 0x11);
    },
    parameters: null,
    lock: null,
  };
}

describeDriver("insteon", makeSubject);
