/** `domovoi chart`: what a property was, in equal parts of a span. */

import type { ChartPoint, Home, Node } from "@domovoi/client";
import { convertUnit } from "../../profile/convert-unit.ts";
import { findUom, UOM } from "../../profile/uom.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import type { Column } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import { nodeNamed } from "./find.ts";
import { printList } from "./list.ts";
import { propertyOf, timeOf } from "./why.ts";

type ChartOptions = ConnectionOptions & { readonly from?: string; readonly to?: string; readonly points?: string };

const POINTS = 24;
const POINTS_MAX = 1000;
const DECIMALS = 2;
/** The value of a part in which the device reported that it knows none. */
const UNKNOWN = "unknown";

export async function showChart(home: Home, key: string, property: string, options: ChartOptions): Promise<void> {
  const points = Number(options.points ?? POINTS);
  if (!Number.isSafeInteger(points) || points < 1 || points > POINTS_MAX)
    throw usageFailure(`--points is 1 to ${POINTS_MAX}.`);
  const node = nodeNamed(home, key);
  const { address, name } = node;
  const { from, to } = options;
  const id = propertyOf(home, address, property);
  const found = await home.chart(address, id, {
    points,
    ...(from === undefined ? {} : { from: new Date(await timeOf(home, from, "--from")) }),
    ...(to === undefined ? {} : { to: new Date(await timeOf(home, to, "--to")) }),
  });
  // A value of the past may be of a property that the node has no more.
  if (found.length === 0 && !hasProperty(node, id)) {
    const known = [...node.properties.keys()].join(", ");
    throw new CommandFailure("notFound", `${name} has no property "${property}". It has ${known || "none"}.`);
  }
  const { timeZone } = await home.edits.place();
  const columns = [{ title: "FROM", text: ({ time }: ChartPoint) => readableTime(time, timeZone) }, ...COLUMNS];
  const empty = `The history holds no change of ${property} of ${name} in this time.`;
  printList(found, options, empty, columns);
}

function hasProperty({ properties, nodedef }: Node, id: string): boolean {
  return properties.has(id) || (nodedef?.properties.some((property) => property.id === id) ?? false);
}

const SHOWN_UOM: ReadonlyMap<number, number> = new Map([
  [UOM.level, UOM.percent],
  [UOM.halfDegrees, UOM.degrees],
]);

const column = (title: string, member: "min" | "mean" | "max" | "last"): Column<ChartPoint> => ({
  title,
  text: ({ [member]: value, uom }) => {
    if (value === null) return UNKNOWN;
    // As other commands show it: a level in percent, half degrees in degrees.
    const shownUom = SHOWN_UOM.get(uom) ?? uom;
    const shown = convertUnit(value, uom, shownUom) ?? value;
    return `${Number(shown.toFixed(DECIMALS))}${findUom(shownUom).symbol}`;
  },
  isRight: true,
});
const COLUMNS: readonly Column<ChartPoint>[] = [
  { title: "CHANGES", text: ({ count }) => String(count), isRight: true },
  column("LOWEST", "min"),
  column("MEAN", "mean"),
  column("HIGHEST", "max"),
  column("LAST", "last"),
];
