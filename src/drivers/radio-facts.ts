/**
 * The facts about a radio network and its devices, as plain data: their state, and everything that helps with a
 * diagnosis. None of it is secret: no keys, no user codes, no names.
 *
 * @see docs/interface/radio-network.md
 */

export type SecurityName = "S2-access-control" | "S2-authenticated" | "S2-unauthenticated" | "S0";

export type DeviceState = "alive" | "asleep" | "dead" | "unknown";
export type InterviewStage = "none" | "protocol" | "node-info" | "command-classes" | "configuration" | "complete";

export type NodeHealth = {
  readonly address: string;
  readonly state: DeviceState;
  /** Neither dead nor unknown. */
  readonly isResponding: boolean;
  readonly batteryPercent: number | null;
  readonly interviewStage: InterviewStage;
  readonly lastSeenAtMs: number | null;
  /** Average of commands to it and back, in milliseconds. */
  readonly roundTripMs: number | null;
  /** Received signal strength, in dBm. */
  readonly signalDbm: number | null;
  /** First nodes of the devices that repeat for it, in order; null while no route is known. */
  readonly route: readonly string[] | null;
  /** kbit/s of that route. */
  readonly routeSpeed: number | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
  readonly security: SecurityName | null;
  readonly isInterviewed: boolean;
};

export type RadioAbout = {
  /** Eight hexadecimal digits. */
  readonly homeId: string;
  readonly nodeId: number;
  readonly firmware: string | null;
  readonly library: string | null;
  readonly region: string | null;
  readonly nodes: number;
  /** The adapter finds no free moment to send. */
  readonly isJammed: boolean;
  readonly acceptsProvisioned: boolean;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  /** Frames that the adapter refused, took for a collision, or left without an answer. */
  readonly refused: number;
  readonly collisions: number;
  readonly timeouts: number;
  /** Noise on each channel in dBm. */
  readonly noiseDbm: readonly number[];
};

/** The network for a bug report. */
export type RadioDiagnostics = {
  /** The software that talks to the adapter, and its versions. */
  readonly packages: Readonly<Record<string, string>>;
  readonly adapter: AdapterFacts;
  readonly queues: RadioQueues;
  /** Devices that may join by themselves, without their keys. */
  readonly provisioned: number;
  readonly devices: readonly DeviceFacts[];
};

export type AdapterFacts = Omit<RadioAbout, "homeId" | "nodes"> & {
  /** Numbers of its maker, of the type and of the model; 0 while unknown. */
  readonly product: Product;
  readonly isPrimary: boolean;
  readonly supportsLongRange: boolean;
};

type Product = readonly [manufacturer: number, type: number, id: number];

export type RadioQueues = {
  /** Devices that are commanded now. */
  readonly underWay: number;
  /** Commands that wait for their turn on the air. */
  readonly waiting: number;
  /** Commands that wait for a sleeping device, by the node that they are for. */
  readonly asleep: Readonly<Record<string, number>>;
};

export type DeviceFacts = NodeHealth & {
  readonly product: Product;
  /** Maker and model from the library's device database; null when it does not know them. */
  readonly model: string | null;
  readonly firmware: string | null;
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

/** Something that went wrong with the adapter or a device. */
export type RadioTrouble = {
  readonly atMs: number;
  /** First node of the device; null for the adapter. */
  readonly address: string | null;
  readonly detail: string;
};
