/** Reads a device of the library into a description, from what the library knows of it. Import it after `configureLibrary`. */

import { ClientNode, type Endpoint } from "@matter/main";
import type { EndpointDescription, PeerDescription, PeerSleep } from "./peer-description.ts";

type Values = Readonly<Record<string, unknown>>;

/** The operating mode of devices that sleep long, and announce themselves. */
const LONG_IDLE = 1;
/** A device with power looks for messages more often. */
const SLEEPY_FROM_MS = 1000;
const TEXT_MAX = 200;
/** Bridges have at most some hundreds. */
const ENDPOINTS_MAX = 1000;
const ITEMS_MAX = 256;

export function describePeer(peer: ClientNode): PeerDescription {
  const basic = stateOf(peer, "basicInformation");
  const part = (name: string) => String(basic[name] ?? "").slice(0, TEXT_MAX);
  const unique = part("uniqueId") || part("serialNumber");
  return {
    peer: peer.id,
    identity: unique === "" ? peer.id : `${basic.vendorId ?? 0}-${basic.productId ?? 0}-${unique}`,
    name: part("nodeLabel") || part("productName") || "Matter device",
    product: part("productName"),
    firmware: part("softwareVersionString") || null,
    sleep: sleepOf(peer),
    endpoints: [...peer.endpoints].slice(0, ENDPOINTS_MAX).map(describeEndpoint),
  };
}

/** What the driver knows of the values, as plain data. */
export function plainValues(cluster: string, state: Values, names: readonly string[]): Values {
  const watched = WATCHED[cluster] ?? [];
  const known = names.filter((name) => watched.includes(name) && state[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, plainValue(state[name])]));
}

/** Values of the library as JSON has them. */
export function plainValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") return value.slice(0, TEXT_MAX);
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainValue(each)]));
}

export function stateOf(endpoint: Endpoint, behavior: string): Values {
  return (endpoint.maybeStateOf(behavior) as Values | undefined) ?? {};
}

function describeEndpoint(endpoint: Endpoint): EndpointDescription {
  const types = stateOf(endpoint, "descriptor").deviceTypeList;
  const deviceTypes = Array.isArray(types) ? types.map(({ deviceType }) => Number(deviceType)) : [];
  const clusters = Object.keys(WATCHED).flatMap((cluster) => {
    const state = endpoint.maybeStateOf(cluster) as Values | undefined;
    if (!state) return [];
    const features = Object.entries((state.featureMap as Values | undefined) ?? {});
    return [
      [
        cluster,
        {
          features: features.flatMap(([name, has]) => (has === true ? [name] : [])),
          values: plainValues(cluster, state, WATCHED[cluster] ?? []),
        },
      ] as const,
    ];
  });
  return {
    number: endpoint.number,
    parent: endpoint instanceof ClientNode ? null : (endpoint.owner?.maybeNumber ?? null),
    deviceTypes,
    clusters: Object.fromEntries(clusters),
  };
}

/** Also without the cluster for sleeping devices: from how often the device looks for messages. */
function sleepOf(peer: ClientNode): PeerSleep {
  const sleeping = stateOf(peer, "icdManagement");
  const session = stateOf(peer, "commissioning").sessionParameters as Values | undefined;
  const idleMs = Number(session?.idleInterval ?? 0);
  if (sleeping.operatingMode === LONG_IDLE) {
    return { kind: "long", idleMs: Number(sleeping.idleModeDuration ?? 0) * 1000 };
  }
  return { kind: idleMs >= SLEEPY_FROM_MS || "operatingMode" in sleeping ? "short" : "none", idleMs };
}

const CONCENTRATION = ["measuredValue", "measurementUnit", "levelValue"];
const MODES = ["supportedModes", "currentMode"];

const WATCHED: Readonly<Record<string, readonly string[]>> = {
  airQuality: ["airQuality"],
  booleanState: ["stateValue"],
  bridgedDeviceBasicInformation: ["nodeLabel", "productName", "uniqueId", "reachable", "softwareVersionString"],
  carbonDioxideConcentrationMeasurement: CONCENTRATION,
  carbonMonoxideConcentrationMeasurement: CONCENTRATION,
  colorControl: [
    ...["currentHue", "currentSaturation", "currentX", "currentY", "colorTemperatureMireds", "colorMode"],
    ...["colorTempPhysicalMinMireds", "colorTempPhysicalMaxMireds"],
  ],
  dishwasherMode: MODES,
  doorLock: [
    ...["lockState", "doorState", "numberOfPinUsersSupported", "numberOfTotalUsersSupported"],
    ...["requirePinForRemoteOperation", "minPinCodeLength", "maxPinCodeLength"],
  ],
  electricalEnergyMeasurement: ["cumulativeEnergyImported"],
  electricalPowerMeasurement: ["activePower", "voltage", "activeCurrent", "rmsVoltage", "rmsCurrent"],
  fanControl: ["fanMode", "fanModeSequence", "percentSetting", "percentCurrent"],
  flowMeasurement: ["measuredValue"],
  formaldehydeConcentrationMeasurement: CONCENTRATION,
  icdManagement: ["operatingMode", "idleModeDuration"],
  illuminanceMeasurement: ["measuredValue"],
  laundryWasherMode: MODES,
  levelControl: ["currentLevel", "minLevel", "maxLevel"],
  modeSelect: MODES,
  occupancySensing: ["occupancy"],
  onOff: ["onOff"],
  operationalState: ["operationalState"],
  ozoneConcentrationMeasurement: CONCENTRATION,
  pm10ConcentrationMeasurement: CONCENTRATION,
  pm25ConcentrationMeasurement: CONCENTRATION,
  powerSource: ["batPercentRemaining", "batChargeLevel"],
  pressureMeasurement: ["measuredValue"],
  pumpConfigurationAndControl: ["capacity"],
  radonConcentrationMeasurement: CONCENTRATION,
  relativeHumidityMeasurement: ["measuredValue"],
  rvcCleanMode: MODES,
  rvcOperationalState: ["operationalState"],
  rvcRunMode: MODES,
  smokeCoAlarm: ["smokeState", "coState", "batteryAlert"],
  switch: ["numberOfPositions", "multiPressMax"],
  temperatureMeasurement: ["measuredValue"],
  thermostat: [
    ...[
      "localTemperature",
      "occupiedHeatingSetpoint",
      "occupiedCoolingSetpoint",
      "systemMode",
      "thermostatRunningState",
    ],
    ...["minHeatSetpointLimit", "maxHeatSetpointLimit", "minCoolSetpointLimit", "maxCoolSetpointLimit"],
    ...["absMinHeatSetpointLimit", "absMaxHeatSetpointLimit", "absMinCoolSetpointLimit", "absMaxCoolSetpointLimit"],
    ...["minSetpointDeadBand", "controlSequenceOfOperation"],
  ],
  totalVolatileOrganicCompoundsConcentrationMeasurement: CONCENTRATION,
  valveConfigurationAndControl: ["currentState", "currentLevel"],
  windowCovering: ["currentPositionLiftPercent100ths", "currentPositionTiltPercent100ths", "type"],
};
