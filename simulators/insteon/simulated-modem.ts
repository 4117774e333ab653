/**
 * A simulated PowerLinc modem with its devices, which speaks the modem's bytes. `open` gives the serial line inside the process;
 * `serve-modem.ts` offers it on a TCP port. Time comes from the clock that is passed in.
 */

import type { SimulatorClock } from "../clock.ts";
import { type DevicePlan, type Frame, type Reaction, SimulatedDevice } from "./simulated-device.ts";

/** The present client of the line. */
export type ModemHost = { hear(bytes: Uint8Array): void; cut(): void };
export type ModemLine = { write(bytes: Uint8Array): void; close(): void };

export type ModemFaults = {
  /** The modem answers so many further commands with a lone NAK. */
  busy: number;
  /** It acknowledges commands and sends nothing to the devices. */
  sendsNothing: boolean;
  /** Of ten messages on the air so many are lost, in a fixed order. */
  lostOfTen: number;
  /** Every message of a device comes twice. */
  repeats: boolean;
  /** So many further link records are lost on the serial line. */
  lostRecords: number;
  /** It tells that a device did not answer. */
  tellsSilence: boolean;
};

type Clock = SimulatorClock & { elapsed(): number };

const MODEM_ID = [0x4a, 0x11, 0x5c];
const ACK = 0x06;
const NAK = 0x15;
const AIR_MS = 60;
const CLEANUP_MS = 250;
const COPY_MS = 40;
const IDENTIFICATION_MS = 800;
const SILENCE_MS = 600;
/** Lengths of commands from the host. */
const LENGTHS: Readonly<Record<number, number>> = { 96: 2, 105: 2, 106: 2, 107: 3, 115: 2 };

export class SimulatedModem {
  readonly devices = new Map<string, SimulatedDevice>();
  readonly faults: ModemFaults = {
    busy: 0,
    sendsNothing: false,
    lostOfTen: 0,
    repeats: false,
    tellsSilence: false,
    lostRecords: 0,
  };
  /** Link records: flags, group, device, data. */
  readonly records: (readonly number[])[] = [];
  readonly #clock: Clock;
  #host: ModemHost | null = null;
  #rest: readonly number[] = [];
  #nextRecord = 0;
  #sent = 0;
  isPlugged = true;

  constructor(clock: Clock, plans: readonly DevicePlan[]) {
    this.#clock = clock;
    for (const plan of plans) this.link(plan);
  }

  /** Adds a device with its two halves of a link. */
  link(plan: DevicePlan): SimulatedDevice {
    const device = new SimulatedDevice(plan);
    this.devices.set(plan.id.join(" "), device);
    this.records.push([0xe2, 0, ...plan.id, ...device.product], [0xa2, 1, ...plan.id, 0, 0, 0]);
    return device;
  }

  /** The buttons of modem and device were pressed: tells the host. */
  linkByButton(plan: DevicePlan): SimulatedDevice {
    const device = this.link(plan);
    this.#tell([0x02, 0x53, 0x01, 0x00, ...plan.id, ...device.product]);
    return device;
  }

  device(id: readonly number[]): SimulatedDevice {
    const device = this.devices.get(id.join(" "));
    if (!device) throw new Error("There is no such simulated device.");
    return device;
  }

