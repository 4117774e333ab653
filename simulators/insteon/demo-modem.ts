/**
 * The Insteon network of the demo: a modem with a dozen devices. While the modem links, the SET button of the next new device is
 * pressed; while it unlinks, that of the newest device.
 */

import { every, type SimulatorClock } from "../clock.ts";
import type { DeviceKind, DevicePlan, SimulatedDevice } from "./simulated-device.ts";
import { SimulatedModem } from "./simulated-modem.ts";

/** How often the modem is looked at. */
const LOOK_MS = 500;
/** Looks that a person takes to walk to the device. */
const WALK_LOOKS = 6;

const ON = 0x11;
const OFF = 0x13;
/** Of the keypad, for the lamp: `import-scenes` finds it. */
const LAMP_BUTTON = 3;

const plan = (kind: DeviceKind, last: number, engine: 0 | 1 | 2 = 2): DevicePlan => ({
  id: [0x2d, 0x40, last],
  kind,
  engine,
});

const LAMP = plan("dimmer", 0x11);
const KEYPAD = plan("keypad", 0x12);
const HOUSE: readonly DevicePlan[] = [
  LAMP,
  KEYPAD,
  plan("relay", 0x13, 1),
  plan("outlet", 0x14),
  plan("fan", 0x15),
  plan("thermostat", 0x16),
  plan("motion", 0x17),
  plan("leak", 0x18),
  plan("door", 0x19),
  plan("io", 0x1a, 0),
  plan("dimmer", 0x1b, 1),
];
const DRAWER: readonly DevicePlan[] = [
  plan("relay", 0x21),
  plan("dimmer", 0x22),
  plan("leak", 0x23),
  plan("keypad", 0x24),
];

type DemoClock = SimulatorClock & { elapsed(): number };

export function createDemoModem(clock: DemoClock): SimulatedModem {
  const modem = new SimulatedModem(clock, HOUSE);
  modem.device(KEYPAD.id).linkAsController(LAMP_BUTTON, LAMP.id);
  modem.device(LAMP.id).linkAsResponder(LAMP_BUTTON, KEYPAD.id);
  watchLinking(modem, clock);
  return modem;
}

/** A person uses the paddle or button of a node, or a sensor senses: the load moves, and the device says so. */
export function actAtDevice(modem: SimulatedModem, device: SimulatedDevice, group: number, isOn: boolean): void {
  if (device.hasLoad(group)) device.levels.set(group, isOn ? device.onLevel : 0);
  modem.press(device, group, isOn ? ON : OFF);
}

function watchLinking(modem: SimulatedModem, clock: DemoClock): void {
  let looks = 0;
  let taken = 0;
  every(clock, LOOK_MS, () => {
    looks = modem.isLinking ? looks + 1 : 0;
    if (looks !== WALK_LOOKS) return;
    const newest = [...modem.devices.values()].at(-1);
    const next = DRAWER[taken];
    if (modem.isUnlinking && newest) modem.pressSet(newest);
    else if (next) {
      taken += 1;
      modem.pressSet(modem.place(next));
    }
  });
}
