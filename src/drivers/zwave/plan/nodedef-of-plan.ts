/**
 * The nodedef of a node, made from its plan. Its id is made from its shape, so 200 equal dimmers share one; editors tell
 * themselves by their id, and labels stand in the NLS under the shape's own prefix.
 */

import { linkdef, nodedef } from "../../../profile/builtin/definition-text.ts";
import type { Linkdef } from "../../../profile/linkdef.ts";
import type { Definitions } from "../../../profile/profile.ts";
import type { RadioFamily } from "../addresses.ts";
import { categoryName } from "./category-table.ts";
import { shortHash } from "./kinds.ts";
import type { NodePlan } from "./plan-device.ts";

const BASIC: Linkdef = { ...linkdef("BASIC", "Basic", "ZWAVE", ""), cmd: true };

export type Shape = { readonly id: string; readonly definitions: Definitions };

export function shapeOf(plan: NodePlan, family: RadioFamily): Shape {
  const radio = family === 4 ? "ZW" : "ZY";
  const spelled = (text: string) => text.replaceAll("*", radio);
  const properties = plan.properties.map(({ id, kind, hide }) => `${id}:${spelled(kind.editor)}${hide ? "!" : ""}`);
  const labelled = plan.properties.flatMap(({ id, label }) => (label === null ? [] : [[id, label] as const]));
  const row = {
    name: categoryName(plan.category),
    properties: properties.join(" "),
    accepts: plan.commands.map((command) => spelled(command.spelled)).join(" "),
    sends: plan.sends.join(" "),
    respondLinks: plan.commands.some(({ id }) => id === "DON") ? BASIC.id : "",
    labels: Object.fromEntries(labelled),
  };
  const hash = shortHash(JSON.stringify([plan.category, row, plan.isFan]));
  // Clients know a fan by the word in its nodedef's id.
  const id = `U${radio}${hash}${plan.isFan ? "Fan" : ""}`;
  const names = plan.properties.flatMap(({ kind: { labels } }) =>
    [...(labels?.texts ?? [])].map(([raw, text]) => [`${labels?.prefix}-${raw}`, text] as const),
  );
  const own = { ...nodedef(id, row), nls: `${plan.category}_${hash}` };
  return { id, definitions: { nodedefs: [own], linkdefs: [BASIC], names: new Map(names) } };
}
