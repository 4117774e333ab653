/**
 * The adapter's reaction to each request of the host: a row per function of the serial interface. The library's mock
 * answers functions without a row.
 */

import type { SimulatedDevice } from "../simulated-device.ts";
import type { Adapter } from "./adapter.ts";
import { closeMemory, openMemory } from "./adapter-memory.ts";

type Request = { readonly adapter: Adapter; readonly functionType: number; readonly payload: Buffer };
type Work = (request: Request) => Promise<void>;

const TRANSMITTED = 0x00;
const NO_ACK = 0x01;
const FAILED = 0x02;
const TICK_MS = 10;
/** Bit mask of 232 nodes. */
const NODE_MASK_BYTES = 29;

/** @returns null for a function that is the mock's own. */
export function handleRequest(adapter: Adapter, functionType: number, payload: Buffer): (() => Promise<void>) | null {
  const work = REQUESTS.get(functionType);
  return work ? () => work({ adapter, functionType, payload }) : null;
}

const REQUESTS: ReadonlyMap<number, Work> = new Map([
  [0x10, async ({ adapter, functionType }) => adapter.respond(functionType, [1])], // Receiver on and off
  [0x13, sendData],
  [0x14, sendMulticast],
  [0x16, async () => {}], // Abort of what is being sent: it is out already
  [0x3b, async ({ adapter, functionType }) => adapter.respond(functionType, [0xa1, 0xa2, 0xa3])], // Noise, −95 … −93 dBm
  [0x3d, accessMemory],
  [0x42, hardReset],
  [0x46, changeRoute],
  [0x47, changeRoute],
  [0x48, updateNeighbours],
  [0x4a, addNode],
  [0x4b, removeNode],
  [0x51, changeRoute],
  [0x55, changeRoute],
  [0x60, requestNodeInfo],
  [0x61, removeFailed],
  [0x62, isFailed],
  [0x63, replaceFailed],
  [0x80, neighbours],
]);

/** Functions of the mock: the adapter's identity, its capabilities, and a soft restart. */
const FUNCTIONS_OF_MOCK = [0x02, 0x05, 0x07, 0x08, 0x15, 0x20, 0x41, 0x56];

export const SUPPORTED_FUNCTIONS: readonly number[] = [...FUNCTIONS_OF_MOCK, ...REQUESTS.keys()];

/** True when a frame arrives there now. One that sleeps lightly is woken by a beam. */
function reaches(device: SimulatedDevice | undefined): device is SimulatedDevice {
  return device?.condition === "awake";
}

async function sendData({ adapter, functionType, payload }: Request): Promise<void> {
  const nodeId = payload[0] ?? 0;
  const length = payload[1] ?? 0;
  const command = payload.subarray(2, 2 + length);
  const callbackId = payload[3 + length] ?? 0;
  await adapter.respond(functionType, [1]);
  const status = await transmit(adapter, [nodeId], command);
  if (callbackId !== 0) await adapter.callBack(functionType, [callbackId, status, ...transmission(adapter, status)]);
}

async function sendMulticast({ adapter, functionType, payload }: Request): Promise<void> {
  const count = payload[0] ?? 0;
  const nodeIds = [...payload.subarray(1, 1 + count)];
  const length = payload[1 + count] ?? 0;
  const command = payload.subarray(2 + count, 2 + count + length);
  const callbackId = payload[3 + count + length] ?? 0;
  await adapter.respond(functionType, [1]);
  const status = await transmit(adapter, nodeIds, command);
  if (callbackId !== 0) await adapter.callBack(functionType, [callbackId, status]);
}

async function transmit(adapter: Adapter, nodeIds: readonly number[], command: Buffer): Promise<number> {
  const { frameMs, noAckMs } = adapter.options;
  const devices = nodeIds.map((id) => adapter.devices.get(id));
  if (adapter.isJammed) return FAILED;
  await pause(frameMs);
  if (!devices.every(reaches)) {
    await pause(noAckMs);
    return NO_ACK;
  }
  for (const device of devices) {
    // An unreadable frame is acknowledged too, because the device's radio received it.
    const read = await adapter.parse(device, command).catch(() => null);
    if (read) device.take(read);
  }
  return TRANSMITTED;
}

