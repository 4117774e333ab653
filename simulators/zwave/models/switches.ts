/** Switches and covers: Basic, Binary Switch, Multilevel Switch, Barrier Operator. */

import { CommandClasses } from "@zwave-js/core";
import { type Answer, type Body, bitMask, DONE, type Heard, type Model, REFUSED, report } from "../model.ts";

const BINARY = CommandClasses["Binary Switch"];
const MULTILEVEL = CommandClasses["Multilevel Switch"];
const BASIC = CommandClasses.Basic;
const BARRIER = CommandClasses["Barrier Operator"];
const LEVEL_MAX = 99;
const ON = 0xff;
const DOWN_FLAG = 0x40;
/** How long a barrier moves. */
const BARRIER_MS = 300;

/** Answers to Basic as the device's own kind of switch, as devices do. */
export const basic: Model = {
  cc: BASIC,
  hear(body, { endpoint, command, payload }) {
    const own = [MULTILEVEL, BINARY].find((cc) => body.version(endpoint, cc) > 0);
    if (command === 1) {
      const value = payload[0] ?? 0;
      if (own === MULTILEVEL) return setLevel(body, endpoint, value);
      if (own === BINARY) return setOn(body, endpoint, value > 0);
      body.values.set(endpoint, BASIC, "value", value);
      return DONE;
    }
    return command === 2 ? report(3, [basicValue(body, endpoint, own)]) : null;
  },
  state: (body, endpoint) => ({ command: 3, payload: [body.values.number(endpoint, BASIC, "value", 0)] }),
};

function basicValue({ values }: Body, endpoint: number, own: number | undefined): number {
  if (own === MULTILEVEL) return values.number(endpoint, MULTILEVEL, "level", 0);
  if (own === BINARY) return values.number(endpoint, BINARY, "on", 0) > 0 ? ON : 0;
  return values.number(endpoint, BASIC, "value", 0);
}

export const binarySwitch: Model = {
  cc: BINARY,
  hear(body, { endpoint, command, payload }) {
    if (command === 1) return setOn(body, endpoint, (payload[0] ?? 0) > 0);
    return command === 2 ? report(3, binaryState(body, endpoint)) : null;
  },
  state: (body, endpoint) => ({ command: 3, payload: binaryState(body, endpoint) }),
};

function binaryState(body: Body, endpoint: number): readonly number[] {
  const value = body.values.number(endpoint, BINARY, "on", 0) > 0 ? ON : 0;
  return body.version(endpoint, BINARY) >= 2 ? [value, value, 0] : [value];
}

/** The root of a strip switches all its outlets. */
function setOn(body: Body, endpoint: number, on: boolean): Answer {
  body.values.set(endpoint, BINARY, "on", on);
  for (const outlet of outletsOf(body, endpoint, BINARY)) {
    body.values.set(outlet, BINARY, "on", on);
    body.report(outlet, BINARY);
  }
  body.report(endpoint, BINARY);
  return DONE;
}

function outletsOf(body: Body, endpoint: number, cc: number): readonly number[] {
  return endpoint === 0 ? body.endpoints.filter((outlet) => body.version(outlet, cc) > 0) : [];
}

export const multilevelSwitch: Model = {
  cc: MULTILEVEL,
  hear(body, heard) {
    const { endpoint, command, payload } = heard;
    switch (command) {
      case 1:
        return setLevel(body, endpoint, payload[0] ?? 0);
      case 2:
        return report(3, levelState(body, endpoint));
      case 4:
        return moveTo(body, endpoint, (payload[0] ?? 0) & DOWN_FLAG ? 0 : LEVEL_MAX, travelMsOf(body, endpoint, 2000));
      case 5:
        return stopMoving(body, endpoint);
      default:
        return null;
    }
  },
  state: (body, endpoint) => ({ command: 3, payload: levelState(body, endpoint) }),
};

function levelState(body: Body, endpoint: number): readonly number[] {
  const level = levelNow(body, endpoint);
  const target = movementOf(body, endpoint)?.target ?? level;
  return body.version(endpoint, MULTILEVEL) >= 4 ? [level, target, target === level ? 0 : 1] : [level];
}

