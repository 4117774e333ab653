/** Door locks, keypads, and remotes with scenes. User codes are the library's mock's own. */

import { CommandClasses } from "@zwave-js/core";
import { type Body, bitMask, DONE, type Model, REFUSED, report } from "../model.ts";

const LOCK = CommandClasses["Door Lock"];
const SCENES = CommandClasses["Central Scene"];
const ENTRY = CommandClasses["Entry Control"];
const UNSECURED = 0;
const SECURED = 0xff;
const ALL_HANDLES = 0xff;
const NO_TIMEOUT = 0xfe;
const CONSTANT = 1;
const DOOR_CLOSED = 1;
const BOLT_OPEN = 2;
const LATCH_CLOSED = 4;

/** Values: `mode`, `configuration` as it is sent; `jams` makes it refuse. */
export const doorLock: Model = {
  cc: LOCK,
  hear(body, { endpoint, command, payload }) {
    if (command === 2) return report(3, lockState(body, endpoint));
    if (command === 4) {
      body.values.set(endpoint, LOCK, "configuration", [...payload]);
      return DONE;
    }
    if (command === 5) return report(6, lockConfiguration(body, endpoint));
    if (command !== 1) return null;
    const mode = payload[0] ?? UNSECURED;
    if (body.values.number(endpoint, LOCK, "jams", 0) > 0 && mode === SECURED) return REFUSED;
    body.values.set(endpoint, LOCK, "mode", mode);
    body.report(endpoint, LOCK);
    return DONE;
  },
  state: (body, endpoint) => ({ command: 3, payload: lockState(body, endpoint) }),
};

/** Stays as it is set; no handle opens the door by itself. */
function lockConfiguration({ values }: Body, endpoint: number): readonly number[] {
  const told = values.list(endpoint, LOCK, "configuration");
  return told.length > 0 ? told : [CONSTANT, 0, NO_TIMEOUT, NO_TIMEOUT];
}

function lockState(body: Body, endpoint: number): readonly number[] {
  const mode = body.values.number(endpoint, LOCK, "mode", UNSECURED);
  const condition = DOOR_CLOSED | LATCH_CLOSED | (mode === SECURED ? 0 : BOLT_OPEN);
  const now = [mode, ALL_HANDLES, condition, NO_TIMEOUT, NO_TIMEOUT];
  return body.version(endpoint, LOCK) >= 3 ? [...now, mode, 0] : now;
}

/** Values: `scenes` (how many), `keys` (list of key attributes of every scene), `sequence`. */
export const centralScene: Model = {
  cc: SCENES,
  hear(body, { endpoint, command }) {
    const { values } = body;
    switch (command) {
      case 1: {
        const keys = bitMask(values.list(endpoint, SCENES, "keys"));
        const ALIKE = 1;
        return report(2, [values.number(endpoint, SCENES, "scenes", 1), (keys.length << 1) | ALIKE, ...keys]);
      }
      case 4:
        return DONE;
      case 5:
        return report(6, [0]);
      default:
        return null;
    }
  },
};

/** The characters of a keypad's digits. */
const DIGITS = [...Buffer.from("0123456789")];
const ASCII = 2;
const RAW = 1;
const CODES_MAX = 32;

/** Values: `events` (list of supported ones), `cacheSize` (characters held until they are sent), `cacheS`. */
export const entryControl: Model = {
  cc: ENTRY,
  hear({ values }, { endpoint, command, payload }) {
    switch (command) {
      case 2: {
        const keys = bitMask(DIGITS);
        return report(3, [keys.length, ...keys]);
      }
      case 4: {
        const [data, events] = [bitMask([0, RAW, ASCII]), bitMask(values.list(endpoint, ENTRY, "events"))];
        return report(5, [data.length, ...data, events.length, ...events, 1, CODES_MAX, 1, 10]);
      }
      case 6:
        values.set(endpoint, ENTRY, "cacheSize", payload[0] ?? 1);
        values.set(endpoint, ENTRY, "cacheS", payload[1] ?? 0);
        return DONE;
      case 7:
        return report(8, [values.number(endpoint, ENTRY, "cacheSize", 4), values.number(endpoint, ENTRY, "cacheS", 5)]);
      default:
        return null;
    }
  },
};