/** How a frame went: ten milliseconds a tick, the strength of the answer, no repeaters, 100 kbit/s. */
function transmission(adapter: Adapter, status: number): readonly number[] {
  // A frame that never left the adapter has no transmit time, which is how drivers recognize a jammed adapter.
  const ticks = status === FAILED ? 0 : Math.max(1, Math.round(adapter.options.frameMs / TICK_MS));
  const ACK_RSSI = status === TRANSMITTED ? 0xc4 : 0x7f;
  const NOT_AVAILABLE = 0x7f;
  const RATE_100K = 3;
  const repeaters = [0, 0, 0, 0];
  return [0, ticks, 0, ACK_RSSI, ...repeaters.map(() => NOT_AVAILABLE), 0, 0, 0, ...repeaters, RATE_100K, 1, 0, 0];
}

async function requestNodeInfo({ adapter, functionType, payload }: Request): Promise<void> {
  const device = adapter.devices.get(payload[0] ?? 0);
  await adapter.respond(functionType, [1]);
  await pause(adapter.options.frameMs);
  const APPLICATION_UPDATE = 0x49;
  const RECEIVED = 0x84;
  const REQUEST_FAILED = 0x81;
  if (reaches(device)) await adapter.callBack(APPLICATION_UPDATE, [RECEIVED, device.id, ...nodeInfo(device)]);
  else await adapter.callBack(APPLICATION_UPDATE, [REQUEST_FAILED, 0, 0]);
}

const BASIC = 0x20;
const CONTROL_MARK = 0xef;

/** Length, classes of the device, command classes. Classes that require encryption are not announced without it. */
export function nodeInfo({ plan, node }: SimulatedDevice): readonly number[] {
  const open = [...node.implementedCCs].filter(([cc, { secure }]) => cc !== BASIC && !secure);
  const supported = open.filter(([, info]) => info.isSupported).map(([cc]) => cc);
  const controlled = open.filter(([, info]) => info.isControlled).map(([cc]) => cc);
  const classes = controlled.length === 0 ? supported : [...supported, CONTROL_MARK, ...controlled];
  return [3 + classes.length, plan.basic, plan.generic, plan.specific, ...classes];
}

async function changeRoute({ adapter, functionType, payload }: Request): Promise<void> {
  const device = adapter.devices.get(payload[0] ?? 0);
  await adapter.respond(functionType, [1]);
  await pause(adapter.options.frameMs);
  await adapter.callBack(functionType, [payload.at(-1) ?? 0, reaches(device) ? TRANSMITTED : NO_ACK]);
}

async function updateNeighbours({ adapter, functionType, payload }: Request): Promise<void> {
  const STARTED = 0x21;
  const DONE = 0x22;
  const UPDATE_FAILED = 0x23;
  const [nodeId = 0, callbackId = 0] = payload;
  await adapter.callBack(functionType, [callbackId, STARTED]);
  await pause(adapter.options.frameMs);
  await adapter.callBack(functionType, [callbackId, reaches(adapter.devices.get(nodeId)) ? DONE : UPDATE_FAILED]);
}

/** All awake devices are neighbors of each other. */
async function neighbours({ adapter, functionType, payload }: Request): Promise<void> {
  const mask = new Uint8Array(NODE_MASK_BYTES);
  const heard = [adapter.controller.ownNodeId, ...[...adapter.devices.values()].filter(reaches).map(({ id }) => id)];
  for (const id of heard.filter((one) => one !== payload[0]))
    mask[(id - 1) >> 3] = (mask[(id - 1) >> 3] ?? 0) | (1 << ((id - 1) & 7));
  await adapter.respond(functionType, mask);
}

const READY = 1;
const DONE = 6;
const MODE_FAILED = 7;
const MODE_MASK = 0x0f;
const STOP = 5;

async function addNode({ adapter, functionType, payload }: Request): Promise<void> {
  const mode = (payload[0] ?? 0) & MODE_MASK;
  const callbackId = payload[1] ?? 0;
  const SMART_START_DSK = 8;
  const SMART_START_LISTEN = 9;
  if (mode === SMART_START_LISTEN) {
    adapter.mode = { kind: "listening" };
    return;
  }
  if (mode === STOP) {
    const joined = adapter.mode.kind === "adding" ? adapter.mode.joined : null;
    const wasBusy = adapter.mode.kind === "adding" || adapter.mode.kind === "replacing";
    adapter.mode = { kind: "idle" };
    if (callbackId === 0) return;
    // Without a new node there is nothing to name; the mode is left all the same.
    await adapter.callBack(functionType, [callbackId, wasBusy || joined !== null ? DONE : MODE_FAILED, joined ?? 0, 0]);
    return;
  }
  if (adapter.isSecondary || adapter.mode.kind === "adding" || adapter.mode.kind === "removing") {
    await adapter.callBack(functionType, [callbackId, MODE_FAILED, 0, 0]);
    return;
  }
  adapter.mode = { kind: "adding", callbackId, joined: null };
  await adapter.callBack(functionType, [callbackId, READY]);
  if (mode === SMART_START_DSK) adapter.announced.get(payload.subarray(2, 6).toString("hex"))?.();
}

