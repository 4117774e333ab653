/**
 * The radio network of the demo: a dozen active devices, some of which sleep, and a list of new devices. An inclusion
 * adds the next device of the list, an exclusion removes the newest device.
 */

import { every, type SimulatorClock } from "../clock.ts";
import type { AdapterKeys } from "./adapter/adapter.ts";
import * as kinds from "./device-kinds.ts";
import type { DevicePlan } from "./device-plan.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "./simulated-network.ts";

/** How often the adapter is looked at. */
const LOOK_MS = 500;
/** Looks that a person takes to walk to the device. */
const WALK_LOOKS = 6;
/** Until sleeping devices wake for the first time, so that the demo is complete soon, and between two later times. */
const FIRST_SLEEP_MS = 10_000;
const SLEEP_MS = 60_000;

/** The virtual radio devices of the demo home have the numbers below. */
const FIRST_NODE_ID = 101;

const HOUSE: readonly DevicePlan[] = [
  kinds.switchPlan({ name: "Hall light", controls: true }),
  kinds.dimmerPlan({ name: "Living room lamp", controls: true }),
  kinds.colourLightPlan({ name: "Reading corner" }),
  kinds.coverPlan({ name: "Kitchen shutter", travelMs: 12_000 }),
  kinds.thermostatPlan({ name: "Bedroom thermostat" }),
  kinds.lockPlan({ name: "Front door lock" }),
  kinds.meterPlugPlan({ name: "Washing machine plug" }),
  kinds.stripPlan({ name: "Desk strip" }),
  kinds.sirenPlan({ name: "Siren" }),
  kinds.contactPlan({ name: "Terrace door" }),
  kinds.motionPlan({ name: "Stairs motion sensor", controls: true }),
  kinds.climateSensorPlan({ name: "Garden sensor" }),
];

const DRAWER: readonly DevicePlan[] = [
  kinds.lockPlan({ name: "Cellar lock", security: ["S2-access-control", "S0"] }),
  kinds.dimmerPlan({ name: "Attic dimmer", security: ["S2-authenticated", "S2-unauthenticated"] }),
  kinds.switchPlan({ name: "Garden pump" }),
  kinds.lockPlan({ name: "Shed lock", security: ["S0"] }),
  kinds.leakPlan({ name: "Laundry leak sensor", listening: "always" }),
];

type DemoNetwork = SimulatedNetwork;

/** Where the simulation says what a person needs to know, such as the key of a device. */
type SimulationLog = { info(message: string, fields: Readonly<Record<string, unknown>>): void };

export async function openDemoNetwork(
  keys: AdapterKeys,
  log: SimulationLog,
  clock: SimulatorClock,
): Promise<SimulatedNetwork> {
  const network = await createSimulatedNetwork({
    devices: HOUSE,
    keys,
    firstNodeId: FIRST_NODE_ID,
    frameMs: 3,
    noAckMs: 300,
    clock,
  });
  clock.setTimer(() => wakeSleepers(network), FIRST_SLEEP_MS);
  every(clock, SLEEP_MS, () => wakeSleepers(network));
  watchMembership(network, log, clock);
  return network;
}

function wakeSleepers(network: DemoNetwork): void {
  for (const device of network.adapter.devices.values()) if (device.condition === "asleep") void device.wakeUp();
}

/** Somebody is at the device a few seconds after the adapter began to wait. */
function watchMembership(network: DemoNetwork, log: SimulationLog, clock: SimulatorClock): void {
  let looks = 0;
  let taken = 0;
  every(clock, LOOK_MS, () => {
    const { kind } = network.adapter.mode;
    looks = kind === "adding" || kind === "replacing" || kind === "removing" ? looks + 1 : 0;
    if (looks !== WALK_LOOKS) return;
    if (kind === "removing") {
      const youngest = [...network.adapter.devices.values()].at(-1);
      if (youngest) void network.press(youngest).catch(() => {}); // The wait was over.
      return;
    }
    const plan = DRAWER[taken % DRAWER.length];
    taken += 1;
    if (plan) void arrive(network, plan, log);
  });
}

async function arrive(network: DemoNetwork, plan: DevicePlan, log: SimulationLog): Promise<void> {
  const device = await network.newcomer(plan);
  log.info("Demo: the button of a new device is pressed.", { name: plan.name, label: `Key ${device.dsk}` });
  await network.press(device).catch(() => {}); // The wait was over.
}
