/**
 * The nodes of a Zigbee device: one, and one more for each further endpoint with a main function. Everything else that the
 * device has belongs to the first, unless its endpoint has a node.
 */

import type { Definitions } from "../../profile/profile.ts";
import { ownMember } from "../../util/foreign-value.ts";
import { generalIds, unique } from "../node-parts.ts";
import { nodedefOfShape } from "../nodedef-of-shape.ts";
import type { Expose, ListedDevice } from "./expose.ts";
import { isMain, isSiren, mainPart, SENSED, sensedFeature, sirenPart, valuePart } from "./expose-table.ts";
import type { ExposedCommand, ExposedFeature, ExposedPart } from "./feature.ts";

export type ExposedPlan = {
  /** 1 for the first node of the device. */
  readonly part: number;
  /** Name of its endpoint; "" for the device itself. */
  readonly endpoint: string;
  readonly category: number;
  readonly features: readonly ExposedFeature[];
  readonly commands: readonly ExposedCommand[];
  /** What the device sends: a press, or what its main sensor found. */
  readonly sends: readonly string[];
  /** Control that an `action` of this endpoint is; null: none. */
  controlOf(action: string): string | null;
  /** Key of the main state of a sensor, whose changes are controls; null: it is no sensor. */
  readonly sensed: ExposedFeature | null;
  /** Key of a cover's position; null: it has none. */
  readonly positionKey: string | null;
  readonly nodeDefId: string;
  readonly definitions: Definitions;
};

/** The first general ids belong to colors. */
const GENERAL_USED = 3;
const DEVICE = 101;
const REMOTE = 125;
const SIREN = 137;
const MAIN_CATEGORIES: Readonly<Record<string, number>> = {
  light: 119,
  switch: 121,
  cover: 107,
  lock: 111,
  climate: 140,
  fan: 119,
};

/** Words of `action` from specific to general; what begins with an endpoint's or button's name is that button's. */
const ACTIONS: readonly (readonly [word: RegExp, control: string])[] = [
  [/(^|_)(brightness_)?move_up$|brightness_step_up$|dial_rotate_right/i, "FDUP"],
  [/(^|_)(brightness_)?move_down$|brightness_step_down$|dial_rotate_left/i, "FDDOWN"],
  [/_stop$|release$|(^|_)stop$/i, "SMAN"],
  [/hold$|long$|long_press$/i, "BMAN"],
  [/(quintuple|penta)(_press)?$/i, "DON5"],
  [/(quadruple|quad)(_press)?$/i, "DON4"],
  [/triple(_press)?$/i, "DON3"],
  [/double(_press)?$/i, "DFON"],
  [/(^|_)off$/i, "DOF"],
  [/(^|_)(on|single|short|press|pressed|click|toggle|ring)$/i, "DON"],
];
const SHORT_RELEASE = "short_release";
const PRESSED: readonly string[] = ["initial_press", "short_press", "press", "single", "click"];

/** One after the other: a device may have thousands. */
export function* plannedNodes(device: ListedDevice): Generator<ExposedPlan, void, void> {
  const [first = "", ...others] = new Set(device.exposes.filter(isMain).map(endpointOf));
  const byEndpoint = new Map<string, Expose[]>([first, ...others].map((endpoint) => [endpoint, []]));
  for (const expose of device.exposes) {
    (byEndpoint.get(endpointOf(expose)) ?? byEndpoint.get(first))?.push(expose);
  }
  const isFan = device.exposes.some(({ type }) => type === "fan");
  let part = 0;
  for (const [endpoint, exposes] of byEndpoint) {
    part += 1;
    yield planNode({ device, part, endpoint, isFan }, exposes);
  }
}

/** Of its own, or of what it consists of. */
function endpointOf({ endpoint, features }: Expose): string {
  return endpoint === "" ? (features.find((each) => each.endpoint !== "")?.endpoint ?? "") : endpoint;
}

type Place = {
  readonly device: ListedDevice;
  readonly part: number;
  readonly endpoint: string;
  readonly isFan: boolean;
};

function planNode({ device, part, endpoint, isFan }: Place, exposes: readonly Expose[]): ExposedPlan {
  const next = generalIds(GENERAL_USED);
  const sensor = exposes.some(isMain) ? undefined : mainSensor(exposes);
  const main = exposes.find(isMain) ?? (sensor ? undefined : exposes.find(isSiren));
  const sensing = sensor && ownMember(SENSED, sensor.name);
  const sensed = sensing ? sensedFeature(sensor, sensing) : null;
  const parts: readonly ExposedPart[] = [
    ...(main ? [isMain(main) ? mainPart(main, next) : sirenPart(main)] : []),
    ...(sensed ? [{ features: [sensed], commands: [] }] : []),
    ...exposes.filter((each) => each !== main && each !== sensor).map((each) => partOf(each, next)),
  ];
  const features = unique(parts.flatMap((each) => each.features));
  const commands = unique(parts.flatMap((each) => each.commands));
  const actions = part === 1 ? actionsOf(device.exposes) : [];
  const sends = [
    ...new Set([...(sensed ? ["DON", "DOF"] : []), ...actions.flatMap((word) => controlOf(word, actions) ?? [])]),
  ];
  const category = categoryOf(main, sensor, actions);
  return {
    part,
    endpoint,
    category,
    features,
    commands,
    sends,
    controlOf: (action) => (part === 1 ? controlOf(action, actions) : null),
    sensed,
    positionKey: positionKeyOf(main),
    ...nodedefOfShape(
      { category, features, commands, sends, isFan },
      { prefix: "UZB", errors: "ZB_ERR", name: device.model || "Zigbee" },
    ),
  };
}

/** A second main function in one endpoint loses those of its values whose ids the first one has. `next` gives free ids. */
function partOf(expose: Expose, next: () => string): ExposedPart {
  return isMain(expose) ? mainPart(expose, next) : valuePart(expose, next);
}

function positionKeyOf(main: Expose | undefined): string | null {
  if (main?.type !== "cover") return null;
  return main.features.find(({ name }) => name === "position")?.property ?? null;
}

function mainSensor(exposes: readonly Expose[]): Expose | undefined {
  for (const name of Object.keys(SENSED)) {
    const found = exposes.find((each) => each.type === "binary" && each.name === name);
    if (found) return found;
  }
  return undefined;
}

function categoryOf(main: Expose | undefined, sensor: Expose | undefined, actions: readonly string[]): number {
  if (main && isSiren(main)) return SIREN;
  if (main) return main.nodeCategory ?? ownMember(MAIN_CATEGORIES, main.type) ?? DEVICE;
  if (sensor) return ownMember(SENSED, sensor.name)?.category ?? DEVICE;
  return actions.length > 0 ? REMOTE : DEVICE;
}

function actionsOf(exposes: readonly Expose[]): readonly string[] {
  return exposes.filter(({ name }) => name === "action").flatMap(({ values }) => values.map(String));
}

/** @param actions all of the device: a short release is the press where nothing else tells of it */
function controlOf(action: string, actions: readonly string[]): string | null {
  const word = action.slice(0, 100);
  if (word.endsWith(SHORT_RELEASE)) {
    const button = word.slice(0, -SHORT_RELEASE.length);
    if (!PRESSED.some((press) => actions.includes(button + press))) return "DON";
  }
  return ACTIONS.find(([fits]) => fits.test(word))?.[1] ?? null;
}
