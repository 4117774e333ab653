/** Reads and writes the settings of a device (parameters-table.ts), each as one exchange or a few. */

import type { DeviceMessage } from "../line/messages.ts";
import type { DeviceAnswer, Modem } from "../line/modem.ts";
import type { Device } from "./device-book.ts";
import {
  BUTTON_LEDS,
  BUTTON_MODE,
  MODE,
  PARAMETERS,
  type Parameter,
  type ParameterAccess,
  RELAY_DELAY,
  RELAY_MODES,
  relayMode,
} from "./parameters-table.ts";
import type { DeviceNode } from "./products.ts";
import { isSettings } from "./status.ts";

type Target = {
  readonly modem: Modem;
  readonly device: Device;
  readonly node: DeviceNode;
  readonly signal: AbortSignal;
};

type Message = { readonly cmd1: number; readonly cmd2: number; readonly data?: readonly number[] };

/** The device did not do it. */
export class Unanswered extends Error {
  readonly answer: DeviceAnswer;

  constructor(answer: DeviceAnswer) {
    super("The device did not answer the request for a parameter.");
    this.answer = answer;
  }
}

const STATUS = 0x19;
const BITS = 1;
const READ_FLAGS = 0x1f;
const SET_FLAG = 0x20;
const SETTINGS = 0x2e;
const OF_DEVICE = 1;
const UNSCALED = 1;
const LATCHING = 0;
const TENTH_MS = 100;
const USUAL_ON_MS = 2000;

/** The parameters that the device has at the node. Devices of the first generation have those of the flags. */
export function parametersOf(device: Device, node: DeviceNode): readonly Parameter[] {
  const isKnown = ({ kind }: ParameterAccess) =>
    device.product.engine !== "i1" || kind === "flag" || kind === "relay-mode";
  return PARAMETERS.filter(({ isOf, access }) => isOf(device, node) && isKnown(access));
}

/** @throws Unanswered */
export async function readParameter(target: Target, { access }: Parameter): Promise<number> {
  switch (access.kind) {
    case "flag": {
      const isSet = bitOf(await readFlags(target), access.bit);
      return Number(isSet !== (access.isInverted === true));
    }
    case "relay-mode":
      return relayMode(await readFlags(target));
    case "setting": {
      const settings = await readSettings(target, access.isOfButton ? groupOf(target) : OF_DEVICE);
      const scale = access.scale === undefined ? UNSCALED : Math.max(UNSCALED, byteAt(settings, access.at - 1));
      return scale * byteAt(settings, access.at);
    }
    case "led":
      return byteAt(await readSettings(target, OF_DEVICE), target.node.led?.at ?? 0);
    case "button-led":
      return Number(bitOf(await readLeds(target), groupOf(target) - 1));
    case "button-mode": {
      const settings = await readSettings(target, OF_DEVICE);
      const isSet = ({ at }: { readonly at: number }) => bitOf(byteAt(settings, at), groupOf(target) - 1);
      if (!isSet(BUTTON_MODE.fixed)) return MODE.toggle;
      return isSet(BUTTON_MODE.isOn) ? MODE.onOnly : MODE.offOnly;
    }
  }
}

/** How long a relay stays on by itself; null: until it is switched off. @throws Unanswered */
export async function relayOnMs(target: Target): Promise<number | null> {
  if (relayMode(await readFlags(target)) === LATCHING) return null;
  if (target.device.product.engine === "i1") return USUAL_ON_MS;
  return TENTH_MS * (await readParameter(target, RELAY_DELAY));
}

/** @throws Unanswered */
export async function writeParameter(target: Target, { access }: Parameter, value: number): Promise<void> {
  switch (access.kind) {
    case "flag":
      return setFlag(target, (value === 1) !== (access.isInverted === true) ? access.set : access.clear);
    case "relay-mode":
      for (const command of RELAY_MODES[value] ?? []) await setFlag(target, command);
      return;
    case "setting":
      if (access.scale !== undefined) await set(target, OF_DEVICE, access.scale, UNSCALED);
      return set(target, access.isOfButton ? groupOf(target) : OF_DEVICE, access.command, value);
    case "led":
      return set(target, OF_DEVICE, target.node.led?.command ?? 0, value);
    case "button-led":
      return set(target, OF_DEVICE, BUTTON_LEDS, withBit(await readLeds(target), groupOf(target) - 1, value === 1));
    case "button-mode": {
      const settings = await readSettings(target, OF_DEVICE);
      const write = ({ at, command }: { readonly at: number; readonly command: number }, isSet: boolean) =>
        set(target, OF_DEVICE, command, withBit(byteAt(settings, at), groupOf(target) - 1, isSet));
      await write(BUTTON_MODE.isOn, value === MODE.onOnly);
      return write(BUTTON_MODE.fixed, value !== MODE.toggle);
    }
  }
}

async function readFlags(target: Target): Promise<number> {
  return (await exchange(target, { cmd1: READ_FLAGS, cmd2: 0 })).cmd2;
}

/** Without this byte no LED is written: the byte that sets one sets all of them. */
async function readLeds(target: Target): Promise<number> {
  return (await exchange(target, { cmd1: STATUS, cmd2: BITS })).cmd2;
}

async function readSettings(target: Target, group: number): Promise<Uint8Array> {
  const { reply } = await exchange(target, { cmd1: SETTINGS, cmd2: 0, data: [group] }, isSettings);
  if (!reply?.data) throw new Unanswered({ kind: "silent" });
  return reply.data;
}

async function setFlag(target: Target, cmd2: number): Promise<void> {
  const isProtected = target.device.product.engine === "i2CS";
  await exchange(target, { cmd1: SET_FLAG, cmd2, ...(isProtected ? { data: [] } : {}) });
}

async function set(target: Target, group: number, command: number, value: number): Promise<void> {
  await exchange(target, { cmd1: SETTINGS, cmd2: 0, data: [group, command, value] });
}

async function exchange(
  { modem, device, signal }: Target,
  message: Message,
  reply?: (message: DeviceMessage) => boolean,
): Promise<Extract<DeviceAnswer, { kind: "ack" }>> {
  const request = { ...message, device: device.id, isBackground: false, signal, ...(reply ? { reply } : {}) };
  const answer = await modem.send(request);
  if (answer.kind !== "ack") throw new Unanswered(answer);
  return answer;
}

function groupOf({ node }: Target): number {
  return Number.parseInt(node.suffix, 16);
}

function byteAt(data: Uint8Array, at: number): number {
  return data[at - 1] ?? 0;
}

function bitOf(bits: number, at: number): boolean {
  return ((bits >> at) & 1) === 1;
}

function withBit(bits: number, at: number, isSet: boolean): number {
  return isSet ? bits | (1 << at) : bits & ~(1 << at);
}
