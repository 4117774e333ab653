/**
 * The one file that imports the library's mocks. They are public, but change in minor versions. This file contains
 * all repairs of them, and the rest of the simulation uses only its exports.
 */

import type { CommandClass } from "@zwave-js/cc";
import * as classes from "@zwave-js/cc";
import { createAndOpenMockedZWaveSerialPort } from "@zwave-js/serial/mock";
import {
  createMockZWaveRequestFrame,
  MockController,
  MockNode,
  MockZWaveFrameType,
  type MockZWaveRequestFrame,
} from "@zwave-js/testing";
import { createDefaultMockControllerBehaviors, createDefaultMockNodeBehaviors } from "zwave-js/Testing";

export type { MockController, MockNode };
export type MockNodeBehavior = Parameters<MockNode["defineBehavior"]>[number];
export type MockNodeOptions = Omit<Parameters<typeof MockNode.create>[0], "controller">;
export type MockNodeResponse = Exclude<Awaited<ReturnType<NonNullable<MockNodeBehavior["handleCC"]>>>, undefined>;
type ControllerOptions = Parameters<typeof MockController.create>[0];

/** The host's side of the serial line of a mock adapter. */
export type SerialLine = {
  /** One whole frame, or one byte of ACK, NAK or CAN. */
  write(frame: Uint8Array): Promise<void>;
  /** Everything that the adapter says, as it says it. */
  listen(hear: (bytes: Uint8Array) => void): void;
  close(): Promise<void>;
};

type MockAdapter = { readonly controller: MockController; readonly line: SerialLine };

export async function createMockAdapter(
  options: Omit<ControllerOptions, "mockPort" | "serial">,
  hear: (frame: Uint8Array) => boolean,
): Promise<MockAdapter> {
  mendParsing();
  const { port, serial } = await createAndOpenMockedZWaveSerialPort();
  const controller = await MockController.create({ ...options, mockPort: port, serial });
  // A host that is gone acknowledges nothing; the mock would throw in a timer, outside of any `try`.
  const expectAck = controller.expectHostACK.bind(controller);
  controller.expectHostACK = (timeout, message) => expectAck(timeout, message).catch(() => {});
  controller.defineBehavior(...createDefaultMockControllerBehaviors());
  controller.defineBehavior({ onHostData: (_controller, bytes) => hear(bytes) });
  const line: SerialLine = {
    write: (frame) => serial.writeAsync(Uint8Array.from(frame)),
    listen: (receive) => void pump(serial.readable, receive).catch(() => {}), // It ends with the line.
    close: async () => {
      controller.destroy();
      port.destroy();
      await serial.close().catch(() => {});
    },
  };
  return { controller, line };
}

async function pump(
  frames: AsyncIterable<{ readonly data: unknown }>,
  hear: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const { data } of frames) {
    if (typeof data === "number") hear(Uint8Array.of(data));
    else if (data instanceof Uint8Array) hear(data);
  }
}

export async function createMockNode(controller: MockController, options: MockNodeOptions): Promise<MockNode> {
  const node = await MockNode.create({ ...options, controller });
  node.defineBehavior(...createDefaultMockNodeBehaviors());
  // The adapter says whether a frame arrived; the mock's own acknowledgement would take a second when it does not.
  node.autoAckControllerFrames = false;
  return node;
}

/** Hands a command to the node as if it had come over the air. Its answers come by themselves. */
export function deliver(node: MockNode, payload: CommandClass, fail: (error: unknown) => void): void {
  const type = MockZWaveFrameType.Request as const;
  node.onControllerFrame({ type, repeaters: [], ackRequested: false, payload }).catch(fail);
}

/** The node sends a command by itself. */
export async function emit(node: MockNode, command: CommandClass): Promise<void> {
  await node.sendToController(createMockZWaveRequestFrame(command, { ackRequested: false }));
}

/** Waits for a command that the adapter delivers to the node. @throws when it does not come in time. */
export async function awaitDelivery<C extends CommandClass>(
  node: MockNode,
  isIt: (command: CommandClass) => command is C,
  timeoutMs: number,
): Promise<C> {
  let found: C | undefined;
  const isFrame = (frame: { type: MockZWaveFrameType; payload?: CommandClass }): frame is MockZWaveRequestFrame => {
    if (frame.type === MockZWaveFrameType.Request && frame.payload && isIt(frame.payload)) found = frame.payload;
    return found !== undefined;
  };
  await node.expectControllerFrame(isFrame, { timeout: timeoutMs });
  if (!found) throw new Error("The frame that was awaited has no command.");
  return found;
}

/** Commands that a controller sends but the library cannot read, because only devices have to. */
const UNREAD = [
  "BarrierOperatorCCEventSignalingGet",
  "BarrierOperatorCCEventSignalingSet",
  "BarrierOperatorCCSet",
  "CentralSceneCCConfigurationSet",
  "ClockCCSet",
  "EntryControlCCConfigurationSet",
  "FirmwareUpdateMetaDataCCReport",
  "HumidityControlModeCCSet",
  "HumidityControlSetpointCCCapabilitiesGet",
  "HumidityControlSetpointCCGet",
  "HumidityControlSetpointCCScaleSupportedGet",
  "HumidityControlSetpointCCSet",
  "ThermostatFanModeCCSet",
] as const;

let isMended = false;

function mendParsing(): void {
  if (isMended) return;
  isMended = true;
  for (const name of UNREAD) {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the names are a list, and nothing of this is bundled.
    Object.defineProperty(classes[name], "from", { value: classes.CommandClass.from.bind(classes.CommandClass) });
  }
}
