/** The persons: their records in the store, and their nodes. A number is never given twice, so that no program means another person. */

import { createHash } from "node:crypto";
import { ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { editor, nodedef } from "../../profile/builtin/definition-text.ts";
import { valueOfWord } from "../../profile/status-words.ts";
import { UOM } from "../../profile/uom.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import type { DriverHost } from "../driver.ts";
import type { ReportCause } from "../report.ts";
import { NOTHING_KNOWN, type PersonState, whereaboutsOf } from "./rule.ts";

export type PersonRecord = {
  readonly number: number;
  /** As it was given; the node has the name that counts. */
  readonly name: string;
  readonly account: string;
  /** USER/DEVICE of the phone at the broker; "": none. */
  readonly topic: string;
  /** Addresses of nodes that say where the person is. */
  readonly nodes: readonly string[];
  /** Names of notification channels; none: that of the account's browsers. Records of earlier versions do not have it. */
  readonly channels?: readonly string[];
  /** SHA-256 of the phone's token; "": none was made. */
  readonly tokenHash: string;
  readonly state: PersonState;
};

export type PersonGiven = Pick<PersonRecord, "name" | "account" | "topic" | "nodes" | "channels">;

const PERSONS_MAX = 32;
const KEY = "person ";
const LAST = "last";
const NODEDEF = "Person";
const EDITOR = "PERSON_STS";
/** Slot 0 is no plugin's. */
const SLOT = { family: PLUGINS.id, instance: 0 } as const;

export class PersonBook {
  readonly #host: DriverHost;
  readonly #records = new Map<number, PersonRecord>();

  /** Declares the persons of the last run. */
  constructor(host: DriverHost) {
    this.#host = host;
    host.define(SLOT.family, SLOT.instance, DEFINITIONS, false);
    for (const key of host.store.keys()) {
      if (!key.startsWith(KEY)) continue;
      // Written by this class.
      const record = host.store.get(key) as PersonRecord;
      this.#records.set(record.number, record);
      this.#declare(record);
    }
  }

  all(): readonly PersonRecord[] {
    return [...this.#records.values()].toSorted((a, b) => a.number - b.number);
  }

  /** By number, address, or name that only one has. @throws ControllerError PERSON_NOT_FOUND */
  find(given: string): PersonRecord {
    const found = this.all().find((each) => String(each.number) === given || addressOf(each) === given);
    const named = this.all().filter((each) => this.nameOf(each) === given);
    const only = found ?? (named.length === 1 ? named[0] : undefined);
    if (!only) throw new ControllerError("PERSON_NOT_FOUND");
    return only;
  }

  ofAddress(address: string): PersonRecord | null {
    return this.all().find((each) => addressOf(each) === address) ?? null;
  }

  /** Every hash is compared whole, so that the time says nothing of any. */
  ofToken(token: string): PersonRecord | null {
    const hash = hashOfToken(token);
    const matching = this.all().filter(({ tokenHash }) => isSameSecret(hash, tokenHash));
    return matching[0] ?? null;
  }

  nameOf(record: PersonRecord): string {
    return this.#host.seen(addressOf(record))?.name ?? record.name;
  }

  sinceMs(record: PersonRecord): number | null {
    return this.#host.seen(addressOf(record))?.properties.get("ST")?.changedAtMs ?? null;
  }

  /** @throws ControllerError LIMIT_REACHED */
  add(given: PersonGiven): PersonRecord {
    if (this.#records.size >= PERSONS_MAX) {
      throw new ControllerError("LIMIT_REACHED", `There can be ${PERSONS_MAX} persons, and there are.`);
    }
    const number = Number(this.#host.store.get(LAST) ?? 0) + 1;
    this.#host.store.set(LAST, number);
    const record = { number, ...given, tokenHash: "", state: NOTHING_KNOWN };
    this.put(record);
    this.#declare(record);
    this.tell(record, "report");
    return record;
  }

  put(record: PersonRecord): void {
    this.#records.set(record.number, record);
    this.#host.store.set(KEY + record.number, record);
  }

  forget(record: PersonRecord): void {
    this.#records.delete(record.number);
    this.#host.store.delete(KEY + record.number);
    this.#host.gone(addressOf(record));
  }

  /** Reports where the person is. */
  tell(record: PersonRecord, cause: ReportCause, commandId?: string): void {
    const says = whereaboutsOf(record.state);
    const value = says === null ? null : valueOfWord(says, UOM.boolean, "person");
    const by = commandId === undefined ? { cause } : { cause, commandId };
    this.#host.report([{ address: addressOf(record), id: "ST", value, uom: UOM.boolean, prec: 0, ...by }]);
  }

  #declare(record: PersonRecord): void {
    const address = addressOf(record);
    this.#host.node({
      ...SLOT,
      address,
      name: record.name,
      nodeDefId: NODEDEF,
      type: "0.0.0.0",
      primary: address,
      devtype: null,
    });
    this.#host.link(address, "online");
  }
}

export function addressOf({ number }: Pick<PersonRecord, "number">): string {
  return `n000_person${number}`;
}

export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const DEFINITIONS = {
  editors: [editor(EDITOR, { uom: UOM.boolean, subset: "0,1", names: "0 Away, 1 Home" })],
  nodedefs: [
    nodedef(NODEDEF, {
      name: "Person",
      properties: `ST:${EDITOR}`,
      accepts: "HOME AWAY QUERY",
      labels: { HOME: "Home", AWAY: "Away" },
    }),
  ],
};
