/**
 * A simulated device as plain data: its ids, classes, security, command classes with versions, endpoints, parameters
 * and first values. A recorded device is such a plan in JSON, so the record of a real device is enough to simulate
 * it.
 */

import { CommandClasses } from "@zwave-js/core";

/** Name of a command class as the library spells it, for example "Binary Switch". */
export type ClassName = keyof typeof CommandClasses;

export type SecurityName = "S0" | "S2-unauthenticated" | "S2-authenticated" | "S2-access-control";

export type ClassPlan = {
  readonly version: number;
  /** Announced and used only with encryption. */
  readonly secure?: boolean;
  /** The device sends commands of this class to others and does not take any. */
  readonly controlled?: boolean;
  /** Data that the library's mock of this class requires, such as the supported tones of a Sound Switch. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** First values, by the names that the models of this folder give them. */
  readonly values?: Readonly<Record<string, unknown>>;
};

export type EndpointPlan = {
  readonly generic: number;
  readonly specific: number;
  readonly classes: Readonly<Partial<Record<ClassName, ClassPlan>>>;
};

export type DevicePlan = EndpointPlan & {
  readonly name: string;
  readonly manufacturerId: number;
  readonly productType: number;
  readonly productId: number;
  /** "major.minor". */
  readonly firmware: string;
  readonly basic: number;
  /** `always`: mains; `often`: wakes for a beam; `sleeping`: wakes by itself. */
  readonly listening: "always" | "often" | "sleeping";
  readonly security: readonly SecurityName[];
  readonly endpoints: readonly EndpointPlan[];
  /** Reports what a command has changed, as a device with a lifeline does. */
  readonly reportsChanges: boolean;
};

/**
 * Reads a recorded device. Numbers may be written "0x027a"; the members `firmware`, `basic`, `listening`, `security`,
 * `endpoints` and `reportsChanges` may be left out.
 *
 * @throws Error naming the place.
 */
export function parseDevicePlan(json: unknown): DevicePlan {
  const record = objectAt(json, "The device");
  return {
    ...parseEndpoint(record, "The device"),
    name: textAt(record, "name"),
    manufacturerId: numberAt(record, "manufacturerId", 0xffff),
    productType: numberAt(record, "productType", 0xffff),
    productId: numberAt(record, "productId", 0xffff),
    firmware: record.firmware === undefined ? "1.0" : textAt(record, "firmware"),
    basic: record.basic === undefined ? ROUTING_END_NODE : numberAt(record, "basic", 0xff),
    listening: memberAt(record, "listening", ["always", "often", "sleeping"]),
    security: listAt(record, "security").map((name) => {
      if (!isSecurityName(name)) throw refused(`"${String(name)}" is not a security class.`);
      return name;
    }),
    endpoints: listAt(record, "endpoints").map((endpoint, index) =>
      parseEndpoint(objectAt(endpoint, `Endpoint ${index + 1}`), `Endpoint ${index + 1}`),
    ),
    reportsChanges: record.reportsChanges !== false,
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const ROUTING_END_NODE = 4;
const SECURITY_NAMES: readonly SecurityName[] = ["S0", "S2-unauthenticated", "S2-authenticated", "S2-access-control"];

function isSecurityName(name: unknown): name is SecurityName {
  return SECURITY_NAMES.some((known) => known === name);
}

function parseEndpoint(record: JsonObject, place: string): EndpointPlan {
  const classes = objectAt(record.classes ?? {}, `${place}: classes`);
  return {
    generic: numberAt(record, "generic", 0xff),
    specific: numberAt(record, "specific", 0xff),
    classes: Object.fromEntries(
      Object.entries(classes).map(([name, plan]) => {
        if (!isClassName(name)) throw refused(`${place}: there is no command class "${name}".`);
        return [name, parseClass(objectAt(plan, name), name)];
      }),
    ),
  };
}

function parseClass(record: JsonObject, name: string): ClassPlan {
  const { capabilities, values } = record;
  return {
    version: numberAt(record, "version", 0xff),
    ...(record.secure === true ? { secure: true } : {}),
    ...(record.controlled === true ? { controlled: true } : {}),
    ...(capabilities === undefined ? {} : { capabilities: objectAt(capabilities, `${name}: capabilities`) }),
    ...(values === undefined ? {} : { values: objectAt(values, `${name}: values`) }),
  };
}

function isClassName(name: string): name is ClassName {
  return Number.isNaN(Number(name)) && Object.hasOwn(CommandClasses, name);
}

function objectAt(value: unknown, place: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(`${place} is not an object.`);
  return value as JsonObject; // Checked in the line before.
}

function textAt(record: JsonObject, name: string): string {
  const value = record[name];
  if (typeof value !== "string" || value === "") throw refused(`"${name}" is not a text.`);
  return value;
}

function numberAt(record: JsonObject, name: string, max: number): number {
  const value = typeof record[name] === "string" ? Number(record[name]) : record[name];
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw refused(`"${name}" is not a whole number from 0 to ${max}.`);
}

function listAt(record: JsonObject, name: string): readonly unknown[] {
  const value = record[name] ?? [];
  if (!Array.isArray(value)) throw refused(`"${name}" is not a list.`);
  return value;
}

/** The first of the choices when nothing is given. */
function memberAt<T extends string>(record: JsonObject, name: string, choices: readonly [T, ...T[]]): T {
  const value = record[name] ?? choices[0];
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw refused(`"${name}" is one of ${choices.join(", ")}.`);
  return choice;
}

function refused(sentence: string): Error {
  return new Error(`The recorded device: ${sentence}`);
}
