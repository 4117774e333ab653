/** Operations of a Zigbee network: a device joins, leaves, is interviewed again. */

import { ControllerError } from "../../errors.ts";
import type { Operation } from "../../home/operation.ts";
import { delay } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import { type NumberedDevice, ZIGBEE } from "../exposed/numbered-devices.ts";
import { type OperationInput, type OperationRow, OperationTable } from "../operation-table.ts";
import type { Turn } from "../operations.ts";
import { membersSchema, type SettingSchema } from "../settings-schema.ts";
import type { BridgeEvent } from "./bridge-requests.ts";
import { withDeadline } from "./with-deadline.ts";
import type { ZigbeeBridge } from "./zigbee-bridge.ts";

type ZigbeeTurn = Turn & { readonly running: ZigbeeBridge };
type Kind = OperationRow & {
  readonly work: (turn: ZigbeeTurn, input: OperationInput) => Promise<string>;
};

/** Longest time that Zigbee2MQTT keeps the network open. */
const OPEN_S = 254;
/** Longest interview; it begins up to the end of the time that the network is open. */
const INTERVIEW_MS = 300_000;
const NOTHING_JOINED = "No device joined before the network was closed. Reset the device, and try again close by.";
const NAME_MAX = 200;
const TRANSITION_MAX_S = 600;
const DEBOUNCE_MAX_S = 60;
const NODE: SettingSchema = {
  type: "string",
  title: "Device",
  description: "The address of a node of the device, such as ZB003_1.",
};

const KINDS: Readonly<Record<string, Kind>> = {
  include: {
    name: "Pair a device",
    about: "Opens the network for four minutes. Reset the device so that it looks for a network.",
    input: membersSchema({}),
    work: include,
  },
  exclude: {
    name: "Remove a device",
    about: "Removes a device from the network.",
    input: membersSchema(
      {
        address: NODE,
        force: {
          type: "boolean",
          title: "Force",
          description: "Also when the device does not answer.",
          default: false,
        },
      },
      "address",
    ),
    work: exclude,
  },
  interview: {
    name: "Interview a device",
    about: "Asks a device again what it has. A device with a battery must be awake.",
    input: membersSchema({ address: NODE }, "address"),
    work: interview,
  },
  rename: {
    name: "Rename a device in Zigbee2MQTT",
    about:
      "Gives a device another name in Zigbee2MQTT. Its node takes the name too, unless it has one of its own here.",
    input: membersSchema(
      {
        address: NODE,
        name: { type: "string", title: "Name", description: "The new name.", minLength: 1, maxLength: NAME_MAX },
      },
      ...["address", "name"],
    ),
    work: rename,
  },
  options: {
    name: "Set options of a device in Zigbee2MQTT",
    about: "Changes how Zigbee2MQTT treats a device. What is left out stays as it is.",
    input: membersSchema(
      {
        address: NODE,
        transition: {
          ...{ type: "number", minimum: 0, maximum: TRANSITION_MAX_S },
          title: "Transition",
          description: "Seconds in which a lamp changes its brightness and color.",
        },
        debounce: {
          ...{ type: "number", minimum: 0, maximum: DEBOUNCE_MAX_S },
          title: "Debounce",
          description: "Seconds in which several reports of the device become one.",
        },
        optimistic: {
          type: "boolean",
          title: "Optimistic",
          description: "Whether a command is taken as done before the device reports its state.",
        },
        retain: { type: "boolean", title: "Retain", description: "Whether the broker keeps the state of the device." },
      },
      "address",
    ),
    work: setOptions,
  },
};

export class ZigbeeCommissioning extends OperationTable<ZigbeeBridge, Kind> {
  constructor(running: () => ZigbeeBridge | null) {
    super(KINDS, running);
  }

  protected carryOut(running: ZigbeeBridge, kind: string, { about, work }: Kind, given: OperationInput): Operation {
    const address = typeof given.address === "string" ? given.address : null;
    if (address !== null && !running.devices.find(address)) throw new ControllerError("NODE_NOT_FOUND");
    const ground = { host: running.host, family: ZIGBEE, lost: running.lost.signal, sentenceOf: messageOf };
    return this.operations.begin(ground, kind, address, about, (turn) => work({ ...turn, running }, given));
  }
}

