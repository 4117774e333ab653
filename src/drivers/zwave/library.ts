/**
 * The only place where `zwave-js` is loaded. With an adapter it takes some 60 MB, so it is imported when a driver starts, never
 * before; everything else in this folder names its types alone.
 */

import type { Driver, PartialZWaveOptions, ZWaveNode } from "zwave-js";

export type ZWaveLibrary = typeof import("@zwave-js/cc") &
  typeof import("zwave-js/Driver") &
  typeof import("zwave-js/Controller") &
  typeof import("zwave-js/Error") &
  typeof import("zwave-js/Node") &
  typeof import("zwave-js/Utils") &
  Pick<typeof import("@zwave-js/core"), "getNotification" | "getSensor">;
export type ZWaveStack = Driver;
export type ZWaveDevice = ZWaveNode;

/** A path such as `/dev/ttyACM0`, a `tcp://HOST:PORT`, or what opens a simulated adapter. */
export type ZWavePort = ConstructorParameters<typeof Driver>[0];

export type StackSettings = PartialZWaveOptions;

type Bindings = NonNullable<PartialZWaveOptions["host"]>;
export type CacheFactory = NonNullable<Bindings["db"]>;
export type LibraryFiles = NonNullable<Bindings["fs"]>;
export type LogFactory = NonNullable<Bindings["log"]>;

/**
 * By its parts: the package as a whole installs source maps for the process. The library takes the stack of every command
 * that it sends, each would be looked up in the maps, and reading these takes 200 ms of a start and 15 MB.
 */
export async function loadLibrary(): Promise<ZWaveLibrary> {
  await import("reflect-metadata");
  const [commands, driver, controller, error, node, utils, { getNotification, getSensor }] = await Promise.all([
    import("@zwave-js/cc"),
    import("zwave-js/Driver"),
    import("zwave-js/Controller"),
    import("zwave-js/Error"),
    import("zwave-js/Node"),
    import("zwave-js/Utils"),
    import("@zwave-js/core"),
  ]);
  return { ...commands, ...driver, ...controller, ...error, ...node, ...utils, getNotification, getSensor };
}