function setLevel(body: Body, endpoint: number, wanted: number): Answer {
  const { values } = body;
  if (wanted > LEVEL_MAX && wanted !== ON) return REFUSED;
  const target = wanted === ON ? values.number(endpoint, MULTILEVEL, "lastLevel", LEVEL_MAX) : wanted;
  return moveTo(body, endpoint, target, travelMsOf(body, endpoint, 0));
}

function travelMsOf({ values }: Body, endpoint: number, fallback: number): number {
  return values.number(endpoint, MULTILEVEL, "travelMs", fallback);
}

type Movement = { readonly from: number; readonly target: number; readonly fromMs: number; readonly travelMs: number };

const movements = new WeakMap<Body["values"], Map<number, Movement>>();

function movementOf({ values }: Body, endpoint: number): Movement | undefined {
  return movements.get(values)?.get(endpoint);
}

function levelNow(body: Body, endpoint: number): number {
  const movement = movementOf(body, endpoint);
  if (!movement) return body.values.number(endpoint, MULTILEVEL, "level", 0);
  const { from, target, fromMs, travelMs } = movement;
  const way = ((performance.now() - fromMs) / travelMs) * LEVEL_MAX;
  const level = Math.round(from + Math.sign(target - from) * way);
  return target > from ? Math.min(level, target) : Math.max(level, target);
}

function moveTo(body: Body, endpoint: number, target: number, travelMs: number): Answer {
  const from = levelNow(body, endpoint);
  if (travelMs === 0 || from === target) {
    settle(body, endpoint, target);
    return DONE;
  }
  const movement = { from, target, fromMs: performance.now(), travelMs };
  const own = movements.get(body.values) ?? new Map<number, Movement>();
  movements.set(body.values, own.set(endpoint, movement));
  const durationMs = (Math.abs(target - from) / LEVEL_MAX) * travelMs;
  body.later(() => {
    if (movementOf(body, endpoint) === movement) settle(body, endpoint, target);
  }, durationMs);
  return { kind: "done", durationMs };
}

function stopMoving(body: Body, endpoint: number): Answer {
  settle(body, endpoint, levelNow(body, endpoint));
  return DONE;
}

function settle(body: Body, endpoint: number, level: number): void {
  movements.get(body.values)?.delete(endpoint);
  body.values.set(endpoint, MULTILEVEL, "level", level);
  if (level > 0) body.values.set(endpoint, MULTILEVEL, "lastLevel", level);
  body.report(endpoint, MULTILEVEL);
}

const CLOSED = 0;
const CLOSING = 0xfc;
const OPENING = 0xfe;

export const barrier: Model = {
  cc: BARRIER,
  hear(body, heard) {
    const { endpoint, command } = heard;
    switch (command) {
      case 1:
        return moveBarrier(body, heard);
      case 2:
        return report(3, [body.values.number(endpoint, BARRIER, "state", CLOSED)]);
      case 4:
        return report(5, bitMask([1, 2], 1));
      case 6:
        body.values.set(endpoint, BARRIER, `signal ${heard.payload[0] ?? 0}`, heard.payload[1] ?? 0);
        return DONE;
      case 7:
        return report(8, [heard.payload[0] ?? 0, signalOf(body, heard)]);
      default:
        return null;
    }
  },
  state: (body, endpoint) => ({ command: 3, payload: [body.values.number(endpoint, BARRIER, "state", CLOSED)] }),
};

function signalOf({ values }: Body, { endpoint, payload }: Heard): number {
  return values.number(endpoint, BARRIER, `signal ${payload[0] ?? 0}`, ON);
}

function moveBarrier(body: Body, { endpoint, payload }: Heard): Answer {
  const target = payload[0] ?? 0;
  if (target !== CLOSED && target !== ON) return REFUSED;
  if (body.values.number(endpoint, BARRIER, "state", CLOSED) === target) return DONE;
  body.values.set(endpoint, BARRIER, "state", target === CLOSED ? CLOSING : OPENING);
  body.report(endpoint, BARRIER);
  body.later(() => {
    body.values.set(endpoint, BARRIER, "state", target);
    body.report(endpoint, BARRIER);
  }, BARRIER_MS);
  return { kind: "done", durationMs: BARRIER_MS };
}
