/**
 * A property's value as text: `formatted` and `fmtAct` on the wire, and its label. Called for every report on its way
 * to the streams, so everything that depends on the nodedef is computed once per version of the profile.
 *
 * A text from the driver has priority, then a label of the editor, then one of the unit. Otherwise the text is the
 * number with its unit.
 */

import type { Property } from "../home/property.ts";
import type { EditorRange } from "./editor.ts";
import { isTwoValued, type NodedefKey } from "./predicates.ts";
import type { Profile } from "./profile.ts";
import { isLevel } from "./status-words.ts";
import { findUom, UOM } from "./uom.ts";

export type PropertyValue = Omit<Property, "changedAtMs">;

type Described = {
  /** One space when there is no value. */
  readonly formatted: string;
  /** The property's label in the nodedef, or "". */
  readonly name: string;
  /** Like `name`, but null when the nodedef is known and has no such property. */
  readonly label: string | null;
};

/** Describes properties by one profile; keep it as long as the profile lives. */
type Formatter = (node: NodedefKey, property: PropertyValue) => Described;

export function describeProperty(profile: Profile, node: NodedefKey, property: PropertyValue): Described {
  let formatter = FORMATTERS.get(profile);
  if (!formatter) {
    formatter = createFormatter(profile);
    FORMATTERS.set(profile, formatter);
  }
  return formatter(node, property);
}

export function createFormatter(profile: Profile): Formatter {
  let version = profile.version;
  let resolved = new Map<string, Map<number, Resolved>>();
  return (node, property) => {
    if (profile.version !== version) {
      version = profile.version;
      resolved = new Map();
    }
    const known = resolvedNodedef(profile, resolved, node);
    const about = known.properties.get(property.id) ?? known.unknown;
    return { formatted: formatProperty(about, property), name: about.label ?? "", label: about.label };
  };
}

/** A memo, not state: a profile's formatter is what the profile makes of it. */
const FORMATTERS = new WeakMap<Profile, Formatter>();

const NO_VALUE = " ";
const LEVEL_MAX = 255;
/** Family and instance as one number; an instance is below this. */
const INSTANCES_MAX = 100_000;

/** Everything that the nodedef defines for one property; `levels` are the texts of the raw levels 0 to 255. */
type About = {
  readonly label: string | null;
  readonly ranges: readonly EditorRange[];
  readonly levels: readonly string[];
};
type Resolved = { readonly properties: ReadonlyMap<string, About>; readonly unknown: About };

const PLAIN_LEVELS = levelTexts(undefined);
const UNKNOWN_NODEDEF: Resolved = {
  properties: new Map(),
  unknown: { label: "", ranges: [], levels: PLAIN_LEVELS },
};

function resolvedNodedef(
  profile: Profile,
  memo: Map<string, Map<number, Resolved>>,
  { nodeDefId, family, instance }: NodedefKey,
): Resolved {
  let byFamily = memo.get(nodeDefId);
  if (!byFamily) {
    byFamily = new Map();
    memo.set(nodeDefId, byFamily);
  }
  const key = family * INSTANCES_MAX + instance;
  let found = byFamily.get(key);
  if (!found) {
    found = resolveNodedef(profile, { nodeDefId, family, instance });
    byFamily.set(key, found);
  }
  return found;
}

function resolveNodedef(profile: Profile, { nodeDefId, family, instance }: NodedefKey): Resolved {
  const nodedef = profile.nodedef(nodeDefId, family, instance);
  if (!nodedef) return UNKNOWN_NODEDEF;
  const about = nodedef.properties.map(({ id, name, editor }): [string, About] => {
    const ranges = profile.editor(editor, family, instance)?.ranges ?? [];
    const percent = ranges.find((range) => range.uom === UOM.percent);
    return [id, { label: name, ranges, levels: percent ? levelTexts(percent) : PLAIN_LEVELS }];
  });
  return { properties: new Map(about), unknown: { label: null, ranges: [], levels: PLAIN_LEVELS } };
}

function formatProperty({ ranges, levels }: About, { value, uom, prec, text }: PropertyValue): string {
  if (text !== null && text !== "") return text;
  if (value === null) return NO_VALUE;
  const range = rangeFor(ranges, uom);
  const label = range?.names.get(range.prec === prec ? value : value * 10 ** (range.prec - prec));
  if (label !== undefined) return label;
  if (uom === UOM.level && range === undefined) return levels[value] ?? formatNumber(value, prec, uom);
  return formatNumber(value, prec, uom);
}

/** The range in the reported unit; a value without a unit is taken for one of the first range. */
function rangeFor(ranges: readonly EditorRange[], uom: number): EditorRange | undefined {
  for (const range of ranges) if (range.uom === uom) return range;
  return uom === UOM.none ? ranges[0] : undefined;
}

/** Decimals are shown as far as they say something: 4100 with three of them is 4.1. */
function formatNumber(value: number, prec: number, uom: number): string {
  if (uom === UOM.halfDegrees) return `${(value / 10 ** prec / 2).toFixed(1)}°`;
  const unit = findUom(uom);
  const displayed = prec === 0 ? value : value / 10 ** prec;
  if (unit.names.size === 0) return displayed + unit.suffix;
  return unit.names.get(displayed) ?? displayed + (isLevel(uom) ? "%" : "");
}

/** Levels read `Off`, `NN%`, or the label where the device has steps; a two-valued device is on unless it is off. */
function levelTexts(range: EditorRange | undefined): readonly string[] {
  const off = range?.names.get(0) ?? "Off";
  const on = range && isTwoValued(range) ? ([...range.names.values()].at(-1) ?? "On") : null;
  return Array.from({ length: LEVEL_MAX + 1 }, (_, raw) => {
    if (raw === 0) return off;
    if (on !== null) return on;
    const percent = Math.round((raw * 100) / LEVEL_MAX);
    return (percent === 0 ? undefined : range?.names.get(percent)) ?? `${percent}%`;
  });
}
