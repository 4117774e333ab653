/** `domovoi radio status`, `nodes` and `health`: what there is and how it fares. */

import { isOver, type RadioState } from "@domovoi/client";
import { withHome } from "../connection/with-home.ts";
import { printJson, printList } from "../home/list.ts";
import { type Column, painted, tableText } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import {
  type Chosen,
  findDevice,
  type NamedDevice,
  named,
  namedDevices,
  type RadioOptions,
  withNetwork,
} from "./network.ts";

const NETWORKS: readonly Column<RadioState>[] = [
  { title: "RADIO", text: ({ name }) => name },
  { title: "PROTOCOL", text: ({ protocol }) => protocol },
  { title: "ADAPTER", text: adapterWords, paint: ({ state }) => (state === "ready" ? "green" : "red") },
  { title: "REGION", text: ({ about }) => about?.region ?? "" },
  { title: "FIRMWARE", text: ({ about }) => about?.firmware ?? "" },
  { title: "HOME ID", text: ({ about }) => about?.homeId ?? "" },
  { title: "DEVICES", text: ({ about }) => (about === null ? "" : String(about.nodes)), isRight: true },
  { title: "SENT", text: ({ about }) => (about === null ? "" : String(about.sent)), isRight: true },
  { title: "LOST", text: ({ about }) => (about === null ? "" : String(about.lost)), isRight: true },
  { title: "OPERATION", text: operationWords },
];
const DEVICES: readonly Column<NamedDevice>[] = [
  { title: "ID", text: ({ id }) => String(id), isRight: true },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ state }) => state, paint: paintOf },
  {
    title: "SECURITY",
    text: securityWords,
    paint: ({ security }) => (security ? null : "yellow"),
  },
  { title: "INTERVIEW", text: ({ interviewStage }) => interviewStage ?? "" },
  { title: "BATTERY", text: batteryWords, isRight: true },
  { title: "LAST SEEN", text: ({ lastSeenTime }) => readableTime(lastSeenTime) },
  { title: "ROUTE", text: routeWords },
  { title: "ADDRESS", text: ({ address }) => address, paint: () => "gray" },
];

const NO_NETWORKS = "There is no radio network.";

/** Shows all networks unless `--radio` names one. */
export function showRadios(options: RadioOptions): Promise<void> {
  if (options.radio !== undefined)
    return withNetwork(options, "off", async ({ state }) => printList([state], options, NO_NETWORKS, NETWORKS, asIs));
  return withHome(options, { stream: "off" }, async (home) =>
    printList(await home.radios.list(), options, NO_NETWORKS, NETWORKS, asIs),
  );
}

export function listDevices(options: RadioOptions): Promise<void> {
  return withNetwork(options, "off", async (chosen) =>
    printList(await namedDevices(chosen), options, "The network has no devices.", DEVICES, asIs),
  );
}

/** With `ping` checks first that it is there. */
export function showHealth(key: string, options: RadioOptions & { readonly ping?: boolean }): Promise<void> {
  return withNetwork(options, "off", async (chosen) => {
    const address = await findDevice(chosen, key);
    const health = await (options.ping ? chosen.network.ping(address) : chosen.network.health(address));
    const device = named(chosen.home, health);
    if (options.json) return printJson(device);
    process.stdout.write(`${painted("bold", `${device.name || device.address}, device ${device.id}`)}\n`);
    const lines = healthLines(chosen, device);
    const columns: readonly Column<readonly [string, string]>[] = [
      { title: "", text: ([what]) => what },
      { title: "", text: ([, value]) => value },
    ];
    process.stdout.write(tableText(columns, lines).split("\n").slice(1).join("\n"));
  });
}

function healthLines({ home }: Chosen, device: NamedDevice): readonly (readonly [string, string])[] {
  const { route, routeSpeed, signalDbm, roundTripMs, sent, received, lost, timeouts } = device;
  const repeaters = route?.map((address) => home.nodes.find(address)?.name ?? address) ?? [];
  const via = route === null ? "not known" : repeaters.length === 0 ? "direct" : `over ${repeaters.join(", ")}`;
  return [
    ["state", device.state],
    ...(device.interviewStage === null
      ? []
      : [
          ["security", device.security ?? "none: its messages can be read and forged"] as const,
          ["interview", device.interviewStage] as const,
        ]),
    ["battery", batteryWords(device) || "none, or not reported"],
    ["last message", readableTime(device.lastSeenTime) || "not since the start"],
    ["route", routeSpeed === null ? via : `${via}, ${routeSpeed} kbit/s`],
    ["signal", signalDbm === null ? "not known" : `${signalDbm} dBm`],
    ["round trip", roundTripMs === null ? "not known" : `${Math.round(roundTripMs)} ms`],
    ["frames", `${sent} sent, ${received} received, ${lost} lost, ${timeouts} without an answer`],
  ];
}

function adapterWords({ state, detail, about }: RadioState): string {
  const trouble = about?.isJammed ? "jammed" : detail;
  return trouble === "" ? state : `${state}: ${trouble}`;
}

/** The one under way; one that is over is no news. */
function operationWords({ operation }: RadioState): string {
  if (operation === null || isOver(operation)) return "";
  const { kind, stage, percent } = operation;
  return percent === null ? `${kind}, ${stage}` : `${kind}, ${percent} %`;
}

/** Unknown before the check. */
function securityWords({ security, interviewStage }: NamedDevice): string {
  return security ?? (interviewStage === "none" || interviewStage === null ? "" : "none");
}

function paintOf({ state }: NamedDevice) {
  if (state === "dead") return "red";
  return state === "alive" ? "green" : "gray";
}

function batteryWords({ batteryPercent }: NamedDevice): string {
  return batteryPercent === null ? "" : `${batteryPercent} %`;
}

function routeWords({ route, signalDbm }: NamedDevice): string {
  if (route === null) return "";
  const way = route.length === 0 ? "direct" : `over ${route.length}`;
  return signalDbm === null ? way : `${way}, ${signalDbm} dBm`;
}

function asIs<T extends object>(thing: T): T {
  return thing;
}
