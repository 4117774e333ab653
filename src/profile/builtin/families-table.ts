/** Editors that every family may use, those that radio drivers name, and the nodedefs of the small families. */

import { GROUPS, RADIO_FAMILIES } from "../../families.ts";
import type { Editor } from "../editor.ts";
import type { Linkdef } from "../linkdef.ts";
import type { Nodedef } from "../nodedef.ts";
import { findUom, UOM } from "../uom.ts";
import { editor, linkdef, nodedef, type RangeRow } from "./definition-text.ts";

/** A range of the labelled values of an enumerated unit. */
function enumeration(uom: number): RangeRow {
  const entries = [...findUom(uom).names];
  return {
    uom,
    subset: entries.map(([raw]) => raw).join(","),
    names: entries.map((entry) => entry.join(" ")).join(", "),
  };
}

/** Radio devices say that an alarm is over; the units have no word for it. */
function withIdle({ subset, names, ...range }: RangeRow): RangeRow {
  return { ...range, subset: `0,${subset}`, names: `0 Idle, ${names}` };
}

const BOOLEAN: RangeRow = enumeration(UOM.boolean);
const RAW = 56;
const TEXT = 145;
const SHORT_NOTIFICATION = 146;
const FULL_NOTIFICATION = 148;
const MINUTES = 45;
const SECONDS = 58;

export const COMMON_EDITORS: readonly Editor[] = [
  editor("BOOL", BOOLEAN),
  editor("bool", BOOLEAN),
  editor("INTEGER", { uom: RAW, min: -2_147_483_648, max: 2_147_483_647 }),
  editor("FLOAT", { uom: RAW, prec: 3, min: -2_147_483, max: 2_147_483 }),
  editor("PERCENT", { uom: UOM.percent, min: 0, max: 100 }),
  editor("ONOFF", { uom: UOM.offOn, subset: "0,100", names: "0 Off, 100 On" }),
  editor(
    "TEMPERATURE",
    { uom: UOM.celsius, prec: 1, min: -100, max: 300 },
    { uom: UOM.fahrenheit, prec: 1, min: -148, max: 572 },
  ),
  editor("BEEP_255", { uom: UOM.level, subset: "0-255" }),
  editor("TEXT", { uom: TEXT }),
  editor("_sys_notify_short", { uom: SHORT_NOTIFICATION, subset: "0-255" }),
  editor("_sys_notify_full", { uom: FULL_NOTIFICATION, subset: "0-255" }),
];

/** The bounds of the integer units 107 to 114: unsigned and signed, of 1 to 4 bytes. */
const INTEGER_RANGES: readonly RangeRow[] = [1, 2, 3, 4]
  .map((bytes): RangeRow => ({ uom: 106 + bytes, min: 0, max: 256 ** bytes - 1 }))
  .concat([1, 2, 3, 4].map((bytes) => ({ uom: 110 + bytes, min: -(256 ** bytes) / 2, max: 256 ** bytes / 2 - 1 })));

/** The named editors of a radio family; everything else about its devices is dynamic. */
function radioEditors(prefix: string): readonly Editor[] {
  return [
    editor(
      `${prefix}_DIM_PERCENT`,
      { uom: UOM.index, subset: "1", names: "1 Previous Value" },
      { uom: UOM.percent, min: 0, max: 100 },
    ),
    editor(`${prefix}_RR`, { uom: MINUTES, min: 0, max: 127 }, { uom: SECONDS, min: 0, max: 127 }),
    editor(`${prefix}_CONFIG`, ...INTEGER_RANGES),
    editor(`${prefix}_ERR`, { uom: UOM.index, subset: "0,1", names: "0 True, 1 False" }),
    editor(`${prefix}_OFF_ON_UNKNOWN`, enumeration(UOM.offOn)),
    editor(`${prefix}_OPEN_CLOSED_UNKNOWN`, enumeration(UOM.openClosed)),
    editor(`${prefix}_LOCK_STS`, enumeration(UOM.deadbolt)),
    editor(`${prefix}_LOCK_ALARM`, enumeration(15)),
    editor(`${prefix}_SECMD`, enumeration(84)),
    editor(`${prefix}_BARRIER`, { ...enumeration(UOM.barrier), subset: "0-104" }),
    editor(`${prefix}_TSTAT_HCS`, enumeration(66)),
    editor(`${prefix}_TSTAT_MODE`, enumeration(67)),
    editor(`${prefix}_TSTAT_FAN_MODE`, enumeration(68)),
    editor(`${prefix}_TSTAT_FAN_STATE`, enumeration(80)),
    editor(`${prefix}_POWER_ALARM`, withIdle(enumeration(93))),
    editor(`${prefix}_APPLIANCE_ALARM`, withIdle(enumeration(94))),
  ];
}

