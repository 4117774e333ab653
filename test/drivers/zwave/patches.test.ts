/** Descriptions of devices are read while the adapter is waited for, each product once. */

import { describe, expect, test } from "vitest";
import type { ZWaveDevice, ZWaveStack } from "../../../src/drivers/zwave/library.ts";
import { keepProducts, readAhead } from "../../../src/drivers/zwave/patches.ts";
import { memoryStore } from "../recording-host.ts";

const PLUG = { manufacturerId: 0x371, productType: 3, productId: 23, firmwareVersion: "1.5" };
const SENSOR = { manufacturerId: 0x27a, productType: 0x7000, productId: 0xe004, firmwareVersion: undefined };
/** Not interviewed as far as that. */
const NEW = { manufacturerId: undefined, productType: undefined, productId: undefined };

/** A database that records its look-ups. */
function database() {
  const asked: (readonly unknown[])[] = [];
  const configManager = {
    loadAll: async () => void asked.push(["all"]),
    lookupDevicePreserveConditions: async (...product: readonly unknown[]) => void asked.push(product),
  };
  // Only these two are called.
  return { asked, configManager, stack: { configManager } as unknown as ZWaveStack };
}

function storeWith(...devices: readonly object[]) {
  const store = memoryStore();
  // Only what names a product is read of them.
  keepProducts(store, devices as readonly ZWaveDevice[]);
  return store;
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe("the stored knowledge about the network", () => {
  test("is read at once, each product once, and the library finds it read", async () => {
    const { asked, configManager, stack } = database();
    readAhead(stack, storeWith(PLUG, NEW, SENSOR, PLUG));
    await turns();
    await configManager.loadAll();
    await configManager.lookupDevicePreserveConditions(0x371, 3, 23, "1.5");
    await configManager.lookupDevicePreserveConditions(0x27a, 0x7000, 0xe004, undefined);
    expect(asked).toEqual([["all"], [0x371, 3, 23, "1.5"], [0x27a, 0x7000, 0xe004, undefined]]);
  });

  test("is read again for another firmware, and for all devices after the start", async () => {
    const { asked, configManager, stack } = database();
    const end = readAhead(stack, storeWith(PLUG));
    await turns();
    await configManager.lookupDevicePreserveConditions(0x371, 3, 23, "1.6");
    end();
    await configManager.lookupDevicePreserveConditions(0x371, 3, 23, "1.5");
    expect(asked.slice(2)).toEqual([
      [0x371, 3, 23, "1.6"],
      [0x371, 3, 23, "1.5"],
    ]);
  });

  test("is passed over where it is none", async () => {
    const { asked, stack } = database();
    const store = memoryStore();
    store.set("products", ["plug", [1, 2], [1, 2, 3, "1.0"], null]);
    readAhead(stack, store);
    await turns();
    expect(asked).toEqual([["all"], [1, 2, 3, "1.0"]]);
  });
});
