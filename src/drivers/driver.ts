/**
 * The port between the home and its devices. A driver owns one transport and nothing else; the core owns addresses,
 * names, the enabled flag, order per node, deadlines and fan-out. A driver sees only its host, so it can be tested,
 * and later run elsewhere, with nothing else: nothing live crosses the port but an AbortSignal.
 *
 * @see docs/drivers.md
 */

import type { DeviceLink, DeviceLinkState } from "../home/device-links.ts";
import type { LinkState, NodeRecord } from "../home/nodes.ts";
import type { Operation } from "../home/operation.ts";
import type { Property } from "../home/property.ts";
import type { Definitions } from "../profile/profile.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import type { Commissioning } from "./commissioning.ts";
import type { PluginPort } from "./plugin-port.ts";
import type { RadioNetwork } from "./radio-port.ts";

/** A number with its unit: displayed = value / 10^prec. */
export type Quantity = { readonly value: number; readonly uom: number; readonly prec: number };

export type CommandParameterValue = Quantity & { readonly id: string };

export type DriverCommand = {
  readonly id: string;
  readonly address: string;
  readonly command: string;
  /** In the order of the nodedef; values already lie in the range of the parameter's editor. */
  readonly parameters: readonly CommandParameterValue[];
  /** Aborted at the command's deadline and when the driver is stopped. */
  readonly signal: AbortSignal;
};

export type FailureReason =
  | "no-ack"
  | "rejected"
  | "unreachable"
  | "timeout"
  | "unsupported"
  | "bad-parameter"
  | "not-ready"
  | "internal";

/** The one end of a command; an expected failure is an outcome, never an exception. */
export type Outcome =
  /** The device's application confirmed it. */
  | { readonly kind: "acked" }
  /** It left; nothing confirms the effect. */
  | { readonly kind: "sent"; readonly detail?: string }
  /** The device sleeps; it goes out when it wakes. */
  | { readonly kind: "queued"; readonly detail: string }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly detail: string; readonly retryable: boolean };

/** The name is that of a node that is new; the owner's name is never overwritten. */
export type NodeSpec = Omit<NodeRecord, "parent" | "enabled" | "disabledBecause" | "driver"> & {
  /**
   * The name that the driver declared before. A node that still has it was not renamed by its owner, and gets the new
   * name.
   */
  readonly formerName?: string;
  /** Address of the node above a new node. Default: its primary. */
  readonly below?: string;
};

export type ReportCause = "report" | "ack" | "query" | "restore";

export type PropertyReport = {
  readonly address: string;
  readonly id: string;
  /** Raw integer, displayed = value / 10^prec; null = no value (yet). */
  readonly value: number | null;
  readonly uom: number;
  readonly prec: number;
  /** A text for values that no editor can format. */
  readonly text?: string;
  readonly cause: ReportCause;
  /** The command that led to it, when the driver knows. */
  readonly commandId?: string;
};

export type DriverState = "starting" | "ready" | "degraded" | "failed" | "stopped";

/** A node of the driver as the home has it. */
export type SeenNode = {
  /** The owner's. */
  readonly name: string;
  readonly enabled: boolean;
  readonly properties: ReadonlyMap<string, Property>;
};

/** Facts go up. */
export type DriverHost = {
  /** Before the nodes that use them; idempotent. `dynamic`: generated for a radio's devices. */
  define(family: number, instance: number, definitions: Definitions, dynamic: boolean): void;
  /** Takes back everything that this driver defined for the family and instance; what others defined too stays. */
  retract(family: number, instance: number): void;
  node(spec: NodeSpec): void;
  /** The home's record of a node of this driver; null for an unknown address. */
  seen(address: string): SeenNode | null;
  /** Really removed, never "offline". */
  gone(address: string): void;
  report(reports: readonly PropertyReport[]): void;
  /** The device sent a command: a button press, motion. Never a property. */
  control(address: string, control: string, value: number): void;
  link(address: string, link: LinkState): void;
  /** The end of a command that was answered `queued`, also by a service before this one; `queued`: it is still waiting. */
  settled(command: QueuedCommand, outcome: Outcome): void;
  /** The links of scenes that the driver's devices should carry out themselves, if they can. */
  deviceLinks(): readonly DeviceLink[];
  /** Writes to the device are pending (`pending`) or under way (`writing`). */
  writes(address: string, phase: "pending" | "writing", active: boolean): void;
  status(state: DriverState, detail: string): void;
  /** An operation (commissioning.ts) began, moved or ended. */
  operation(family: number, operation: Operation): void;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly store: DriverStore;
};

