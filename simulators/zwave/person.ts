/** The actions that a person or the environment can do at a simulated device, from the device's command classes. */

import {
  dimByHand,
  enterCode,
  openByHand,
  pressButton,
  senseLeak,
  senseMotion,
  switchByHand,
  turnBolt,
} from "./device-acts.ts";
import type { ClassName, EndpointPlan } from "./device-plan.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

type PersonAction = (device: SimulatedDevice, endpoint: number, value: number) => Promise<void>;
type Actions = Readonly<Record<string, PersonAction>>;

const LEVEL_MAX = 99;
const OF_CLASS: Readonly<Partial<Record<ClassName, Actions>>> = {
  "Binary Switch": {
    DON: (device, endpoint) => switchByHand(device, true, endpoint),
    DOF: (device, endpoint) => switchByHand(device, false, endpoint),
  },
  "Multilevel Switch": {
    DON: (device, endpoint) => dimByHand(device, LEVEL_MAX, endpoint),
    DOF: (device, endpoint) => dimByHand(device, 0, endpoint),
  },
  "Door Lock": {
    LOCK: (device) => turnBolt(device, true),
    UNLOCK: (device) => turnBolt(device, false),
    CODE: (device, _endpoint, slot) => enterCode(device, slot),
  },
  "Central Scene": { PRESS: (device, _endpoint, scene) => pressButton(device, scene) },
};
/** By the kind of notification and one of its events. */
const OF_NOTIFICATION: readonly { readonly type: number; readonly event: number; readonly actions: Actions }[] = [
  {
    type: 5,
    event: 2,
    actions: { WET: (device) => senseLeak(device, true), DRY: (device) => senseLeak(device, false) },
  },
  {
    type: 6,
    event: 22,
    actions: { OPEN: (device) => openByHand(device, true), CLOSE: (device) => openByHand(device, false) },
  },
  {
    type: 7,
    event: 8,
    actions: { DON: (device) => senseMotion(device, true), DOF: (device) => senseMotion(device, false) },
  },
];

/** @param endpoint 0 is the device itself. */
export function personActions(device: SimulatedDevice, endpoint: number): Actions {
  const plan: EndpointPlan | undefined = endpoint === 0 ? device.plan : device.plan.endpoints[endpoint - 1];
  if (!plan) return {};
  const ofClasses = Object.entries(OF_CLASS).filter(([name]) => Object.hasOwn(plan.classes, name));
  const ofNotifications = OF_NOTIFICATION.filter(({ type, event }) => eventsOf(plan, type).includes(event));
  return Object.assign(
    {},
    ...ofClasses.map(([, actions]) => actions),
    ...ofNotifications.map(({ actions }) => actions),
  );
}

function eventsOf(plan: EndpointPlan, type: number): readonly number[] {
  const events = plan.classes.Notification?.capabilities?.notificationTypesAndEvents;
  // The plan's capabilities are those of the mock of each class, which has no common type.
  return (events as Readonly<Record<number, readonly number[]>> | undefined)?.[type] ?? [];
}
