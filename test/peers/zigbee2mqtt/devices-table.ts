/** The devices of the network that Zigbee2MQTT finds in its database: one of each kind that its users have most. */

type Endpoint = readonly [id: number, deviceId: number, inClusters: readonly number[], outClusters: readonly number[]];
export type ZigbeeDevice = {
  readonly name: string;
  readonly type: "Router" | "EndDevice";
  readonly maker: readonly [id: number, name: string];
  readonly model: string;
  readonly isBattery: boolean;
  readonly endpoints: readonly Endpoint[];
};

const IKEA = [4476, "IKEA of Sweden"] as const;
const LUMI = [4151, "LUMI"] as const;

/** Their network addresses count from 2, their IEEE addresses too. */
export const DEVICES: readonly ZigbeeDevice[] = [
  {
    name: "bulb",
    type: "Router",
    maker: IKEA,
    model: "TRADFRI bulb E27 WS opal 980lm",
    isBattery: false,
    endpoints: [[1, 544, [0, 3, 4, 5, 6, 8, 768, 4096], [5, 25, 32, 4096]]],
  },
  {
    name: "plug",
    type: "Router",
    maker: [4417, "_TZ3000_cphmq0q7"],
    model: "TS011F",
    isBattery: false,
    endpoints: [[1, 81, [0, 3, 4, 5, 6, 1794, 2820], [10, 25]]],
  },
  {
    name: "contact",
    type: "EndDevice",
    maker: LUMI,
    model: "lumi.sensor_magnet.aq2",
    isBattery: true,
    endpoints: [[1, 260, [0, 3, 65535, 6], [0, 4, 65535]]],
  },
  {
    name: "climate",
    type: "EndDevice",
    maker: [4742, "SONOFF"],
    model: "SNZB-02D",
    isBattery: true,
    endpoints: [[1, 770, [0, 1, 3, 32, 1026, 1029, 64599, 64529], [25]]],
  },
  {
    name: "motion",
    type: "EndDevice",
    maker: [4107, "Philips"],
    model: "SML001",
    isBattery: true,
    endpoints: [
      [1, 2128, [0], [0, 3, 4, 6, 8, 768, 5]],
      [2, 263, [0, 1, 3, 1024, 1026, 1030], [25]],
    ],
  },
  {
    name: "lock",
    type: "EndDevice",
    maker: [4125, "Yale"],
    model: "YRD226 TSDB",
    isBattery: true,
    endpoints: [[1, 10, [0, 1, 3, 9, 10, 32, 257], [10, 25]]],
  },
  {
    name: "blind",
    type: "Router",
    maker: IKEA,
    model: "FYRTUR block-out roller blind",
    isBattery: true,
    endpoints: [[1, 514, [0, 1, 3, 4, 5, 32, 258, 4096, 64636], [3, 4, 25, 4096]]],
  },
  {
    name: "remote",
    type: "EndDevice",
    maker: IKEA,
    model: "RODRET Dimmer",
    isBattery: true,
    endpoints: [[1, 2080, [0, 1, 3, 9, 32, 4096], [3, 4, 6, 8, 25, 4096]]],
  },
  {
    name: "radiator",
    type: "EndDevice",
    maker: [4678, "Danfoss"],
    model: "eTRV0103",
    isBattery: true,
    endpoints: [[1, 769, [0, 1, 3, 10, 32, 513, 516, 2821], [0, 25]]],
  },
  {
    name: "leak",
    type: "EndDevice",
    maker: LUMI,
    model: "lumi.sensor_wleak.aq1",
    isBattery: true,
    endpoints: [[1, 1026, [0, 3, 1], [25]]],
  },
  {
    name: "two gang",
    type: "Router",
    maker: LUMI,
    model: "lumi.ctrl_neutral2",
    isBattery: false,
    endpoints: [
      [1, 81, [0, 1, 2, 3, 10], [10, 25]],
      [2, 256, [16, 6, 4, 5], []],
      [3, 256, [16, 6, 4, 5], []],
    ],
  },
  {
    name: "smoke",
    type: "EndDevice",
    maker: LUMI,
    model: "lumi.sensor_smoke",
    isBattery: true,
    endpoints: [[1, 1026, [0, 1, 3, 12, 18, 1280], [25]]],
  },
];
