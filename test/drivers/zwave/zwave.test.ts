/** The Z-Wave driver keeps the contract of every driver, with the real library on a simulated adapter. */

import { afterAll, afterEach, beforeAll } from "vitest";
import { dimByHand } from "../../../simulators/zwave/device-acts.ts";
import { dimmerPlan, lockPlan, parameterClasses } from "../../../simulators/zwave/device-kinds.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { describeDriver, type Subject } from "../conformance.ts";
import { RecordingHost } from "../recording-host.ts";
import { SimulatedRadio, settled } from "./simulated-adapter.ts";

const LAMP = "ZW002_1";
const LOCK = "ZW003_1";
const PARAMETERS = [
  { number: 3, size: 1, value: 0 },
  { number: 7, size: 2, value: 300 },
  { number: 13, size: 4, value: 86_400 },
] as const;

let services: SimulatedRadio;

beforeAll(async () => {
  services = await SimulatedRadio.create([dimmerPlan({ classes: parameterClasses(PARAMETERS) }), lockPlan()]);
}, 30_000);

afterEach(() => services.stopDrivers());

afterAll(() => services.stop());

function makeSubject(store: ServiceStore): Subject {
  const lamp = services.network.device(2);
  lamp.condition = "awake";
  const driver = services.driver();
  const isRunning = () => {
    try {
      return driver.running() !== null;
    } catch {
      return false;
    }
  };
  return {
    driver,
    host: new RecordingHost(systemClock, services.knowing(store)),
    advance: async () => (isRunning() ? settled(driver) : undefined),
    lamp: LAMP,
    deafen: () => {
      lamp.condition = "silent";
    },
    press: (control) => void dimByHand(lamp, control === "DOF" ? 0 : 99),
    parameters: { address: LAMP, bySize: { 1: 3, 2: 7, 4: 13 } },
    lock: { address: LOCK },
  };
}

describeDriver("zwave", makeSubject);
