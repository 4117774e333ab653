/**
 * The storage of drivers: JSON under `driver/key`. Values are stored as text, so that later changes of a value by a
 * driver have no effect.
 */

import type { ServiceStore } from "../drivers/service.ts";

/** @param rows of all drivers; kept up to date, the writer reads them. @param touch says that a row is out of date. */
export function createDriverStore(
  driver: string,
  rows: Map<string, string>,
  touch: (key: string) => void,
  saved: () => Promise<void>,
): ServiceStore {
  const prefix = `${driver}/`;
  const remove = (key: string) => {
    if (rows.delete(prefix + key)) touch(prefix + key);
  };
  return {
    get(key) {
      const body = rows.get(prefix + key);
      return body === undefined ? undefined : JSON.parse(body);
    },
    set(key, value) {
      const body: string | undefined = JSON.stringify(value);
      if (body === undefined) return remove(key);
      if (rows.get(prefix + key) === body) return;
      rows.set(prefix + key, body);
      touch(prefix + key);
    },
    delete: remove,
    saved,
    keys: () => [...rows.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
  };
}
