/**
 * A simulated PowerLinc modem with its devices, which speaks the modem's bytes. `open` gives the serial line inside the process;
 * `serve-modem.ts` offers it on a TCP port. Time comes from the clock that is passed in.
 */

import type { SimulatorClock } from "../clock.ts";
import type { Frame, Reaction } from "./frames.ts";
import { isControllerRecord, isInUse, isOfGroup } from "./link-table.ts";
import { ModemLinks } from "./modem-links.ts";
import { type DevicePlan, SimulatedDevice } from "./simulated-device.ts";

/** The present client of the line. */
type ModemHost = { hear(bytes: Uint8Array): void; cut(): void };
type ModemLine = { write(bytes: Uint8Array): void; close(): void };

type ModemFaults = {
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
  /** So many further repetitions of the host's requests for link records are lost on the serial line, with the record. */
  lostEchoes: number;
  /** So many further link records come once more, before the next one. */
  lateRecords: number;
  /** It tells that a device did not answer. */
  tellsSilence: boolean;
  /** It refuses so many further changes of its links. */
  refusedChanges: number;
};

type Clock = SimulatorClock & { elapsed(): number };

type LinkMode = { readonly code: number; readonly group: number; readonly untilMs: number };

const MODEM_ID: readonly number[] = [0x4a, 0x11, 0x5c];
const ACK = 0x06;
const NAK = 0x15;
/** A message takes so long through the air, with its hops; an extended one twice as long. */
const AIR_MS = 60;
const CLEANUP_MS = 250;
const COPY_MS = 40;
const IDENTIFICATION_MS = 800;
const SILENCE_MS = 600;
const LINKING_MS = 1000;
const LINK_MODE_MS = 240_000;
/** Records that a device sends although it refused the request come so late. */
const LATE_RECORD_MS = 1000;
const EXTENDED = 0x10;
/** Codes of a link mode. */
const AS_RESPONDER = 0x00;
const DELETE = 0xff;
/** Lengths of commands from the host. */
const LENGTHS: Readonly<Record<number, number>> = {
  96: 2,
  97: 5,
  99: 4,
  100: 4,
  101: 2,
  105: 2,
  106: 2,
  107: 3,
  111: 11,
  115: 2,
  117: 4,
  118: 12,
};