async function removeNode({ adapter, functionType, payload }: Request): Promise<void> {
  const mode = (payload[0] ?? 0) & MODE_MASK;
  const callbackId = payload[1] ?? 0;
  if (mode === STOP) {
    adapter.mode = { kind: "idle" };
    if (callbackId !== 0) await adapter.callBack(functionType, [callbackId, DONE, 0, 0]);
    return;
  }
  if (adapter.isSecondary) {
    await adapter.callBack(functionType, [callbackId, MODE_FAILED, 0, 0]);
    return;
  }
  adapter.mode = { kind: "removing", callbackId };
  await adapter.callBack(functionType, [callbackId, READY]);
}

const NODE_NOT_FOUND = 0x08;

async function removeFailed({ adapter, functionType, payload }: Request): Promise<void> {
  const NODE_OK = 0;
  const REMOVED = 1;
  const [nodeId = 0, callbackId = 0] = payload;
  const device = adapter.devices.get(nodeId);
  await adapter.respond(functionType, [device ? 0 : NODE_NOT_FOUND]);
  if (!device) return;
  if (reaches(device)) return adapter.callBack(functionType, [callbackId, NODE_OK]);
  adapter.forget(device);
  return adapter.callBack(functionType, [callbackId, REMOVED]);
}

async function isFailed({ adapter, functionType, payload }: Request): Promise<void> {
  await adapter.respond(functionType, [reaches(adapter.devices.get(payload[0] ?? 0)) ? 0 : 1]);
}

async function replaceFailed({ adapter, functionType, payload }: Request): Promise<void> {
  const NODE_OK = 0;
  const READY_TO_REPLACE = 3;
  const [nodeId = 0, callbackId = 0] = payload;
  const device = adapter.devices.get(nodeId);
  await adapter.respond(functionType, [device ? 0 : NODE_NOT_FOUND]);
  if (!device) return;
  if (reaches(device)) return adapter.callBack(functionType, [callbackId, NODE_OK]);
  adapter.mode = { kind: "replacing", callbackId, nodeId };
  return adapter.callBack(functionType, [callbackId, READY_TO_REPLACE]);
}

async function hardReset({ adapter, functionType, payload }: Request): Promise<void> {
  for (const device of [...adapter.devices.values()]) adapter.forget(device);
  await adapter.callBack(functionType, [payload[0] ?? 0]);
}

async function accessMemory({ adapter, functionType, payload }: Request): Promise<void> {
  const OPEN = 0;
  const READ = 1;
  const WRITE = 2;
  const END = 0xff;
  const ALL_OPERATIONS = 0x0f;
  const CHUNK_BYTES = 240;
  if (payload[0] === OPEN) adapter.memory = await openMemory(adapter);
  const memory = adapter.memory?.bytes ?? Buffer.alloc(0);
  const asked = payload[1] ?? 0;
  const offset = payload.length >= 6 ? payload.readUInt32BE(2) : 0;
  const answer = (status: number, place: number, bytes: Uint8Array) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(place);
    return adapter.respond(functionType, [status, bytes.length, ...head, ...bytes]);
  };
  switch (payload[0]) {
    case OPEN:
      return answer(0, memory.length, Uint8Array.of(ALL_OPERATIONS));
    case READ: {
      const bytes = memory.subarray(offset, offset + Math.min(asked, CHUNK_BYTES));
      return answer(offset + bytes.length >= memory.length ? END : 0, offset, bytes);
    }
    case WRITE:
      if (adapter.memory) adapter.memory.isWritten = true;
      payload.copy(memory, offset, 6, 6 + asked);
      return answer(offset + asked >= memory.length ? END : 0, offset, new Uint8Array());
    default:
      await closeMemory(adapter).catch(() => {}); // Not a memory: the adapter stays as it was.
      return answer(0, 0, new Uint8Array());
  }
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
