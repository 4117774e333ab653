/**
 * The keys of the network. They are generated once and stored in the driver's store: without them no secure device
 * can be controlled. They are never shown.
 */

import { isRecord } from "../../util/is-record.ts";
import type { DriverHost } from "../driver.ts";

const KEY_BYTES = 16;
const STORE_KEY = "security-keys";

type Keys<C extends string> = { readonly [K in C]: Uint8Array<ArrayBuffer> };

export type SecurityKeys = {
  readonly classic: Keys<"S0_Legacy" | "S2_Unauthenticated" | "S2_Authenticated" | "S2_AccessControl">;
  readonly longRange: Keys<"S2_Authenticated" | "S2_AccessControl">;
};

/** The kept keys; those that are missing are made and kept. */
export function securityKeys({ store, randomness }: Pick<DriverHost, "store" | "randomness">): SecurityKeys {
  const stored = store.get(STORE_KEY);
  const kept: Record<string, string> = {};
  const keyOf = (name: string) => {
    const text = isRecord(stored) ? stored[name] : null;
    const known = new Uint8Array(Buffer.from(typeof text === "string" ? text : "", "hex"));
    const key = known.length === KEY_BYTES ? known : new Uint8Array(randomness.bytes(KEY_BYTES));
    kept[name] = Buffer.from(key).toString("hex");
    return key;
  };
  const classic = {
    S0_Legacy: keyOf("S0_Legacy"),
    S2_Unauthenticated: keyOf("S2_Unauthenticated"),
    S2_Authenticated: keyOf("S2_Authenticated"),
    S2_AccessControl: keyOf("S2_AccessControl"),
  };
  const longRange = {
    S2_Authenticated: keyOf("LR_S2_Authenticated"),
    S2_AccessControl: keyOf("LR_S2_AccessControl"),
  };
  store.set(STORE_KEY, kept);
  return { classic, longRange };
}
