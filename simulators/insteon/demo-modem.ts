/**
 * The Insteon network of the demo: a modem with a dozen devices. While the modem links, the SET button of the next new device is
 * pressed; while it unlinks, that of the newest device.
 */

import { every, type SimulatorClock } from "../clock.ts";
import type { DeviceKind, DevicePlan, SimulatedDevice } from "./simulated-device.ts";
import { SimulatedModem } from "./simulated-modem.ts";

/** How often something happens. */
const STEP_MS = 10_000;
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
const MOTION = plan("motion", 0x17);
const LEAK = plan("leak", 0x18);
const DOOR = plan("door", 0x19);
const HOUSE: readonly DevicePlan[] = [
  LAMP,
  KEYPAD,
  plan("relay", 0x13, 1),
  plan("outlet", 0x14),
  plan("fan", 0x15),
  plan("thermostat", 0x16),
  MOTION,
  LEAK,
  DOOR,
  plan("io", 0x1a, 0),
  plan("dimmer", 0x1b, 1),
];
const DRAWER: readonly DevicePlan[] = [
  plan("relay", 0x21),
  plan("dimmer", 0x22),
  plan("leak", 0x23),
  plan("keypad", 0x24),
];

/** One after the other, then from the first again. */
const HAPPENINGS: readonly (readonly [plan: DevicePlan, group: number, isOn: (step: number) => boolean])[] = [
  [MOTION, 1, () => true],
  [KEYPAD, LAMP_BUTTON, (step) => step % 2 === 0],
  [DOOR, 1, (step) => step % 2 === 0],
  [LAMP, 1, (step) => step % 2 === 1],
  [LEAK, 4, () => true],
  [MOTION, 1, () => false],
];

type DemoClock = SimulatorClock & { elapsed(): number };

/** @param isStill devices act only on request */
export function createDemoModem(clock: DemoClock, isStill: boolean): SimulatedModem {
  const modem = new SimulatedModem(clock, HOUSE);
  modem.device(KEYPAD.id).linkAsController(LAMP_BUTTON, LAMP.id);
  modem.device(LAMP.id).linkAsResponder(LAMP_BUTTON, KEYPAD.id);
  if (!isStill) happen(modem, clock);
  watchLinking(modem, clock);
  return modem;
}

/** A person uses the paddle or button of a node, or a sensor senses: the load moves, and the device says so. */
export function actAtDevice(modem: SimulatedModem, device: SimulatedDevice, group: number, isOn: boolean): void {
  if (device.hasLoad(group)) device.levels.set(group, isOn ? device.onLevel : 0);
  modem.press(device, group, isOn ? ON : OFF);
}

function happen(modem: SimulatedModem, clock: DemoClock): void {
  let step = 0;
  every(clock, STEP_MS, () => {
    const [at, group, isOn] = HAPPENINGS[step % HAPPENINGS.length] ?? [LAMP, 1, () => true];
    const device = modem.devices.get(at.id.join(" "));
    if (device) actAtDevice(modem, device, group, isOn(Math.floor(step / HAPPENINGS.length)));
    step += 1;
  });
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
