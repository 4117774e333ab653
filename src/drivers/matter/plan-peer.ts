/**
 * The nodes of a device: one for each endpoint with a function, and further ones for second functions of an endpoint. A device that
 * a bridge shows is one of its own.
 */

import type { Definitions } from "../../profile/profile.ts";
import { foreignNumber } from "../../util/foreign-value.ts";
import { generalIds, unique } from "../node-parts.ts";
import { nodedefOfShape } from "../nodedef-of-shape.ts";
import {
  type EndpointCommand,
  type EndpointFacts,
  type EndpointFeature,
  type EndpointPart,
  factsOf,
} from "./feature.ts";
import { FUNCTION_ROWS, SECOND_ROWS } from "./function-table.ts";
import type { ClusterValues, EndpointDescription, PeerDescription } from "./peer-description.ts";
import { electricPart, valueParts } from "./value-table.ts";

export type PeerPlan = {
  readonly endpoint: number;
  /** Endpoints whose values it shows. */
  readonly endpoints: readonly number[];
  /** The end of its address: 1 for the function of the endpoint, a category for a second one. */
  readonly part: number;
  readonly category: number;
  readonly features: readonly EndpointFeature[];
  readonly commands: readonly EndpointCommand[];
  /** What the device sends: a press, or what its sensor found. */
  readonly sends: readonly string[];
  /** Whether changes of its status are commands that it sends. */
  readonly isSensor: boolean;
  controlOf(cluster: string, event: string, fields: ClusterValues): string | null;
  readonly nodeDefId: string;
  readonly definitions: Definitions;
};

/** What a person calls a device. */
export type Unit = {
  /** The same for its whole life; "" for the device itself. */
  readonly key: string;
  readonly name: string;
  /** A bridge may say that it does not reach the device. */
  readonly endpoint: number | null;
  readonly firmware: string | null;
  readonly nodes: readonly PeerPlan[];
};

const BRIDGED = "bridgedDeviceBasicInformation";
/** GV1 to GV6 have a meaning in the tables. */
const GENERAL_USED = 6;
const DEVICE = 101;
const REMOTE = 125;

export function planPeer(description: PeerDescription): readonly Unit[] {
  const { endpoints, name, firmware } = description;
  const bridged = endpoints.filter(({ clusters }) => clusters[BRIDGED]);
  const ownerOf = ownersOf(endpoints);
  const own = endpoints.filter((each) => ownerOf(each) === null);
  const nodes = planUnit(own);
  return [
    ...(nodes.length > 0 ? [{ key: "", name, endpoint: null, firmware, nodes }] : []),
    ...bridged.map((each) =>
      planBridged(
        description,
        each,
        endpoints.filter((other) => ownerOf(other) === each.number),
      ),
    ),
  ];
}

function planBridged(
  { name }: PeerDescription,
  root: EndpointDescription,
  endpoints: readonly EndpointDescription[],
): Unit {
  const values = root.clusters[BRIDGED]?.values ?? {};
  const text = (key: string) => (typeof values[key] === "string" ? values[key].trim() : "");
  return {
    key: text("uniqueId") || `endpoint ${root.number}`,
    name: text("nodeLabel") || text("productName") || `${name} ${root.number}`,
    endpoint: root.number,
    firmware: text("softwareVersionString") || null,
    nodes: planUnit(endpoints),
  };
}

/** The bridged device above an endpoint, or itself; null: it belongs to the device. */
function ownersOf(endpoints: readonly EndpointDescription[]): (endpoint: EndpointDescription) => number | null {
  const byNumber = new Map(endpoints.map((each) => [each.number, each]));
  return (endpoint) => {
    // As many steps as there are endpoints: a device may describe a circle.
    let each: EndpointDescription | undefined = endpoint;
    for (let step = 0; each && step < endpoints.length; step += 1) {
      if (each.clusters[BRIDGED]) return each.number;
      each = each.parent === null ? undefined : byNumber.get(each.parent);
    }
    return null;
  };
}

