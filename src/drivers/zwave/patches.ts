/**
 * Every place where this driver changes how zwave-js behaves, with the reason. Each patch wraps a public member of an object of
 * the library and nothing else; docs/adr/0014-patches-of-z-wave-js.md says when one may go. Patches of its mocks stand in
 * simulators/zwave/mocks.ts.
 */

import type { ServiceStore } from "../service.ts";
import type { ZWaveDevice, ZWaveLibrary, ZWaveStack } from "./library.ts";
import { CC } from "./plan/command-class-table.ts";

/**
 * 1. At a start the library pings every device, one after the other and before anything else; a dead one takes seconds. The patch
 * gives these pings a lower priority, so that commands of people go first.
 */
export function letCommandsPass({ MessagePriority, NoOperationCC, containsCC }: ZWaveLibrary, stack: ZWaveStack): void {
  const send = stack.sendMessage.bind(stack);
  stack.sendMessage = (message, options) => {
    const asks = containsCC(message) && message.command instanceof NoOperationCC;
    return send(message, asks ? { ...options, priority: MessagePriority.NodeQuery } : options);
  };
}

const ADD_NODE = 0x4a;
const REMOVE_NODE = 0x4b;
const STOP = 5;

type Request = { readonly functionType?: number; readonly addNodeType?: number; readonly removeNodeType?: number };
type Answer = { readonly isOK?: () => boolean } | undefined;

/**
 * 2. The adapter may refuse to open or close its network, and says so in its first answer. The library takes that
 * answer for the beginning and waits for a device that cannot join. The patch turns the answer into the error that
 * the library expects. Applied once per stack, before its first operation.
 */
export function detectRefusals({
  library,
  stack,
}: {
  readonly library: ZWaveLibrary;
  readonly stack: ZWaveStack;
}): void {
  const send = stack.sendMessage.bind(stack);
  const refusable: typeof stack.sendMessage = async (message, options) => {
    const answer = await send(message, options);
    // Members of some of the library's messages; each is read for what it may be.
    if (isBeginning(message as Request) && (answer as Answer)?.isOK?.() === false) {
      throw new library.ZWaveError("The adapter refused.", library.ZWaveErrorCodes.Controller_CallbackNOK);
    }
    // The library's own type of the answer is not recognizable in the message.
    return answer as never;
  };
  stack.sendMessage = refusable;
}

function isBeginning({ functionType, addNodeType, removeNodeType }: Request): boolean {
  if (functionType !== ADD_NODE && functionType !== REMOVE_NODE) return false;
  return (addNodeType ?? removeNodeType) !== STOP;
}

/**
 * 4. Some alarms have a parameter, such as a water flow above its high limit. The library stores the parameter in the place of
 * the event, and compares it with the event when the device says that the alarm is over; so the alarm stays. The patch ends it.
 * Applied once per device.
 */
export function endParameterAlarms({ NotificationCCReport, getNotification }: ZWaveLibrary, device: ZWaveDevice): void {
  // Public, but missing in the library's types.
  const receiver = device as ZWaveDevice & { handleCommand(command: unknown): Promise<void> };
  const handle = receiver.handleCommand.bind(device);
  receiver.handleCommand = async (command) => {
    await handle(command);
    if (!(command instanceof NotificationCCReport) || command.notificationEvent !== 0) return;
    const { notificationType = 0, eventParameters, endpointIndex } = command;
    const ended = eventParameters instanceof Uint8Array ? eventParameters[0] : undefined;
    const notification = getNotification(notificationType);
    for (const { name, idle, states } of notification?.variables ?? []) {
      if (!idle || (ended !== undefined && !states.has(ended))) continue;
      const value = {
        commandClass: command.ccId,
        endpoint: endpointIndex,
        property: notification?.name ?? "",
        propertyKey: name,
      };
      const current = device.getValue(value);
      // A number that is none of the variable's events is the parameter of one.
      if (typeof current === "number" && current !== 0 && !states.has(current)) device.valueDB.setValue(value, 0);
    }
  };
}

type SensorValue = {
  readonly commandClass: number;
  readonly property: unknown;
  readonly propertyKey?: unknown;
  readonly endpoint?: number | undefined;
};

/**
 * 5. A sensor may report in a scale that it did not list when it was interviewed, such as one whose owner changed it to °F. The library
 * drops such a report as damaged. The patch adds the other known scales of the sensor's type to the list, after the device's own, whose
 * first one is what the library asks for. Applied once per device.
 */
export function takeEveryScale({ getSensor }: ZWaveLibrary, { valueDB }: ZWaveDevice): void {
  const add = ({ commandClass, endpoint = 0, property, propertyKey }: SensorValue) => {
    if (commandClass !== CC.multilevelSensor || property !== "supportedScales" || typeof propertyKey !== "number")
      return;
    const id = { commandClass, property, propertyKey, endpoint };
    const listed = valueDB.getValue(id);
    if (!Array.isArray(listed)) return;
    const known = Object.keys(getSensor(propertyKey)?.scales ?? {}).map(Number);
    const others = known.filter((scale) => !listed.includes(scale));
    if (others.length > 0) valueDB.setValue(id, [...listed, ...others], { noEvent: true });
  };
  valueDB.on("value added", add);
  valueDB.on("value updated", add);
  for (const value of valueDB.getValues(CC.multilevelSensor)) add(value);
}

type Product = readonly [manufacturerId: number, productType: number, productId: number, firmware: string];

const KEY = "products";

/** Remembers which products to read at the next start. */
export function keepProducts(store: ServiceStore, devices: Iterable<ZWaveDevice>): void {
  const products = new Map<string, Product>();
  for (const { manufacturerId, productType, productId, firmwareVersion } of devices) {
    if (manufacturerId === undefined || productType === undefined || productId === undefined) continue;
    const product: Product = [manufacturerId, productType, productId, firmwareVersion ?? ""];
    products.set(product.join(), product);
  }
  store.set(KEY, [...products.values()]);
}

/**
 * 3. The library reads its database of devices after it has opened the adapter, and the description of a product again for every
 * device of it. The patch reads ahead while the adapter opens, and each product once.
 *
 * @returns ends it, and forgets what was read for the start.
 */
export function readAhead({ configManager: database }: ZWaveStack, store: ServiceStore): () => void {
  const reading = database.loadAll();
  database.loadAll = () => reading;
  const look = database.lookupDevicePreserveConditions.bind(database);
  const found = new Map<string, ReturnType<typeof look>>();
  database.lookupDevicePreserveConditions = (...product) => {
    const description = found.get(product.join()) ?? look(...product);
    found.set(product.join(), description);
    return description;
  };
  // The library awaits the same, and says what is wrong.
  reading.then(() => readAll(database, keptProducts(store))).catch(() => {});
  return () => {
    database.lookupDevicePreserveConditions = look;
    found.clear();
  };
}

/** One after the other, so that clients are answered between two. */
async function readAll(database: ZWaveStack["configManager"], products: readonly Product[]): Promise<void> {
  for (const [manufacturerId, productType, productId, firmware] of products) {
    await database.lookupDevicePreserveConditions(manufacturerId, productType, productId, firmware || undefined);
  }
}

function keptProducts(store: ServiceStore): readonly Product[] {
  const kept = store.get(KEY);
  return Array.isArray(kept) ? kept.filter(isProduct) : [];
}

function isProduct(kept: unknown): kept is Product {
  if (!Array.isArray(kept) || kept.length !== 4) return false;
  return kept.slice(0, 3).every((id) => Number.isInteger(id)) && typeof kept[3] === "string";
}
