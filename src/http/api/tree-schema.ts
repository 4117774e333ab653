/**
 * The schema of `/api/nodes`, for the OpenAPI document; nodes.ts writes the document. Every scalar of the tree is
 * a string.
 */

import { FOLDERS, GROUPS } from "../../families.ts";
import { NODE_USES } from "../../profile/node-uses.ts";
import { NODE_ROLES } from "../../profile/roles-table.ts";
import { type JsonSchema, list, text } from "../schema.ts";

const parent = record(["_", "type"], {
  _: text("Address."),
  type: { type: "string", enum: ["1", "2", "3"], description: "1 node, 2 group, 3 folder." },
});

const property = record(["id", "value", "formatted", "uom"], {
  id: text("Always ST."),
  value: text("Raw integer; empty until the node has reported one. Displayed = value / 10^prec."),
  formatted: text("The value in words; one space without a value."),
  uom: text("Unit of measure, a number; 0 without a value."),
  prec: text("Decimal places; left out when 0."),
  name: text("Label of the property; left out without a value."),
});

const devtype = record(["gen", "mfg", "cat"], {
  gen: text("basic.generic.specific"),
  mfg: text("manufacturer.productType.product"),
  cat: text("Category, 101 to 197."),
});

/** Members that nodes, folders and groups share. */
const flag = text("Bit field: 128 a device's first node, 16 more while it does not answer, 132 scene, 12 root group.");
const address = text("Key; to be percent-encoded in paths.");
const name = text("1 to 200 characters.");
const hint = text("Constant.");

const node = record(
  [
    "flag",
    "nodeDefId",
    "address",
    "name",
    "hint",
    "type",
    "enabled",
    "pnode",
    "property",
    "nodeType",
    "role",
    "linkState",
  ],
  {
    flag,
    nodeDefId: text("Key into the profile, with family and instance."),
    address,
    name,
    family: {
      description: "Left out for wired devices.",
      anyOf: [text("Instance 1."), record(["_", "instance"], { _: text("Family."), instance: text("Slot.") })],
    },
    hint,
    parent,
    type: text("Four dotted numbers, the first of which is the device category."),
    enabled: { type: "string", enum: ["true", "false"] },
    deviceClass: text("Constant."),
    wattage: text("Constant."),
    dcPeriod: text("Constant."),
    startDelay: text("Constant."),
    endDelay: text("Constant."),
    pnode: text("Address of the device's first node."),
    property: list(property, { description: "The status, where the node has one. The rest is in the status table." }),
    devtype: { ...devtype, description: "Radio nodes only." },
    nodeType: { const: "node" },
    role: { type: "string", enum: [...NODE_ROLES], description: "What the node is for a person." },
    use: {
      type: "string",
      enum: [...NODE_USES],
      description: "What a contact, switch, outlet or meter is used for. Left out until its owner says so.",
    },
    linkState: {
      type: "string",
      enum: ["online", "asleep", "unreachable", "interviewing", "unknown"],
      description: "Whether the device can be reached.",
    },
    isSecured: {
      const: "true",
      description: "Commands to it require the right to operate locks. Left out for other nodes.",
    },
  },
);

const folder = record(["flag", "address", "name", "family", "hint", "nodeType"], {
  flag,
  address,
  name,
  family: { const: String(FOLDERS.id) },
  hint,
  parent,
  nodeType: { const: "folder" },
});

const members = record(["link"], {
  link: list(
    record(["_", "type"], {
      _: text("Address of the node."),
      type: { type: "string", enum: ["0", "16"], description: "16 controls the scene, 0 responds." },
    }),
  ),
});

const group = record(["flag", "address", "name", "family", "hint", "members", "nodeType"], {
  flag,
  nodeDefId: text("Label of scenes; not on the root group."),
  address,
  name,
  family: { const: String(GROUPS.id) },
  hint,
  parent,
  deviceGroup: text("A number; not on the root group."),
  pnode: text("Its own address; not on the root group."),
  members,
  nodeType: { const: "group" },
});

export const nodesData = record(["nodes"], {
  nodes: record(["node", "folder", "group"], {
    node: list(node, { description: "Devices." }),
    folder: list(folder, { description: "Folders." }),
    group: list(group, { description: "The root group, then scenes." }),
  }),
});

function record(required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required, properties };
}
