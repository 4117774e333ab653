/**
 * Nodedefs of the wired family (1): the well-known ids of the field. The `_ADV` form of an id is the same device with
 * scene links that carry a cleanup ramp rate.
 */

import type { Nodedef } from "../nodedef.ts";
import { linkdef, type NodedefRow, nodedef } from "./definition-text.ts";

const PROTOCOL = "INSTEON";

export const WIRED_LINKDEFS = [
  linkdef("INSTEON", "Controller", PROTOCOL, ""),
  linkdef("I_DIMMER", "Dimmer", PROTOCOL, "OL:I_OL_PARAM RR:I_RR"),
  linkdef("I_DIMMER_ADV", "Dimmer", PROTOCOL, "OL:I_OL_PARAM RR:I_RR CLNRT:I_RR"),
  linkdef("I_RELAY", "Relay", PROTOCOL, "OL:I_0_100_PERCENT"),
  linkdef("I_RELAY_ADV", "Relay", PROTOCOL, "OL:I_0_100_PERCENT CLNRT:I_RR"),
  linkdef("I_FLM", "Fan", PROTOCOL, "OL:I_FLM_LVL"),
  linkdef("I_FLM_ADV", "Fan", PROTOCOL, "OL:I_FLM_LVL CLNRT:I_RR"),
];

const ERR = "ERR:I_ERR";
const LEVEL = `ST:I_OL OL:I_OL RR:I_RR ${ERR}`;
const ON_OFF = `ST:I_OL_RELAY ${ERR}`;
const PADDLE = "DON DOF DFON DFOF FDUP FDDOWN FDSTOP";
const DIMMER_PADDLE = `${PADDLE} BRT DIM`;
const BEEP = "BEEP(I_BEEP_255?)";
const CARE = `QUERY ${BEEP} WDU`;
const SWITCHING = "DON(I_0_100_PERCENT?) DOF DFON DFOF";
const DIMMING = "DON(I_OL_PARAM?) DOF DFON DFOF BRT DIM FDUP FDDOWN FDSTOP OL(I_OL_PARAM=OL) RR(I_RR=RR)";
const PLAIN_SWITCHING = "DON(I_0_100_PERCENT?) DOF";
const SIREN_LABELS = { DON: "Siren", DELAY: "Arm Countdown", DUR: "Siren Duration" };
const FLAG_LABELS = {
  ST: "Mode",
  GV0: "Mode",
  GV1: "Program Lock",
  GV2: "Resume Dim",
  GV3: "Relay at Full On",
  GV4: "Key Beep",
  GV5: "Disable RF",
  GV7: "Error Blink",
};

const RESPONDS_DIMMER = { respondLinks: "I_DIMMER" };
const RESPONDS_RELAY = { respondLinks: "I_RELAY" };
const CONTROLS = { controlLinks: "INSTEON" };

/** Switches and dimmers with a paddle or buttons that begin scenes. */
const RELAY = { properties: ON_OFF, sends: PADDLE, ...CONTROLS, ...RESPONDS_RELAY };
const DIMMER = { properties: LEVEL, sends: DIMMER_PADDLE, ...CONTROLS, ...RESPONDS_DIMMER };
const WITHOUT_LOAD = { name: "Relay Paddle without Load", properties: ERR, sends: PADDLE, ...CONTROLS };
/** Inputs that report on and off. */
const INPUT = { properties: ON_OFF, sends: "DON DOF", ...CONTROLS };

const THERMOSTAT: NodedefRow = {
  name: "Thermostat",
  properties:
    "ST:I_TEMP_DEG_1 CLISPH:I_CLISPH_DEG CLISPC:I_CLISPC_DEG CLIMD:I_TSTAT_MODE CLIFS:I_TSTAT_FAN_MODE " +
    `CLIHUM:I_HUM CLIHCS:I_TSTAT_HCS UOM:I_TSTAT_UOM ${ERR}`,
  accepts:
    "CLISPH(I_CLISPH_DEG=CLISPH) CLISPC(I_CLISPC_DEG=CLISPC) CLIMD(I_TSTAT_MODE=CLIMD) " +
    `CLIFS(I_TSTAT_FAN_MODE=CLIFS) BRT DIM SETTIME ${CARE}`,
  labels: { ST: "Temperature", BRT: "Setpoint Up", DIM: "Setpoint Down" },
  ...CONTROLS,
};

