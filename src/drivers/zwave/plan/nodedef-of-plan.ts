/**
 * Makes the nodedef of a node from its plan. The id is derived from the shape, so 200 equal dimmers share one. Labels
 * are in the NLS under the shape's own prefix.
 */

import { type NodedefRow, nodedef } from "../../../profile/builtin/definition-text.ts";
import { BASIC_LINK } from "../../../profile/builtin/families-table.ts";
import type { Definitions } from "../../../profile/profile.ts";
import { prefixOf, type ZWaveFamily } from "../addresses.ts";
import { categoryName } from "./category-table.ts";
import { shortHash } from "./kinds.ts";
import type { NodePlan } from "./plan-device.ts";

/** The input of a nodedef, as texts that can be stored. */
export type ShapeText = {
  readonly category: number;
  /** The category's name, which only people read, is not part of it. */
  readonly row: Omit<Required<NodedefRow>, "name" | "controlLinks">;
  readonly isFan: boolean;
  /** Names of values that the row's editors refer to. */
  readonly names: Readonly<Record<string, string>>;
};

export type NodeShape = { readonly id: string; readonly text: ShapeText; readonly definitions: Definitions };

export function nodeShapeOf(plan: NodePlan, family: ZWaveFamily): NodeShape {
  const spelled = (text: string) => text.replaceAll("*", prefixOf(family));
  const properties = plan.properties.map(({ id, kind, hide }) => `${id}:${spelled(kind.editor)}${hide ? "!" : ""}`);
  const labelled = plan.properties.flatMap(({ id, label }) => (label === null ? [] : [[id, label] as const]));
  const row = {
    properties: properties.join(" "),
    accepts: plan.commands.map((command) => spelled(command.spelled)).join(" "),
    sends: plan.sends.join(" "),
    respondLinks: plan.commands.some(({ id }) => id === "DON") ? BASIC_LINK.id : "",
    labels: Object.fromEntries(labelled),
  };
  const names = plan.properties.flatMap(({ kind: { labels } }) =>
    [...(labels?.texts ?? [])].map(([raw, text]) => [`${labels?.prefix}-${raw}`, text] as const),
  );
  return shapeOfText({ category: plan.category, row, isFan: plan.isFan, names: Object.fromEntries(names) }, family);
}

/** @throws Error for texts that are no nodedef. */
export function shapeOfText(text: ShapeText, family: ZWaveFamily): NodeShape {
  const { category, row, isFan, names } = text;
  const named = { name: categoryName(category), ...row };
  const hash = shortHash(JSON.stringify([category, named, isFan]));
  // Clients know a fan by the word in its nodedef's id.
  const id = `U${prefixOf(family)}${hash}${isFan ? "Fan" : ""}`;
  const own = { ...nodedef(id, named), nls: `${category}_${hash}` };
  return { id, text, definitions: { nodedefs: [own], linkdefs: [BASIC_LINK], names: new Map(Object.entries(names)) } };
}