async function include(turn: ZigbeeTurn): Promise<string> {
  const { requests, devices } = turn.running;
  let [isOpen, isFound] = [false, false];
  const joined = heard(turn, ({ type, status, ieee, name }) => {
    if (type === "closed" && isOpen && !isFound) throw new Error(NOTHING_JOINED);
    if (type === "device_joined" || type === "device_interview") isFound = true;
    if (type === "device_joined") turn.tell({ stage: "found", detail: `Found a device: ${name}.` });
    if (type !== "device_interview") return null;
    if (status === "started") turn.tell({ stage: "interviewing", detail: `Asking ${name} what it is.` });
    if (status === "failed") throw new Error(`${name} did not say what it is. Reset it, and try again close by.`);
    return status === "successful" ? ieee : null;
  });
  try {
    await requests.send("permit_join", { time: OPEN_S }, turn.signal);
    isOpen = true;
    turn.tell({ stage: "waiting", detail: "The network is open. Reset the device so that it looks for a network." });
    const { clock } = turn.running.host;
    const closes = delay(clock, OPEN_S * 1000, turn.signal).then(() => {
      if (!isFound) throw new Error(NOTHING_JOINED);
      return joined;
    });
    const sentence = "The device did not say what it is in time. Reset it, and try again close by.";
    const first = Promise.race([joined, closes]);
    const ieee = await withDeadline(clock, first, OPEN_S * 1000 + INTERVIEW_MS, sentence, turn.signal);
    const device = devices.all().find((each) => each.device.id === ieee);
    turn.tell({ address: device?.nodes[0]?.address ?? null });
    return device ? `${device.device.topic} is paired.` : "The device is paired. Zigbee2MQTT does not support it.";
  } finally {
    requests.listen(null);
    void requests.send("permit_join", { time: 0 }, turn.running.lost.signal).catch(() => {});
  }
}

async function exclude(turn: ZigbeeTurn, { address, force }: OperationInput): Promise<string> {
  const { requests, devices } = turn.running;
  const device = deviceOf(turn, address);
  turn.tell({ stage: "working", detail: "Asking the device to leave the network." });
  try {
    await requests.send("device/remove", { id: device.device.id, force: force === true }, turn.signal);
  } catch (error) {
    // With force also a device that Zigbee2MQTT does not list any more.
    if (force !== true || turn.signal.aborted) throw error;
  }
  devices.remove(device);
  return `${device.device.topic} has left the network.`;
}

async function interview(turn: ZigbeeTurn, { address }: OperationInput): Promise<string> {
  const device = deviceOf(turn, address);
  turn.tell({ stage: "interviewing", detail: "Asking the device what it has." });
  await turn.running.requests.send("device/interview", { id: device.device.id }, turn.signal, INTERVIEW_MS);
  return `${device.device.topic} was interviewed.`;
}

async function rename(turn: ZigbeeTurn, { address, name }: OperationInput): Promise<string> {
  const { id, topic } = deviceOf(turn, address).device;
  turn.tell({ stage: "working", detail: "Asking Zigbee2MQTT to rename the device." });
  await turn.running.requests.send("device/rename", { from: id, to: name, homeassistant_rename: false }, turn.signal);
  return `${topic} is called ${String(name)} in Zigbee2MQTT.`;
}

async function setOptions(turn: ZigbeeTurn, { address, ...options }: OperationInput): Promise<string> {
  const { id, topic } = deviceOf(turn, address).device;
  turn.tell({ stage: "working", detail: "Asking Zigbee2MQTT to change the options." });
  await turn.running.requests.send("device/options", { id, options }, turn.signal);
  return `The options of ${topic} are set.`;
}

function deviceOf({ running }: ZigbeeTurn, address: unknown): NumberedDevice {
  const found = running.devices.find(String(address));
  if (!found) throw new ControllerError("NODE_NOT_FOUND");
  return found.device;
}

/** The first event of which the reader makes a value. */
function heard<T>({ running }: ZigbeeTurn, read: (event: BridgeEvent) => T | null): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  running.requests.listen((event) => {
    try {
      const value = read(event);
      if (value !== null) resolve(value);
    } catch (error) {
      reject(error as Error);
    }
  });
  // A request that fails before ends the operation first.
  promise.catch(() => {});
  return promise;
}
