/** Reads the answers to edits, and the history of edits. */

import type {
  ControllerLinks,
  Edited,
  EditDetail,
  EditedThing,
  EditSummary,
  MemberLink,
  Place,
  Quantity,
  Replacement,
  ResourceTest,
  Use,
} from "../model/edit-records.ts";
import { isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

export function readEdited(data: unknown): Edited {
  const { address, id, edit } = isObject(data) ? data : {};
  return { address: textOf(address, textOf(id)), edit: numberOrNull(edit) };
}

export function readReplacement(data: unknown): Replacement {
  const { addresses, misfits, edit } = isObject(data) ? data : {};
  const pairs = Object.entries(isObject(addresses) ? addresses : {}).map(([from, to]) => [from, textOf(to)] as const);
  return { addresses: Object.fromEntries(pairs), misfits: textsOf(misfits), edit: numberOrNull(edit) };
}

export function readSkipped(data: unknown): readonly string[] {
  return textsOf(isObject(data) ? data.skipped : null);
}

/** @param data `/api/groups/links/{scene}` */
export function readSceneLinks(data: unknown): readonly ControllerLinks[] {
  const [scene] = objectsOf(isObject(data) ? data.groups : null);
  return objectsOf(scene?.ctl).map(({ id, links }) => ({
    controller: textOf(id),
    links: objectsOf(links).map(readMemberLink),
  }));
}

function readMemberLink({ node, type, cmd, params }: Json): MemberLink {
  const parameters = objectsOf(params).map(({ id, val }): readonly [string, Quantity] => {
    const { value, uom, prec } = isObject(val) ? val : {};
    return [textOf(id), { value: numberOf(value), uom: numberOf(uom), prec: numberOf(prec) }];
  });
  return {
    node: textOf(node),
    type: textOf(type),
    command: textOrNull(isObject(cmd) ? cmd.cmdId : cmd),
    parameters: Object.fromEntries(parameters),
  };
}

export function readPlace(data: unknown): Place {
  const { name, timeZone, latitude, longitude, elevation, units } = isObject(data) ? data : {};
  return {
    name: textOf(name),
    timeZone: textOf(timeZone),
    latitude: numberOf(latitude),
    longitude: numberOf(longitude),
    elevation: numberOrNull(elevation),
    units: units === "us" ? "us" : "metric",
  };
}

export function readResourceTest(data: unknown): ResourceTest {
  const { outcome, detail, answer } = isObject(data) ? data : {};
  const received = isObject(answer)
    ? { status: numberOrNull(answer.status), contentType: textOf(answer.contentType), text: textOf(answer.text) }
    : null;
  return { outcome: outcome === "done" ? "done" : "failed", detail: textOf(detail), answer: received };
}

export function readUses(data: unknown): readonly Use[] {
  return objectsOf(data).map(({ as, kind, key, name, text }) => ({
    as: as === "member" || as === "child" ? as : "reference",
    kind: textOf(kind),
    key: textOf(key),
    name: textOf(name),
    text: textOf(text),
  }));
}

export const readHistory = (data: unknown): readonly EditSummary[] => objectsOf(data).map(readEditSummary);

export function readEditSummary(data: unknown): EditSummary {
  const { edit, at, by, title, undoes, undoneBy } = isObject(data) ? data : {};
  return {
    edit: numberOf(edit),
    at: textOf(at),
    by: textOrNull(by),
    title: textOf(title),
    undoes: numberOrNull(undoes),
    undoneBy: numberOrNull(undoneBy),
  };
}

export function readEditDetail(data: unknown): EditDetail {
  const { obstacle, things } = isObject(data) ? data : {};
  return { ...readEditSummary(data), obstacle: textOrNull(obstacle), things: objectsOf(things).map(readThing) };
}

function readThing({ kind, key, before, after }: Json): EditedThing {
  return { kind: textOf(kind), key: textOf(key), before: recordOf(before), after: recordOf(after) };
}

function recordOf(value: unknown): Json | string | null {
  return isObject(value) || typeof value === "string" ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((each) => textOf(each)) : [];
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