/** Endpoints without a function, such as one with the battery alone, are shown at the first node. */
function planUnit(endpoints: readonly EndpointDescription[]): readonly PeerPlan[] {
  const ordered = endpoints.toSorted((one, other) => one.number - other.number);
  const [first] = ordered.filter(hasFunction);
  if (!first) return [];
  const attached = ordered.filter((each) => !hasFunction(each));
  return ordered.filter(hasFunction).flatMap((each) => planEndpoint(each, each === first ? attached : []));
}

/** A battery alone is no function. */
function hasFunction({ clusters, deviceTypes }: EndpointDescription): boolean {
  const { powerSource: _battery, [BRIDGED]: _bridged, icdManagement: _sleep, ...others } = clusters;
  const rest = factsOf({ number: 0, parent: null, deviceTypes, clusters: others });
  return (
    FUNCTION_ROWS.some(({ fits }) => fits(rest)) ||
    valueParts(rest, () => "").some(({ features }) => features.length > 0) ||
    electricPart(rest) !== null ||
    controlsOf(rest).length > 0
  );
}

function planEndpoint(endpoint: EndpointDescription, attached: readonly EndpointDescription[]): readonly PeerPlan[] {
  const facts = factsOf(endpoint);
  const next = generalIds(GENERAL_USED);
  const row = FUNCTION_ROWS.find(({ fits }) => fits(facts)) ?? null;
  const electric = electricPart(facts);
  const values = [...valueParts(facts, next), ...attached.flatMap((each) => valueParts(factsOf(each), next))];
  const buttons = controlsOf(facts);
  const isElectricAlone = row === null && buttons.length === 0 && valueParts(facts, () => "").length === 0;
  const mains = [...(row ? [row.make(facts)] : []), ...values, ...(electric && isElectricAlone ? [electric] : [])];
  const category =
    row?.category ?? (buttons.length > 0 ? REMOTE : isElectricAlone && electric ? electric.category : DEVICE);
  const isSensor = row?.isSensor === true;
  const shape = { category, sends: [...new Set([...(isSensor ? ["DON", "DOF"] : []), ...buttons])] };
  const at = { endpoint: endpoint.number, endpoints: [endpoint.number, ...attached.map(({ number }) => number)] };
  const seconds = SECOND_ROWS.filter(({ fits }) => fits(facts)).map(({ make, category: own }) => ({
    ...{ ...make(facts), category: own, isSensor: true, sends: ["DON", "DOF"] },
  }));
  if (electric && !isElectricAlone) seconds.push({ ...electric, isSensor: false, sends: [] });
  return [
    planNode(facts, at, { ...merged(mains), ...shape, isSensor, part: 1, isFan: row?.isFan === true }),
    ...seconds.map((each) => planNode(facts, at, { ...each, part: each.category, isFan: false })),
  ];
}

type Shape = EndpointPart & Pick<PeerPlan, "category" | "sends" | "isSensor" | "part"> & { readonly isFan: boolean };

function planNode(facts: EndpointFacts, at: Pick<PeerPlan, "endpoint" | "endpoints">, shape: Shape): PeerPlan {
  const { part, category, features, commands, sends, isSensor } = shape;
  return {
    ...at,
    ...{ part, category, features, commands, sends, isSensor },
    controlOf: (cluster, event, fields) => {
      const control = part === 1 ? controlOf(facts, cluster, event, fields) : null;
      return control !== null && sends.includes(control) ? control : null;
    },
    ...nodedefOfShape(shape, { prefix: "UZM", errors: "ZM_ERR", name: "Matter" }),
  };
}

/** The first with an id has it. */
function merged(parts: readonly EndpointPart[]): EndpointPart {
  return {
    features: unique(parts.flatMap(({ features }) => features)),
    commands: unique(parts.flatMap(({ commands }) => commands)),
  };
}

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

/**
 * Events of buttons and switches as the commands that they are in the interface.
 * null for an event that is none, also one that the device does not declare.
 */
function controlOf(facts: EndpointFacts, cluster: string, event: string, fields: ClusterValues): string | null {
  if (cluster !== CLUSTER) return null;
  return rowsOf(facts).find(([name]) => name === event)?.[3](fields) ?? null;
}

/** The commands that the endpoint can send. */
function controlsOf(facts: EndpointFacts): readonly string[] {
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
