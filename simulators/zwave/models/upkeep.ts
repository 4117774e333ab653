/** Maintenance of a device in the network: waking up, associations and their groups, new firmware. */

import { CommandClasses } from "@zwave-js/core";
import { type Answer, type Body, DONE, type Heard, type Model, report, SILENCE } from "../model.ts";

const WAKE_UP = CommandClasses["Wake Up"];
const ASSOCIATION = CommandClasses.Association;
const MULTI_ASSOCIATION = CommandClasses["Multi Channel Association"];
const GROUPS = CommandClasses["Association Group Information"];
const FIRMWARE = CommandClasses["Firmware Update Meta Data"];
const LIFELINE = 1;
const MEMBERS_MAX = 5;

const uint24 = (value: number) => [value >> 16, value >> 8, value].map((byte) => byte & 0xff);
const uint16 = (value: number) => [(value >> 8) & 0xff, value & 0xff];

/** Values: `intervalS`, `receiver`. */
export const wakeUp: Model = {
  cc: WAKE_UP,
  hear(body, { command, payload }) {
    const { values } = body;
    switch (command) {
      case 4:
        values.set(0, WAKE_UP, "intervalS", payload.length >= 3 ? payload.readUIntBE(0, 3) : 0);
        values.set(0, WAKE_UP, "receiver", payload[3] ?? 0);
        return DONE;
      case 5: {
        const interval = values.number(0, WAKE_UP, "intervalS", 3600);
        return report(6, [...uint24(interval), values.number(0, WAKE_UP, "receiver", 0)]);
      }
      case 8:
        body.fallAsleep();
        return SILENCE;
      case 9:
        return report(10, [...uint24(60), ...uint24(86_400), ...uint24(3600), ...uint24(60), 0]);
      default:
        return null;
    }
  },
};

/** Values: `groups` (how many), `members N` (list of node ids). */
export const association: Model = { cc: ASSOCIATION, hear: (body, heard) => associate(body, heard, ASSOCIATION) };
/** Endpoints as members are forgotten: only whom a report would reach is kept. */
export const multiAssociation: Model = {
  cc: MULTI_ASSOCIATION,
  hear: (body, heard) => associate(body, heard, MULTI_ASSOCIATION),
};

const ENDPOINT_MARK = 0;

function associate(body: Body, { endpoint, command, payload }: Heard, cc: number): Answer | null {
  const { values } = body;
  const group = payload[0] || LIFELINE;
  const rest = [...payload.subarray(1)];
  const mark = cc === MULTI_ASSOCIATION ? rest.indexOf(ENDPOINT_MARK) : -1;
  const nodes = mark < 0 ? rest : [...rest.slice(0, mark), ...rest.slice(mark + 1).filter((_, at) => at % 2 === 0)];
  const members = values.list(endpoint, ASSOCIATION, `members ${group}`);
  const keep = (now: readonly number[]) => {
    values.set(endpoint, ASSOCIATION, `members ${group}`, now);
    return DONE;
  };
  switch (command) {
    case 1:
      return keep([...new Set([...members, ...nodes])]);
    case 2:
      return report(3, [group, MEMBERS_MAX, 0, ...members]);
    case 4:
      return keep(nodes.length === 0 ? [] : members.filter((member) => !nodes.includes(member)));
    case 5:
      return report(6, [values.number(endpoint, ASSOCIATION, "groups", 1)]);
    case 11:
      return report(12, [0]);
    default:
      return null;
  }
}

const GENERAL_LIFELINE = [0x00, 0x01];
const NO_PROFILE = [0x00, 0x00];

/** Values: `sends N`, the commands of a group as pairs of class and command. */
export const groupInformation: Model = {
  cc: GROUPS,
  hear({ values }, { endpoint, command, payload }) {
    const group = payload[0] || LIFELINE;
    switch (command) {
      case 1: {
        const name = Buffer.from(group === LIFELINE ? "Lifeline" : `Group ${group}`);
        return report(2, [group, name.length, ...name]);
      }
      case 3: {
        const asked = payload[1] || LIFELINE;
        return report(4, [1, asked, 0, ...(asked === LIFELINE ? GENERAL_LIFELINE : NO_PROFILE), 0, 0, 0]);
      }
      case 5: {
        const asked = payload[1] || LIFELINE;
        const own = values.list(endpoint, GROUPS, `sends ${asked}`);
        const sends = own.length > 0 ? own : [CommandClasses["Device Reset Locally"], 1];
        return report(6, [asked, sends.length, ...sends]);
      }
      default:
        return null;
    }
  },
};

const UPGRADABLE = 0xff;
const NOT_UPGRADABLE = 0;
const FRAGMENT_BYTES = 32;
const VALID = 0xff;
const STORED = 0xff;
const FRAGMENT_AT_ONCE = 1;
/** A request that arrives before the host has received the previous acknowledgement is lost. */
const FRAGMENT_MS = 10;
const LAST = 0x8000;
/** Firmware is taken one fragment after the other, as slow devices do; `image` counts the bytes that came. */
export const firmware: Model = {
  cc: FIRMWARE,
  hear(body, heard) {
    const { values } = body;
    switch (heard.command) {
      case 1:
        return report(2, metaData(body));
      case 3:
        values.set(0, FIRMWARE, "image", 0);
        body.later(() => askFragment(body, 1), FRAGMENT_MS);
        return report(4, [VALID, 0]);
      case 6:
        return takeFragment(body, heard);
      default:
        return null;
    }
  },
};

function metaData(body: Body): readonly number[] {
  const manufacturer = body.values.number(0, FIRMWARE, "manufacturerId", 0xffff);
  const head = [...uint16(manufacturer), ...uint16(1), ...uint16(0xabcd)];
  const isFixed = body.values.number(0, FIRMWARE, "fixed", 0) > 0;
  const version = body.version(0, FIRMWARE);
  const more = version >= 3 ? [isFixed ? NOT_UPGRADABLE : UPGRADABLE, 0, ...uint16(FRAGMENT_BYTES)] : [];
  return [...head, ...more, ...(version >= 5 ? [1] : [])];
}

function askFragment(body: Body, number: number): void {
  body.say(0, FIRMWARE, 5, [FRAGMENT_AT_ONCE, ...uint16(number)]);
}

function takeFragment(body: Body, { payload }: Heard): Answer {
  const { values } = body;
  const head = payload.length >= 2 ? payload.readUInt16BE(0) : 0;
  const CHECKSUM_BYTES = body.version(0, FIRMWARE) >= 2 ? 2 : 0;
  const bytes = payload.length - 2 - CHECKSUM_BYTES;
  values.set(0, FIRMWARE, "image", values.number(0, FIRMWARE, "image", 0) + bytes);
  if (head & LAST) body.say(0, FIRMWARE, 7, [STORED, ...uint16(0)]);
  else body.later(() => askFragment(body, (head & ~LAST) + 1), FRAGMENT_MS);
  return SILENCE;
}
