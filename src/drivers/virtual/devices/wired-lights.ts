/** Family 1, lights and loads: dimmer, relay, outlet, keypad with its buttons, ceiling fan, blind motor. */

import {
  BY_ITSELF,
  type CommandHandler,
  type DeviceNode,
  type Models,
  type NodeModel,
  type Occasion,
  type Reaction,
  type ReceivedCommand,
} from "../device-model.ts";
import { type Lamp, lampCommands, lampHandlers, lampLife, PADDLE } from "./lamp.ts";
import {
  asByte,
  clamp,
  displayed,
  FULL,
  inner,
  level,
  mainParameter,
  parameter,
  RAMP_DEFAULT,
  rampMs,
  reading,
} from "./quantities.ts";

const KEYPAD_TYPE = "1.65.69.0";
const BUTTONS: readonly (readonly [suffix: string, label: string])[] = [
  ["3", "A"],
  ["4", "B"],
  ["5", "C"],
  ["6", "D"],
];

/** A dimmer of family 1: level byte, on level OL, ramp rate RR by index. */
const wiredLamp: Lamp = {
  full: FULL,
  onLevel(node, received) {
    const given = parameter(received) ?? parameter(received, "OL");
    return given ? asByte(given) : node.value("OL");
  },
  rampMs(node, received) {
    const given = parameter(received, "RR");
    return rampMs(given ? displayed(given) : node.value("RR"));
  },
};

/** A blind travels: the level is how far it is open, DUR the seconds from closed to open. */
const travel: Lamp = {
  full: FULL,
  onLevel(_node, received) {
    const given = mainParameter(received);
    return given ? asByte(given) : FULL;
  },
  rampMs: (node) => node.value("DUR") * 1000,
};

/** A relay knows on and off; a level only says which. */
const relayLamp: Lamp = {
  full: FULL,
  onLevel(_node, received) {
    const given = mainParameter(received);
    return given && asByte(given) === 0 ? 0 : FULL;
  },
  rampMs: () => 0,
};

/** Commands that every device of family 1 accepts. */
export const wiredCommon: Readonly<Record<string, Reaction>> = {
  BEEP: counted("beeps"),
  WDU: (node) => node.write(),
};

/** Something that leaves no other trace, such as a beep. */
export function counted(id: string): Reaction {
  return (node, { occasion }) => node.change({ [id]: node.value(id) + 1 }, occasion);
}

/** A setting that is written into the device: brightness of its lights, on level, ramp rate. */
export function written(id: string, read: (given: Parameters<typeof asByte>[0]) => number): Reaction {
  return (node, received) => {
    const given = mainParameter(received);
    if (!given) return;
    node.write();
    node.change({ [id]: read(given) }, received.occasion);
  };
}

const lights = { BL: written("BL", displayed), LED: written("LED", displayed) };
const innerLights = [inner("BL", 50), inner("LED", 1), inner("beeps", 0)];
const onLevel = { OL: written("OL", asByte) };
const rampRate = { RR: written("RR", (given) => clamp(displayed(given), 0, 31)) };

type Paddle = { readonly nodeDefId: string; readonly type: string; readonly presses: readonly string[] };

function dimmerNode({ nodeDefId, type, presses }: Paddle): NodeModel {
  const actions = lampHandlers(wiredLamp, presses);
  return {
    nodeDefId,
    type,
    properties: [level("ST", 0), level("OL", FULL), reading("RR", 25, 0, RAMP_DEFAULT), ...innerLights],
    commands: { ...lampCommands(wiredLamp), ...wiredCommon, ...lights, ...onLevel, ...rampRate },
    actions,
    life: lampLife(actions),
  };
}

function relayNode({ nodeDefId, type, presses }: Paddle): NodeModel {
  const actions = lampHandlers(relayLamp, presses);
  return {
    nodeDefId,
    type,
    properties: [level("ST", 0), ...innerLights],
    commands: { ...lampCommands(relayLamp), ...wiredCommon, ...lights },
    actions,
    life: lampLife(actions),
  };
}