/** Storage of a driver over restarts: JSON values under its own keys. */
export type DriverStore = {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
  keys(): readonly string[];
  /** Settles when all of it is on disk. @throws when the disk does not take it. */
  saved(): Promise<void>;
};

export type QueuedCommand = { readonly id: string; readonly address: string; readonly command: string };

export type DeviceParameter = { readonly number: number; readonly size: 1 | 2 | 4; readonly value: number };

/** The reported values of a real device, for the virtual device that replaces it. */
export type MirroredFact =
  | { readonly kind: "report"; readonly report: PropertyReport }
  | { readonly kind: "control"; readonly address: string; readonly control: string; readonly value: number }
  | { readonly kind: "link"; readonly address: string; readonly link: LinkState };

/** A message of a notification channel. */
export type NotificationMessage = {
  readonly subject: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
};

/** Commands go down. */
export type Driver = {
  readonly name: string;
  /**
   * Optional, for slow transports: declares the nodes known from the last run with their last values. The listeners
   * then open without waiting for `start`, and commands before its end wait for it.
   */
  restore?(host: DriverHost): void;
  /** Resolves when the transport is up; devices may still be interviewed. */
  start(host: DriverHost, signal: AbortSignal): Promise<void>;
  /** Settles every pending command as failed / not-ready. */
  stop(): Promise<void>;
  /** Never the command QUERY: that is `query`, also of nodes whose nodedef has it. */
  send(command: DriverCommand): Promise<Outcome>;
  /** Asks the device for its state; the answers come as reports. */
  query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome>;
  /**
   * Tells several devices at once what each of them is then commanded by itself, where the transport can: the lamps of a
   * scene move together, and every one still answers for itself. Begins at once, never throws.
   */
  groupcast?(commands: readonly Pick<DriverCommand, "address" | "command" | "parameters">[]): void;
  setEnabled(address: string, enabled: boolean): void;
  /** Radio configuration parameters; absent where devices have none. */
  readonly parameters?: {
    /** null = the device has no such parameter. */
    get(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null>;
    set(address: string, parameter: DeviceParameter, signal: AbortSignal, commandId?: string): Promise<Outcome>;
  };
  /**
   * Links that devices carry out without the controller; absent where devices hold none. The driver makes its devices hold
   * those of `host.deviceLinks()` that they can, and removes those that it wrote and that are not wanted any more.
   */
  readonly links?: {
    /** `host.deviceLinks()` may have changed. */
    refresh(): void;
    /** null: the home does not want it, and the device does not have it. */
    state(link: DeviceLink): DeviceLinkState | null;
    /** Whether the devices do it themselves when the controller sends the command; then it must not be sent again. */
    carries(link: DeviceLink, command: string): boolean;
    /** Writes again what this controller's device did not take. */
    retry(controller: string): void;
  };
  /** Lock user codes; they can be written but never read. */
  readonly codes?: {
    /** Number of slots, 0 when the node is no lock. */
    slots(address: string): number;
    set(address: string, slot: number, code: string, signal: AbortSignal): Promise<Outcome>;
    clear(address: string, slot: number, signal: AbortSignal): Promise<Outcome>;
  };
  /** Pairing and other operations in several steps; absent for a driver without any. */
  readonly commissioning?: Commissioning;
  /** Maintenance of a radio network; absent for a driver without one. */
  readonly radio?: RadioNetwork;
  /** A plugin server; absent on every other driver. */
  readonly plugin?: PluginPort;
  /** Only of notification channels. */
  readonly notifications?: {
    /** Number by which programs name it; 0: it takes what no other channel has the number of. */
    readonly recipient: number;
    /** Takes the controller's own alarms. */
    readonly alarms: boolean;
    /** Texts of programs by their content number. */
    readonly contents: Readonly<Record<string, string>>;
    /** @throws Error with a sentence for the owner, without secrets */
    deliver(message: NotificationMessage, signal: AbortSignal): Promise<void>;
    /** Shows the sentence as the reason of its state, until a delivery succeeds. */
    showFailure(sentence: string): void;
  };
  /** Only in a simulation: what a person at the device, or the world around it, can do to this node. */
  actions?(address: string): readonly string[];
  /** Does one of `actions`. @returns false when the node cannot do it now. */
  act?(address: string, control: string, value: number | null): boolean;
  /** Only in a simulation: adopts the reported values of a real device. */
  mirror?(fact: MirroredFact): void;
};
