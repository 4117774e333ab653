/** A virtual device as data: its kind, its place and its first values. `devices/` has the behavior of each kind. */

import type { DeviceKind } from "./kinds.ts";

export type VirtualDevice = {
  readonly kind: DeviceKind;
  /** Address of the device's first node, in the form of its family; the other nodes' are made from it. */
  readonly address: string;
  /** Name of the first node; the other nodes' names begin with it. */
  readonly name: string;
  /** Names of further nodes by the last part of their address, instead of the kind's. */
  readonly names?: Readonly<Record<string, string>>;
  /** Raw values of the first node that differ from the kind's. */
  readonly seed?: Readonly<Record<string, number>>;
  /** Address of the node that leads this one, for plugin nodes; its own when absent. */
  readonly primary?: string;
};
