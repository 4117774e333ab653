/**
 * The Insteon network of the demo: the real driver on a simulated modem inside the process. The simulation is imported when the
 * driver starts, never before; it is a workspace of its own that production installs leave out.
 */

import { createRequire } from "node:module";
import { ControllerError } from "../../errors.ts";
import type { Clock } from "../../util/clock.ts";
import { InsteonDriver } from "./insteon-driver.ts";
import type { ModemPort } from "./line/modem-port.ts";

type DemoOptions = {
  readonly name: string;
  readonly clock: Clock;
};
type Simulation = typeof import("@domovoi/simulators/insteon/demo-modem.ts");
type Opened = { readonly simulation: Simulation; readonly modem: ReturnType<Simulation["createDemoModem"]> };

const SIMULATION = "@domovoi/simulators/insteon/demo-modem.ts";
const ACTIONS: readonly string[] = ["DON", "DOF"];

export function createDemoInsteon({ name, clock }: DemoOptions): InsteonDriver {
  requireSimulators();
  const open = async (): Promise<Opened> => {
    const simulation = await import("@domovoi/simulators/insteon/demo-modem.ts");
    return { simulation, modem: simulation.createDemoModem(clock) };
  };
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  const find = (address: string) => {
    const [group = 0, ...id] = address
      .split(" ")
      .map((part) => Number.parseInt(part, 16))
      .toReversed();
    const device = opened?.modem.devices.get(id.toReversed().join(" "));
    return opened && device?.groups.includes(group) ? { ...opened, device, group } : null;
  };
  return new InsteonDriver({
    name,
    openPort: async (_signal, onLost) => {
      opening ??= open();
      opened = await opening;
      return portOf(opened.modem, onLost);
    },
    simulation: {
      actions: (address) => (find(address) ? ACTIONS : []),
      act: (address, action) => {
        const at = find(address);
        if (!at || !ACTIONS.includes(action)) return false;
        at.simulation.actAtDevice(at.modem, at.device, at.group, action === "DON");
        return true;
      },
    },
  });
}

function portOf(modem: Opened["modem"], onLost: (detail: string) => void): ModemPort {
  let listen: (bytes: Uint8Array) => void = () => {};
  let isClosed = false;
  const line = modem.open({
    hear: (bytes) => listen(bytes),
    cut: () => {
      if (!isClosed) onLost("The simulated modem was opened again.");
    },
  });
  return {
    write: (bytes) => line.write(bytes),
    listen: (onBytes) => {
      listen = onBytes;
    },
    close: () => {
      isClosed = true;
      line.close();
    },
  };
}

/** @throws ControllerError NOT_SUPPORTED in a production install, which leaves the simulators out. */
function requireSimulators(): void {
  try {
    createRequire(import.meta.url).resolve(SIMULATION);
  } catch (cause) {
    throw new ControllerError("NOT_SUPPORTED", {
      sentence:
        "The simulated modem is not part of this installation. In a checkout of Domovoi, npm ci installs it (without --omit=dev).",
      cause,
    });
  }
}
