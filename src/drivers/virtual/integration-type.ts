/** Simulated devices as an integration: the demo home, or devices of one's own to try things with. */

import { FAMILIES, PLUGINS, RADIO_FAMILIES, WIRED } from "../../families.ts";
import type { IntegrationSettings, IntegrationType } from "../integration-type.ts";
import { type DeviceKind, MODELS } from "./kinds.ts";
import type { PlayedDevice } from "./played-device.ts";
import type { VirtualDevice } from "./virtual-device.ts";
import { createVirtualDriver } from "./virtual-driver.ts";

type VirtualTypeOptions = {
  readonly still: boolean;
  readonly virtualLatencyMs: number;
  /** IANA zone of the home. */
  readonly timeZone: string;
  /** For a twin: its devices, played from the values of the original; null for other homes. */
  readonly played: readonly PlayedDevice[] | null;
  /** A device of a twin that came back to be played while the controller runs. */
  readonly findPlayed?: (address: string) => PlayedDevice | null;
  /** The devices of the demo home with so many nodes; 0 = the built-in one. */
  readonly demoDevices: (nodes: number) => readonly VirtualDevice[];
};

/** The driver of the demo home and of a twin. */
const FIRST = "virtual";
const DEVICES_MAX = 1000;

export function virtualType(options: VirtualTypeOptions): IntegrationType {
  const { still, virtualLatencyMs: latencyMs, timeZone, played, findPlayed, demoDevices } = options;
  return {
    type: "virtual",
    name: "Virtual devices",
    about: "Simulated devices, to try the controller without hardware.",
    families: [WIRED.id, PLUGINS.id, ...RADIO_FAMILIES.filter(({ radio }) => radio.hasDeviceTypes).map(({ id }) => id)],
    instancesMax: 100,
    settings: SETTINGS,
    wanted: [played ? { setting: "twin" } : { setting: "demo", from: { demoNodes: "demoNodes" } }],
    check: violationOf,
    claims: (settings) => devicesOf(settings).map(({ address }) => `address ${address}`),
    create: async ({ id, settings }) => {
      const driver = createVirtualDriver({
        name: id,
        devices: allDevices(settings, demoDevices),
        played: id === FIRST ? (played ?? []) : [],
        ...(id === FIRST && findPlayed && { findPlayed }),
        still,
        latencyMs,
        timeZone,
      });
      return { driver, fence: "local" };
    },
  };
}

const KINDS = Object.keys(MODELS) as readonly DeviceKind[];

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    demoNodes: {
      type: "integer",
      title: "Demo home",
      description: "Adds the devices of the demo home, with so many nodes; 0 is the built-in home.",
      minimum: 0,
      maximum: 100_000,
    },
    devices: {
      type: "array",
      title: "Devices",
      description: `A JSON list of simulated devices, such as [{"kind":"dimmer","address":"AA BB 1 1","name":"Desk Lamp"}]. The kinds are ${KINDS.join(", ")}.`,
      maxItems: DEVICES_MAX,
      items: {
        type: "object",
        required: ["kind", "address", "name"],
        additionalProperties: false,
        properties: {
          kind: { type: "string", enum: KINDS },
          address: { type: "string", description: "Address in the form of its family, such as 1A 2B 3C 1 or ZW002_1." },
          name: { type: "string", minLength: 1, maxLength: 200 },
        },
      },
    },
  },
};

/** The devices of the demo home, and those that the owner listed. */
export function allDevices(
  settings: IntegrationSettings,
  demoDevices: VirtualTypeOptions["demoDevices"],
): readonly VirtualDevice[] {
  const demo = typeof settings.demoNodes === "number" ? demoDevices(settings.demoNodes) : [];
  return [...demo, ...devicesOf(settings)];
}

function devicesOf({ devices }: IntegrationSettings): readonly VirtualDevice[] {
  // The schema was checked before.
  return (devices ?? []) as readonly VirtualDevice[];
}

function violationOf(settings: IntegrationSettings): string | null {
  const devices = devicesOf(settings);
  for (const [at, { address, kind }] of devices.entries()) {
    if (devices.findIndex((device) => device.address === address) !== at)
      return `Two devices have the address ${address}.`;
    const family = FAMILIES.find(({ addressForm }) => addressForm.test(address));
    const fits =
      family &&
      (kind.startsWith("radio-")
        ? family.radio?.hasDeviceTypes
        : kind.startsWith("plugin-")
          ? family === PLUGINS
          : family === WIRED);
    if (!fits) return `A device of the kind ${kind} has an address such as ${exampleAddress(kind)}, not ${address}.`;
  }
  return null;
}

function exampleAddress(kind: DeviceKind): string {
  if (kind.startsWith("radio-")) return "ZW002_1";
  return kind.startsWith("plugin-") ? "n021_zone1" : "AA BB 1 1";
}
