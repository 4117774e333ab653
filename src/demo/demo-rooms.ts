/** A room of the demo home: its folder and its devices. */

import type { VirtualDevice } from "../drivers/virtual/virtual-device.ts";

export type DemoRoom = {
  readonly name: string;
  /** Name of the room that it lies in, or null. */
  readonly within: string | null;
  readonly devices: readonly VirtualDevice[];
};