  /** @throws Error while the modem is unplugged. */
  open(host: ModemHost): ModemLine {
    if (!this.isPlugged) throw new Error("The modem is not plugged in.");
    this.#host?.cut();
    this.#host = host;
    this.#rest = [];
    return {
      write: (bytes) => {
        if (this.#host === host) this.#receive(bytes);
      },
      close: () => {
        if (this.#host === host) this.#host = null;
      },
    };
  }

  unplug(): void {
    this.isPlugged = false;
    const host = this.#host;
    this.#host = null;
    host?.cut();
  }

  /**
   * A person presses a button, or a sensor senses: broadcast, cleanup, success report.
   *
   * @param messages which of them are sent
   */
  press(
    device: SimulatedDevice,
    group: number,
    cmd1: number,
    cmd2 = 0,
    messages = ["broadcast", "cleanup", "success"],
  ): void {
    device.wake(this.#clock.elapsed());
    const address = (flags: number, to: readonly number[], first: number, second: number) => [
      0x02,
      0x50,
      ...device.id,
      ...to,
      flags,
      first,
      second,
    ];
    if (messages.includes("broadcast")) this.#air(address(0xcb, [0, 0, group], cmd1, cmd2), AIR_MS);
    if (messages.includes("cleanup")) this.#air(address(0x41, MODEM_ID, cmd1, group), AIR_MS + CLEANUP_MS);
    if (messages.includes("success")) this.#air(address(0xcb, [cmd1, 1, group], 0x06, 0), AIR_MS + 2 * CLEANUP_MS);
  }

  /** Bytes of the modem as they are. */
  emit(bytes: readonly number[]): void {
    this.#tell(bytes);
  }

  #receive(bytes: Uint8Array): void {
    this.#rest = [...this.#rest, ...bytes];
    while (this.#rest.length > 1) {
      const [first, command = 0] = this.#rest;
      const length = command === 0x62 ? ((this.#rest[5] ?? 0) & 0x10 ? 22 : 8) : (LENGTHS[command] ?? 0);
      if (first !== 0x02 || length === 0) {
        this.#rest = this.#rest.slice(1);
        continue;
      }
      if (this.#rest.length < length) return;
      this.#command(this.#rest.slice(0, length));
      this.#rest = this.#rest.slice(length);
    }
  }

  #command(bytes: readonly number[]): void {
    const [, command = 0] = bytes;
    if (this.faults.busy > 0) {
      this.faults.busy -= 1;
      this.#tell([NAK]);
    } else if (command === 0x60) this.#tell([...bytes, ...MODEM_ID, 3, 21, 0x9e, ACK]);
    else if (command === 0x69 || command === 0x6a) this.#record(command, bytes);
    else if (command === 0x73) this.#tell([...bytes, 0, 0, 0, ACK]);
    else {
      this.#tell([...bytes, ACK]);
      if (command === 0x62 && !this.faults.sendsNothing) this.#deliver(bytes);
    }
  }

  #record(command: number, bytes: readonly number[]): void {
    this.#nextRecord = command === 0x69 ? 0 : this.#nextRecord + 1;
    const record = this.records[this.#nextRecord];
    this.#tell([...bytes, record ? ACK : NAK]);
    if (record && this.faults.lostRecords === 0) this.#tell([0x02, 0x57, ...record]);
    else if (record) this.faults.lostRecords -= 1;
  }

  #deliver(bytes: readonly number[]): void {
    const id = bytes.slice(2, 5);
    const [flags = 0, cmd1 = 0, cmd2 = 0, ...data] = bytes.slice(5);
    const device = this.devices.get(id.join(" "));
    const frame: Frame = data.length > 0 ? { cmd1, cmd2, data } : { cmd1, cmd2 };
    const reaction = device?.hears(this.#clock.elapsed()) && !this.#isLost() ? device.react(frame) : null;
    if (device && reaction) this.#answer(device, reaction, flags & 0x10);
    else if (this.faults.tellsSilence) {
      this.#later(SILENCE_MS, () => this.#tell([0x02, 0x5c, ...id, ...MODEM_ID, 0x20, cmd1, cmd2]));
    }
  }

  #answer(device: SimulatedDevice, { answer, then }: Reaction, extended: number): void {
    const flags = (answer.refused ? 0xa3 : 0x23) | extended;
    this.#air([0x02, 0x50, ...device.id, ...MODEM_ID, flags, answer.cmd1, answer.cmd2], AIR_MS);
    if (then?.kind === "direct") {
      this.#air([0x02, 0x51, ...device.id, ...MODEM_ID, 0x13, then.cmd1, then.cmd2, ...(then.data ?? [])], 3 * AIR_MS);
    } else if (then) {
      this.#air([0x02, 0x50, ...device.id, ...device.product, 0x83, then.cmd1, then.cmd2], IDENTIFICATION_MS);
    }
  }

  #air(bytes: readonly number[], delayMs: number): void {
    if (this.#isLost()) return;
    this.#later(delayMs, () => this.#tell(bytes));
    if (!this.faults.repeats) return;
    const fewerHops = bytes.map((byte, at) => (at === 8 ? byte & 0xf3 : byte));
    this.#later(delayMs + COPY_MS, () => this.#tell(fewerHops));
  }

  #isLost(): boolean {
    this.#sent += 1;
    // Three messages apart, so that a command and its repetition do not share their fate.
    return (this.#sent * 3) % 10 < this.faults.lostOfTen;
  }

  #later(delayMs: number, act: () => void): void {
    this.#clock.setTimer(act, delayMs);
  }

  #tell(bytes: readonly number[]): void {
    this.#host?.hear(Uint8Array.from(bytes));
  }
}
