/** The thermostat of family 1: half degrees, and two further nodes that show whether it cools (2) or heats (3). */

import type { DeviceModel, NodeModel } from "../device-model.ts";
import { type Climate, climateCommands, climateHandlers, climateLife } from "./climate.ts";
import { displayed, ERR, FULL, inner, level, reading } from "./quantities.ts";
import { counted, wiredCommon } from "./wired-lights.ts";

const TYPE = "5.11.13.0";
/** Half degrees: the raw value is twice the temperature. */
const HALF_DEGREES = 101;

const climate: Climate = {
  room: "ST",
  degree: 2,
  gap: 4,
  step: 1,
  min: 20,
  max: 240,
  temperature: (given) => Math.round(displayed(given) * (given.uom === HALF_DEGREES ? 1 : 2)),
  turned(node, state, occasion) {
    for (const [suffix, meaning] of [
      ["2", 2],
      ["3", 1],
    ] as const) {
      const flag = node.sibling(suffix);
      const wanted = state === meaning ? FULL : 0;
      if (flag.value("ST") === wanted) continue;
      flag.send(wanted > 0 ? "DON" : "DOF");
      flag.change({ ST: wanted }, occasion);
    }
  },
};

const main: NodeModel = {
  nodeDefId: "Thermostat",
  type: TYPE,
  properties: [
    reading("ST", HALF_DEGREES, 0, 140),
    reading("CLISPH", HALF_DEGREES, 0, 138),
    reading("CLISPC", HALF_DEGREES, 0, 152),
    reading("CLIMD", 98, 0, 3),
    reading("CLIFS", 99, 0, 8),
    reading("CLIHUM", 22, 0, 44),
    reading("CLIHCS", 66, 0, 0),
    ERR,
    inner("beeps", 0),
    inner("timeSets", 0),
  ],
  commands: {
    ...wiredCommon,
    ...climateCommands(climate),
    SETTIME: counted("timeSets"),
  },
  actions: climateHandlers(climate),
  life: climateLife(climate),
};

export const thermostat: DeviceModel = { nodes: [main, running("2", "Cooling"), running("3", "Heating")] };

function running(suffix: string, label: string): NodeModel {
  return {
    suffix,
    label,
    nodeDefId: "BinaryAlarm_ADV",
    type: TYPE,
    properties: [level("ST", 0), ERR, inner("beeps", 0)],
    commands: wiredCommon,
  };
}
