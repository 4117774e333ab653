/**
 * The port for links that devices carry out without the controller; absent on a driver whose devices hold none. The driver
 * makes its devices hold those of `host.deviceLinks()` that they can, and removes those that it wrote and that are not wanted
 * any more.
 */

import type { DeviceLink, DeviceLinkState } from "../home/device-links.ts";

export type Links = {
  /** `host.deviceLinks()` may have changed. */
  refresh(): void;
  /** `software` for a link that its devices cannot hold. null: the home does not want it, and the device does not have it. */
  state(link: DeviceLink): DeviceLinkState | null;
  /** Whether the devices do it themselves when the controller sends the command; then it must not be sent again. */
  carries(link: DeviceLink, command: string): boolean;
  /** Writes again what devices did not take of the links of this scene. */
  retry(scene: string): void;
};
