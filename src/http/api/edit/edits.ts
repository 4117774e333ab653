/** The history of edits, undo, and where a thing is used. @see docs/interface/edits.md */

import { undoForOwner } from "../../../commands/move-in.ts";
import { obstacleTo } from "../../../commands/undo-edit.ts";
import { usesOf } from "../../../commands/where-used.ts";
import { ControllerError } from "../../../errors.ts";
import type { ThingEdit, ThingKind } from "../../../home/edit.ts";
import { type EditRecord, thingsOf, undoneEdits } from "../../../home/edit-history.ts";
import { differingFields, findThing, memberOf } from "../../../home/editable.ts";
import { hexId } from "../../../home/programs.ts";
import { isoTime } from "../../../wire/times.ts";
import { parseProgramId } from "../../../wire/tree.ts";
import { wholeNumber } from "../../query.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../../route.ts";
import { type Fits, integer, type JsonSchema, list, object, text, textOrNull, time } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute } from "../api-route.ts";
import { namesOf, printEntry } from "../program-text.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1000;

const listed = {
  edit: { type: "integer", description: "Its number." },
  at: time,
  by: textOrNull("The account, or null."),
  title: { type: "string", description: "The edit as a sentence." },
  undoes: { type: ["integer", "null"], description: "Number of the edit that it took back." },
  undoneBy: { type: ["integer", "null"], description: "Number of the edit that took it back." },
} as const satisfies Record<string, JsonSchema>;

const undoneData = object(listed, { title: "EditSummary" });

const editsData = list(undoneData);

const thingData = object(
  {
    kind: { type: "string" },
    key: { type: "string" },
    before: {
      type: ["object", "string", "null"],
      description: "The state before: a program as text, other things as members; null: it did not exist.",
      additionalProperties: { description: "The thing as its change event has it." },
    },
    after: {
      type: ["object", "string", "null"],
      description: "The same afterwards; null: it was removed.",
      additionalProperties: { description: "The thing as its change event has it." },
    },
  },
  { title: "EditedThing" },
);

const editData = object(
  {
    ...listed,
    obstacle: textOrNull("The reason why it cannot be undone; null when it can."),
    things: list(thingData),
  },
  { title: "EditDetail" },
);

const editsQuery: QueryParameters = {
  limit: integer(1, LIMIT_MAX, `So many at most; ${LIMIT_DEFAULT} when left out.`),
  before: { type: "integer", minimum: 1, description: "Only edits with a smaller number." },
  of: text("Only edits of one thing, by kind and key: `folder 11001`, `program 17`, `variable 2/7`."),
};

const USED_KINDS = ["node", "group", "folder", "variable", "program", "resource"] as const;

const usesData = list(
  object(
    {
      as: { type: "string", enum: ["member", "reference", "role", "child"] },
      kind: { type: "string" },
      key: { type: "string" },
      name: { type: "string", description: "Name of the thing that uses it." },
      text: { type: "string", description: "How it is used, as a sentence." },
    },
    { title: "Use" },
  ),
);

const route = apiRoute("edits", "edit-home");

export const editHistoryRoutes: readonly Route[] = [
  route("GET /api/edits", "The edits, the newest first.", listEdits, { query: editsQuery, data: editsData }),
  route("GET /api/edits/:edit", "One edit, with its changes.", getEdit, { data: editData }),
  route("POST /api/edits/:edit/undo", "Undoes an edit.", undo, { data: undoneData }),
  route("GET /api/uses/:kind/*", "Where a thing is used.", getUses, { access: "read", data: usesData }),
];

/** The newest first. */
function listEdits({ query }: HttpRequest, { home }: Services): Reply {
  const limit = Math.max(1, wholeNumber(query, "limit", LIMIT_MAX) ?? LIMIT_DEFAULT);
  const before = wholeNumber(query, "before", Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY;
  const of = query.get("of");
  const undone = undoneEdits(home);
  const found = [...home.edits.values()]
    .filter(({ seq, touched }) => seq < before && (of === null || touched.includes(of)))
    .slice(-limit)
    .reverse();
  return envelope(found.map((edit) => editJson(edit, undone)));
}

function getEdit(request: HttpRequest, services: Services): Reply {
  const edit = services.home.edits.get(seqOf(request));
  if (!edit) throw new ControllerError("EDIT_NOT_FOUND");
  const things = thingsOf(edit).map((thing) => thingJson(services, thing));
  const obstacle = obstacleTo(services, edit);
  return envelope({ ...editJson(edit, undoneEdits(services.home)), obstacle, things });
}

async function undo(request: HttpRequest, services: Services): Promise<Reply> {
  const seq = request.params.edit === "last" ? null : seqOf(request);
  const made = await undoForOwner(services, seq, request.cause);
  return envelope(editJson(made, undoneEdits(services.home)));
}

/** @throws ControllerError NODE_NOT_FOUND, PROGRAM_NOT_FOUND, VARIABLE_NOT_FOUND, RESOURCE_NOT_FOUND */
function getUses({ params }: HttpRequest, { home }: Services): Reply {
  const kind = USED_KINDS.find((each) => each === params.kind);
  if (!kind) throw new ControllerError("PATH_UNKNOWN");
  const written = decodeURIComponent(params["*"] ?? "");
  const key = kind === "program" ? String(parseProgramId(written) ?? "") : written;
  if (!findThing(home, kind, key)) throw new ControllerError(MISSING[kind]);
  return envelope(usesOf(home, kind, key).map((use) => ({ ...use, key: shownKey(use) })));
}

const MISSING = {
  node: "NODE_NOT_FOUND",
  group: "NODE_NOT_FOUND",
  folder: "NODE_NOT_FOUND",
  variable: "VARIABLE_NOT_FOUND",
  program: "PROGRAM_NOT_FOUND",
  resource: "RESOURCE_NOT_FOUND",
} as const;

function shownKey({ kind, key }: { readonly kind: ThingKind; readonly key: string }): string {
  return kind === "program" ? hexId(Number(key)) : key;
}

function editJson(edit: EditRecord, undone: ReadonlyMap<number, number>): Fits<typeof undoneData> {
  const { seq, atMs, cause, title, undoes } = edit;
  return { edit: seq, at: isoTime(atMs), by: cause.by, title, undoes, undoneBy: undone.get(seq) ?? null };
}

/** The content of a network resource may be secret. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["path", "headers", "body"]);
const HIDDEN = "(hidden)";

function thingJson(services: Services, thing: ThingEdit): Fits<typeof thingData> {
  const { kind, before, after } = thing;
  const shown = { kind, key: shownKey(thing) };
  if (thing.kind === "program") {
    const names = namesOf(services);
    const text = (entry: typeof thing.before) => entry && printEntry(entry, names);
    return { ...shown, before: text(thing.before), after: text(thing.after) };
  }
  const fields = before && after ? differingFields(kind, before, after) : null;
  const members = (record: object | null) => {
    if (!record) return null;
    const names = fields ?? Object.keys(record).filter((field) => field !== "properties");
    const isSecret = (field: string) => thing.kind === "resource" && SECRET_FIELDS.has(field);
    return Object.fromEntries(names.map((field) => [field, isSecret(field) ? HIDDEN : memberOf(record, field)]));
  };
  return { ...shown, before: members(before), after: members(after) };
}

function seqOf({ params }: HttpRequest): number {
  const text = params.edit ?? "";
  if (!/^\d{1,15}$/.test(text)) throw new ControllerError("EDIT_NOT_FOUND");
  return Number(text);
}
