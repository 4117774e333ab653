/**
 * What the library tells of devices, led to where it belongs: values and links to the house, events as controls. Nothing
 * here throws into the library.
 */

import { notificationPart, scenePart } from "./addresses.ts";
import { DeadNodes } from "./dead-nodes.ts";
import type { Devices } from "./devices.ts";
import type { ZWaveDevice } from "./library.ts";
import { CC } from "./plan/command-class-table.ts";
import { ACCESS_CONTROL, lockAlarm } from "./plan/notification-table.ts";
import { EVENT_PROPERTY, USER_PROPERTY } from "./plan/plan-device.ts";
import type { Radio } from "./radio.ts";

export function followDevices(radio: Radio, devices: Devices): void {
  const { stack, host, signal } = radio;
  const guarded =
    <A extends readonly unknown[]>(take: (...args: A) => void) =>
    (...args: A): void => {
      if (signal.aborted) return;
      try {
        take(...args);
      } catch (error) {
        host.log.error("What a device told could not be taken.", { error });
      }
    };
  const dead = new DeadNodes(host.clock, async (nodeId) => stack.controller.nodes.get(nodeId)?.ping());
  signal.addEventListener("abort", () => dead.stop(), { once: true });
  const link = guarded((device: ZWaveDevice) => devices.tellLink(device));
  const interviewed = guarded((device: ZWaveDevice) => devices.tell(device, "query"));
  const ready = guarded((device: ZWaveDevice) => devices.ready(device));

  stack.on(
    "node value added",
    guarded((device, change) => devices.valueChanged(device, located(change))),
  );
  stack.on(
    "node value updated",
    guarded((device, change) => devices.valueChanged(device, located(change))),
  );
  stack.on(
    "node value removed",
    guarded((device, change) => devices.valueChanged(device, located(change))),
  );
  stack.on(
    "node metadata updated",
    guarded((device) => device.ready && devices.replanLater(device)),
  );
  stack.on(
    "node value notification",
    guarded((device, { commandClass, endpoint = 0, property, propertyKey, value }) => {
      takeEvent(devices, device, { commandClass, endpoint, property, propertyKey, value });
    }),
  );
  stack.on(
    "node notification",
    guarded((endpoint, commandClass, args) => {
      takeNotification(devices, endpoint.nodeId, endpoint.index, commandClass, args);
    }),
  );
  stack.on("node ready", ready);
  stack.on("node interview completed", interviewed);
  stack.on(
    "node interview stage completed",
    guarded((device) => devices.learned(device)),
  );
  stack.on("node interview started", link);
  stack.on("node wake up", link);
  stack.on("node sleep", link);
  stack.on(
    "node alive",
    guarded((device) => {
      dead.back(device.id);
      devices.tellLink(device);
    }),
  );
  stack.on(
    "node dead",
    guarded((device) => {
      dead.lost(device.id);
      devices.tellLink(device);
    }),
  );
  stack.controller.on(
    "node added",
    guarded((device) => devices.tell(device, "report")),
  );
  stack.controller.on(
    "node removed",
    guarded((device) => {
      dead.back(device.id);
      devices.gone(device.id);
    }),
  );
}

type Change = { readonly commandClass: number; readonly endpoint?: number; readonly property: string | number };

function located<C extends Change>(change: C): C & { readonly endpoint: number } {
  return { ...change, endpoint: change.endpoint ?? 0 };
}

type DeviceEvent = {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey: string | number | undefined;
  readonly value: unknown;
};

/** Pressed once, let go, held, pressed twice to five times: the numbers of the Central Scene command class. */
const PRESSES: readonly string[] = ["DON", "FDSTOP", "FDUP", "DFON", "DON3", "DON4", "DON5"];

function takeEvent(devices: Devices, device: ZWaveDevice, event: DeviceEvent): void {
  const { commandClass, endpoint, property, propertyKey, value } = event;
  if (typeof value !== "number") return;
  const main = devices.nodeOf(device.id, endpoint, 0)?.address ?? "";
  if (commandClass === CC.centralScene && property === "scene") {
    const scene = Number(propertyKey);
    const button = devices.nodeOf(device.id, endpoint, scenePart(scene));
    const press = PRESSES[value];
    if (button && press) devices.control(button.address, press, scene);
  } else if (commandClass === CC.basic) devices.control(main, value > 0 ? "DON" : "DOF", 0);
  else if (commandClass === CC.sceneActivation && property === "sceneId") devices.control(main, "CTL", value);
}

const FADES: Readonly<Record<string, string>> = { up: "FDUP", down: "FDDOWN" };
const STOPPED = 5;
const INDEX_UOM = 25;
const LOCK_ALARM_UOM = 15;
const USER_UOM = 70;

/** The library's arguments depend on the command class; each member is read for what it may be. */
function takeNotification(
  devices: Devices,
  nodeId: number,
  endpoint: number,
  commandClass: number,
  args: object,
): void {
  const of = (name: string): unknown => Reflect.get(args, name);
  const main = devices.nodeOf(nodeId, endpoint, 0)?.address ?? "";
  const eventType = of("eventType");
  if (commandClass === CC.multilevelSwitch) {
    const fade = eventType === STOPPED ? "FDSTOP" : FADES[String(of("direction"))];
    if (fade) devices.control(main, fade, 0);
  } else if (commandClass === CC.entryControl && typeof eventType === "number") {
    // What was typed stays with the device: it is a code.
    devices.control(main, "CTL", eventType);
  } else if (commandClass === CC.notification) {
    takeAlarm(devices, nodeId, endpoint, {
      type: of("type"),
      event: of("event"),
      label: of("eventLabel"),
      parameters: of("parameters"),
    });
  }
}

type Alarm = { readonly type: unknown; readonly event: unknown; readonly label: unknown; readonly parameters: unknown };

function takeAlarm(
  devices: Devices,
  nodeId: number,
  endpoint: number,
  { type, event, label, parameters }: Alarm,
): void {
  if (typeof type !== "number" || typeof event !== "number") return;
  const node = devices.nodeOf(nodeId, endpoint, notificationPart(type));
  if (!node) return;
  const { address } = node;
  const report = { address, prec: 0, cause: "report" } as const;
  const isLock = type === ACCESS_CONTROL && node.plan.properties.some(({ id }) => id === USER_PROPERTY);
  const user = userOf(parameters);
  if (isLock && user !== null) devices.report({ ...report, id: USER_PROPERTY, value: user, uom: USER_UOM });
  const text = typeof label === "string" ? { text: label } : {};
  const alarm = isLock ? lockAlarm(event) : event;
  const uom = isLock ? LOCK_ALARM_UOM : INDEX_UOM;
  if (alarm !== null) devices.report({ ...report, id: EVENT_PROPERTY, value: alarm, uom, ...(isLock ? {} : text) });
  devices.control(address, EVENT_PROPERTY, alarm ?? event);
}

/** The slot of who used a code; the code itself, which some devices tell with it, is not read. */
function userOf(parameters: unknown): number | null {
  if (typeof parameters !== "object" || parameters === null) return null;
  const user: unknown = Reflect.get(parameters, "userId");
  return typeof user === "number" ? user : null;
}
