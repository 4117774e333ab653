/** The Matter driver on a simulated network: its controller runs in this process, and survives as a store does. */

import type { ControllerEvent } from "../../src/drivers/matter/controller-messages.ts";
import type { OpenControllerThread } from "../../src/drivers/matter/matter-driver.ts";
import type { WatchTimes } from "../../src/drivers/matter/peer-watch.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import { isOver, type Operation } from "../../src/home/operation.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { RecordingHost } from "../drivers/recording-host.ts";
import { simulateNetwork } from "./matter-network.ts";

const { ControllerNode } = await import("../../src/drivers/matter/controller-node.ts");
const { MatterDriver } = await import("../../src/drivers/matter/matter-driver.ts");
const { ServerNode, StorageService, VendorId } = await import("@matter/main");

export type SimulatedMatter = Awaited<ReturnType<typeof simulateMatter>>;
type DeviceOptions = {
  readonly id?: string;
  readonly name?: string;
  readonly uniqueId?: string;
  readonly passcode?: number;
  /** With further behaviors. */
  readonly root?: object;
  readonly more?: object;
};

const HEARD_MS = 5000;
const PASSCODE = 20_202_021;
/** For this passcode and discriminator 3840. */
export const MANUAL_CODE = "34970112332";

export async function simulateMatter(storage: string) {
  const network = simulateNetwork();
  const environment = network.host();
  // Held open, so that it outlives the controller.
  await environment.get(StorageService).open("controller");
  let underWay = 0;
  /** Over when the controller that was opened last has heard of a device. */
  let linked = Promise.resolve();
  const open = (times?: WatchTimes): OpenControllerThread => {
    return (task, { event }) => {
      const options = { environment, ...(times ? { times } : {}) };
      const heard = Promise.withResolvers<void>();
      linked = Promise.race([heard.promise, new Promise<void>((resolve) => setTimeout(resolve, HEARD_MS).unref())]);
      const take = (each: ControllerEvent) => {
        event(each);
        if (each.kind === "link") heard.resolve();
      };
      const started = ControllerNode.start(task, (each) => void setImmediate(() => take(each)), options);
      started.catch((error: Error) => event({ kind: "failed", reason: error.message }));
      return {
        send: (order) =>
          void started.then(async (node) => {
            underWay += 1;
            await node.obey(order).finally(() => {
              underWay -= 1;
            });
            if (order.kind === "close") event({ kind: "closed" });
          }),
        end: async () => (await started).close(),
      };
    };
  };
  return {
    network,
    /** Waits until the controller has heard of a device, for some seconds at most. */
    linked: () => linked,
    /** Waits until every order was obeyed, for a second at most. */
    async rest() {
      for (let turn = 0; turn < 100 && underWay > 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    driver(
      store: ServiceStore,
      { lockCode = "", times }: { readonly lockCode?: string; readonly times?: WatchTimes } = {},
    ) {
      const clock = new VirtualClock(0);
      const options = { name: "matter", storage, networkInterface: null, homeName: "Home", lockCode };
      return { clock, host: new RecordingHost(clock, store), driver: new MatterDriver(options, open(times)) };
    },
    /** @param more values of the root, such as how it sleeps */
    device({ id = "device", name = "", uniqueId = id, passcode = PASSCODE, root, more }: DeviceOptions = {}) {
      return ServerNode.create((root ?? ServerNode.RootEndpoint) as typeof ServerNode.RootEndpoint, {
        ...more,
        ...{ id, environment: network.host(), commissioning: { passcode, discriminator: 3840 } },
        basicInformation: {
          ...{ vendorId: VendorId(0xfff1), vendorName: "Maker", productId: 0x8001, productName: "Product" },
          ...{ nodeLabel: name, uniqueId, serialNumber: `serial ${uniqueId}`.slice(0, 32) },
          ...{ softwareVersion: 2, softwareVersionString: "2.0" },
        },
      });
    },
  };
}

/** Includes a device by its code, whatever its certificates show. @returns the last step of the operation */
export async function includeDevice(
  { driver, host }: Pick<ReturnType<SimulatedMatter["driver"]>, "driver" | "host">,
  code: string = MANUAL_CODE,
): Promise<Operation> {
  driver.commissioning.begin("include", { code });
  for (;;) {
    const operation = host.operations.at(-1);
    if (operation?.stage === "asking") driver.commissioning.answer({ kind: "confirm" });
    if (operation && isOver(operation)) return operation;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
