/**
 * Entries as rows of the journal and back. Property reports that follow one another share a row: they are most of what
 * happens, and a row each would cost three times the space. Rows tile the numbers, see JournalRow.
 */

import type { Cause, CauseKind } from "../home/cause.ts";
import type { Change, ChangeType, EditEntry, Entry, JournalEntry } from "../home/change.ts";
import type { Edit } from "../home/edit.ts";
import type { Operation } from "../home/operation.ts";
import type { Origin } from "../home/origin.ts";
import type { Property } from "../home/property.ts";
import type { JournalRow } from "./database/tables.ts";

/** Entries that memory could not hold while the disk was away: only their number is known. */
export type Gap = { readonly seq: number; readonly atMs: number; readonly dropped: number };

type Report = Entry & { readonly change: Extract<Change, { type: "property-changed" }> };
type PackedCause = readonly [kind: CauseKind, id: string, by: string | null];
type PackedReport = readonly [
  seq: number,
  atMs: number,
  cause: number,
  address: string,
  id: string,
  value: number | null,
  uom: number,
  prec: number,
  text: string | null,
  changedAtMs: number,
  before?: PackedBefore,
  /** Only behind `before`, which every report of this version has. */
  origin?: Origin,
];
/** 0: the report of this property before it in the row; null: nothing was there; left out by the first version. */
type PackedBefore =
  | 0
  | null
  | readonly [value: number | null, uom: number, prec: number, text: string | null, changedAtMs: number];
type Packed = { readonly causes: readonly PackedCause[]; readonly reports: readonly PackedReport[] };

const REPORTS = "reports";
const REPORTS_A_ROW = 512;
/** Version of the form of entries. A new form adds a step to `upgraded`, and never changes an older step. */
const JOURNAL_VERSION = 2;

/** @param afterSeq the number up to which the journal is written. */
export function encodeJournal(items: readonly (JournalEntry | Gap)[], afterSeq: number): readonly JournalRow[] {
  const rows: JournalRow[] = [];
  let reports: Report[] = [];
  let covered = afterSeq;
  const push = (seq: number, atMs: number, cause: PackedCause, type: string, body: string) => {
    rows.push([
      seq,
      covered + 1,
      Math.round(atMs),
      cause[0],
      cause[1].toWellFormed(),
      cause[2]?.toWellFormed() ?? null,
      type,
      body,
      JOURNAL_VERSION,
    ]);
    covered = seq;
  };
  const flush = () => {
    const last = reports.at(-1);
    if (last) push(last.seq, last.atMs, ["report", "", null], REPORTS, JSON.stringify(packReports(reports)));
    reports = [];
  };
  for (const item of items) {
    if (isReport(item)) {
      reports.push(item);
      if (reports.length === REPORTS_A_ROW) flush();
    } else {
      flush();
      if ("dropped" in item) push(item.seq, item.atMs, ["system", "system", null], "gap", JSON.stringify(item));
      else push(item.seq, item.atMs, packCause(item.cause), ...contentOf(item));
    }
  }
  flush();
  return rows;
}

/** The entries of a row whose checksum was right, or what is missing there. */
export function decodeJournal([seq, , atMs, kind, id, by, type, body, version]: JournalRow): readonly (
  | JournalEntry
  | Gap
)[] {
  const content: unknown = JSON.parse(body);
  if (isEdit(type)) return [{ seq, atMs, cause: { kind: kind as CauseKind, id, by }, edit: content as Edit }];
  if (type === "gap") return [content as Gap];
  if (type === REPORTS) return unpackReports(content as Packed);
  return [
    { seq, atMs, cause: { kind: kind as CauseKind, id, by }, change: upgraded(content as Change, version, atMs) },
  ];
}

/**
 * A change of any version as one of the present version.
 *
 * 1 → 2: version 1 has an entry for every step of a command, without the time when it was accepted; the first step is that time.
 * Its operations of radio networks have a change of their own.
 */
function upgraded(change: Change, version: number, atMs: number): Change {
  if (version >= 2) return change;
  if ((change.type as string) === "radio-moved") return upgradedOperation(change as unknown as FormerOperation);
  return change.type === "command-moved" ? { ...change, acceptedAtMs: change.acceptedAtMs ?? atMs } : change;
}

/** Before operations were of every kind of driver, those of radio networks had a change of their own. */
type FormerOperation = {
  readonly driver: string;
  readonly family: number;
  readonly operation: Omit<Operation, "result" | "question"> & { readonly security: string | null };
};

