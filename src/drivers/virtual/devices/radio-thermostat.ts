/** The thermostat of families 4 and 12: tenths of a degree Celsius. */

import type { DeviceModel } from "../device-model.ts";
import { type Climate, climateCommands, climateHandlers, climateLife } from "./climate.ts";
import { BATTERY, displayed, ERR, reading } from "./quantities.ts";
import { RADIO_CARE, radioDefinitions, radioKind } from "./radio-definitions.ts";
import { RADIO_PARAMETERS, radioCommon } from "./radio-lights.ts";

const CELSIUS = 4;
const FAHRENHEIT = 17;
const TENTHS = 10;

const climate: Climate = {
  room: "ST",
  degree: TENTHS,
  gap: 2 * TENTHS,
  step: 2,
  min: 5 * TENTHS,
  max: 35 * TENTHS,
  temperature(given) {
    const shown = displayed(given);
    return Math.round((given.uom === FAHRENHEIT ? ((shown - 32) * 5) / 9 : shown) * TENTHS);
  },
  turned: (node, state, occasion) => node.change({ CLIFRS: state === 0 ? 0 : 1 }, occasion),
};

const SET_POINT = "_4_1_R_5_35";
const MODE = "_67_0_S_0000000F_N_IX_TMD";
const FAN = "_68_0_S_00000003_N_IX_TFM";

export const radioThermostat: DeviceModel = {
  nodes: [
    {
      ...radioKind("0140", "4.8.6", "152.100.10"),
      properties: [
        reading("ST", CELSIUS, 1, 196),
        reading("CLISPH", CELSIUS, 1, 190),
        reading("CLISPC", CELSIUS, 1, 260),
        reading("CLIMD", 67, 0, 1),
        reading("CLIFS", 68, 0, 0),
        reading("CLIHCS", 66, 0, 0),
        reading("CLIFRS", 80, 0, 0),
        reading("CLIHUM", 22, 0, 47),
        BATTERY,
        ERR,
      ],
      commands: { ...radioCommon, ...climateCommands(climate) },
      actions: climateHandlers(climate),
      life: climateLife(climate),
    },
  ],
  parameters: RADIO_PARAMETERS,
  definitions: radioDefinitions([
    {
      id: "0140",
      name: "Thermostat",
      properties:
        `ST:_4_1_R_m20_60 CLISPH:${SET_POINT} CLISPC:${SET_POINT} CLIMD:${MODE} CLIFS:${FAN} ` +
        "CLIHCS:_66_0_S_00000007_N_IX_THC CLIFRS:*_TSTAT_FAN_STATE CLIHUM:_22_0_R_0_100 BATLVL:_51_0_R_0_100 ERR:*_ERR!",
      accepts:
        `CLISPH(${SET_POINT}=CLISPH) CLISPC(${SET_POINT}=CLISPC) CLIMD(${MODE}=CLIMD) CLIFS(${FAN}=CLIFS) ` +
        `BRT DIM ${RADIO_CARE}`,
      labels: { ST: "Temperature", BRT: "Setpoint Up", DIM: "Setpoint Down" },
    },
  ]),
};
