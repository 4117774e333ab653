/** The records that modem and devices hold, by the key that tells links apart. */

import { FULL } from "../devices/commands.ts";
import type { LinkRecord } from "../line/messages.ts";
import type { DeviceTables } from "./device-tables.ts";
import { type HeldRecord, keyOf, MODEM } from "./link-plan.ts";
import { isLink, roleOf } from "./link-records.ts";
import type { ModemLinks } from "./modem-links.ts";

type Index = { readonly source: object; readonly byKey: ReadonlyMap<string, LinkRecord> };

export class HeldRecords {
  readonly #modemLinks: ModemLinks;
  readonly #tables: DeviceTables;
  readonly #indexes = new Map<HeldRecord["holder"], Index>();

  constructor(modemLinks: ModemLinks, tables: DeviceTables) {
    this.#modemLinks = modemLinks;
    this.#tables = tables;
  }

  /** Whether the links of the modem or device are known. */
  isKnown(holder: HeldRecord["holder"]): boolean {
    return this.#indexOf(holder) !== null;
  }

  /** The record of the same link, whatever its level and ramp. */
  find(held: HeldRecord): LinkRecord | null {
    return this.#indexOf(held.holder)?.get(keyOf(held)) ?? null;
  }

  /** Whether the link is there, with the level and the ramp that are wanted. */
  has(held: HeldRecord): boolean {
    const found = this.find(held);
    if (!found) return false;
    if (held.holder === MODEM || roleOf(held.record) === "controller") return true;
    const [level = 0, rate = 0] = found.data;
    const [wantedLevel = 0, wantedRate = 0] = held.record.data;
    // Only dimmers have a ramp.
    const isSameRate = wantedRate === 0 || (rate === 0 ? RATE_OF_ZERO : rate) === wantedRate;
    return percentOf(level) === percentOf(wantedLevel) && isSameRate;
  }

  #indexOf(holder: HeldRecord["holder"]): ReadonlyMap<string, LinkRecord> | null {
    const isModem = holder === MODEM;
    const table = isModem ? null : this.#tables.get(holder);
    const source = isModem ? this.#modemLinks.records() : table?.isComplete ? table : null;
    if (!source) return null;
    const known = this.#indexes.get(holder);
    if (known?.source === source) return known.byKey;
    const records = (isModem ? this.#modemLinks.records() : table?.cells) ?? [];
    // The first record of a link decides, as in the devices.
    const entries = records.filter(isLink).map((record) => [keyOf({ holder, record }), record] as const);
    const byKey = new Map(entries.toReversed());
    this.#indexes.set(holder, { source, byKey });
    return byKey;
  }
}

/** Two seconds. */
export const RATE_OF_ZERO = 0x1b;

/** The home knows levels in percent. */
export function percentOf(level: number): number {
  return Math.round((level * 100) / FULL);
}
