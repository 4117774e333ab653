/** `domovoi status`: what the nodes last reported. */

import type { Home, Node, Property } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { CommandFailure } from "../outcome.ts";
import { type Column, tableText } from "../show/table.ts";
import { nodeNamed } from "./find.ts";
import { printJson, sortedBy } from "./list.ts";
import { paintOf, propertyJson, wordsOf } from "./property.ts";
import { nodesWithoutDevice, withoutDeviceWords } from "./without-device.ts";

type StatusOptions = ConnectionOptions & { readonly property?: string };

type Row = { readonly node: Node; readonly property: Property };

const columns = (missing: ReadonlySet<string>): readonly Column<Row>[] => [
  { title: "PROPERTY", text: ({ node, property }) => property.name || definedName(node, property.id) },
  { title: "ID", text: ({ property }) => property.id, paint: () => "gray" },
  {
    title: "VALUE",
    text: ({ node, property }) => withoutDeviceWords(node, wordsOf(node, property.id), missing),
    paint: ({ node, property }) => paintOf(node, property.id),
  },
];
const NODE_COLUMN: Column<Row> = { title: "NODE", text: ({ node }) => node.name };

/** @param key one node; without it all */
export async function showStatus(home: Home, key: string | undefined, options: StatusOptions): Promise<void> {
  const nodes = key === undefined ? sortedBy(home.nodes, ({ path }) => path) : [nodeNamed(home, key)];
  const rows = nodes.flatMap((node) => rowsOf(node, options.property));
  if (key !== undefined && options.property !== undefined && rows.length === 0) {
    throw new CommandFailure("notFound", `${nodes[0]?.name} has no property ${options.property}.`);
  }
  const missing = await nodesWithoutDevice(home);
  if (options.json) printJson(grouped(nodes, rows, missing));
  else process.stdout.write(tableText(key === undefined ? [NODE_COLUMN, ...columns(missing)] : columns(missing), rows));
}

function rowsOf(node: Node, id: string | undefined): readonly Row[] {
  const properties = sortedBy(node.properties.values(), (each) => each.id);
  return properties
    .filter((property) => id === undefined || property.id === id.toUpperCase())
    .map((property) => ({ node, property }));
}

function definedName({ nodedef }: Node, id: string): string {
  return nodedef?.properties.find((property) => property.id === id)?.name ?? "";
}

function grouped(nodes: readonly Node[], rows: readonly Row[], missing: ReadonlySet<string>): readonly object[] {
  const byNode = Map.groupBy(rows, ({ node }) => node.address);
  return nodes.map((node) => ({
    address: node.address,
    name: node.name,
    ...(missing.has(node.address) && { hasDevice: false }),
    properties: (byNode.get(node.address) ?? []).map(({ property }) =>
      propertyJson(property, wordsOf(node, property.id)),
    ),
  }));
}