/** A question under way then can no longer be answered. */
function upgradedOperation({ driver, family, operation }: FormerOperation): Change {
  const { security, ...rest } = operation;
  const result = security === null ? {} : { security };
  return { type: "operation-moved", driver, family, operation: { ...rest, question: null, result } };
}

/** Edits of network resources carry what these send, which open backups leave out. */
const EDIT_TYPES = { open: "edited", secret: "secret-edited" } as const;

function isEdit(type: string): boolean {
  return type === EDIT_TYPES.open || type === EDIT_TYPES.secret;
}

/** Whether rows of this type hold what a network resource sends. */
export function holdsSecrets(type: string): boolean {
  return type === EDIT_TYPES.secret || type === ("network-resource-put" satisfies ChangeType);
}

function contentOf(entry: JournalEntry): readonly [type: string, body: string] {
  if ("change" in entry) return [entry.change.type, JSON.stringify(journaled(entry.change))];
  const { edit } = entry satisfies EditEntry;
  const isSecret = edit.things.some(({ kind }) => kind === "resource");
  return [isSecret ? EDIT_TYPES.secret : EDIT_TYPES.open, JSON.stringify(edit)];
}

/** Only the record's row holds which starts wait: in a busy home they are many, and the next entry has others. */
function journaled(change: Change): Change {
  if (change.type !== "program-progressed" || !change.progress?.waiting.length) return change;
  return { ...change, progress: { ...change.progress, waiting: [] } };
}

function isReport(item: JournalEntry | Gap): item is Report {
  return "change" in item && item.change.type === "property-changed";
}

/** The type of the rows that hold changes of this type by themselves; edits hold several, under a type of their own. */
export function rowTypeOf(type: ChangeType): string {
  return type === "property-changed" ? REPORTS : type;
}

/** The types of the rows that hold edits, and changes of these types. */
export function rowTypesOf(types: readonly ChangeType[]): readonly string[] {
  return [...Object.values(EDIT_TYPES), ...types.map(rowTypeOf)];
}

function packCause({ kind, id, by }: Cause): PackedCause {
  return [kind, id, by];
}

function packReports(reports: readonly Report[]): Packed {
  const causes: PackedCause[] = [];
  const known = new Map<Cause, number>();
  const latest = new Map<string, Property>();
  const causeAt = (cause: Cause): number => {
    const at = known.get(cause) ?? causes.push(packCause(cause)) - 1;
    known.set(cause, at);
    return at;
  };
  return {
    reports: reports.map(({ seq, atMs, cause, change: { address, property: p, before, origin } }) => {
      const key = propertyKey(address, p.id);
      const previous = latest.get(key);
      latest.set(key, p);
      const report = [seq, atMs, causeAt(cause), address, p.id, p.value, p.uom, p.prec, p.text, p.changedAtMs] as const;
      if (before === undefined) return report;
      const packed = packBefore(before, previous);
      return origin ? [...report, packed, origin] : [...report, packed];
    }),
    causes,
  };
}

/** Most reports follow one of the same property in the same row. */
function packBefore(before: Property | null, previous: Property | undefined): PackedBefore {
  if (before === null) return null;
  if (before === previous) return 0;
  const { value, uom, prec, text, changedAtMs } = before;
  return [value, uom, prec, text, changedAtMs];
}

function propertyKey(address: string, id: string): string {
  return `${address} ${id}`;
}

function unpackReports({ causes, reports }: Packed): readonly Entry[] {
  const latest = new Map<string, Property>();
  return reports.map(([seq, atMs, causeAt, address, id, value, uom, prec, text, changedAtMs, packed, origin]) => {
    const [kind, causeId, by] = causes[causeAt] ?? ["system", "system", null];
    const property: Property = { id, value, uom, prec, text, changedAtMs };
    const key = propertyKey(address, id);
    const before = unpackBefore(packed, id, latest.get(key));
    latest.set(key, property);
    const change: Report["change"] = {
      type: "property-changed",
      address,
      property,
      ...before,
      ...(origin && { origin }),
    };
    return { seq, atMs, cause: { kind, id: causeId, by }, change };
  });
}

/** Nothing for the first version, which does not know it. */
function unpackBefore(
  packed: PackedBefore | undefined,
  id: string,
  previous: Property | undefined,
): Pick<Report["change"], "before"> {
  if (packed === undefined) return {};
  if (packed === null) return { before: null };
  if (packed === 0) return previous ? { before: previous } : {};
  const [value, uom, prec, text, changedAtMs] = packed;
  return { before: { id, value, uom, prec, text, changedAtMs } };
}
