/** The Matter bridge as the controller reports it, and the work on it. */

import type { MatterRecord } from "./routes.ts";

export type { MatterRecord } from "./routes.ts";

/** The Matter bridge, which shows the home in Apple Home, Google Home, Alexa and others; in portal mode, for owners. */
export type Matter = {
  get(): Promise<MatterRecord>;
  /** Lets a further ecosystem be added. @returns the bridge with the codes. @param seconds 180 to 900 */
  openWindow(seconds: number): Promise<MatterRecord>;
  /** Takes the bridge out of an ecosystem. @param index its number at the bridge */
  removeFabric(index: number): Promise<MatterRecord>;
};