export class SimulatedModem {
  readonly devices = new Map<string, SimulatedDevice>();
  readonly faults: ModemFaults = {
    busy: 0,
    sendsNothing: false,
    lostOfTen: 0,
    repeats: false,
    tellsSilence: false,
    lostRecords: 0,
    lateRecords: 0,
    lostEchoes: 0,
    refusedChanges: 0,
  };
  readonly links = new ModemLinks();
  /** Link records: flags, group, device, data. */
  readonly records = this.links.records;
  readonly id: readonly number[];
  /** Called with every command of the host, before it is carried out. @returns false when it is lost on the line */
  onCommand: (bytes: readonly number[]) => boolean = () => true;
  readonly #clock: Clock;
  #host: ModemHost | null = null;
  #rest: readonly number[] = [];
  #linkMode: LinkMode | null = null;
  readonly #commands: Readonly<Record<number, (bytes: readonly number[]) => void>> = {
    96: (bytes) => this.#tell([...bytes, ...this.id, 3, 21, 0x9e, ACK]),
    97: (bytes) => this.#sendToGroup(bytes),
    98: (bytes) => this.#deliver(bytes),
    99: (bytes) => this.#tell([...bytes, ACK]),
    100: (bytes) => this.#setLinkMode(bytes),
    101: (bytes) => this.#endLinkMode(bytes),
    105: (bytes) => this.#record(true, bytes),
    106: (bytes) => this.#record(false, bytes),
    107: (bytes) => this.#tell([...bytes, ACK]),
    111: (bytes) => this.#manage(bytes),
    115: (bytes) => this.#tell([...bytes, 0, 0, 0, ACK]),
    117: (bytes) => this.#readCell(bytes),
    118: (bytes) => this.#writeCell(bytes),
  };
  #toldRecord: readonly number[] = [];
  #sent = 0;
  isPlugged = true;

  constructor(clock: Clock, plans: readonly DevicePlan[], id: readonly number[] = MODEM_ID) {
    this.#clock = clock;
    this.id = id;
    for (const plan of plans) this.link(plan);
  }

  /** Adds a device that is linked with the modem in both directions. */
  link(plan: DevicePlan): SimulatedDevice {
    const device = this.place(plan);
    this.links.put([0xe2, 0, ...plan.id, ...device.product]);
    device.linkAsResponder(0, this.id);
    for (const group of device.groups) {
      this.links.put([0xa2, group, ...plan.id, 0, 0, 0]);
      device.linkAsController(group, this.id);
    }
    return device;
  }

  /** Adds a device without any link: it is in the home, and nothing knows it. */
  place(plan: DevicePlan | SimulatedDevice): SimulatedDevice {
    const device = plan instanceof SimulatedDevice ? plan : new SimulatedDevice(plan);
    this.devices.set(device.id.join(" "), device);
    return device;
  }

  /** The buttons of modem and device were pressed: tells the host. */
  linkByButton(plan: DevicePlan): SimulatedDevice {
    const device = this.link(plan);
    this.#tell([0x02, 0x53, 0x01, 0x00, ...plan.id, ...device.product]);
    return device;
  }

  /** A person holds the SET button of a device. It links with the modem if the modem's link mode is on. */
  pressSet(device: SimulatedDevice, group = 1): void {
    device.pressSet(this.#clock.elapsed());
    this.#completeLink(device, group);
  }

  /** Its link mode deletes links. */
  get isUnlinking(): boolean {
    return this.isLinking && this.#linkMode?.code === DELETE;
  }

  get isLinking(): boolean {
    return this.#linkMode !== null && this.#linkMode.untilMs >= this.#clock.elapsed();
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
    for (const other of this.#present()) other.follow(device.id, group, cmd1);
    const isHeard = this.records.some((each) => isOfGroup(each, group, device.id) && !isControllerRecord(each));
    if (!isHeard) return;
    if (messages.includes("broadcast")) this.#air(address(0xcb, [0, 0, group], cmd1, cmd2), AIR_MS);
    if (messages.includes("cleanup")) this.#air(address(0x41, this.id, cmd1, group), AIR_MS + CLEANUP_MS);
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
      const bytes = this.#rest.slice(0, length);
      this.#rest = this.#rest.slice(length);
      if (this.onCommand(bytes)) this.#command(bytes);
    }
  }

  #command(bytes: readonly number[]): void {
    const [, command = 0] = bytes;
    if (this.faults.busy > 0) {
      this.faults.busy -= 1;
      this.#tell([NAK]);
    } else this.#commands[command]?.(bytes);
  }

  #record(isFirst: boolean, bytes: readonly number[]): void {
    const record = this.links.step(isFirst);
    if (this.faults.lostEchoes > 0 && !isFirst) {
      this.faults.lostEchoes -= 1;
      return;
    }
    this.#tell([...bytes, record ? ACK : NAK]);
    if (this.faults.lateRecords > 0 && this.#toldRecord.length > 0) {
      this.faults.lateRecords -= 1;
      this.#tell(this.#toldRecord);
    }
    this.#toldRecord = record ? [0x02, 0x57, ...record] : [];
    if (record && this.faults.lostRecords === 0) this.#tell([0x02, 0x57, ...record]);
    else if (record) this.faults.lostRecords -= 1;
  }

  #manage(bytes: readonly number[]): void {
    const [code = 0, ...record] = bytes.slice(2);
    const isRefused = this.faults.refusedChanges > 0 && code >= 0x20;
    if (isRefused) this.faults.refusedChanges -= 1;
    const reply = isRefused ? { isAccepted: false } : this.links.manage(code, record);
    this.#tell([...bytes, reply.isAccepted ? ACK : NAK]);
    if (reply.record) this.#tell([0x02, 0x57, ...reply.record]);
  }

  #readCell(bytes: readonly number[]): void {
    const [high = 0, low = 0] = bytes.slice(2);
    const cell = this.links.cell((high << 8) | low);
    this.#tell([...bytes, cell ? ACK : NAK]);
    if (cell) this.#tell([0x02, 0x59, cell.address >> 8, cell.address & 0xff, ...cell.record]);
  }

  #writeCell(bytes: readonly number[]): void {
    const [high = 0, low = 0, ...record] = bytes.slice(2);
    this.#tell([...bytes, this.links.writeCell((high << 8) | low, record) ? ACK : NAK]);
  }

  #endLinkMode(bytes: readonly number[]): void {
    this.#linkMode = null;
    this.#tell([...bytes, ACK]);
  }

  #setLinkMode(bytes: readonly number[]): void {
    const [code = 0, group = 0] = bytes.slice(2);
    this.#linkMode = { code, group, untilMs: this.#clock.elapsed() + LINK_MODE_MS };
    this.#tell([...bytes, ACK]);
  }

  /** @param ownGroup the group that the device controls when the modem is to respond */
  #completeLink(device: SimulatedDevice, ownGroup: number): void {
    if (!this.isLinking || !this.#linkMode) return;
    const { code, group } = this.#linkMode;
    this.#linkMode = null;
    this.#later(LINKING_MS, () => {
      const isController = code !== AS_RESPONDER;
      const linked = isController ? group : ownGroup;
      if (code === DELETE) {
        this.links.remove(group, device.id);
        device.unlink(group, this.id);
      } else if (isController) {
        this.links.put([0xe2, group, ...device.id, ...device.product]);
        device.linkAsResponder(group, this.id);
      } else {
        this.links.put([0xa2, ownGroup, ...device.id, 0, 0, 0]);
        device.linkAsController(ownGroup, this.id);
      }
      const told = code === DELETE ? DELETE : isController ? 1 : 0;
      this.#tell([0x02, 0x53, told, linked, ...device.id, ...(told === 0 ? [0, 0, 0] : device.product)]);
    });
  }

  /** Broadcast, then a cleanup for every member in turn, as the modem's own records name them. */
  #sendToGroup(bytes: readonly number[]): void {
    const [group = 0, cmd1 = 0] = bytes.slice(2);
    const members = this.records.filter(
      (record) => isInUse(record) && isControllerRecord(record) && record[1] === group,
    );
    this.#tell([...bytes, members.length > 0 ? ACK : NAK]);
    if (members.length === 0 || this.faults.sendsNothing) return;
    for (const device of this.#present()) if (!this.#isLost()) device.follow(this.id, group, cmd1);
    members.forEach((record, at) => {
      this.#later(AIR_MS + (at + 1) * CLEANUP_MS, () => this.#cleanUp(record.slice(2, 5), group, cmd1));
    });
    this.#later(AIR_MS + (members.length + 1) * CLEANUP_MS, () => this.#tell([0x02, 0x58, ACK]));
  }

  #cleanUp(id: readonly number[], group: number, cmd1: number): void {
    const device = this.devices.get(id.join(" "));
    const isTaken = device?.hears(this.#clock.elapsed()) && !this.#isLost() && device.follow(this.id, group, cmd1);
    if (isTaken) this.#tell([0x02, 0x50, ...id, ...this.id, 0x67, cmd1, group]);
    else this.#tell([0x02, 0x56, 0x01, group, ...id]);
  }

  #present(): readonly SimulatedDevice[] {
    return [...this.devices.values()].filter((device) => device.hears(this.#clock.elapsed()));
  }

  #deliver(bytes: readonly number[]): void {
    this.#tell([...bytes, ACK]);
    if (this.faults.sendsNothing) return;
    const id = bytes.slice(2, 5);
    const [flags = 0, cmd1 = 0, cmd2 = 0, ...data] = bytes.slice(5);
    const device = this.devices.get(id.join(" "));
    const frame: Frame = data.length > 0 ? { cmd1, cmd2, data } : { cmd1, cmd2 };
    const nowMs = this.#clock.elapsed();
    const reaction = device?.hears(nowMs) && !this.#isLost() ? device.react(frame, this.id, nowMs) : null;
    if (device && reaction) {
      this.#answer(device, reaction, flags & EXTENDED);
      const isLinking = cmd1 === 0x09 || cmd1 === 0x0a;
      if (isLinking && !reaction.answer.refused) this.#completeLink(device, cmd2);
    } else if (this.faults.tellsSilence) {
      this.#later(SILENCE_MS, () => this.#tell([0x02, 0x5c, ...id, ...this.id, 0x20, cmd1, cmd2]));
    }
  }

  #answer(device: SimulatedDevice, { answer, then = [] }: Reaction, extended: number): void {
    const flags = (answer.refused ? 0xa3 : 0x23) | extended;
    const answerMs = extended === 0 ? AIR_MS : 2 * AIR_MS;
    this.#air([0x02, 0x50, ...device.id, ...this.id, flags, answer.cmd1, answer.cmd2], answerMs);
    const waitMs = answer.refused ? LATE_RECORD_MS : answerMs;
    then.forEach(({ kind, cmd1, cmd2, data = [] }, at) => {
      if (kind === "identification") {
        this.#air([0x02, 0x50, ...device.id, ...device.product, 0x83, cmd1, cmd2], IDENTIFICATION_MS);
      } else {
        const delayMs = waitMs + 2 * (at + 1) * AIR_MS;
        this.#air([0x02, 0x51, ...device.id, ...this.id, 0x13, cmd1, cmd2, ...data], delayMs);
      }
    });
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
