/**
 * The port between the home and its devices. A driver owns one transport and nothing else; the core owns addresses,
 * names, the enabled flag, order per node, deadlines and fan-out. A driver sees only its host, so it can be tested,
 * and later run elsewhere, with nothing else: nothing live crosses the port but an AbortSignal.
 *
 * @see docs/drivers.md
 */

import type { DeviceLink, DeviceLinkState } from "../home/device-links.ts";
import type { GroupMember, SceneLink } from "../home/groups.ts";
import type { LinkState, NodeRecord } from "../home/nodes.ts";
import type { Operation } from "../home/operation.ts";
import type { Property } from "../home/property.ts";
import type { Definitions } from "../profile/profile.ts";
import type { DriverCommand, Outcome } from "./command.ts";
import type { Commissioning } from "./commissioning.ts";
import type { HomeSource } from "./home-source.ts";
import type { Network } from "./network.ts";
import type { PropertyReport } from "./report.ts";
import type { Service, ServiceHost } from "./service.ts";

/** The name is that of a node that is new; the owner's name is never overwritten. */
export type NodeSpec = Omit<NodeRecord, "parent" | "enabled" | "disabledBecause" | "driver" | "role" | "use"> & {
  /**
   * The name that the driver declared before. A node that still has it was not renamed by its owner, and gets the new
   * name.
   */
  readonly formerName?: string;
  /** Address of the node above a new node. Default: its primary. */
  readonly below?: string;
  /** Room that the device says it is in: a new node without one above it goes into the folder of this name. */
  readonly room?: string;
};

/** A node of the driver as the home has it at the time of asking; it does not follow the home. */
export type SeenNode = {
  /** The owner's. */
  readonly name: string;
  readonly enabled: boolean;
  readonly properties: ReadonlyMap<string, Property>;
};

/** Facts go up. */
export type DriverHost = ServiceHost & {
  /** Before the nodes that use them; idempotent. `dynamic`: generated for a radio's devices. */
  define(family: number, instance: number, definitions: Definitions, dynamic: boolean): void;
  /** Takes back everything that this driver defined for the family and instance; what others defined too stays. */
  retract(family: number, instance: number): void;
  /** @returns why it was refused: a sentence; null: the home has it. */
  node(spec: NodeSpec): string | null;
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
  /**
   * Adds a scene that the devices have already.
   *
   * @returns its address; null when a scene with the same members exists
   * @throws ControllerError LIMIT_REACHED
   */
  proposeScene(scene: ProposedScene): string | null;
  /** Writes to the device are pending (`pending`) or under way (`writing`). */
  writes(address: string, phase: "pending" | "writing", active: boolean): void;
  /** An operation (commissioning.ts) began, moved or ended. */
  operation(family: number, operation: Operation): void;
};

/** A scene whose own address is not known yet. */
export type ProposedScene = {
  readonly name: string;
  /** Its number in networks that number scenes; null: any. */
  readonly deviceGroup: number | null;
  /** Nodes of the driver. */
  readonly members: readonly GroupMember[];
  /** `controller` null: commands to the scene itself. */
  readonly blocks: readonly { readonly controller: string | null; readonly links: readonly SceneLink[] }[];
};

export type QueuedCommand = { readonly id: string; readonly address: string; readonly command: string };

/** Commands go down, to nodes that are enabled. Every member after `query` is a capability: absent where the transport has no such thing. */
export type Driver = Service<DriverHost> & {
  /**
   * Optional, for slow transports: declares what the nodes of the last run need. The listeners then open without waiting for
   * `start`, and the core keeps commands until the first start is over.
   */
  restore?(host: DriverHost): void | Promise<void>;
  /** Settles every pending command as failed / not-ready. */
  stop(): Promise<void>;
  /** Never the command QUERY: that is `query`, also of nodes whose nodedef has it. */
  send(command: DriverCommand): Promise<Outcome>;
  /** Asks the device for its state; the answers come as reports. */
  query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome>;
  readonly groupcast?: Groupcast;
  readonly parameters?: DeviceParameters;
  readonly links?: Links;
  readonly codes?: UserCodes;
  readonly commissioning?: Commissioning;
  readonly network?: Network;
  readonly simulation?: Simulation;
  readonly source?: HomeSource;
  /** The address of the adapter in its network, as it is printed on it: `1A.2B.3C`; null while it does not run. */
  readonly adapterAddress?: () => string | null;
};

/** User codes of locks; they can be written but never read. */
export type UserCodes = {
  /** Number of slots, 0 when the node is no lock. */
  slots(address: string): number;
  set(address: string, slot: number, code: string, signal: AbortSignal): Promise<Outcome>;
  clear(address: string, slot: number, signal: AbortSignal): Promise<Outcome>;
};

/**
 * Tells several devices at once what each of them is then commanded by itself: the lamps of a scene move together, and every
 * one still answers for itself. Also for a single device: the message may light a button that shows the scene. Begins at once,
 * never throws.
 */
export type Groupcast = (commands: readonly Pick<DriverCommand, "address" | "command" | "parameters">[]) => void;

/**
 * Links that devices carry out without the controller. The driver makes its devices hold those of `host.deviceLinks()` that they can,
 * and removes those that it wrote and that are not wanted any more.
 */
export type Links = {
  /** `host.deviceLinks()` may have changed. */
  refresh(): void;
  /** `software` for a link that its devices cannot hold. null: the home does not want it, and the device does not have it. */
  state(link: DeviceLink): DeviceLinkState | null;
  /** Whether the devices do it themselves when the controller sends the command; then it must not be sent again. */
  carries(link: DeviceLink, command: string): boolean;
  /** Writes again what devices did not take of the links of this scene. */
  retry(scene: string): void;
};

/** The reported values of a real device, for the virtual device that replaces it. */
export type MirroredFact =
  | { readonly kind: "report"; readonly report: PropertyReport }
  | { readonly kind: "control"; readonly address: string; readonly control: string; readonly value: number }
  | { readonly kind: "link"; readonly address: string; readonly link: LinkState };

/** Of a driver whose devices are simulated: what people do at them, and following a real device. */
export type Simulation = {
  /** What a person at the device, or the world around it, can do to this node. */
  actions(address: string): readonly string[];
  /** Does one of `actions`. @returns false when the node cannot do it now. */
  act(address: string, control: string, value: number | null): boolean;
  /** Adopts the reported values of a real device; absent where the devices cannot stand for real ones. */
  mirror?(fact: MirroredFact): void;
};

export type DeviceParameter = { readonly number: number; readonly size: 1 | 2 | 4; readonly value: number };

/** A parameter as its device is known to have it, without asking. */
export type KnownParameter = Omit<DeviceParameter, "value"> & {
  /** "": it has a number only. */
  readonly name: string;
  /** Symbol; "": none. */
  readonly unit: string;
  /** displayed = value / 10^prec */
  readonly prec: number;
  /** Raw, as the values of choices; null: no bound but the size, and with choices no other values. */
  readonly min: number | null;
  readonly max: number | null;
  /** Names of some values, or of all; empty: none has a name. */
  readonly choices: readonly { readonly value: number; readonly name: string }[];
};

/** Configuration parameters of devices. */
export type DeviceParameters = {
  /** Those that are known of the device, by number; it may have others. */
  known(address: string): readonly KnownParameter[];
  /** null = the device has no such parameter. */
  get(address: string, number: number, signal: AbortSignal): Promise<DeviceParameter | null>;
  set(address: string, parameter: DeviceParameter, signal: AbortSignal, commandId?: string): Promise<Outcome>;
};
