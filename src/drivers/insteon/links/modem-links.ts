/**
 * The modem's link database. Our copy of it changes only when the modem has acknowledged the change, and is stored, so that
 * another modem can take the links over.
 */

import { delay } from "../../../util/clock.ts";
import { rejectOnAbort } from "../../../util/reject-on-abort.ts";
import type { DriverHost } from "../../driver.ts";
import { type DeviceId, type LinkRecord, linkRecordBytes, type ModemMessage } from "../line/messages.ts";
import { type Modem, ModemLost } from "../line/modem.ts";
import { isLink, isSameRecord, NO_DEVICE, roleOf } from "./link-records.ts";
import { readList, readRecord, storedRecord } from "./stored-links.ts";

type ModemLinkPorts = {
  readonly modem: Modem;
  readonly host: Pick<DriverHost, "store" | "clock">;
  readonly signal: AbortSignal;
};

/** null: done. A sentence: the modem did not take the change. */
export type ModemWrite = string | null;

const FIRST = 0x69;
const NEXT = 0x6a;
const MANAGE = 0x6f;
const FIND = 0x00;
const PUT = { controller: 0x40, responder: 0x41 } as const;
const DELETE_FIRST = 0x80;
const READINGS = 5;
const RECORDS_MAX = 4096;
/** A record that was lost on the line may still come. */
const LATE_MS = 500;
const KEY = "modem links ";
/** Set from when the modem was reset until its links are repaired. */
const RESET = "modem was reset";
const REFUSED = "The modem did not take the change of its links.";
const OTHER_HALF = "The modem has the other half of the link under the same number, and would delete that one.";
const isRecordMessage = ({ kind }: ModemMessage) => kind === "record";

export class ModemLinks {
  readonly #ports: ModemLinkPorts;
  #id: DeviceId = NO_DEVICE;
  #records: readonly LinkRecord[] | null = null;
  #isChecking = false;
  #awaited: ((record: LinkRecord) => void) | null = null;

  constructor(ports: ModemLinkPorts) {
    this.#ports = ports;
  }

  /** Of the modem. */
  get id(): DeviceId {
    return this.#id;
  }

  /** @throws ModemLost when the modem does not answer. */
  async identify(): Promise<void> {
    this.#id = await this.#ports.modem.identify();
  }

  /** null until they are read. */
  records(): readonly LinkRecord[] | null {
    return this.#records;
  }

