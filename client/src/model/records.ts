/**
 * The contents of a home as plain records. Field by field the resources of the interface: values and units stay the
 * texts that the controller sent, so nothing is lost; `property.ts` reads them as numbers.
 *
 * @see docs/interface/nodes.md
 */

import type { NodeRole, NodeUse } from "./routes.ts";

export type { NodeRole, NodeUse };

export type ControllerConfig = {
  readonly uuid: string;
  /** Generation of the interface, such as `6.0.3`. */
  readonly version: string;
  readonly portalHost: string | null;
};

/** A value that a node reported. */
export type Property = {
  readonly id: string;
  /** Raw, an integer as text; empty while the controller has no value yet. */
  readonly value: string;
  /** The value in words, as the controller formats it: `50%`. */
  readonly formatted: string;
  /** Unit of measure, a number as text; empty when unknown. */
  readonly uom: string;
  readonly name: string;
  /** Decimal places: displayed = value / 10^prec. */
  readonly prec: number;
};

/** A radio device's description of itself. */
export type DevType = {
  /** Generic class, such as `109`. */
  readonly cat: string;
  /** `<manufacturer>.<product type>.<product>` */
  readonly mfg: string;
  /** `<basic>.<generic>.<specific>` */
  readonly gen: string;
  readonly manufacturer: { readonly id: number; readonly productType: number; readonly product: number };
  readonly generic: { readonly basic: number; readonly generic: number; readonly specific: number };
};

export type NodeRecord = {
  readonly address: string;
  readonly name: string;
  readonly nodeDefId: string;
  readonly family: string;
  readonly instance: string;
  /** Four dotted numbers; empty when unknown. */
  readonly type: string;
  /** Address of the folder, group or node above it. */
  readonly parent: string | null;
  /** `pnode`: address of the device's first node. */
  readonly primary: string | null;
  enabled: boolean;
  /** Bits: 1 init needed, 4 group, 8 root, 16 in error, 32 new, 128 first node of a device. */
  readonly flag: number;
  readonly properties: Map<string, Property>;
  /** Families 4 and 12 only. */
  readonly devtype: DevType | null;
  /** What it is for a person; null when the controller or the surface does not say. */
  readonly role: NodeRole | null;
  /** What its owner uses it for; null when that was not said. */
  readonly use: NodeUse | null;
  /** Whether the device can be reached; follows the stream. null when the surface does not say. */
  linkState: "online" | "asleep" | "unreachable" | "interviewing" | "unknown" | null;
  /** Commands to it require the right to operate locks. */
  readonly isSecured: boolean;
};

/** Where a member of a scene rests when the scene is on; `discard`: it is sent something that is neither. */
export type Intent = "on" | "off" | "discard";

export type GroupRecord = {
  readonly address: string;
  readonly name: string;
  /** Label of the scene's class; no key into the profile. */
  readonly nodeDefId: string;
  readonly family: string;
  readonly instance: string;
  readonly parent: string | null;
  readonly primary: string | null;
  /** In the order in which they were declared, controllers and responders. */
  readonly members: readonly string[];
  /** Members of link type 16. */
  readonly controllers: readonly string[];
  /** Empty while the links are not available. */
  intents: ReadonlyMap<string, Intent>;
  /** True when the group was among the links and every link of its own block could be read. */
  targetsResolved: boolean;
};

export type FolderRecord = {
  readonly address: string;
  readonly name: string;
  readonly family: string;
  readonly parent: string | null;
};

/** A program or a program folder: they share their ids. */
export type ProgramRecord = {
  /** Four upper-case hex digits. */
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** Names from below the root folder down to this one, joined by slashes; the root's own is empty. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The last result of the condition. */
  status: boolean;
  /** Null on folders, as the next five. */
  enabled: boolean | null;
  runAtStartup: boolean | null;
  /** `idle`, `running then`, `running else`. */
  running: string | null;
  /** ISO 8601; null when it has not come. */
  lastRunTime: string | null;
  lastFinishTime: string | null;
  nextScheduledRunTime: string | null;
};

/** 1 integer, 2 state. */
export type VariableType = 1 | 2;

export type VariableRecord = {
  /** `<type>.<id>` */
  readonly key: string;
  readonly type: VariableType;
  readonly id: string;
  /** Empty when the surface sends no names. */
  name: string;
  /** Raw; displayed = value / 10^prec. */
  value: number;
  /** Raw: the value after a cold start of the controller. */
  init: number;
  prec: number;
  /** Names of raw values, by the value in decimal digits; empty when none has a name. */
  readonly valueNames: Readonly<Record<string, string>>;
  /** ISO 8601 of the last write; null when unknown. */
  ts: string | null;
};

export type ResourceRecord = { readonly id: string; readonly name: string };

/** A program's syntax tree, as the controller spells it: ids are decimal. @see docs/interface/triggers.md */
export type TriggerTree = {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  readonly if: readonly unknown[];
  readonly then: readonly unknown[];
  readonly else: readonly unknown[];
  readonly [member: string]: unknown;
};
