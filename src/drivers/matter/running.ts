/** The driver while its thread runs. */

import type { DriverHost } from "../driver.ts";
import type { MatterThread } from "../matter-thread.ts";
import type { SleepingCommands } from "../sleeping-commands.ts";
import type { ControllerOrder } from "./controller-messages.ts";
import type { MatterDevices } from "./matter-devices.ts";
import type { ThreadRequests } from "./thread-requests.ts";

export type Running = {
  readonly host: DriverHost;
  readonly thread: MatterThread<ControllerOrder>;
  readonly requests: ThreadRequests;
  readonly devices: MatterDevices;
  readonly sleepers: SleepingCommands;
  /** Aborted when the thread is lost and when the driver stops. */
  readonly lost: AbortController;
  readonly ready: PromiseWithResolvers<void>;
  readonly closed: PromiseWithResolvers<void>;
  /** Over when each device has reported, or is known to be lost. */
  readonly heard: PromiseWithResolvers<void>;
  /** Devices that the library has. */
  readonly peers: Set<string>;
  /** The library is up. */
  isReady: boolean;
  /** The start of the driver is over. */
  isStarted: boolean;
  sent: number;
  received: number;
};
