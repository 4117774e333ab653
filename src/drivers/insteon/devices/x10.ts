/**
 * X10 devices, which an owner adds by house and unit. A message names the units, another one commands them. X10 devices do not
 * answer: a command is sent, and the status is what a device sends itself.
 */

import { ControllerError } from "../../../errors.ts";
import type { Outcome } from "../../command.ts";
import type { DeviceId, ModemMessage } from "../line/messages.ts";
import type { Modem } from "../line/modem.ts";
import type { Device, DeviceBook } from "./device-book.ts";
import { type Product, X10_CATEGORY } from "./products.ts";

type X10Message = Extract<ModemMessage, { kind: "x10" }>;

/** Codes of the houses A to P, and of the units 1 to 16. */
const CODES: readonly number[] = [0x6, 0xe, 0x2, 0xa, 0x1, 0x9, 0x5, 0xd, 0x7, 0xf, 0x3, 0xb, 0x0, 0x8, 0x4, 0xc];
const COMMANDS: Readonly<Record<string, number>> = { DON: 2, DOF: 3, DIM: 4, BRT: 5 };
const CONTROLS: Readonly<Record<number, string>> = { 2: "DON", 3: "DOF" };
const ALL_UNITS_OFF = 0;
const LEVELS: Readonly<Record<string, number>> = { DON: 255, DOF: 0 };
const SEND = 0x63;
const UNIT_FLAG = 0x00;
const COMMAND_FLAG = 0x80;
const PRODUCT: Product = { category: X10_CATEGORY, subcategory: 0, firmware: 0, engine: "i1" };
const UNANSWERED: Outcome = { kind: "sent", detail: "X10 devices do not answer." };
const UNKNOWN_COMMAND: Outcome = {
  kind: "failed",
  reason: "unsupported",
  detail: "X10 devices do not know this command.",
  retryable: false,
};

export class X10 {
  /** By house: the units that the next command is for. */
  readonly #named = new Map<number, Set<number>>();
  /** A name after a command begins a new list of names. */
  readonly #commanded = new Set<number>();

  /** @returns the devices that the message commands, with the control that they show */
  take(book: DeviceBook, { house, code, isCommand }: X10Message) {
    if (!isCommand) {
      const named = this.#commanded.delete(house) ? new Set<number>() : (this.#named.get(house) ?? new Set<number>());
      this.#named.set(house, named.add(code));
      return [];
    }
    this.#commanded.add(house);
    const control = code === ALL_UNITS_OFF ? "DOF" : CONTROLS[code];
    const units = code === ALL_UNITS_OFF ? CODES : [...(this.#named.get(house) ?? [])];
    if (control === undefined) return [];
    return units.flatMap((unit) => {
      const device = book.device(idOf(CODES.indexOf(house), CODES.indexOf(unit)));
      return device ? [{ device, control }] : [];
    });
  }
}

/** What a device or a remote sent. */
export function receiveX10(book: DeviceBook, x10: X10, message: X10Message): void {
  for (const { device, control } of x10.take(book, message)) {
    for (const node of device.nodes) {
      book.control(node, control);
      book.report(node, { ST: LEVELS[control] ?? 0 }, { cause: "report" });
    }
  }
}

/** Two messages; a modem that is busy gets each again. @throws ModemLost */
export async function sendX10(modem: Modem, { id }: Device, command: string): Promise<Outcome> {
  const code = COMMANDS[command];
  if (code === undefined) return UNKNOWN_COMMAND;
  const [, house = 1, unit = 1] = id.split(" ").map((part) => Number.parseInt(part, 16));
  const byte = (low: number) => ((CODES[house - 1] ?? 0) << 4) | low;
  await modem.command({ bytes: [SEND, byte(CODES[unit - 1] ?? 0), UNIT_FLAG], isBackground: false });
  await modem.command({ bytes: [SEND, byte(code), COMMAND_FLAG], isBackground: false });
  return UNANSWERED;
}

/** @param code house and unit, such as A1 @throws ControllerError CONFLICT */
export function addX10(book: DeviceBook, code: string): string {
  const house = code.toUpperCase().charCodeAt(0) - "A".charCodeAt(0);
  const id = idOf(house, Number(code.slice(1)) - 1);
  if (book.device(id)) throw new ControllerError("CONFLICT", "The home has this X10 address already.");
  const address = book.add(id, PRODUCT)?.nodes[0]?.address;
  return `The node ${address} was added.`;
}

function idOf(house: number, unit: number): DeviceId {
  return ["0", (house + 1).toString(16), (unit + 1).toString(16)].join(" ").toUpperCase();
}
