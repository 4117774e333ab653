/**
 * A kind of virtual device: its nodes with their properties, and the effect of each command, of each action of a
 * person, and of time. Models are shared by all devices of their kind and hold no state; a `DeviceNode` holds it.
 */

import type { Definitions } from "../../profile/profile.ts";
import type { CommandParameterValue } from "../command.ts";
import type { NodeSpec } from "../driver.ts";
import type { ReportCause } from "../report.ts";

export type PropertyModel = {
  readonly id: string;
  /** Unit of measure id, 0 = none. */
  readonly uom: number;
  readonly prec: number;
  /** Raw value of a device that was never used; null = no value yet. */
  readonly value: number | null;
  /** Kept by the device but never reported, such as the brightness of its own lights. */
  readonly inner?: boolean;
  /** Not reported before it has a value. */
  readonly untilValue?: boolean;
  /** The text of `value` where no editor has one. */
  readonly text?: string;
};

/** Why a device reports: the cause, and the command behind it when there is one. */
export type Occasion = { readonly cause: ReportCause; readonly commandId?: string };

/** Actions of the device itself, without a command. */
export const BY_ITSELF: Occasion = { cause: "report" };

export type ReceivedCommand = { readonly parameters: readonly CommandParameterValue[]; readonly occasion: Occasion };

/** A moment of the scripted day. */
export type DayMoment = {
  readonly nowMs: number;
  /** Minute of the day at home, 0 … 1439. */
  readonly minuteOfDay: number;
  /** A number in [0, 1) that is the same for the same moment. */
  readonly roll: number;
};

/** The means of a model at one node of one device. */
export type DeviceNode = {
  readonly address: string;
  /** Raw value of a property; 0 without one. */
  value(id: string): number;
  /** Sets raw values and reports them together. */
  change(values: Readonly<Record<string, number | null>>, occasion: Occasion): void;
  /** Moves a property to `goal` in steps within `durationMs`; at once when that is half a second or less. */
  move(id: string, goal: number, durationMs: number, occasion: Occasion): void;
  /**
   * Like `move`, for a movement that the device makes on its own and that may take long. `arrived` is called at the
   * end. A second call with the same goal continues the first. Nothing moves in a home without simulated activity.
   */
  drift(id: string, goal: number, durationMs: number, arrived: () => void): void;
  /** Calls `then` later, unless the node begins something else before. */
  after(delayMs: number, then: () => void): void;
  /** Stops a movement where it is. */
  halt(occasion: Occasion): void;
  /** Says that the device itself sent a command. */
  send(control: string, value?: number): void;
  /** Reports everything that the node has. */
  tell(occasion: Occasion): void;
  /** Writes to the device began and ended. */
  write(): void;
  /** Another node of the same device, by the last part of its address. */
  sibling(suffix: string): DeviceNode;
};

export type Reaction = (node: DeviceNode, received: ReceivedCommand) => void;
export type CommandHandler = (node: DeviceNode, value: number) => void;
export type Life = {
  /** How often the script turns to it: `ticking` sensors and meters all the time, `occasional` things now and then. */
  readonly pace: "ticking" | "occasional";
  live(node: DeviceNode, moment: DayMoment): void;
};

export type NodeModel = {
  /** For the further nodes of a device: the last part of the address, "2", "A" or "143". */
  readonly suffix?: string;
  /** For the further nodes: appended to the device's name. */
  readonly label?: string;
  /** Nodedef id; for radio devices without the prefix of the family (UZW or UZY). */
  readonly nodeDefId: string;
  readonly type: string;
  readonly devtype?: NodeSpec["devtype"];
  readonly properties: readonly PropertyModel[];
  /** Every command that the node accepts. */
  readonly commands: Readonly<Record<string, Reaction>>;
  /** For a device whose accepted commands are unknown: the effect of any other command. */
  readonly otherwise?: (command: string) => Reaction;
  /** Possible actions of a person at the device. */
  readonly actions?: Readonly<Record<string, CommandHandler>>;
  readonly life?: Life;
};

export type ParameterModel = {
  readonly number: number;
  readonly size: 1 | 2 | 4;
  readonly value: number;
  /** The device reads the bytes as 0 … 2^n − 1 instead of as a signed number. */
  readonly unsigned?: boolean;
  readonly name?: string;
  readonly unit?: string;
};

export type DeviceModel = {
  readonly nodes: readonly [NodeModel, ...NodeModel[]];
  /** Radio configuration parameters. */
  readonly parameters?: readonly ParameterModel[];
  /** Slots for user codes. */
  readonly codeSlots?: number;
  /** Definitions that must be declared before such a device, for its family. */
  readonly definitions?: (family: number) => Definitions;
};

/** Models by the name of their kind. */
export type Models = Readonly<Record<string, DeviceModel>>;
