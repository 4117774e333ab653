/**
 * The input of the plan of a device: a plain description, as an interview found it. It is read from a running node
 * (`../read-device.ts`) or from a recorded one, so that every table here can be tested without a radio.
 */

export type ValueKey = {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey?: string | number;
};

export type ValueMetadata = {
  /** boolean, number, string, duration, buffer, color, any, or an array of some. */
  readonly type: string;
  readonly label?: string;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly states?: Readonly<Record<number, string>>;
  readonly readable: boolean;
  readonly writeable: boolean;
  /** false: an event, not a state. */
  readonly stateful?: boolean;
  /** A code or a key; it is shown nowhere. */
  readonly secret?: boolean;
  readonly ccSpecific?: Readonly<Record<string, unknown>>;
};

export type ValueView = ValueKey & {
  /** The property as the library names it; numbered properties have a name of their own. */
  readonly propertyName?: string;
  readonly propertyKeyName?: string;
  readonly metadata: ValueMetadata;
};

export type EndpointView = {
  readonly index: number;
  readonly generic: number;
  readonly specific: number;
  /** Versions by command class. */
  readonly commandClasses: ReadonlyMap<number, number>;
};

export type DeviceView = {
  readonly nodeId: number;
  readonly basic: number;
  /** Manufacturer, product type and product id; 0 while unknown. */
  readonly product: readonly [manufacturer: number, type: number, id: number];
  /** The owner's name for it in an earlier installation, or null. */
  readonly name: string | null;
  readonly endpoints: readonly EndpointView[];
  readonly values: readonly ValueView[];
};

/** Two keys of the same value have the same text. */
export function keyText({ commandClass, endpoint = 0, property, propertyKey }: LooseKey): string {
  return `${commandClass}/${endpoint}/${property}/${propertyKey ?? ""}`;
}

type LooseKey = { readonly [K in keyof ValueKey]?: ValueKey[K] | undefined };
