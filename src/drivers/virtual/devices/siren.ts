/** The siren of family 1: it sounds for as long as it is set to, and can be armed with a delay. */

import {
  BY_ITSELF,
  type DeviceModel,
  type DeviceNode,
  type Handling,
  type Occasion,
  type Reaction,
} from "../device-model.ts";
import { queried } from "./lamp.ts";
import { asByte, displayed, ERR, FULL, inner, level, mainParameter, reading } from "./quantities.ts";
import { wiredCommon, written } from "./wired-lights.ts";

const MODE = { off: 0, siren: 2, armDelay: 3 } as const;

function sound(node: DeviceNode, occasion: Occasion): void {
  node.change({ ST: FULL }, occasion);
  node.after(node.value("DUR") * 1000, () => node.change({ ST: 0 }, BY_ITSELF));
}

function silence(node: DeviceNode, occasion: Occasion): void {
  node.halt(occasion);
  node.change({ ST: 0 }, occasion);
}

/** Armed once the countdown is over. */
function arm(node: DeviceNode, occasion: Occasion): void {
  node.change({ MODE: MODE.armDelay }, occasion);
  node.after(node.value("DELAY") * 1000, () => node.change({ MODE: MODE.siren }, BY_ITSELF));
}

function disarm(node: DeviceNode, occasion: Occasion): void {
  silence(node, occasion);
  node.change({ MODE: MODE.off }, occasion);
}

const switched: Reaction = (node, wish) => {
  const given = mainParameter(wish);
  if (given && asByte(given) === 0) silence(node, wish.occasion);
  else sound(node, wish.occasion);
};

const testButton: Readonly<Record<string, Handling>> = {
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
      suffix: "1",
      label: "",
      nodeDefId: "Siren_ADV",
      type: "7.30.68.0",
      devtype: null,
      properties: [
        level("ST", 0),
        reading("MODE", 25, 0, MODE.off),
        reading("DELAY", 58, 0, 30),
        reading("DUR", 58, 0, 60),
        ERR,
        inner("beeps", 0),
      ],
      commands: {
        ...wiredCommon,
        QUERY: queried,
        DON: switched,
        DOF: (node, { occasion }) => silence(node, occasion),
        ARM: (node, { occasion }) => arm(node, occasion),
        DISARM: (node, { occasion }) => disarm(node, occasion),
        DUR: written("DUR", displayed),
        DELAY: written("DELAY", displayed),
      },
      hands: testButton,
    },
  ],
};
