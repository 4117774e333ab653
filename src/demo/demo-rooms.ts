/** A room of the demo home: the folder that it becomes, and what stands in it. */

import type { VirtualDevice } from "../drivers/virtual/virtual-device.ts";

export type DemoRoom = {
  readonly name: string;
  /** Name of the room that it lies in, or null. */
  readonly within: string | null;
  readonly devices: readonly VirtualDevice[];
};
