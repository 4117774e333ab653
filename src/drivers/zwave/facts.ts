/** Facts about one device or value, made from the library's data: names, node records, readings. */

import { convertTemperature, isTemperature } from "../../profile/convert-unit.ts";
import type { NodeSpec } from "../driver.ts";
import { formatAddress, prefixOf, type ZWaveFamily } from "./addresses.ts";
import type { ZWaveDevice } from "./library.ts";
import type { EndpointView } from "./plan/device-view.ts";
import type { Reading } from "./plan/kinds.ts";
import { defaultNodeName } from "./plan/node-name.ts";
import type { NodePlan, PropertyPlan } from "./plan/plan-device.ts";
import { uomOfUnit } from "./plan/unit-table.ts";

/** Every radio has one profile. */
export const INSTANCE = 1;

type Placed = {
  readonly family: ZWaveFamily;
  readonly device: ZWaveDevice;
  readonly plan: NodePlan;
  /** All nodes of the device. */
  readonly plans: readonly NodePlan[];
  readonly address: string;
  readonly nodeDefId: string;
  readonly endpoint: EndpointView | undefined;
  /** The declared name before. */
  readonly formerName: string | undefined;
};

export function nodeSpecOf({
  family,
  device,
  plan,
  plans,
  address,
  nodeDefId,
  endpoint,
  formerName,
}: Placed): NodeSpec {
  const generic = [device.deviceClass?.basic ?? 0, endpoint?.generic ?? 0, endpoint?.specific ?? 0].join(".");
  const manufacturer = [device.manufacturerId ?? 0, device.productType ?? 0, device.productId ?? 0].join(".");
  const number = `${prefixOf(family)} ${String(device.id).padStart(3, "0")}`;
  const isFirst = plan.endpoint === 0 && plan.part === 0;
  return {
    address,
    name: defaultNodeName(device.name?.trim() || null, number, plan.label, isFirst),
    ...(formerName === undefined ? {} : { formerName }),
    nodeDefId,
    family,
    instance: INSTANCE,
    type: `${generic}.0`,
    primary: formatAddress(family, { nodeId: device.id, ...primaryOf(plan, plans) }),
    below: formatAddress(family, { nodeId: device.id, ...FIRST }),
    devtype: { generic, manufacturer, category: plan.category },
  };
}

const FIRST = { endpoint: 0, part: 0 };

/** An outlet of several nodes, a switch and its meter, is a device to clients, which keeps the values of two meters apart. */
function primaryOf({ endpoint }: NodePlan, plans: readonly NodePlan[]): { endpoint: number; part: number } {
  const own = plans.filter((each) => each.endpoint === endpoint);
  const [first] = own;
  return endpoint > 0 && first && own.length > 1 ? { endpoint, part: first.part } : FIRST;
}

/**
 * A value that was never reported or cannot be read is null.
 *
 * @param unit in which the device reports now, where that can differ from the plan.
 */
export function readingOf({ kind }: PropertyPlan, value: unknown, unit?: string): Reading {
  const nothing = { value: null, uom: kind.uom, prec: 0 };
  const reading = value === undefined ? nothing : (kind.read(value) ?? nothing);
  if (reading.value === null) return reading;
  const degrees = convertTemperature(reading.value / 10 ** reading.prec, uomOfUnit(unit) ?? kind.uom, kind.uom);
  return degrees === null ? reading : { ...reading, value: Math.round(degrees * 10 ** reading.prec) };
}

/** Whether a value in this unit can be read by the plan; for a value in another unit the device is planned again. */
export function isReadable({ kind, value }: PropertyPlan, unit: string | undefined): boolean {
  return value?.metadata.unit === unit || isTemperature(kind.uom);
}