const MOTION: Omit<NodedefRow, "properties"> = {
  name: "Motion Sensor",
  sends: "DON DOF",
  accepts: CARE,
  labels: { GV1: "Battery Powered", CLITEMP: "Temperature" },
  ...CONTROLS,
};

/** The configuration flags of a device of the third generation: a flag is a property and the command that sets it. */
function flags(name: string, ids: readonly string[], labels: Readonly<Record<string, string>>): NodedefRow {
  return {
    name,
    properties: `ST:I_I3_MODE ${ids.map((id) => `${id}:I_BOOL`).join(" ")} ${ERR}`,
    accepts: `GV0(I_I3_MODE=ST) ${ids.map((id) => `${id}(I_BOOL=${id})`).join(" ")} QUERY WDU`,
    labels: { ...FLAG_LABELS, ...labels },
  };
}

/** Rows whose id also exists as `_ADV`. */
const IN_BOTH_FORMS: Readonly<Record<string, NodedefRow>> = {
  OnOffControl: { name: "On/Off Control", ...INPUT, accepts: "" },
  // A cover accepts no DOF, or clients would take it for a lamp; DOF and OL are read as close and go to.
  DimmerMotorSwitch: {
    name: "Motor Controller",
    properties: `ST:I_OL DUR:I_DUR_255 ${ERR}`,
    sends: PADDLE,
    accepts: `DON(I_OL_PARAM=OL?) FDUP FDDOWN(I_OL_PARAM=DOF?) FDSTOP DUR(I_DUR_255=DUR) BL(I_BL) ${CARE}`,
    labels: { DUR: "Max Duration" },
    ...CONTROLS,
    ...RESPONDS_RELAY,
  },
  DimmerLampSwitch: { name: "Dimmer Switch", ...DIMMER, accepts: `${DIMMING} BL(I_BL) ${CARE}` },
  DimmerLampSwitchLED: { name: "Dimmer Switch with LED", ...DIMMER, accepts: `${DIMMING} LED(I_LED) BL(I_BL) ${CARE}` },
  DimmerSwitchOnly: {
    name: "Dimmer Paddle without Load",
    properties: ERR,
    sends: DIMMER_PADDLE,
    accepts: "BL(I_BL) WDU",
    ...CONTROLS,
  },
  KeypadDimmer: { name: "Keypad Dimmer", ...DIMMER, sends: PADDLE, accepts: `${DIMMING} BL(I_BL_KP) ${CARE}` },
  BallastRelayLampSwitch: { name: "Ballast Switch", ...RELAY, accepts: `${SWITCHING} ${CARE}` },
  RelayLampSwitch: { name: "Relay Switch", ...RELAY, accepts: `${SWITCHING} BL(I_BL) ${CARE}` },
  RelayLampSwitchLED: { name: "Relay Switch with LED", ...RELAY, accepts: `${SWITCHING} LED(I_LED) BL(I_BL) ${CARE}` },
  RelaySwitchOnlyPlusQuery: { ...WITHOUT_LOAD, accepts: `BL(I_BL) ${CARE}` },
  RelaySwitchOnly: { ...WITHOUT_LOAD, accepts: `${BEEP} BL(I_BL) WDU` },
  RelayLampOnly: { name: "Relay Module", properties: ON_OFF, accepts: `${SWITCHING} ${CARE}`, ...RESPONDS_RELAY },
  KeypadRelay: { name: "Keypad Relay", ...RELAY, accepts: `${SWITCHING} BL(I_BL_KP) ${CARE}` },
  RemoteLinc2: { name: "Remote Button", properties: ON_OFF, sends: PADDLE, accepts: "WDU", ...CONTROLS },
  KeypadButton: { name: "Keypad Button", ...RELAY, accepts: "BL(I_BL_KP) QUERY WDU" },
  EZRAIN_Input: { name: "Rain Controller Input", ...INPUT, accepts: "WDU" },
  EZIO2x4_Input: { name: "I/O Controller Input", ...INPUT, accepts: "WDU" },
  BinaryAlarm: { name: "Binary Alarm", ...INPUT, accepts: CARE },
  BinaryControl: { name: "Binary Control", ...INPUT, accepts: CARE },
  AlertModuleSiren: { name: "Alert Module", properties: ON_OFF, accepts: `${SWITCHING} ${CARE}`, ...RESPONDS_RELAY },
  Siren: {
    name: "Siren",
    properties: `ST:I_OL_RELAY MODE:I_SIREN_MODE_QUERY DELAY:I_DUR_255 DUR:I_DUR_255 ${ERR}`,
    sends: "DFON DFOF",
    accepts: `DON(DUR:I_DUR_255?) DOF ARM(I_SIREN_MODE?) DISARM ${CARE}`,
    labels: SIREN_LABELS,
    ...CONTROLS,
    ...RESPONDS_RELAY,
  },
  PIR2844: {
    ...MOTION,
    properties: `ST:I_OL_RELAY CLITEMP:I_TEMP_F LUMIN:I_PERCENT BATLVL:I_PERCENT GV1:I_BOOL ${ERR}`,
  },
  PIR2844C: {
    ...MOTION,
    properties: `ST:I_OL_RELAY CLITEMP:I_TEMP_C LUMIN:I_PERCENT BATLVL:I_PERCENT GV1:I_BOOL ${ERR}`,
  },
  PIR2844OnOff: {
    ...MOTION,
    name: "Motion Sensor Output",
    properties: ON_OFF,
    accepts: `${PLAIN_SWITCHING} ${CARE}`,
  },
};

const IN_ONE_FORM: Readonly<Record<string, NodedefRow>> = {
  X10: { name: "X10 Device", properties: ON_OFF, sends: "DON DOF", accepts: "DON DOF BRT DIM QUERY" },
  Thermostat: THERMOSTAT,
  TempLinc: THERMOSTAT,
  DimmerLampOnly: { name: "Dimmer Module", properties: LEVEL, accepts: `${DIMMING} ${CARE}`, ...RESPONDS_DIMMER },
  IRLincTx: { name: "Infrared Transmitter", properties: ERR, accepts: `${BEEP} WDU` },
  FanLincMotor: {
    name: "Fan Motor",
    properties: `ST:I_FLM_LVL ${ERR}`,
    accepts: `DON(I_FLM_LVL?) DOF DFON DFOF ${CARE}`,
    respondLinks: "I_FLM I_FLM_ADV",
  },
  EZRAIN_Output: { name: "Rain Controller Output", properties: ON_OFF, accepts: `${PLAIN_SWITCHING} ${CARE}` },
  EZIO2x4_Output: { name: "I/O Controller Output", properties: ON_OFF, accepts: `${PLAIN_SWITCHING} QUERY WDU` },
  IMETER_SOLO: {
    name: "Energy Meter",
    properties: `ST:I_POWER TPW:I_ENERGY ${ERR}`,
    accepts: "RESET QUERY WDU",
    labels: { ST: "Current Power", RESET: "Reset Total Energy" },
  },
  DoorLock: {
    name: "Door Lock",
    properties: `ST:I_LOCK ${ERR}`,
    accepts: "DON DOF LOCK UNLOCK SECMD(I_SECMD) QUERY WDU",
    ...RESPONDS_RELAY,
  },
  AlertModuleArmed: { name: "Alert Module Armed", properties: ON_OFF, accepts: `${PLAIN_SWITCHING} ${CARE}` },
  SirenAlert: { name: "Siren Alert", properties: ERR, accepts: "", respondLinks: "I_RELAY" },
  SirenArm: { name: "Siren Arm", properties: ERR, accepts: "", respondLinks: "I_RELAY" },
  I3DialFlags: flags("Dial Flags", ["GV1", "GV2", "GV3", "GV4", "GV5", "GV6", "GV7"], { GV6: "Dial to Off" }),
  I3PaddleFlags: flags("Paddle Flags", ["GV1", "GV2", "GV3", "GV4", "GV5", "GV7"], {}),
  I3KeypadFlags: flags("Keypad Flags", ["GV1", "GV2", "GV3", "GV4", "GV5", "GV6", "GV7", "GV8"], {
    GV6: "Button Lock",
    GV8: "Cleanup Reports",
  }),
};

export const WIRED_NODEDEFS: readonly Nodedef[] = [
  ...Object.entries(IN_ONE_FORM).map(([id, row]) => nodedef(id, row)),
  ...Object.entries(IN_BOTH_FORMS).flatMap(([id, row]) => [nodedef(id, row), nodedef(`${id}_ADV`, advanced(row))]),
];

function advanced(row: NodedefRow): NodedefRow {
  return row.respondLinks === undefined ? row : { ...row, respondLinks: `${row.respondLinks}_ADV` };
}
