/** The door lock of families 4 and 12. Its user codes are kept by the driver; here is only what the bolt does. */

import { BOLT } from "../../../profile/state-shapes.ts";
import { BY_ITSELF, type DeviceNode, type Occasion, type ParameterModel, type Reaction } from "../device-model.ts";
import { BATTERY, displayed, mainParameter, reading } from "./quantities.ts";
import { RADIO_CARE, radioDevice, radioNode } from "./radio-definitions.ts";
import { radioCommon } from "./radio-lights.ts";

const LOCKED = BOLT.numberOf("locked");
const UNLOCKED = BOLT.numberOf("unlocked");

/** What moved the bolt, as values of uom 15. */
export const LOCK_ALARM = {
  keyLocked: 4,
  keyUnlocked: 6,
  remotelyLocked: 8,
  remotelyUnlocked: 9,
  userDeleted: 19,
  userAdded: 20,
  keypadUnlocked: 24,
} as const;

const CODE_SLOTS = 30;

const PARAMETERS: readonly ParameterModel[] = [
  { number: 3, size: 1, value: -1 },
  { number: 4, size: 2, value: 180 },
  { number: 16, size: 4, value: 0 },
];

function turnBolt(node: DeviceNode, lock: boolean, alarm: number, occasion: Occasion): void {
  node.change({ ST: lock ? LOCKED : UNLOCKED, ALARM: alarm }, occasion);
}

const locked: Reaction = (node, { occasion }) => turnBolt(node, true, LOCK_ALARM.remotelyLocked, occasion);
const unlocked: Reaction = (node, { occasion }) => turnBolt(node, false, LOCK_ALARM.remotelyUnlocked, occasion);

const bolt = radioNode({
  row: {
    id: "0111",
    name: "Door Lock",
    properties: "ST:*_LOCK_STS ALARM:*_LOCK_ALARM USRNUM:_70_0_R_0_255 BATLVL:_51_0_R_0_100 ERR:*_ERR!",
    accepts: `SECMD(*_SECMD) LOCK UNLOCK ${RADIO_CARE}`,
  },
  generic: "4.64.3",
  manufacturer: "297.1.2",
  properties: [
    reading("ST", BOLT.uom, 0, LOCKED),
    reading("ALARM", 15, 0, LOCK_ALARM.keyLocked),
    reading("USRNUM", 70, 0, 0),
    BATTERY,
  ],
  commands: {
    ...radioCommon,
    LOCK: locked,
    UNLOCK: unlocked,
    SECMD(node, received) {
      const given = mainParameter(received);
      if (given && displayed(given) === 0) unlocked(node, received);
      else locked(node, received);
    },
  },
  actions: {
    LOCK: (node) => turnBolt(node, true, LOCK_ALARM.keyLocked, BY_ITSELF),
    UNLOCK: (node) => turnBolt(node, false, LOCK_ALARM.keyUnlocked, BY_ITSELF),
    /** A user's code on the keypad; the value is the user's slot. */
    CODE(node, slot) {
      node.change({ USRNUM: slot }, BY_ITSELF);
      turnBolt(node, false, LOCK_ALARM.keypadUnlocked, BY_ITSELF);
    },
  },
  life: {
    pace: "occasional",
    live(node, { minuteOfDay, roll }) {
      const night = minuteOfDay >= 22 * 60 || minuteOfDay < 6 * 60;
      const isLocked = node.value("ST") === LOCKED;
      if (isLocked && !night && roll < 0.3) turnBolt(node, false, LOCK_ALARM.keyUnlocked, BY_ITSELF);
      else if (!isLocked) turnBolt(node, true, LOCK_ALARM.keyLocked, BY_ITSELF);
    },
  },
});

export const radioLock = radioDevice([bolt], { parameters: PARAMETERS, codeSlots: CODE_SLOTS });
