/**
 * What a mesh with an id, keys and interviews of its own has beyond the facts of every network: Z-Wave's words.
 *
 * @see docs/interface/radio-network.md
 */

export type SecurityName = "S2-access-control" | "S2-authenticated" | "S2-unauthenticated" | "S0";

export type InterviewStage = "none" | "protocol" | "node-info" | "command-classes" | "configuration" | "complete";

export type MeshDeviceHealth = {
  readonly interviewStage: InterviewStage;
  /** kbit/s of its route. */
  readonly routeSpeed: number | null;
  /** null: it is not encrypted. */
  readonly security: SecurityName | null;
};

export type MeshAbout = {
  /** Eight hexadecimal digits. */
  readonly homeId: string;
  readonly nodeId: number;
  readonly library: string | null;
  readonly region: string | null;
  readonly acceptsProvisioned: boolean;
  /** Frames that the adapter refused, took for a collision, or left without an answer. */
  readonly refused: number;
  readonly collisions: number;
  /** Noise on each channel in dBm. */
  readonly noiseDbm: readonly number[];
};

export type MeshAdapterFacts = Omit<MeshAbout, "homeId"> & {
  /** Numbers of its maker, of the type and of the model; 0 while unknown. */
  readonly product: Product;
  readonly isPrimary: boolean;
  readonly supportsLongRange: boolean;
  /** Devices that may join by themselves, without their keys. */
  readonly provisioned: number;
};

type Product = readonly [manufacturer: number, type: number, id: number];

export type MeshDeviceFacts = {
  readonly product: Product;
  /** Maker and model from the library's device database; null when it does not know them. */
  readonly model: string | null;
  readonly library: string | null;
  readonly listens: "always" | "often" | "when awake";
  readonly isLongRange: boolean;
  /** Kinds of security for which it has keys. */
  readonly granted: readonly SecurityName[];
  readonly endpoints: readonly EndpointFacts[];
  readonly values: readonly ValueFacts[];
  /** Number of values that are left out because they are secret or personal. */
  readonly withheld: number;
};

export type EndpointFacts = {
  readonly index: number;
  readonly generic: number;
  readonly specific: number;
  readonly commandClasses: readonly {
    readonly id: number;
    readonly name: string;
    readonly version: number;
    readonly isSecure: boolean;
    /** The device commands others with it, and cannot be commanded. */
    readonly isControlled: boolean;
  }[];
};

export type ValueFacts = {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey: string | number | null;
  readonly label: string;
  readonly type: string;
  readonly unit: string | null;
  readonly value: PlainValue;
};

/** Bytes are hexadecimal text. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue };
