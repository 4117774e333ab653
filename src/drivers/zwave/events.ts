/** Distributes the library's events about devices: values and links to the home, notifications as controls. */

import type { Clock, Timer } from "../../util/clock.ts";
import { ownMember } from "../../util/foreign-value.ts";
import type { SleepingCommands } from "../sleeping-commands.ts";
import { notificationPart, parseAddress, scenePart } from "./addresses.ts";
import type { Devices, ValueChange } from "./devices.ts";
import type { ZWaveDevice } from "./library.ts";
import { CC } from "./plan/command-class-table.ts";
import type { ValueMetadata } from "./plan/device-view.ts";
import { ACCESS_CONTROL, eventOf, hasEvents, lockAlarm } from "./plan/notification-table.ts";
import { EVENT_PROPERTY, USER_PROPERTY } from "./plan/plan-device.ts";
import { guarded, type RunningRadio } from "./radio.ts";

export function followDevices(radio: RunningRadio, devices: Devices): void {
  const guard: Guard = (take) => guarded(radio, take);
  followValues(radio, devices, guard);
  followLives(radio, devices, guard);
}

type Guard = <A extends readonly unknown[]>(take: (...args: A) => void) => (...args: A) => void;

function followValues({ stack }: RunningRadio, devices: Devices, guard: Guard): void {
  const changed = (device: ZWaveDevice, change: ValueChange) => {
    devices.valueChanged(device, change);
    takeState(devices, device, change);
  };
  const appeared = (device: ZWaveDevice, change: ValueChange) => {
    devices.valueAppeared(device, change);
    takeState(devices, device, change);
  };
  stack.on("node value added", guard(appeared));
  stack.on("node value updated", guard(changed));
  stack.on("node value removed", guard(appeared));
  const described = (device: ZWaveDevice) => device.ready && devices.replanLater(device);
  stack.on("node metadata updated", guard(described));
  const happened = (device: ZWaveDevice, event: DeviceEvent) => takeEvent(devices, device, event);
  stack.on("node value notification", guard(happened));
  const notified: Parameters<typeof stack.on<"node notification">>[1] = (endpoint, commandClass, args) =>
    takeNotification(devices, endpoint.nodeId, endpoint.index, commandClass, args);
  stack.on("node notification", guard(notified));
}

/** Changes of a device's state: interviewed, asleep, dead, alive, removed. */
function followLives({ stack, host, signal, library, limits }: RunningRadio, devices: Devices, guard: Guard): void {
  const { Replaced, ProxyReplaced } = library.RemoveNodeReason;
  const dead = new DeadNodes(host.clock, limits.zwaveDeadPingMaxMs, async (nodeId) =>
    stack.controller.nodes.get(nodeId)?.ping(),
  );
  signal.addEventListener("abort", () => dead.stop(), { once: true });
  const reportLink = guard((device: ZWaveDevice) => devices.reportLink(device));
  const asked = (device: ZWaveDevice) => {
    devices.tell(device, "query");
    void stack.waitForIdle().then(() => letSleep(device), ignoreLoss);
  };
  const learned = (device: ZWaveDevice) => devices.learned(device);
  const ready = (device: ZWaveDevice) => devices.ready(device);
  stack.on("node ready", guard(ready));
  stack.on("node interview completed", guard(asked));
  stack.on("node interview stage completed", guard(learned));
  stack.on("node wake up", reportLink);
  stack.on("node sleep", reportLink);
  const back = (device: ZWaveDevice) => {
    dead.back(device.id);
    devices.reportLink(device);
  };
  const lost = (device: ZWaveDevice) => {
    dead.lost(device.id);
    devices.reportLink(device);
  };
  const gone = (device: ZWaveDevice, reason: number) => {
    dead.back(device.id);
    // The new device takes the address, and with it the owner's name, place and programs.
    if (reason === Replaced || reason === ProxyReplaced) devices.replaced(device.id);
    else devices.gone(device.id);
  };
  const asking = (device: ZWaveDevice) => devices.interview(device, true);
  const unasked = (device: ZWaveDevice, { isFinal }: { readonly isFinal: boolean }) =>
    isFinal && devices.interview(device, false);
  stack.on("node interview started", guard(asking));
  stack.on("node interview failed", guard(unasked));
  stack.on("node alive", guard(back));
  stack.on("node dead", guard(lost));
  stack.controller.on(
    "node added",
    guard((device: ZWaveDevice) => devices.tell(device, "report")),
  );
  stack.controller.on("node removed", guard(gone));
}

/** An interview that was begun twice leaves a device to be kept awake for good, at the cost of its battery. */
async function letSleep(device: ZWaveDevice): Promise<void> {
  if (!device.keepAwake || device.isFirmwareUpdateInProgress()) return;
  device.keepAwake = false;
  await device.sendNoMoreInformation().catch(ignoreLoss);
}

