/**
 * The network as a document for a bug report: every device with its abilities and its reported values. No keys, no
 * user codes, no texts by people: values that are not known to be harmless are counted, not shown.
 */

import type { EndpointFacts, MeshDeviceFacts, PlainValue, ValueFacts } from "../../mesh-facts.ts";
import type { NetworkDiagnostics, NetworkQueues } from "../../network-facts.ts";
import type { ZWaveDevice } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import type { ValueView } from "../plan/device-view.ts";
import type { RunningRadio } from "../radio.ts";
import { readDevice } from "../read-device.ts";
import { aboutRadio, devicesOf, healthOf } from "./health.ts";
import { grantedTo } from "./security-names.ts";

/** User codes, credentials, keys, and what people type or write. */
const WITHHELD_CLASSES: ReadonlySet<number> = new Set([
  ...[CC.userCode, CC.userCredential, CC.entryControl, CC.nodeNaming],
  ...[CC.security, CC.security2, CC.authentication, CC.authenticationMedia],
]);
/** The serial number of a device, which may be on its box beside its key. */
const SERIAL_PROPERTY = "deviceId";
const DEPTH_MAX = 4;

export function diagnose(radio: RunningRadio, queues: NetworkQueues): NetworkDiagnostics {
  const { library } = radio;
  return {
    packages: { "zwave-js": library.libVersion },
    adapter: adapterFacts(radio),
    queues,
    devices: devicesOf(radio).map((device) => ({ ...healthOf(radio, device), details: deviceFacts(radio, device) })),
  };
}

function adapterFacts(radio: RunningRadio): NetworkDiagnostics["adapter"] {
  const { controller } = radio.stack;
  const { nodes: _nodes, mesh, ...about } = aboutRadio(radio);
  const { homeId: _homeId, ...known } = mesh;
  return {
    ...about,
    mesh: {
      ...known,
      product: [controller.manufacturerId ?? 0, controller.productType ?? 0, controller.productId ?? 0],
      isPrimary: controller.isPrimary === true,
      supportsLongRange: controller.supportsLongRange === true,
      provisioned: controller.getProvisioningEntries().length,
    },
  };
}

function deviceFacts(radio: RunningRadio, device: ZWaveDevice): MeshDeviceFacts {
  const view = readDevice(device);
  const shown = view.values.filter(isHarmless);
  const { deviceConfig } = device;
  return {
    product: view.product,
    model: deviceConfig ? `${deviceConfig.manufacturer} ${deviceConfig.label}` : null,
    library: device.sdkVersion ?? null,
    listens: device.isListening ? "always" : device.isFrequentListening ? "often" : "when awake",
    isLongRange: device.protocol === radio.library.Protocols.ZWaveLongRange,
    granted: grantedTo(device),
    endpoints: device.getAllEndpoints().map((endpoint) => endpointFacts(radio, endpoint)),
    values: shown.map((value) => valueFacts(device, value)),
    withheld: view.values.length - shown.length,
  };
}

function isHarmless({ commandClass, property, metadata }: ValueView): boolean {
  return !WITHHELD_CLASSES.has(commandClass) && property !== SERIAL_PROPERTY && metadata.secret !== true;
}

type Endpoint = ReturnType<ZWaveDevice["getAllEndpoints"]>[number];

function endpointFacts({ library }: RunningRadio, endpoint: Endpoint): EndpointFacts {
  return {
    index: endpoint.index,
    generic: endpoint.deviceClass?.generic.key ?? 0,
    specific: endpoint.deviceClass?.specific.key ?? 0,
    commandClasses: [...endpoint.getCCs()].map(([id, { version, secure, isSupported }]) => ({
      id,
      name: library.getCCConstructor(id)?.name.replace(/CC$/, "") ?? "",
      version,
      isSecure: secure,
      isControlled: !isSupported,
    })),
  };
}

function valueFacts(device: ZWaveDevice, value: ValueView): ValueFacts {
  const { commandClass, endpoint, property, propertyKey, metadata } = value;
  return {
    ...{ commandClass, endpoint, property, propertyKey: propertyKey ?? null },
    label: metadata.label ?? "",
    type: metadata.type,
    unit: metadata.unit ?? null,
    value: plainValue(device.getValue(value), DEPTH_MAX),
  };
}

function plainValue(value: unknown, depth: number): PlainValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value === undefined || value === null || depth === 0) return null;
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
  if (Array.isArray(value)) return value.map((each) => plainValue(each, depth - 1));
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainValue(each, depth - 1)]));
}
