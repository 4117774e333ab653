/** How the network and its devices fare, as the library counts. */

import type { InterviewStage, MeshAbout } from "../../mesh-facts.ts";
import type { DeviceHealth, DeviceState, NetworkAbout } from "../../network-facts.ts";
import type { ZWaveDevice } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import { deviceAddress, type RunningRadio } from "../radio.ts";
import { securityOf } from "./security-names.ts";

/** Rates of a route by the library's numbers, in kbit/s. */
const ROUTE_SPEEDS: ReadonlyMap<number, number> = new Map([
  [1, 9.6],
  [2, 40],
  [3, 100],
  [4, 100],
]);
/** Below this signal strength the message names the signal as the reason. */
const SIGNAL_UNKNOWN_FROM = 125;

export function aboutRadio({ library, stack }: RunningRadio): NetworkAbout & { readonly mesh: MeshAbout } {
  const { controller } = stack;
  const { statistics } = controller;
  const region = controller.rfRegion;
  return {
    firmware: controller.firmwareVersion ?? null,
    nodes: Math.max(0, controller.nodes.size - 1),
    isJammed: controller.status === library.ControllerStatus.Jammed,
    sent: statistics.messagesTX,
    received: statistics.messagesRX,
    lost: statistics.messagesDroppedTX + statistics.messagesDroppedRX,
    timeouts: statistics.timeoutACK + statistics.timeoutResponse + statistics.timeoutCallback,
    mesh: {
      homeId: (controller.homeId ?? 0).toString(16).padStart(8, "0"),
      nodeId: controller.ownNodeId ?? 0,
      library: controller.sdkVersion ?? null,
      region: region === undefined ? null : (library.RFRegion[region] ?? null),
      acceptsProvisioned: controller.supportsFeature(library.ZWaveFeature.SmartStart) === true,
      refused: statistics.NAK,
      collisions: statistics.CAN,
      noiseDbm: noiseOf(statistics.backgroundRSSI),
    },
  };
}

type Noise = RunningRadio["stack"]["controller"]["statistics"]["backgroundRSSI"];

function noiseOf(noise: Noise): readonly number[] {
  if (!noise) return [];
  const channels = [noise.channel0, noise.channel1, noise.channel2, noise.channel3];
  return channels.flatMap((channel) => (channel && channel.current < SIGNAL_UNKNOWN_FROM ? [channel.current] : []));
}

const STATES: Readonly<Record<string, DeviceState>> = {
  Awake: "alive",
  Alive: "alive",
  Asleep: "asleep",
  Dead: "dead",
};
const STAGES: Readonly<Record<string, InterviewStage>> = {
  ProtocolInfo: "protocol",
  NodeInfo: "node-info",
  CommandClasses: "command-classes",
  OverwriteConfig: "configuration",
  Complete: "complete",
};

function batteryOf(device: ZWaveDevice): number | null {
  const level = device.getValue({ commandClass: CC.battery, property: "level" });
  return typeof level === "number" ? level : null;
}

/** By number; the controller's own node is none of its devices. */
export function devicesOf({ stack }: RunningRadio): readonly ZWaveDevice[] {
  return [...stack.controller.nodes.values()].filter((device) => !device.isControllerNode).sort((a, b) => a.id - b.id);
}

export function healthOf(radio: RunningRadio, device: ZWaveDevice): DeviceHealth {
  const { library } = radio;
  const { statistics } = device;
  const { lwr } = statistics;
  const signal = statistics.rssi;
  const state = STATES[library.NodeStatus[device.status]] ?? "unknown";
  return {
    address: deviceAddress(radio, device.id),
    state,
    isResponding: state === "alive" || state === "asleep",
    batteryPercent: batteryOf(device),
    lastSeenAtMs: device.lastSeen?.getTime() ?? null,
    roundTripMs: statistics.rtt ?? null,
    signalDbm: signal !== undefined && signal < SIGNAL_UNKNOWN_FROM ? signal : null,
    route: lwr ? lwr.repeaters.map((nodeId) => deviceAddress(radio, nodeId)) : null,
    firmware: device.firmwareVersion ?? null,
    sent: statistics.commandsTX,
    received: statistics.commandsRX,
    lost: statistics.commandsDroppedTX + statistics.commandsDroppedRX,
    timeouts: statistics.timeoutResponse,
    isInterviewed: device.ready,
    mesh: {
      interviewStage: STAGES[library.InterviewStage[device.interviewStage]] ?? "none",
      routeSpeed: lwr ? (ROUTE_SPEEDS.get(Number(lwr.protocolDataRate)) ?? null) : null,
      security: securityOf(device),
    },
  };
}
