/** A command class with numbered setpoints: each can be set within a range, and read. */

import type { CommandClasses } from "@zwave-js/core";
import {
  type Answer,
  type Body,
  DONE,
  decodeFloat,
  encodeFloat,
  type Heard,
  type Model,
  REFUSED,
  report,
} from "../model.ts";
import type { Values } from "../values.ts";

export type SetpointClass = {
  readonly cc: CommandClasses;
  /** The setpoints' scale, least and greatest value, and the value before one is set. */
  range(values: Values, endpoint: number): SetpointRange;
  /** The report for a setpoint that the device does not have. */
  readonly unknown: readonly number[];
  /** Answers what the class has besides. */
  readonly hear?: Model["hear"];
};
type SetpointRange = { readonly scale: number; readonly min: number; readonly max: number; readonly initial: number };

const TYPE_MASK = 0x0f;

/** Values: `setpoint N`. */
export function setpointModel(own: SetpointClass): Model {
  const { cc, range, unknown, hear } = own;
  const now = (body: Body, endpoint: number, type: number) => setpointReport(own, body, endpoint, type);
  const set = (body: Body, { endpoint, payload }: Heard, type: number): Answer => {
    const wanted = decodeFloat(payload.subarray(1));
    const { min, max } = range(body.values, endpoint);
    if (!wanted || wanted.value < min || wanted.value > max) return REFUSED;
    body.values.set(endpoint, cc, `setpoint ${type}`, wanted.value);
    body.say(endpoint, cc, 3, now(body, endpoint, type));
    return DONE;
  };
  return {
    cc,
    hear(body, heard) {
      const { endpoint, command, payload } = heard;
      const type = (payload[0] ?? 0) & TYPE_MASK;
      const isKnown = setpointTypes(body, endpoint, cc).includes(type);
      if (command === 1) return isKnown ? set(body, heard, type) : REFUSED;
      if (command === 2) return report(3, isKnown ? now(body, endpoint, type) : unknown);
      return hear?.(body, heard) ?? null;
    },
  };
}

export function setpointReport(
  { cc, range }: SetpointClass,
  { values }: Body,
  endpoint: number,
  type: number,
): readonly number[] {
  const { scale, initial } = range(values, endpoint);
  return [type, ...encodeFloat(values.number(endpoint, cc, `setpoint ${type}`, initial), scale)];
}

export function setpointTypes({ values }: Body, endpoint: number, cc: CommandClasses): readonly number[] {
  return values
    .names(endpoint, cc)
    .flatMap((name) => /^setpoint (\d+)$/.exec(name)?.[1] ?? [])
    .map(Number);
}