  /** @throws ModemLost */
  async read(): Promise<readonly LinkRecord[]> {
    let before: readonly LinkRecord[] | null = null;
    for (let reading = 0; reading < READINGS; reading += 1) {
      const records = await this.#readAll();
      if (records && (!hasRepetition(records) || isSameList(records, before)))
        return this.#keep(records.filter(isLink));
      before = records;
      await delay(this.#ports.host.clock, LATE_MS, this.#ports.signal);
    }
    throw new ModemLost("The modem leaves out some of its links.");
  }

  /** Changes the record of the same role, group and device, or adds it. @throws ModemLost */
  async put(record: LinkRecord): Promise<ModemWrite> {
    const { isAccepted } = await this.#manage(PUT[roleOf(record)], record);
    const isThere = isAccepted || (await this.#find(record)).some((found) => isSameRecord(found, record));
    if (!isThere) return REFUSED;
    const others = (this.#records ?? []).filter((each) => !isSameLink(each, record));
    this.#keep([...others, record]);
    return null;
  }

  /** The modem deletes the first record of the group and device, whatever its role. @throws ModemLost */
  async remove(record: LinkRecord): Promise<ModemWrite> {
    const [first] = await this.#find(record);
    if (first && roleOf(first) !== roleOf(record)) return OTHER_HALF;
    if (first && !(await this.#manage(DELETE_FIRST, record)).isAccepted) return REFUSED;
    this.#keep((this.#records ?? []).filter((each) => !isSameLink(each, record)));
    return null;
  }

  /** The next link that is made or deleted with the buttons of modem and device. @throws what aborted the signal */
  async nextLink(signal: AbortSignal): Promise<LinkRecord> {
    const { promise, resolve } = Promise.withResolvers<LinkRecord>();
    this.#awaited = resolve;
    try {
      return await Promise.race([promise, rejectOnAbort(signal)]);
    } finally {
      this.#awaited = null;
    }
  }

  /** It has forgotten its links. */
  get wasReset(): boolean {
    return this.#ports.host.store.get(RESET) === true;
  }

  reset(): void {
    this.#ports.host.store.set(RESET, true);
  }

  /** It had links, and has none now. Asked once at a time. */
  async isEmptied(): Promise<boolean> {
    if (this.#isChecking || (this.#records ?? []).length === 0) return false;
    this.#isChecking = true;
    try {
      return (await this.read()).length === 0;
    } catch {
      // The loss of the modem is reported by itself.
      return false;
    } finally {
      this.#isChecking = false;
    }
  }

  repaired(): void {
    this.#ports.host.store.delete(RESET);
  }

  /** The record was made or deleted with the buttons of modem and device. */
  learned(record: LinkRecord, isDeleted: boolean): void {
    this.#awaited?.(record);
    if (!this.#records) return;
    const others = this.#records.filter((each) => !isSameLink(each, record));
    this.#keep(isDeleted ? others.filter((each) => !isOfGroup(each, record)) : [...others, record]);
  }

  /** Ids of modems that this home had, whose links nothing has taken over. */
  formerModems(): readonly DeviceId[] {
    const ids = this.#ports.host.store.keys().filter((key) => key.startsWith(KEY));
    // A modem without links leaves nothing to take over.
    return ids.map((key) => key.slice(KEY.length)).filter((id) => id !== this.#id && this.recordsOf(id).length > 0);
  }

  recordsOf(formerModem: DeviceId): readonly LinkRecord[] {
    return readList(this.#ports.host.store.get(KEY + formerModem), "records", readRecord);
  }

  forget(formerModem: DeviceId): void {
    this.#ports.host.store.delete(KEY + formerModem);
  }

  #keep(records: readonly LinkRecord[]): readonly LinkRecord[] {
    this.#records = records;
    this.#ports.host.store.set(KEY + this.#id, { records: records.map(storedRecord) });
    return records;
  }

  /** null: one of them was lost. */
  async #readAll(): Promise<readonly LinkRecord[] | null> {
    const records: LinkRecord[] = [];
    for (let command = FIRST; records.length < RECORDS_MAX; command = NEXT) {
      const answer = await this.#ports.modem.command({ bytes: [command], mayRefuse: true, reply: isRecordMessage });
      if (!answer.isAccepted) break;
      if (answer.reply?.kind !== "record" || answer.isRepeated) return null;
      records.push(answer.reply.record);
    }
    return records;
  }

  /** The first record of the group and device, of either role. */
  async #find(record: LinkRecord): Promise<readonly LinkRecord[]> {
    const { reply } = await this.#manage(FIND, record);
    return reply?.kind === "record" ? [reply.record] : [];
  }

  #manage(code: number, record: LinkRecord) {
    const bytes = [MANAGE, code, ...linkRecordBytes(record)];
    return this.#ports.modem.command({
      bytes,
      mayRefuse: true,
      ...(code === FIND ? { reply: isRecordMessage } : {}),
    });
  }
}

function isOfGroup(one: LinkRecord, other: LinkRecord): boolean {
  return one.group === other.group && one.device === other.device;
}

/** A modem has one link of a role for a group and a device. */
function isSameLink(one: LinkRecord, other: LinkRecord): boolean {
  return isOfGroup(one, other) && roleOf(one) === roleOf(other);
}

/** A late record was taken for the next one, which is then missing. */
function hasRepetition(records: readonly LinkRecord[]): boolean {
  return records.some((record, at) => {
    const before = records[at - 1];
    return before !== undefined && isLink(record) && isSameRecord(before, record);
  });
}

function isSameList(one: readonly LinkRecord[], other: readonly LinkRecord[] | null): boolean {
  return one.length === other?.length && one.every((record, at) => isSameRecord(record, other[at] ?? record));
}
