/**
 * The facts about a network and its devices, as plain data: what every network has, by the words of the field. None of it is
 * secret: no keys, no user codes, no names.
 *
 * @see docs/interface/radio-network.md
 */

import type { MeshAbout, MeshAdapterFacts, MeshDeviceFacts, MeshDeviceHealth } from "./mesh-facts.ts";

export type DeviceState = "alive" | "asleep" | "dead" | "unknown";

export type DeviceHealth = {
  readonly address: string;
  readonly state: DeviceState;
  /** Neither dead nor unknown. */
  readonly isResponding: boolean;
  readonly batteryPercent: number | null;
  readonly lastSeenAtMs: number | null;
  /** Average of commands to it and back, in milliseconds. */
  readonly roundTripMs: number | null;
  /** Received signal strength, in dBm. */
  readonly signalDbm: number | null;
  /** First nodes of the devices that repeat for it, in order; null while no route is known. */
  readonly route: readonly string[] | null;
  readonly firmware: string | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
  /** Everything that the driver asks a new device is known. */
  readonly isInterviewed: boolean;
  /** null in a network without keys. */
  readonly mesh: MeshDeviceHealth | null;
};

export type NetworkAbout = {
  /** Of the adapter. */
  readonly firmware: string | null;
  /** Number of devices. */
  readonly nodes: number;
  /** The adapter finds no free moment to send. */
  readonly isJammed: boolean;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
  /** null in a network without keys. */
  readonly mesh: MeshAbout | null;
};

/** The network for a bug report. */
export type NetworkDiagnostics = {
  /** The software that talks to the adapter, and its versions. */
  readonly packages: Readonly<Record<string, string>>;
  readonly adapter: Omit<NetworkAbout, "nodes" | "mesh"> & { readonly mesh: MeshAdapterFacts | null };
  readonly queues: NetworkQueues;
  readonly devices: readonly (DeviceHealth & { readonly details: MeshDeviceFacts | null })[];
};

export type NetworkQueues = {
  /** Devices that are commanded now. */
  readonly underWay: number;
  /** Commands that wait for their turn on the air. */
  readonly waiting: number;
  /** Commands that wait for a sleeping device, by the node that they are for. */
  readonly asleep: Readonly<Record<string, number>>;
};

/** Something that went wrong with the adapter or a device. */
export type NetworkTrouble = {
  readonly atMs: number;
  /** First node of the device; null for the adapter. */
  readonly address: string | null;
  readonly detail: string;
};