/** The named editors of each radio family. */
export const RADIO_EDITORS: ReadonlyMap<number, readonly Editor[]> = new Map(
  RADIO_FAMILIES.map(({ id, prefix }) => [id, radioEditors(prefix ?? "")]),
);

/** Radio devices that do what another device sends. */
export const BASIC_LINK: Linkdef = { ...linkdef("BASIC", "Basic", "ZWAVE", ""), cmd: true };

const CLIMATE_COMMANDS =
  "CLIMD(I_TSTAT_MODE) CLIFS(I_TSTAT_FAN_MODE) CLISPH(I_CLISPH_DEG) CLISPC(I_CLISPC_DEG) " +
  "CLISPHD(I_CLISPD_DEG) CLISPCD(I_CLISPD_DEG)";
const ENERGY_CHANNEL = "ST:_73_1 TPW:_33_3 PPW:_73_1 CC:_1_3 CV:_72_1 PF:_53_2_R_m1_1 FREQ:_90_2_R_0_100 ERR:I_ERR";
const SWITCHED = { properties: "ST:ONOFF", accepts: "DON DOF QUERY" };

function energyMonitor(prefix: string, accepts: string): readonly Nodedef[] {
  const row = { properties: ENERGY_CHANNEL, accepts, labels: { ST: "Power" } };
  return [
    nodedef(`${prefix}Main`, { name: "Energy Monitor", ...row }),
    nodedef(`${prefix}Channel`, { name: "Energy Channel", ...row }),
  ];
}

/** Nodedefs of families 3, 6, 7, 8, 9 and 11. */
export const SMALL_FAMILIES: ReadonlyMap<number, readonly Nodedef[]> = new Map([
  [
    3,
    [
      nodedef("Thermostat", {
        name: "Thermostat",
        properties:
          "ST:I_TEMP_DEG_1 CLISPH:I_CLISPH_DEG CLISPC:I_CLISPC_DEG CLIMD:I_TSTAT_MODE CLIFS:I_TSTAT_FAN_MODE CLIHCS:I_TSTAT_HCS",
        accepts: `${CLIMATE_COMMANDS} QUERY`,
        labels: { ST: "Temperature" },
      }),
      nodedef("RelayLoadControl", { name: "Load Control", properties: "ST:I_OL_RELAY", accepts: "DON DOF QUERY" }),
    ],
  ],
  [
    GROUPS.id,
    [
      nodedef("InsteonDimmer", {
        name: "Scene",
        properties: "",
        accepts: `DON(I_OL_PARAM?) DOF DFOF DFON BRT DIM FDUP FDDOWN FDSTOP BEEP(I_BEEP_255?) QUERY ${CLIMATE_COMMANDS}`,
      }),
    ],
  ],
  [7, energyMonitor("EM3", "QUERY RESET")],
  [8, energyMonitor("BT", "QUERY")],
  [9, [nodedef("NCDRelay", { name: "Relay", ...SWITCHED, sends: "DON DOF" })]],
  [11, [nodedef("LUTLoadShed", { name: "Load Shed", ...SWITCHED, sends: "DON DOF" })]],
]);
