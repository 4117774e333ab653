/** Events of buttons and switches as the commands that they are in the interface. */

import { foreignNumber } from "../../util/foreign-value.ts";
import type { EndpointFacts } from "./feature.ts";
import type { ClusterValues } from "./peer-description.ts";

type Row = readonly [
  event: string,
  feature: string,
  /** With one of these another row counts the same press. */
  unless: readonly string[],
  controlOf: (fields: ClusterValues) => string | null,
];

const CLUSTER = "switch";
/** By the number of presses. */
const PRESSES: readonly string[] = ["DON", "DFON", "DON3", "DON4", "DON5"];
const MULTI = "momentarySwitchMultiPress";
const LONG = "momentarySwitchLongPress";

/** A press begins with `initialPress` whatever becomes of it, so that counts only where nothing follows. */
const ROWS: readonly Row[] = [
  [
    "multiPressComplete",
    MULTI,
    [],
    ({ totalNumberOfPressesCounted: presses }) => PRESSES[foreignNumber(presses) - 1] ?? null,
  ],
  ["shortRelease", LONG, [MULTI], () => "DON"],
  ["initialPress", "momentarySwitch", [MULTI, LONG], () => "DON"],
  ["longPress", LONG, [], () => "BMAN"],
  ["longRelease", LONG, [], () => "SMAN"],
  ["switchLatched", "latchingSwitch", [], ({ newPosition }) => (foreignNumber(newPosition) > 0 ? "DON" : "DOF")],
];

/** null for an event that is none, also one that the device does not declare. */
export function controlOf(facts: EndpointFacts, cluster: string, event: string, fields: ClusterValues): string | null {
  if (cluster !== CLUSTER) return null;
  return rowsOf(facts).find(([name]) => name === event)?.[3](fields) ?? null;
}

/** The commands that the endpoint can send. */
export function controlsOf(facts: EndpointFacts): readonly string[] {
  const rows = rowsOf(facts);
  const isCounted = rows.some(([event]) => event === "multiPressComplete");
  const presses = isCounted
    ? PRESSES.slice(0, Math.max(1, foreignNumber(facts.value(CLUSTER, "multiPressMax") ?? 2)))
    : [];
  const others = rows.flatMap(([event, , , control]) =>
    event === "multiPressComplete"
      ? []
      : event === "switchLatched"
        ? ["DON", "DOF"]
        : [control({}) ?? ""].filter((each) => each !== ""),
  );
  return [...new Set([...presses, ...others])];
}

function rowsOf(facts: EndpointFacts): readonly Row[] {
  return ROWS.filter(
    ([, feature, unless]) => facts.has(CLUSTER, feature) && !unless.some((each) => facts.has(CLUSTER, each)),
  );
}
