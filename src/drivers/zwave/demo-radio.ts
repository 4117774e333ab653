/**
 * The radio of the demo: the real driver on a simulated network inside the process, so that everything can be tried without
 * an adapter. The simulation is imported when the driver starts, never before; it is a workspace of its own
 * that production installs leave out.
 */

import { createRequire } from "node:module";
import type { SimulatedNetwork } from "@domovoi/simulators/zwave/simulated-network.ts";
import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import type { ZWaveFamily } from "./addresses.ts";
import type { SecurityKeys } from "./security-keys.ts";
import { createZWaveDriver, type ZWaveDriver } from "./zwave-driver.ts";

/** Keys that everybody knows, of a network that does not exist. */
const key = (seed: number) => Uint8Array.from({ length: 16 }, (_, at) => (seed * 31 + at * 7) & 0xff);
const CLASSIC = {
  S0_Legacy: key(1),
  S2_Unauthenticated: key(2),
  S2_Authenticated: key(3),
  S2_AccessControl: key(4),
};
const DEMO_KEYS: SecurityKeys = { classic: CLASSIC, longRange: { S2_Authenticated: key(5), S2_AccessControl: key(6) } };

type DemoRadioOptions = {
  readonly name: string;
  readonly family: ZWaveFamily;
  /** A directory that exists; nothing is written there. */
  readonly dir: string;
  readonly log: Log;
  readonly clock: Clock;
};

export function createDemoRadio({ name, family, dir, log, clock }: DemoRadioOptions): ZWaveDriver {
  requireSimulators();
  const open = async () =>
    (await import("@domovoi/simulators/zwave/demo-network.ts")).openDemoNetwork(CLASSIC, log, clock);
  let network: ReturnType<typeof open> | null = null;
  let opened: SimulatedNetwork | null = null;
  let person: typeof import("@domovoi/simulators/zwave/person.ts") | null = null;
  const actionsAt = (nodeId: number, endpoint: number) => {
    const device = opened?.adapter.devices.get(nodeId);
    return device && person ? { device, actions: person.personActions(device, endpoint) } : null;
  };
  return createZWaveDriver({
    name,
    family,
    dir,
    region: null,
    isSimulated: true,
    keys: DEMO_KEYS,
    openPort: () => async () => {
      network ??= open();
      opened = await network;
      person = await import("@domovoi/simulators/zwave/person.ts");
      return opened.port()();
    },
    simulation: {
      actions: (nodeId, endpoint) => Object.keys(actionsAt(nodeId, endpoint)?.actions ?? {}),
      act: (nodeId, endpoint, action, value) => {
        const at = actionsAt(nodeId, endpoint);
        void at?.actions[action]?.(at.device, endpoint, value).catch(() => {}); // The device left meanwhile.
      },
    },
    // The demo starts like a home with an earlier installation, in which the owner named the devices.
    onReady: [
      ({ stack }) => {
        for (const { id, plan } of opened?.adapter.devices.values() ?? []) {
          const device = stack.controller.nodes.get(id);
          if (device) device.name ??= plan.name;
        }
      },
    ],
  });
}

/** @throws ControllerError NOT_SUPPORTED in a production install, which leaves the simulators out. */
function requireSimulators(): void {
  try {
    createRequire(import.meta.url).resolve("@domovoi/simulators/zwave/demo-network.ts");
  } catch (cause) {
    throw new ControllerError("NOT_SUPPORTED", {
      sentence:
        "The simulated radio is not part of this installation. In a checkout of Domovoi, npm ci installs it (without --omit=dev).",
      cause,
    });
  }
}
