/** The driver while it is connected. */

import type { DriverHost } from "../driver.ts";
import type { MqttConnection } from "../mqtt-connection.ts";
import type { BridgeRequests } from "./bridge-requests.ts";
import type { BrokerDevices } from "./broker-devices.ts";
import type { CoverTravels } from "./cover-travels.ts";
import type { AnnouncedDevices } from "./discovery/announced-devices.ts";
import type { Inbox } from "./inbox.ts";
import type { WaitingCommands } from "./waiting-commands.ts";

export type Running = {
  readonly host: DriverHost;
  readonly connection: MqttConnection;
  readonly inbox: Inbox;
  /** Behind Zigbee2MQTT. */
  readonly devices: BrokerDevices;
  readonly announcing: BrokerDevices;
  readonly announced: AnnouncedDevices;
  readonly travels: CoverTravels;
  readonly waiting: WaitingCommands;
  readonly requests: BridgeRequests;
  /** Aborted when the connection is lost and when the driver stops. */
  readonly lost: AbortController;
  /** Over when the bridge has listed its devices. */
  readonly listed: PromiseWithResolvers<void>;
  /** Messages up to here repeat states from before the bridge's start. */
  quietUntilMs: number;
  /** The latest list of groups; their members may be listed later. */
  groups: unknown;
  sent: number;
  received: number;
};
