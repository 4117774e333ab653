/**
 * The shapes of the nodes, kept over restarts: what clients read of a node stands in its nodedef, and the nodes are shown
 * before the stick is there, or without it.
 */

import type { DriverHost, DriverStore } from "../driver.ts";
import type { RadioFamily } from "./addresses.ts";
import { INSTANCE } from "./facts.ts";
import { type Shape, type ShapeText, shapeOfText } from "./plan/nodedef-of-plan.ts";

const KEY = "shape ";

type Ports = Pick<DriverHost, "define" | "store" | "log">;

/**
 * Declares every shape that was kept; one that this version reads otherwise is left out, until its device is told anew.
 *
 * @returns the ids of those that were declared.
 */
export function declareKeptShapes({ define, store, log }: Ports, family: RadioFamily): Set<string> {
  const declared = new Set<string>();
  for (const id of keptShapes(store)) {
    try {
      const shape = shapeOfText(parseShapeText(store.get(KEY + id)), family);
      if (shape.id !== id) continue;
      define(family, INSTANCE, shape.definitions, true);
      declared.add(id);
    } catch (error) {
      log.warn("A kept nodedef cannot be read.", { nodedef: id, error });
    }
  }
  return declared;
}

export function keepShape(store: DriverStore, { id, text }: Shape): void {
  store.set(KEY + id, text);
}

/** Forgets the shapes that no node has any more. */
export function keepOnlyShapes(store: DriverStore, ids: ReadonlySet<string>): void {
  for (const id of keptShapes(store)) if (!ids.has(id)) store.delete(KEY + id);
}

function keptShapes(store: DriverStore): readonly string[] {
  return store.keys().flatMap((key) => (key.startsWith(KEY) ? [key.slice(KEY.length)] : []));
}

/** @throws Error when it is something else. */
function parseShapeText(kept: unknown): ShapeText {
  const { category, row, isFan, names } = membersOf(kept);
  const { properties, accepts, sends, respondLinks, labels } = membersOf(row);
  if (typeof category !== "number" || typeof isFan !== "boolean") throw new Error("It is no shape.");
  const texts = {
    properties: textOf(properties),
    accepts: textOf(accepts),
    sends: textOf(sends),
    respondLinks: textOf(respondLinks),
    labels: textsOf(labels),
  };
  return { category, row: texts, isFan, names: textsOf(names) };
}

function membersOf(kept: unknown): Readonly<Record<string, unknown>> {
  if (typeof kept !== "object" || kept === null) throw new Error("It is no object.");
  return Object.fromEntries(Object.entries(kept));
}

function textOf(kept: unknown): string {
  if (typeof kept !== "string") throw new Error("It is no text.");
  return kept;
}

function textsOf(kept: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(membersOf(kept)).map(([name, text]) => [name, textOf(text)]));
}
