/**
 * The keys of the network. They are generated once and stored in the driver's store: without them no secure device
 * can be controlled. They are never shown.
 */

import type { DriverHost } from "../driver.ts";

const CLASSES = ["S0_Legacy", "S2_Unauthenticated", "S2_Authenticated", "S2_AccessControl"] as const;
const LONG_RANGE_CLASSES = ["S2_Authenticated", "S2_AccessControl"] as const;
const KEY_BYTES = 16;
const STORE_KEY = "security-keys";

type Key = Uint8Array<ArrayBuffer>;
type Keys<C extends string> = { readonly [K in C]: Key };

export type SecurityKeys = {
  readonly classic: Keys<(typeof CLASSES)[number]>;
  readonly longRange: Keys<(typeof LONG_RANGE_CLASSES)[number]>;
};

/** The kept keys; those that are missing are made and kept. */
export function securityKeys({ store, randomness }: Pick<DriverHost, "store" | "randomness">): SecurityKeys {
  const kept = readKept(store.get(STORE_KEY));
  const keyOf = (name: string) => kept.get(name) ?? new Uint8Array(randomness.bytes(KEY_BYTES));
  const keys = {
    classic: {
      S0_Legacy: keyOf("S0_Legacy"),
      S2_Unauthenticated: keyOf("S2_Unauthenticated"),
      S2_Authenticated: keyOf("S2_Authenticated"),
      S2_AccessControl: keyOf("S2_AccessControl"),
    },
    longRange: {
      S2_Authenticated: keyOf("LR_S2_Authenticated"),
      S2_AccessControl: keyOf("LR_S2_AccessControl"),
    },
  };
  keepSecurityKeys(store, keys);
  return keys;
}

function keepSecurityKeys(store: DriverHost["store"], { classic, longRange }: SecurityKeys): void {
  const rows = [
    ...CLASSES.map((name) => [name, asHex(classic[name])]),
    ...LONG_RANGE_CLASSES.map((name) => [`LR_${name}`, asHex(longRange[name])]),
  ];
  store.set(STORE_KEY, Object.fromEntries(rows));
}

function asHex(key: Key): string {
  return Buffer.from(key).toString("hex");
}

function readKept(kept: unknown): ReadonlyMap<string, Key> {
  if (typeof kept !== "object" || kept === null) return new Map();
  const texts = Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const keys = texts.map(([name, hex]) => [name, new Uint8Array(Buffer.from(hex, "hex"))] as const);
  return new Map(keys.filter(([, key]) => key.length === KEY_BYTES));
}
