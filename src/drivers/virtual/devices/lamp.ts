/**
 * Common to all lamps: on, off, fast, brighter, dimmer, fade. Lamps differ in their scale (raw 255 or percent 100)
 * and in their fading time; the families' own commands are beside their devices.
 */

import {
  BY_ITSELF,
  type CommandHandler,
  type DeviceNode,
  type Life,
  type Occasion,
  type Reaction,
  type ReceivedCommand,
} from "../device-model.ts";
import { clamp } from "./quantities.ts";

/** A fade from dark to full while a button is held. */
const FADE_MS = 4500;
const STEPS = 32;

export type Lamp = {
  /** Raw value of full brightness. */
  readonly full: number;
  /** The level that the command asks for, or the one that the lamp has for this. */
  onLevel(node: DeviceNode, received: ReceivedCommand): number;
  /** How long a change over the whole range takes. */
  rampMs(node: DeviceNode, received: ReceivedCommand): number;
};

const NO_COMMAND: ReceivedCommand = { parameters: [], occasion: BY_ITSELF };

/** DON DOF DFON DFOF BRT DIM FDUP FDDOWN FDSTOP. */
export function lampCommands(lamp: Lamp): Readonly<Record<string, Reaction>> {
  return {
    DON: (node, received) => ramp(lamp, node, lamp.onLevel(node, received), received),
    DOF: (node, received) => ramp(lamp, node, 0, received),
    DFON: (node, { occasion }) => node.move("ST", lamp.full, 0, occasion),
    DFOF: (node, { occasion }) => node.move("ST", 0, 0, occasion),
    BRT: (node, { occasion }) => step(lamp, node, 1, occasion),
    DIM: (node, { occasion }) => step(lamp, node, -1, occasion),
    FDUP: (node, { occasion }) => fade(lamp, node, lamp.full, occasion),
    FDDOWN: (node, { occasion }) => fade(lamp, node, 0, occasion),
    FDSTOP: (node, { occasion }) => node.halt(occasion),
  };
}

/** Commands of a plain paddle. */
export const PADDLE = ["DON", "DOF", "DFON", "DFOF", "FDUP", "FDDOWN", "FDSTOP"] as const;

/** The paddle: each press is sent and works on the lamp itself. */
export function lampHandlers(lamp: Lamp, presses: readonly string[]): Readonly<Record<string, CommandHandler>> {
  const commands = lampCommands(lamp);
  return Object.fromEntries(
    presses.map((press): [string, CommandHandler] => [
      press,
      (node, value) => {
        node.send(press, value);
        commands[press]?.(node, NO_COMMAND);
      },
    ]),
  );
}

/** Someone is at home: lamps are on in the morning and in the evening, not every lamp every day. */
export function lampLife(actions: Readonly<Record<string, CommandHandler>>): Life {
  return {
    pace: "occasional",
    live(node, { minuteOfDay, roll }) {
      const wanted = isLightTime(minuteOfDay) && roll < 0.7;
      const press = wanted ? "DON" : "DOF";
      if (wanted !== node.value("ST") > 0) actions[press]?.(node, 0);
    },
  };
}

function isLightTime(minuteOfDay: number): boolean {
  return (minuteOfDay >= 6 * 60 + 15 && minuteOfDay < 8 * 60 + 30) || minuteOfDay >= 17 * 60;
}

function ramp(lamp: Lamp, node: DeviceNode, goal: number, received: ReceivedCommand): void {
  const part = Math.abs(goal - node.value("ST")) / lamp.full;
  node.move("ST", goal, lamp.rampMs(node, received) * part, received.occasion);
}

function step(lamp: Lamp, node: DeviceNode, direction: 1 | -1, occasion: Occasion): void {
  const goal = clamp(node.value("ST") + direction * Math.round(lamp.full / STEPS), 0, lamp.full);
  node.move("ST", goal, 0, occasion);
}

function fade(lamp: Lamp, node: DeviceNode, goal: number, occasion: Occasion): void {
  node.move("ST", goal, (FADE_MS * Math.abs(goal - node.value("ST"))) / lamp.full, occasion);
}
