/** The demo home's variables and network resources. */

import type { Change } from "../home/change.ts";
import type { NetworkResource } from "../home/network-resources.ts";
import type { VariableType } from "../home/variables.ts";

/** Ids that the demo's programs name. */
export const COUNTER = { doorOpenings: 1, rainDelay: 2, wateringMinutes: 3, evenings: 4 } as const;
export const STATE = { away: 1, nightMode: 2, comfort: 3, guests: 4, vacation: 5 } as const;

type VariableRow = readonly [name: string, value: number, init: number, prec: number];

const INTEGERS: readonly VariableRow[] = [
  ["Door Openings", 12, 0, 0],
  ["Rain Delay", 0, 0, 0],
  ["Watering Minutes", 15, 15, 0],
  ["Evenings", 3, 0, 0],
  ["Energy Price", 3125, 3125, 4],
  ["Mean Outdoor Temperature", 118, 0, 1],
  ["Dishwasher Runs", 41, 0, 0],
  ["Last Dim Level", 65, 0, 0],
  ["Water Used", 120_450, 0, 2],
  ["Calibration", -15, -15, 3],
];

const STATES: readonly VariableRow[] = [
  ["Away", 0, 0, 0],
  ["Night Mode", 0, 0, 0],
  ["Comfort Temperature", 215, 210, 1],
  ["Guests", 0, 0, 0],
  ["Vacation", 0, 0, 0],
  ["Alarm Armed", 0, 0, 0],
  ["Washing", 0, 0, 0],
  ["Sun Brightness", 4250, 0, 2],
  ["House Mode", 1, 1, 0],
  ["Heating Curve", 1250, 1250, 3],
];

const RESOURCES: readonly NetworkResource[] = [
  {
    id: 1,
    name: "Door Chime & Light",
    protocol: "http",
    host: "chime.home.arpa",
    port: 80,
    method: "GET",
    path: "/play?sound=bell&volume=60&repeat=2",
    headers: [{ name: "Accept", value: "text/plain" }],
    body: "",
    timeoutMs: 5000,
  },
  {
    id: 2,
    name: "Amplifier On",
    protocol: "tcp",
    host: "amplifier.home.arpa",
    port: 14_999,
    method: "",
    path: "",
    headers: [],
    body: "PWON\r",
    timeoutMs: 3000,
  },
  {
    id: 3,
    name: "Wake Workstation",
    protocol: "udp",
    host: "workstation.home.arpa",
    port: 9,
    method: "",
    path: "",
    headers: [],
    body: "wake",
    timeoutMs: 1000,
  },
];

export function demoVariables(nowMs: number): readonly Change[] {
  return [...variablesOf(1, INTEGERS, nowMs), ...variablesOf(2, STATES, nowMs)];
}

export function demoResources(): readonly Change[] {
  return RESOURCES.map((resource) => ({ type: "network-resource-put", resource }));
}

function variablesOf(type: VariableType, rows: readonly VariableRow[], nowMs: number): readonly Change[] {
  return rows.map(([name, value, init, prec], index) => ({
    type: "variable-added",
    variable: { type, id: index + 1, name, value, init, prec, writtenAtMs: nowMs },
  }));
}
