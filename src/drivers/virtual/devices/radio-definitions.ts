/**
 * The definitions of radio devices: generated for the existing devices (dynamic), with editors encoded in their ids
 * and labels by NLS name. In the rows `*` stands for the prefix of the family.
 */

import { familyOf } from "../../../families.ts";
import { type NodedefRow, nodedef } from "../../../profile/builtin/definition-text.ts";
import { BASIC_LINK } from "../../../profile/builtin/families-table.ts";
import { parseLabels } from "../../../profile/labels.ts";
import type { Nodedef } from "../../../profile/nodedef.ts";
import type { Definitions } from "../../../profile/profile.ts";
import { nodeDefIdFor } from "../addresses.ts";
import type { DeviceModel, NodeModel } from "../device-model.ts";

type RadioNodedef = NodedefRow & {
  /** Four digits: the category of the device, which is also the NLS prefix. Equal devices share one definition. */
  readonly id: string;
};

/** Commands that every radio device accepts. */
export const RADIO_CARE = "QUERY WDU CONFIG(NUM:_107_0_R_0_255,VAL:*_CONFIG)";
/** A level with "unknown" above the full one. */
export const LEVEL_EDITOR = "_51_0_R_0_101_N_IX_LVL";

const ENUM_LABELS = Object.entries({
  IX_LVL: "0 Off, 100 On, 101 Unknown",
  IX_TMD: "0 Off, 1 Heat, 2 Cool, 3 Auto",
  IX_TFM: "0 Auto, 1 On",
  IX_THC: "0 Idle, 1 Heating, 2 Cooling",
}).flatMap(([prefix, labels]) => [...parseLabels(labels)].map(([raw, text]) => [`${prefix}-${raw}`, text] as const));

/** A node with the row of its nodedef. */
type RadioNode = NodeModel & { readonly row: RadioNodedef };

type RadioNodeRow = Omit<NodeModel, "nodeDefId" | "type" | "devtype"> & {
  readonly row: RadioNodedef;
  /** Basic, generic and specific class. */
  readonly generic: string;
  readonly manufacturer: string;
};

export function radioNode({ generic, manufacturer, ...model }: RadioNodeRow): RadioNode {
  const { id } = model.row;
  return { ...model, nodeDefId: id, type: `${generic}.0`, devtype: { generic, manufacturer, category: Number(id) } };
}

/** A device of these nodes, with the definitions that they need. */
export function radioDevice(
  nodes: readonly [RadioNode, ...RadioNode[]],
  settings: Pick<DeviceModel, "parameters" | "codeSlots">,
): DeviceModel {
  return { nodes, ...settings, definitions: (family) => definitionsOf(nodes, family) };
}

/** @param family 4 or 12 */
function definitionsOf(nodes: readonly RadioNode[], family: number): Definitions {
  const nodedefs = nodes.map(({ row }) => radioNodedef(row, family));
  const names = new Map([...ENUM_LABELS, ...nodedefs.flatMap(nlsNames)]);
  return { nodedefs, linkdefs: [BASIC_LINK], names };
}

function radioNodedef(row: RadioNodedef, family: number): Nodedef {
  const prefixed = (text: string) => text.replaceAll("*", familyOf(family).prefix ?? "");
  const { id, ...rest } = row;
  const spelled = { ...rest, properties: prefixed(row.properties), accepts: prefixed(row.accepts) };
  return { ...nodedef(nodeDefIdFor(id, family), spelled), nls: String(Number(id)) };
}

function nlsNames({ nls, name, properties, accepts, sends }: Nodedef): readonly (readonly [string, string])[] {
  return [
    [`NDN-${nls}-NAME`, name],
    ...properties.map((property) => [`ST-${nls}-${property.id}-NAME`, property.name] as const),
    ...[...accepts, ...sends].map((command) => [`CMD-${nls}-${command.id}-NAME`, command.name] as const),
  ];
}
