/** The controller itself: its identity and place, made once per instance; its name is the root group's. */

export const UNITS = ["metric", "us"] as const;
type Units = (typeof UNITS)[number];

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
  /** Writes to devices are collected instead of sent at once. */
  readonly batchMode: boolean;
  /** Writes to battery devices are sent when they wake. */
  readonly batteryWrites: boolean;
  /** What network resources may reach beyond the default; absent until the owner allows something. */
  readonly networkTargets?: readonly string[];
};
