/** Family 10: nodes as plugins have them, with values of their own (GVn), precisions, and definitions that they bring. */

import { editor, nodedef } from "../../../profile/builtin/definition-text.ts";
import { SWITCHED } from "../../../profile/state-shapes.ts";
import { MINUTE_MS } from "../../../util/clock.ts";
import {
  BY_ITSELF,
  type DeviceModel,
  type DeviceNode,
  type NodeModel,
  type Occasion,
  type Reaction,
} from "../device-model.ts";
import { clamp, displayed, mainParameter, parameter, reading } from "./quantities.ts";

const TYPE = "1.1.0.0";
const MINUTES = 45;

/** A command that sets the property to its parameter. */
function stores(id: string): Reaction {
  return (node, received) => {
    const given = mainParameter(received);
    if (given) node.change({ [id]: displayed(given) }, received.occasion);
  };
}

/** A weather station through the day. */
const weather: NodeModel = {
  nodeDefId: "weather",
  type: TYPE,
  properties: [
    reading("ST", 2, 0, 1),
    reading("CLITEMP", 4, 1, 124),
    reading("CLIHUM", 22, 0, 61),
    reading("BARPRES", 118, 1, 10_132),
    reading("SPEED", 32, 1, 87),
    reading("WINDDIR", 76, 0, 245),
    reading("RAINRT", 46, 2, 0),
    reading("UV", 71, 1, 23),
    reading("GV1", 25, 0, 1),
    reading("GV2", 56, 3, 1234),
  ],
  commands: {
    DISCOVER: (node, { occasion }) => node.change({ ST: 1 }, occasion),
    GV1: stores("GV1"),
  },
  life: {
    pace: "ticking",
    live(node, { minuteOfDay, roll }) {
      const warm = Math.sin(((minuteOfDay - 540) / 1440) * 2 * Math.PI);
      const turn = Math.round((roll - 0.5) * 20);
      node.change(
        {
          CLITEMP: Math.round(118 + warm * 55 + roll * 6),
          CLIHUM: Math.round(63 - warm * 18 + roll * 4),
          BARPRES: clamp(node.value("BARPRES") + Math.round((roll - 0.5) * 6), 9900, 10_400),
          SPEED: Math.round(60 + roll * 90),
          WINDDIR: (node.value("WINDDIR") + turn + 360) % 360,
          UV: Math.round(Math.max(0, warm) * 60),
        },
        BY_ITSELF,
      );
    },
  },
};

function water(node: DeviceNode, minutes: number, occasion: Occasion): void {
  node.change({ ST: 100, TIMEREM: minutes }, occasion);
  node.after(minutes * MINUTE_MS, () => {
    node.change({ GV1: node.value("GV1") + minutes * 35 }, BY_ITSELF);
    dry(node, BY_ITSELF);
  });
}

function dry(node: DeviceNode, occasion: Occasion): void {
  node.halt(occasion);
  node.change({ ST: 0, TIMEREM: 0 }, occasion);
}

/** A zone waters for its own time or for the time that the command asks for; GV1 counts tenths of a litre. */
const zone: NodeModel = {
  nodeDefId: "zone",
  type: TYPE,
  properties: [
    reading("ST", SWITCHED.uom, 0, SWITCHED.numberOf(false)),
    reading("GV0", MINUTES, 0, 10),
    reading("GV1", 35, 1, 0),
    reading("TIMEREM", MINUTES, 0, 0),
  ],
  commands: {
    DON(node, received) {
      const given = parameter(received);
      water(node, given ? displayed(given) : node.value("GV0"), received.occasion);
    },
    DOF: (node, { occasion }) => dry(node, occasion),
    GV0: stores("GV0"),
  },
  actions: {
    DON(node) {
      node.send("DON");
      water(node, node.value("GV0"), BY_ITSELF);
    },
    DOF(node) {
      node.send("DOF");
      dry(node, BY_ITSELF);
    },
  },
};

const irrigation: NodeModel = {
  nodeDefId: "irrigation",
  type: TYPE,
  properties: [
    reading("ST", SWITCHED.uom, 0, SWITCHED.numberOf(false)),
    reading("GV0", 2, 0, 1),
    reading("GV1", 10, 0, 0),
  ],
  commands: {
    GV1: stores("GV1"),
    DON: (node, { occasion }) => node.change({ ST: 100 }, occasion),
    DOF: (node, { occasion }) => node.change({ ST: 0 }, occasion),
  },
};

const weatherDefinitions = {
  nodedefs: [
    nodedef("weather", {
      name: "Weather Station",
      properties:
        "ST:bool CLITEMP:WX_TEMP CLIHUM:WX_HUM BARPRES:WX_PRES SPEED:WX_WIND WINDDIR:WX_DIR RAINRT:WX_RAIN UV:WX_UV GV1:WX_SOURCE GV2:WX_RAW",
      accepts: "QUERY DISCOVER GV1(WX_SOURCE=GV1)",
      labels: { ST: "Online", GV1: "Source", GV2: "Soil Reading" },
    }),
  ],
  editors: [
    editor("WX_TEMP", { uom: 4, prec: 1, min: -60, max: 60 }),
    editor("WX_HUM", { uom: 22, min: 0, max: 100 }),
    editor("WX_PRES", { uom: 118, prec: 1, min: 800, max: 1100 }),
    editor("WX_WIND", { uom: 32, prec: 1, min: 0, max: 300 }),
    editor("WX_DIR", { uom: 76, min: 0, max: 360 }),
    editor("WX_RAIN", { uom: 46, prec: 2, min: 0, max: 500 }),
    editor("WX_UV", { uom: 71, prec: 1, min: 0, max: 16 }),
    editor("WX_SOURCE", { uom: 25, subset: "0-2", names: "0 Off, 1 Station, 2 Forecast" }),
    editor("WX_RAW", { uom: 56, prec: 3, min: 0, max: 100 }),
  ],
};

const irrigationDefinitions = {
  nodedefs: [
    nodedef("irrigation", {
      name: "Irrigation Controller",
      properties: "ST:IR_MODE GV0:bool GV1:IR_DAYS",
      accepts: "DON DOF GV1(IR_DAYS=GV1) QUERY",
      labels: { ST: "Mode", GV0: "Online", GV1: "Rain Delay", DON: "Automatic", DOF: "Manual" },
    }),
    nodedef("zone", {
      name: "Irrigation Zone",
      properties: "ST:IR_VALVE GV0:IR_MINUTES GV1:IR_WATER TIMEREM:IR_MINUTES",
      sends: "DON DOF",
      accepts: "DON(IR_MINUTES?) DOF GV0(IR_MINUTES=GV0) QUERY",
      labels: { GV0: "Run Time", GV1: "Water Used" },
    }),
  ],
  editors: [
    editor("IR_MODE", { uom: SWITCHED.uom, subset: "0,100", names: "0 Manual, 100 Automatic" }),
    editor("IR_DAYS", { uom: 10, min: 0, max: 14 }),
    editor("IR_VALVE", { uom: SWITCHED.uom, subset: "0,100", names: "0 Off, 100 On" }),
    editor("IR_MINUTES", { uom: MINUTES, min: 0, max: 240 }),
    editor("IR_WATER", { uom: 35, prec: 1, min: 0, max: 1_000_000 }),
  ],
};

export const pluginWeather: DeviceModel = { nodes: [weather], definitions: () => weatherDefinitions };
export const pluginIrrigation: DeviceModel = { nodes: [irrigation], definitions: () => irrigationDefinitions };
export const pluginZone: DeviceModel = { nodes: [zone], definitions: () => irrigationDefinitions };
