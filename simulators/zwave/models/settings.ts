/** Small things that a device keeps for its owner: its clock, its light, and whether its buttons and its radio are locked. */

import { CommandClasses } from "@zwave-js/core";
import { type Body, bitMask, DONE, type Model, report } from "../model.ts";

const CLOCK = CommandClasses.Clock;
const INDICATOR = CommandClasses.Indicator;
const PROTECTION = CommandClasses.Protection;

/** Values: `day` (weekday in the upper three bits, hour below, as sent) and `minute`. The clock does not advance. */
export const clock: Model = {
  cc: CLOCK,
  hear({ values }, { endpoint, command, payload }) {
    switch (command) {
      case 4:
        values.set(endpoint, CLOCK, "day", payload[0] ?? 0);
        values.set(endpoint, CLOCK, "minute", payload[1] ?? 0);
        return DONE;
      case 5:
        return report(6, [values.number(endpoint, CLOCK, "day", 0), values.number(endpoint, CLOCK, "minute", 0)]);
      default:
        return null;
    }
  },
};

/** Values: `value` of the one light of the oldest version. The mock handles the additions of newer versions. */
export const indicator: Model = {
  cc: INDICATOR,
  hear(body, { endpoint, command, payload }) {
    const [value = 0, more = 0] = payload;
    if (command === 1) {
      if (more === 0) body.values.set(endpoint, INDICATOR, "value", value);
      return DONE;
    }
    if (command !== 2 || value !== 0) return null;
    const now = body.values.number(endpoint, INDICATOR, "value", 0);
    return report(3, body.version(endpoint, INDICATOR) === 1 ? [now] : [now, 0]);
  },
};

const LEVELS_OF_BUTTONS = [0, 1, 2];
const LEVELS_OF_RADIO = [0, 1];
const NIBBLE = 0x0f;

/** Values: `local` and `radio`, 0 for unprotected. It knows neither time limits nor one controller above others. */
export const protection: Model = {
  cc: PROTECTION,
  hear(body, { endpoint, command, payload }) {
    switch (command) {
      case 1:
        body.values.set(endpoint, PROTECTION, "local", (payload[0] ?? 0) & NIBBLE);
        body.values.set(endpoint, PROTECTION, "radio", (payload[1] ?? 0) & NIBBLE);
        body.report(endpoint, PROTECTION);
        return DONE;
      case 2:
        return report(3, protectionNow(body, endpoint));
      case 4:
        return report(5, [0, ...bitMask(LEVELS_OF_BUTTONS), 0, ...bitMask(LEVELS_OF_RADIO), 0]);
      default:
        return null;
    }
  },
  state: (body, endpoint) => ({ command: 3, payload: protectionNow(body, endpoint) }),
};

function protectionNow(body: Body, endpoint: number): readonly number[] {
  const local = body.values.number(endpoint, PROTECTION, "local", 0);
  const radio = body.values.number(endpoint, PROTECTION, "radio", 0);
  return body.version(endpoint, PROTECTION) >= 2 ? [local, radio] : [local];
}