/** A button: its light follows the press; it has no load of its own. */
function buttonNode([suffix, label]: (typeof BUTTONS)[number]): NodeModel {
  const actions = PADDLE.map((press): [string, CommandHandler] => [
    press,
    (node, value) => {
      node.send(press, value);
      const light = { DON: FULL, DFON: FULL, DOF: 0, DFOF: 0 }[press as string];
      if (light !== undefined) node.change({ ST: light }, BY_ITSELF);
    },
  ]);
  return {
    suffix,
    label,
    nodeDefId: "KeypadButton_ADV",
    type: KEYPAD_TYPE,
    properties: [level("ST", 0), ...innerLights],
    commands: { ...lampCommands(relayLamp), ...wiredCommon, ...lights },
    actions: Object.fromEntries(actions),
  };
}

const blindActions = lampHandlers(travel, PADDLE);
const travelling = lampCommands(travel);

/** Closes, or goes to the position that is given. */
function lower(node: DeviceNode, received: ReceivedCommand): void {
  const move = mainParameter(received) ? travelling.DON : travelling.FDDOWN;
  move?.(node, received);
}

const blindNode: NodeModel = {
  nodeDefId: "DimmerMotorSwitch_ADV",
  type: "14.1.65.0",
  properties: [level("ST", FULL), reading("DUR", 58, 0, 18), ...innerLights],
  commands: { ...travelling, ...wiredCommon, ...lights, DUR: written("DUR", displayed), FDDOWN: lower },
  actions: blindActions,
};

/** Low, medium, high. */
const SPEEDS: readonly number[] = [63, 191, FULL];
const SPEED_OF = { DON: 191, DOF: 0, DFON: FULL, DFOF: 0 } as const;

/** The motor of a ceiling fan. Of a pull of its chain it reports only the speed. */
const fanMotor: NodeModel = {
  suffix: "2",
  label: "Motor",
  nodeDefId: "FanLincMotor",
  type: "1.46.69.0",
  properties: [level("ST", 0), inner("beeps", 0)],
  commands: {
    ...wiredCommon,
    ...atSpeeds(
      (speed): Reaction =>
        (node, { occasion }) =>
          turn(node, speed, occasion),
    ),
    DON(node, received) {
      const given = mainParameter(received);
      turn(node, given ? asByte(given) : SPEED_OF.DON, received.occasion);
    },
  },
  actions: atSpeeds(
    (speed): CommandHandler =>
      (node) =>
        turn(node, speed, BY_ITSELF),
  ),
};

function atSpeeds<T>(make: (speed: number) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(SPEED_OF).map(([command, speed]) => [command, make(speed)]));
}

/** Anything above zero runs at least slowly. */
function turn(node: DeviceNode, wanted: number, occasion: Occasion): void {
  const nearer = (best: number, speed: number) => (Math.abs(speed - wanted) < Math.abs(best - wanted) ? speed : best);
  node.change({ ST: wanted <= 0 ? 0 : SPEEDS.reduce(nearer) }, occasion);
}

export const WIRED_LIGHTS = {
  dimmer: {
    nodes: [dimmerNode({ nodeDefId: "DimmerLampSwitch_ADV", type: "1.32.69.0", presses: [...PADDLE, "BRT", "DIM"] })],
  },
  relay: { nodes: [relayNode({ nodeDefId: "RelayLampSwitch_ADV", type: "2.42.69.0", presses: PADDLE })] },
  outlet: { nodes: [relayNode({ nodeDefId: "RelayLampSwitch_ADV", type: "2.57.68.0", presses: PADDLE })] },
  keypad: {
    nodes: [
      dimmerNode({ nodeDefId: "KeypadDimmer_ADV", type: KEYPAD_TYPE, presses: PADDLE }),
      ...BUTTONS.map(buttonNode),
    ],
  },
  fan: { nodes: [dimmerNode({ nodeDefId: "DimmerLampOnly", type: "1.46.69.0", presses: [] }), fanMotor] },
  blind: { nodes: [blindNode] },
} satisfies Models;
