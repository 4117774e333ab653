/**
 * Stores the network cache of `zwave-js` (nodes, values, their descriptions) in the driver's own store instead of
 * files beside it: one thing to back up, one recovery, and a restart finds the network unchanged.
 */

import type { ServiceStore } from "../service.ts";
import type { CacheFactory } from "./library.ts";

type Options<V> = {
  readonly reviver?: (key: string, value: unknown) => V;
  readonly serializer?: (key: string, value: V) => unknown;
  readonly enableTimestamps?: boolean;
};

/** @param now milliseconds since 1970, for values that are kept with their time. */
export function createNetworkCache(store: ServiceStore, now: () => number): CacheFactory {
  return {
    // The name of the file contains the network and the kind of data.
    createInstance: <V>(file: string, options?: Options<V>) =>
      new KeptMap<V>(store, `${file.slice(file.lastIndexOf("/") + 1)} `, options ?? {}, now),
  };
}

/** User codes and credentials of locks: they are written to the device and kept nowhere. */
const SECRET = /"commandClass":(99|131),.*"property":"(userCode|adminCode|credential)/;

class KeptMap<V> extends Map<string, V> {
  readonly #store: ServiceStore;
  readonly #prefix: string;
  readonly #options: Options<V>;
  readonly #now: () => number;
  readonly #times = new Map<string, number>();

  constructor(store: ServiceStore, prefix: string, options: Options<V>, now: () => number) {
    super();
    this.#store = store;
    this.#prefix = prefix;
    this.#options = options;
    this.#now = now;
  }

  async open(): Promise<void> {
    const { reviver } = this.#options;
    for (const key of this.#store.keys()) {
      if (!key.startsWith(this.#prefix)) continue;
      const row = this.#store.get(key);
      if (!Array.isArray(row)) continue;
      const name = key.slice(this.#prefix.length);
      // Without a reviver, what was stored is the value itself.
      super.set(name, reviver ? reviver(name, row[0]) : (row[0] as V));
      if (typeof row[1] === "number") this.#times.set(name, row[1]);
    }
  }

  async close(): Promise<void> {
    super.clear();
    this.#times.clear();
  }

  /** @param updateTimestamp false keeps the time of the value before, which was not seen again. */
  override set(key: string, value: V, updateTimestamp = true): this {
    const { serializer, enableTimestamps } = this.#options;
    super.set(key, value);
    if (enableTimestamps && updateTimestamp) this.#times.set(key, this.#now());
    if (SECRET.test(key)) return this;
    const plain: unknown = serializer ? serializer(key, value) : value;
    const atMs = this.#times.get(key);
    this.#store.set(this.#prefix + key, atMs === undefined ? [plain] : [plain, atMs]);
    return this;
  }

  override delete(key: string): boolean {
    this.#store.delete(this.#prefix + key);
    this.#times.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  getTimestamp(key: string): number | undefined {
    return this.#times.get(key);
  }
}
