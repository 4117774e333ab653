/** Queries for the status of a node, and the values that the answers carry. */

import type { DeviceMessage } from "../line/messages.ts";
import { FULL, type NodeMessage } from "./commands.ts";
import type { DeviceNode, Role } from "./products.ts";

export type Values = Readonly<Record<string, number>>;

export type StatusQuery = NodeMessage & {
  /** The device sends its data after the acknowledgement. */
  readonly hasReply: boolean;
  read(node: DeviceNode, cmd2: number, data: Uint8Array): Values;
};

const STATUS = 0x19;
const SETTINGS = 0x2e;

const status = (cmd2: number, read: (answer: number, node: DeviceNode) => number): StatusQuery => ({
  cmd1: STATUS,
  cmd2,
  hasReply: false,
  read: (node, answer) => ({ ST: read(answer, node) }),
});

const onOff = (isOn: boolean) => (isOn ? FULL : 0);
/** A bit for each button of a keypad, and for each half of an outlet. */
const BITS = status(1, (bits, { suffix }) => onOff(((bits >> (Number.parseInt(suffix, 16) - 1)) & 1) === 1));
const LEVEL = status(0, (level) => level);

const CLIMATE: StatusQuery = {
  cmd1: SETTINGS,
  cmd2: 2,
  data: [],
  protection: "crc",
  hasReply: true,
  read: (_node, _cmd2, data) => climateOf(data),
};

/** Adapters of Venstar thermostats do not know the query. */
const REPORTING_ONLY = "TempLinc";

const QUERIES: Readonly<Record<Role, StatusQuery | null>> = {
  dimmer: LEVEL,
  motor: LEVEL,
  relay: status(0, (level) => onOff(level > 0)),
  "lower-outlet": BITS,
  fan: status(3, (level) => level),
  button: BITS,
  input: status(1, (level) => onOff(level > 0)),
  thermostat: CLIMATE,
  sensor: null,
  x10: null,
  other: null,
};

/** null: the node's values come by its own messages only. */
export function statusQuery({ role, nodeDefId }: DeviceNode): StatusQuery | null {
  return nodeDefId === REPORTING_ONLY ? null : QUERIES[role];
}

/** On level and ramp rate of a dimmer. */
export function settingsQuery(node: DeviceNode): StatusQuery {
  return {
    cmd1: SETTINGS,
    cmd2: 0,
    data: [Number.parseInt(node.suffix, 16)],
    hasReply: true,
    read: (_node, _cmd2, data) => ({ RR: (data[6] ?? 0) & 0x1f, OL: data[7] ?? FULL }),
  };
}

export function isSettings({ cmd1, data, type }: DeviceMessage): boolean {
  return cmd1 === SETTINGS && data !== null && type === "direct";
}

/** The thermostat's own numbers: off, auto, heat, cool, program. */
const MODES: readonly number[] = [0, 3, 1, 2, 5];
const FAN = { on: 7, auto: 8 } as const;
const STATE = { idle: 0, heating: 1, cooling: 2 } as const;
const SCALE = { celsius: 1, fahrenheit: 2 } as const;
const FLAG = { cooling: 1, heating: 2, celsius: 8 } as const;

function climateOf(data: Uint8Array): Values {
  const [modes = 0, cool = 0, humidity = 0, high = 0, low = 0, flags = 0, heat = 0] = data.subarray(5);
  const tenthsCelsius = (((high << 8) | low) << 16) >> 16;
  const isCelsius = (flags & FLAG.celsius) !== 0;
  const degrees = isCelsius ? tenthsCelsius / 10 : (tenthsCelsius * 9) / 50 + 32;
  return {
    ST: Math.round(degrees * 2),
    CLISPC: cool * 2,
    CLISPH: heat * 2,
    CLIHUM: humidity,
    CLIMD: MODES[modes >> 4] ?? 0,
    CLIFS: (modes & 0x0f) === 0 ? FAN.auto : FAN.on,
    CLIHCS: (flags & FLAG.cooling) !== 0 ? STATE.cooling : (flags & FLAG.heating) !== 0 ? STATE.heating : STATE.idle,
    UOM: isCelsius ? SCALE.celsius : SCALE.fahrenheit,
  };
}
