/** The siren of family 1: it sounds for as long as it is set to, and can be armed with a delay. */

import {
  BY_ITSELF,
  type CommandHandler,
  type DeviceModel,
  type DeviceNode,
  type Occasion,
  type Reaction,
} from "../device-model.ts";
import { displayed, FULL, inner, level, mainParameter, reading } from "./quantities.ts";
import { wiredCommon, written } from "./wired-lights.ts";

const DISARMED = 0;
/** The default arming, for people at home and for people away. */
const ARMED_ALWAYS = 4;

/** @param seconds by default what it is set to. */
function sound(node: DeviceNode, occasion: Occasion, seconds = node.value("DUR")): void {
  node.change({ ST: FULL }, occasion);
  node.after(seconds * 1000, () => node.change({ ST: 0 }, BY_ITSELF));
}

function silence(node: DeviceNode, occasion: Occasion): void {
  node.halt(occasion);
  node.change({ ST: 0 }, occasion);
}

/** Armed once the countdown is over. */
const arm: Reaction = (node, received) => {
  const mode = mainParameter(received)?.value ?? ARMED_ALWAYS;
  node.after(node.value("DELAY") * 1000, () => node.change({ MODE: mode }, BY_ITSELF));
};

function disarm(node: DeviceNode, occasion: Occasion): void {
  silence(node, occasion);
  node.change({ MODE: DISARMED }, occasion);
}

const switched: Reaction = (node, received) => {
  const given = mainParameter(received);
  if (!given) sound(node, received.occasion);
  else if (given.value === 0) silence(node, received.occasion);
  else sound(node, received.occasion, displayed(given));
};

const testButton: Readonly<Record<string, CommandHandler>> = {
  DFON(node) {
    node.send("DFON");
    sound(node, BY_ITSELF);
  },
  DFOF(node) {
    node.send("DFOF");
    silence(node, BY_ITSELF);
  },
};

export const siren: DeviceModel = {
  nodes: [
    {
      nodeDefId: "Siren_ADV",
      type: "7.30.68.0",
      properties: [
        level("ST", 0),
        reading("MODE", 25, 0, DISARMED),
        reading("DELAY", 58, 0, 30),
        reading("DUR", 58, 0, 60),
        inner("beeps", 0),
      ],
      commands: {
        ...wiredCommon,
        DON: switched,
        DOF: (node, { occasion }) => silence(node, occasion),
        ARM: arm,
        DISARM: (node, { occasion }) => disarm(node, occasion),
        DUR: written("DUR", displayed),
        DELAY: written("DELAY", displayed),
      },
      actions: testButton,
    },
  ],
};