/** The adapter is gone, so nothing is reported. */
function ignoreLoss(): void {}

type DeviceEvent = ValueChange & { readonly value: unknown };

/** Pressed once, let go, held, pressed twice to five times: the numbers of the Central Scene command class. */
const PRESSES: readonly string[] = ["DON", "FDSTOP", "FDUP", "DFON", "DON3", "DON4", "DON5"];

function takeEvent(devices: Devices, device: ZWaveDevice, event: DeviceEvent): void {
  const { commandClass, endpoint = 0, property, propertyKey, value } = event;
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
    const fade = eventType === STOPPED ? "FDSTOP" : ownMember(FADES, of("direction"));
    if (fade) devices.control(main, fade, 0);
  } else if (commandClass === CC.entryControl && typeof eventType === "number") {
    // The entered digits are not passed on: they are a code.
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

/** A state that begins is also the last event of its type: it tells what a sensor that is "On" has found. */
function takeState(devices: Devices, device: ZWaveDevice, change: ValueChange): void {
  const { commandClass, endpoint = 0, property, propertyKey, newValue } = change;
  const event = commandClass === CC.notification ? eventOf(newValue) : null;
  if (!event || !devices.isNews(device)) return;
  const key = propertyKey === undefined ? {} : { propertyKey };
  // Members of some types of the library's metadata.
  const { ccSpecific, states } = device.getValueMetadata({ commandClass, endpoint, property, ...key }) as ValueMetadata;
  const type = ccSpecific?.notificationType;
  if (typeof type !== "number" || !hasEvents(type, String(propertyKey ?? property))) return;
  takeAlarm(devices, device.id, endpoint, { type, event, label: states?.[Number(newValue)], parameters: null }, true);
}

type Alarm = { readonly type: unknown; readonly event: unknown; readonly label: unknown; readonly parameters: unknown };

function takeAlarm(
  devices: Devices,
  nodeId: number,
  endpoint: number,
  { type, event, label, parameters }: Alarm,
  isState = false,
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
  // A sensor's state is sent as DON and DOF.
  if (isLock || !isState) devices.control(address, EVENT_PROPERTY, alarm ?? event);
}

/** The slot of the person who used a code. The code itself, which some devices send with it, is not read. */
function userOf(parameters: unknown): number | null {
  if (typeof parameters !== "object" || parameters === null) return null;
  const user: unknown = Reflect.get(parameters, "userId");
  return typeof user === "number" ? user : null;
}

/** Pings unresponsive devices with growing pauses. A device that sends something by itself is alive at once. */
const FIRST_MS = 60_000;

export class DeadNodes {
  readonly #clock: Clock;
  readonly #ping: (nodeId: number) => Promise<unknown>;
  readonly #longestMs: number;
  readonly #timers = new Map<number, Timer>();

  /**
   * @param longestMs pause between two attempts; they begin a minute apart.
   * @param ping asks the device whether it is there; it need not say so, the device's own state does.
   */
  constructor(clock: Clock, longestMs: number, ping: (nodeId: number) => Promise<unknown>) {
    this.#clock = clock;
    this.#ping = ping;
    this.#longestMs = longestMs;
  }

  lost(nodeId: number): void {
    if (!this.#timers.has(nodeId)) this.#later(nodeId, FIRST_MS);
  }

  back(nodeId: number): void {
    this.#timers.get(nodeId)?.cancel();
    this.#timers.delete(nodeId);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #later(nodeId: number, pauseMs: number): void {
    const again = () => {
      this.#later(nodeId, Math.min(pauseMs * 2, this.#longestMs));
      this.#ping(nodeId).catch(() => {});
    };
    this.#timers.set(nodeId, this.#clock.setTimer(again, pauseMs));
  }
}

/** Lets what waits go out when its device wakes, and end when it leaves. Comes before `followDevices`, which removes the nodes. */
export function followSleepers(radio: RunningRadio, sleepers: SleepingCommands): void {
  const { family, library, stack } = radio;
  const of = (nodeId: number) => (address: string) => parseAddress(family, address)?.nodeId === nodeId;
  const awake = ({ id }: ZWaveDevice) => void sleepers.awake(of(id));
  const removed = ({ id }: ZWaveDevice) => sleepers.removed(of(id));
  stack.on("node wake up", guarded(radio, awake));
  stack.controller.on("node removed", guarded(radio, removed));
  sleepers.restore();
  for (const device of stack.controller.nodes.values()) {
    if (device.status === library.NodeStatus.Awake || device.status === library.NodeStatus.Alive) {
      void sleepers.awake(of(device.id));
    }
  }
}
