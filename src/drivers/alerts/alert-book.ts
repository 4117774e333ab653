/** The alerts: their records and open instances in the store, and their nodes. A number is never given twice. */

import { createHash } from "node:crypto";
import { ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { editor, nodedef } from "../../profile/builtin/definition-text.ts";
import { UOM } from "../../profile/uom.ts";
import type { ButtonAction, Urgency } from "../alert-port.ts";
import type { DriverHost } from "../driver.ts";
import type { PropertyReport, ReportCause } from "../report.ts";
import type { AlertState } from "./rule.ts";

export type Button = { readonly label: string; readonly action: ButtonAction };

export type AlertRecord = {
  readonly number: number;
  /** As it was given; the node has the name that counts. */
  readonly name: string;
  /** Which of the controller's own it is; "": its owner added it. */
  readonly kind: string;
  /** "": the sentence says which node it is. */
  readonly text: string;
  readonly urgency: Urgency;
  /** "": that of the integration. */
  readonly order: string;
  readonly buttons: readonly Button[];
};

/** Of a message that was delivered: it answers this alert, for this account, with the buttons of then. */
export type Token = {
  readonly hash: string;
  readonly channel: string;
  /** null: the channel belongs to no account, and can only confirm. */
  readonly accountId: string | null;
  readonly buttons: readonly Button[];
  readonly atMs: number;
};

/** What a button does. `due` until it was done; an end of the process in between does it again. */
type Effect = {
  readonly state: "due" | "done";
  readonly label: string;
  readonly action: ButtonAction;
  readonly accountId: string;
  readonly outcome: string;
};

export type OpenAlert = {
  readonly state: AlertState;
  /** What rings, as it was last said. */
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly told: readonly { readonly channel: string; readonly atMs: number; readonly failure: string }[];
  readonly effect: Effect | null;
};

const ALERTS_MAX = 50;
const KEY = "alert ";
/** Open instances are in no backup: a restored home must not deliver them again. */
const OPEN = "waiting alert ";
const LAST = "last";
const NODEDEF = "Alert";
const TEXT_UOM = 145;
/** Slot 0 is no plugin's. */
const SLOT = { family: PLUGINS.id, instance: 0 } as const;
const STATUS_VALUES = { off: 0, ringing: 1, confirmed: 2 } as const;

export class AlertBook {
  readonly #host: DriverHost;
  readonly #records = new Map<number, AlertRecord>();
  readonly #open = new Map<number, OpenAlert>();

  /** Declares the alerts of the last run. */
  constructor(host: DriverHost) {
    this.#host = host;
    host.define(SLOT.family, SLOT.instance, DEFINITIONS, false);
    for (const key of host.store.keys()) {
      // Both are written by this class.
      if (key.startsWith(KEY)) {
        const record = host.store.get(key) as AlertRecord;
        this.#records.set(record.number, record);
        this.#declare(record);
      } else if (key.startsWith(OPEN)) {
        this.#open.set(Number(key.slice(OPEN.length)), host.store.get(key) as OpenAlert);
      }
    }
    for (const number of this.#open.keys()) if (!this.#records.has(number)) this.putOpen(number, null);
  }

  all(): readonly AlertRecord[] {
    return [...this.#records.values()].toSorted((a, b) => a.number - b.number);
  }

  get(number: number): AlertRecord | null {
    return this.#records.get(number) ?? null;
  }

  /** By number, address, or name that only one has. @throws ControllerError ALERT_NOT_FOUND */
  find(given: string): AlertRecord {
    const found = this.all().find((each) => String(each.number) === given || addressOf(each) === given);
    const named = this.all().filter((each) => this.nameOf(each) === given);
    const only = found ?? (named.length === 1 ? named[0] : undefined);
    if (!only) throw new ControllerError("ALERT_NOT_FOUND");
    return only;
  }

  ofAddress(address: string): AlertRecord | null {
    return this.all().find((each) => addressOf(each) === address) ?? null;
  }

  ofKind(kind: string): AlertRecord | null {
    return this.all().find((each) => each.kind === kind) ?? null;
  }

  ofToken(token: string): { readonly record: AlertRecord; readonly open: OpenAlert; readonly token: Token } | null {
    const hash = hashOfToken(token);
    for (const [number, open] of this.#open) {
      const found = open.tokens.find((each) => each.hash === hash);
      const record = this.#records.get(number);
      if (found && record) return { record, open, token: found };
    }
    return null;
  }

  open(number: number): OpenAlert | null {
    return this.#open.get(number) ?? null;
  }

  putOpen(number: number, open: OpenAlert | null): void {
    if (open) {
      this.#open.set(number, open);
      this.#host.store.set(OPEN + number, open);
    } else {
      this.#open.delete(number);
      this.#host.store.delete(OPEN + number);
    }
  }

  nameOf(record: AlertRecord): string {
    return this.#host.seen(addressOf(record))?.name ?? record.name;
  }

  isEnabled(record: AlertRecord): boolean {
    return this.#host.seen(addressOf(record))?.enabled === true;
  }

  /** @throws ControllerError LIMIT_REACHED */
  add(given: Omit<AlertRecord, "number">): AlertRecord {
    if (this.#records.size >= ALERTS_MAX)
      throw new ControllerError("LIMIT_REACHED", `There can be ${ALERTS_MAX} alerts, and there are.`);
    const number = Number(this.#host.store.get(LAST) ?? 0) + 1;
    this.#host.store.set(LAST, number);
    const record = { number, ...given };
    this.put(record);
    this.#declare(record);
    this.show(record, "restore");
    return record;
  }

  put(record: AlertRecord): void {
    this.#records.set(record.number, record);
    this.#host.store.set(KEY + record.number, record);
  }

  remove(record: AlertRecord): void {
    this.putOpen(record.number, null);
    this.#records.delete(record.number);
    this.#host.store.delete(KEY + record.number);
    this.#host.gone(addressOf(record));
  }

  /** Reports whether it rings, what, and who answered. */
  show(record: AlertRecord, cause: ReportCause, commandId?: string): void {
    const open = this.open(record.number);
    const isOff = !open || open.state.status === "off";
    const by = { address: addressOf(record), prec: 0, cause, ...(commandId !== undefined && { commandId }) };
    const said = (id: string, text: string): PropertyReport => ({
      ...{ ...by, id, uom: TEXT_UOM, value: text === "" ? null : 0 },
      ...(text !== "" && { text }),
    });
    this.#host.report([
      { ...by, id: "ST", value: STATUS_VALUES[open?.state.status ?? "off"], uom: UOM.index },
      said("GV1", isOff ? "" : open.text),
      said("GV2", open?.state.answer ? answerText(open.state.answer, open.effect) : ""),
    ]);
  }

  #declare(record: AlertRecord): void {
    const address = addressOf(record);
    const node = { ...SLOT, address, name: record.name, nodeDefId: NODEDEF, type: "0.0.0.0" };
    this.#host.node({ ...node, primary: address, devtype: null });
    this.#host.link(address, "online");
  }
}

/** For people: who answered, and how. */
function answerText({ by, channel, way }: NonNullable<AlertState["answer"]>, effect: Effect | null): string {
  const who = by === "" ? "A program or client" : by;
  const how = way === "channel" && channel !== by ? `, by ${channel}` : way === "page" ? ", on the page" : "";
  return `${who}${how}${effect ? `: ${effect.label}` : ""}`;
}

export function addressOf({ number }: Pick<AlertRecord, "number">): string {
  return `n000_alert${number}`;
}

export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const DEFINITIONS = {
  editors: [editor("ALERT_STS", { uom: UOM.index, subset: "0-2", names: "0 Off, 1 Ringing, 2 Confirmed" })],
  nodedefs: [
    nodedef(NODEDEF, {
      name: "Alert",
      properties: "ST:ALERT_STS GV1:TEXT GV2:TEXT",
      accepts: "DON DOF CONFIRM QUERY",
      labels: { GV1: "What rings", GV2: "Answered by", CONFIRM: "Confirm" },
    }),
  ],
};
