/**
 * The database of devices, read while the library waits for the adapter: it would begin after that, and read the description
 * of a product again for every device of it.
 */

import type { DriverStore } from "../driver.ts";
import type { ZWaveDevice, ZWaveStack } from "./library.ts";

type Product = readonly [manufacturerId: number, productType: number, productId: number, firmware: string];

const KEY = "products";

/** Remembers which products to read at the next start. */
export function keepProducts(store: DriverStore, devices: Iterable<ZWaveDevice>): void {
  const products = new Map<string, Product>();
  for (const { manufacturerId, productType, productId, firmwareVersion } of devices) {
    if (manufacturerId === undefined || productType === undefined || productId === undefined) continue;
    const product: Product = [manufacturerId, productType, productId, firmwareVersion ?? ""];
    products.set(product.join(), product);
  }
  store.set(KEY, [...products.values()]);
}

/** @returns what ends it: what was read for the start is then forgotten. */
export function readAhead({ configManager: database }: ZWaveStack, store: DriverStore): () => void {
  const reading = database.loadAll();
  database.loadAll = () => reading;
  const look = database.lookupDevicePreserveConditions.bind(database);
  const found = new Map<string, ReturnType<typeof look>>();
  database.lookupDevicePreserveConditions = (...product) => {
    const description = found.get(product.join()) ?? look(...product);
    found.set(product.join(), description);
    return description;
  };
  // The library awaits the same, and says what is wrong.
  reading.then(() => readAll(database, keptProducts(store))).catch(() => {});
  return () => {
    database.lookupDevicePreserveConditions = look;
    found.clear();
  };
}

/** One after the other, so that clients are answered between two. */
async function readAll(database: ZWaveStack["configManager"], products: readonly Product[]): Promise<void> {
  for (const [manufacturerId, productType, productId, firmware] of products) {
    await database.lookupDevicePreserveConditions(manufacturerId, productType, productId, firmware || undefined);
  }
}

function keptProducts(store: DriverStore): readonly Product[] {
  const kept = store.get(KEY);
  return Array.isArray(kept) ? kept.filter(isProduct) : [];
}

function isProduct(kept: unknown): kept is Product {
  if (!Array.isArray(kept) || kept.length !== 4) return false;
  return kept.slice(0, 3).every((id) => Number.isInteger(id)) && typeof kept[3] === "string";
}
