/** The controller itself: its identity and place, made once per instance; its name is the root group's. */

export const UNITS = ["metric", "us"] as const;
type Units = (typeof UNITS)[number];

/** What a kilowatt-hour of the grid costs. */
export type Tariff = {
  /** ISO 4217, such as EUR. */
  readonly currency: string;
  /** Each holds from a minute of the day until the next one; the first from 0. A single one is a fixed price. */
  readonly prices: readonly { readonly from: number; readonly price: number }[];
  /** Address of a node whose status is the price; while it is not known, `prices` hold. null: there is none. */
  readonly node: string | null;
};

export type ControllerRecord = {
  /** Locally administered MAC in lower-case colon form; the root group's address. */
  readonly uuid: string;
  readonly name: string;
  /** IANA zone, such as "Europe/Berlin". */
  readonly timeZone: string;
  /** Degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above sea level; left out until its owner sets it. */
  readonly elevationM?: number;
  /** Units in which temperatures and lengths are shown; absent until the owner sets them, which means metric. */
  readonly units?: Units;
  /** Absent until the owner sets it. */
  readonly tariff?: Tariff | null;
  /** Writes to devices are collected instead of sent at once. */
  readonly batchMode: boolean;
  /** Writes to battery devices are sent when they wake. */
  readonly batteryWrites: boolean;
  /** What network resources may reach beyond the default; absent until the owner allows something. */
  readonly networkTargets?: readonly string[];
};
