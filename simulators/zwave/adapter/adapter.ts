/**
 * The adapter of the simulated network, in the bytes of its serial interface: it carries commands between host and
 * devices, includes and excludes devices, keeps routes, and has a memory that can be read and written.
 * `adapter-requests.ts` has its reaction to each request.
 */

import { CommandClass } from "@zwave-js/cc";
import type { SimulatorClock } from "../../clock.ts";
import type { MockController, SerialLine } from "../mocks.ts";
import type { SimulatedDevice } from "../simulated-device.ts";

const START = 0x01;
const REQUEST = 0x00;
const RESPONSE = 0x01;
/** Length byte, kind, function and checksum. */
const FRAME_OVERHEAD = 3;

export type AdapterKeys = {
  readonly S0_Legacy: Uint8Array<ArrayBuffer>;
  readonly S2_Unauthenticated: Uint8Array<ArrayBuffer>;
  readonly S2_Authenticated: Uint8Array<ArrayBuffer>;
  readonly S2_AccessControl: Uint8Array<ArrayBuffer>;
};

export type AdapterOptions = {
  readonly homeId: number;
  readonly keys: AdapterKeys;
  /** From here on nodes are numbered. */
  readonly firstNodeId: number;
  /** Milliseconds that a frame is under way. */
  readonly frameMs: number;
  /** Milliseconds after which a frame without an acknowledgement fails. */
  readonly noAckMs: number;
  /** For what devices do by themselves. */
  readonly clock: SimulatorClock;
};

/** The device that an inclusion or exclusion waits for. */
type Mode =
  | { readonly kind: "idle" }
  | { readonly kind: "adding"; readonly callbackId: number; readonly joined: number | null }
  | { readonly kind: "listening" }
  | { readonly kind: "removing"; readonly callbackId: number }
  | { readonly kind: "replacing"; readonly callbackId: number; readonly nodeId: number };

export class Adapter {
  readonly controller: MockController;
  readonly options: AdapterOptions;
  readonly devices = new Map<number, SimulatedDevice>();
  mode: Mode = { kind: "idle" };
  /** The radio finds no free moment: nothing is sent. */
  isJammed = false;
  /** Another controller is the primary one, so this adapter includes and excludes no devices. */
  isSecondary = false;
  /** How many of the next frames of the host are refused as damaged. */
  refusedFrames = 0;
  /** Devices that announced themselves by the key printed on them. */
  readonly announced = new Map<string, () => void>();
  /** Every device that was ever part of the network: a memory that is written back may name it again. */
  readonly known = new Map<number, SimulatedDevice>();
  /** Its memory while it is open, and whether something was written into it. */
  memory: { readonly bytes: Buffer; isWritten: boolean } | null = null;
  readonly line: SerialLine;
  readonly #watchers = new Set<(functionType: number) => void>();

  constructor(controller: MockController, line: SerialLine, options: AdapterOptions) {
    this.controller = controller;
    this.line = line;
    this.options = options;
  }

  /** Takes note of a request of the host. */
  note(functionType: number): void {
    for (const tell of [...this.#watchers]) tell(functionType);
  }

  /** Resolves with the next request of this kind. */
  hears(functionType: number): Promise<void> {
    return new Promise((resolve) => {
      const tell = (heard: number) => {
        if (heard !== functionType) return;
        this.#watchers.delete(tell);
        resolve();
      };
      this.#watchers.add(tell);
    });
  }

  admit(device: SimulatedDevice): void {
    this.devices.set(device.id, device);
    this.known.set(device.id, device);
    this.controller.addNode(device.node);
  }

  /** The device is a node no longer. */
  forget(device: SimulatedDevice): void {
    device.stop();
    this.devices.delete(device.id);
    this.controller.removeNode(device.node);
  }

  respond(functionType: number, payload: readonly number[] | Uint8Array): Promise<void> {
    return this.#send(RESPONSE, functionType, payload);
  }

  callBack(functionType: number, payload: readonly number[] | Uint8Array): Promise<void> {
    return this.#send(REQUEST, functionType, payload);
  }

  /** Reads a command as the device reads it, in its own encryption. */
  parse(device: SimulatedDevice, bytes: Buffer): Promise<CommandClass> {
    return CommandClass.parse(Uint8Array.from(bytes), {
      sourceNodeId: this.controller.ownNodeId,
      __internalIsMockNode: true,
      ...device.node.encodingContext,
      ...device.node.securityManagers,
      frameType: "singlecast",
    });
  }

  /** In one piece with the host's acknowledgement, so that frames stay in order. */
  async #send(kind: number, functionType: number, payload: readonly number[] | Uint8Array): Promise<void> {
    const body = Uint8Array.of(payload.length + FRAME_OVERHEAD, kind, functionType, ...payload);
    const checksum = body.reduce((sum, byte) => sum ^ byte, 0xff);
    await this.controller.sendToHost(Uint8Array.of(START, ...body, checksum));
  }

  /** A single byte: acknowledged, or refused as damaged. */
  tell(byte: number): void {
    this.controller.mockPort.emitData(Uint8Array.of(byte));
  }
}
