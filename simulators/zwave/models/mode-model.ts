/** A command class with a list of modes: the mode can be set and read, and the list can be read. */

import type { CommandClasses } from "@zwave-js/core";
import { type Body, bitMask, DONE, type Model, REFUSED, report } from "../model.ts";

type ModeClass = {
  readonly cc: CommandClasses;
  /** The bits of the first byte that are the mode. */
  readonly mask: number;
  /** Further effects in the device after the mode was set. */
  readonly onSet?: (body: Body, endpoint: number) => void;
};

/** Values: `mode` (default 0), `modes` (list). */
export function modeModel({ cc, mask, onSet }: ModeClass): Model {
  const now = ({ values }: Body, endpoint: number) => [values.number(endpoint, cc, "mode", 0)];
  return {
    cc,
    hear(body, { endpoint, command, payload }) {
      const modes = body.values.list(endpoint, cc, "modes");
      switch (command) {
        case 1: {
          const mode = (payload[0] ?? 0) & mask;
          if (!modes.includes(mode)) return REFUSED;
          body.values.set(endpoint, cc, "mode", mode);
          body.report(endpoint, cc);
          onSet?.(body, endpoint);
          return DONE;
        }
        case 2:
          return report(3, now(body, endpoint));
        case 4:
          return report(5, bitMask(modes));
        default:
          return null;
      }
    },
    state: (body, endpoint) => ({ command: 3, payload: now(body, endpoint) }),
  };
}

/**
 * The present activity of a device, which is read-only. Values: `state` (default 0). @param get the command that
 * reads it.
 */
export function stateModel(cc: CommandClasses, get: number): Model {
  const now = ({ values }: Body, endpoint: number) => [values.number(endpoint, cc, "state", 0)];
  return {
    cc,
    hear: (body, { endpoint, command }) => (command === get ? report(get + 1, now(body, endpoint)) : null),
    state: (body, endpoint) => ({ command: get + 1, payload: now(body, endpoint) }),
  };
}
