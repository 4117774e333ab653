/**
 * The only place where `zwave-js` is loaded. With a stick it takes some 75 MB, so it is imported when a driver starts, never
 * before; everything else in this folder names its types alone.
 */

import type { Driver, PartialZWaveOptions, ZWaveNode } from "zwave-js";

export type ZWaveLibrary = typeof import("zwave-js");
export type ZWaveStack = Driver;
export type ZWaveDevice = ZWaveNode;

/** A path such as `/dev/ttyACM0`, a `tcp://HOST:PORT`, or what opens a simulated stick. */
export type ZWavePort = ConstructorParameters<typeof Driver>[0];

export type StackSettings = PartialZWaveOptions;

type Bindings = NonNullable<PartialZWaveOptions["host"]>;
export type CacheFactory = NonNullable<Bindings["db"]>;
export type LogFactory = NonNullable<Bindings["log"]>;

export function loadLibrary(): Promise<ZWaveLibrary> {
  return import("zwave-js");
}
