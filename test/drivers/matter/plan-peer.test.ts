/** Descriptions of devices become nodes, also those that describe themselves badly. */

import { describe, expect, test } from "vitest";
import type { EndpointDescription, PeerDescription } from "../../../src/drivers/matter/peer-description.ts";
import type { PeerPlan } from "../../../src/drivers/matter/plan-peer.ts";
import { planPeer } from "../../../src/drivers/matter/plan-peer.ts";

type Clusters = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly features?: readonly string[] }>>;

const DIMMABLE = { onOff: { onOff: true }, levelControl: { currentLevel: 100 } } as const;

describe("nodes", () => {
  test("color limits that are the wrong way round are put right", () => {
    const limits = { colorTempPhysicalMinMireds: 500, colorTempPhysicalMaxMireds: 153 };
    const [node] = nodesOf(endpoint(1, { ...DIMMABLE, colorControl: { features: ["colorTemperature"], ...limits } }));
    expect(node?.features.find(({ id }) => id === "GV1")?.editor).toBe("_152_0_R_153_500");
  });

  test("limits that say nothing leave the range open", () => {
    const limits = { colorTempPhysicalMinMireds: 0, colorTempPhysicalMaxMireds: null };
    const [node] = nodesOf(endpoint(1, { ...DIMMABLE, colorControl: { features: ["colorTemperature"], ...limits } }));
    expect(node?.features.find(({ id }) => id === "GV1")?.editor).toBe("_152_0");
  });

  test("a level that is null has no value while the lamp is on, and 0 while it is off", () => {
    const [node] = nodesOf(endpoint(1, DIMMABLE));
    const read = (onOff: boolean) =>
      node?.features.find(({ id }) => id === "ST")?.read({ onOff: { onOff }, levelControl: { currentLevel: null } });
    expect([read(true), read(false)]).toEqual([null, 0]);
  });

  test("equal devices share a nodedef, and different ones do not", () => {
    const [one, other, third] = [DIMMABLE, DIMMABLE, { onOff: { onOff: false } }].map(
      (each) => nodesOf(endpoint(1, each))[0],
    );
    expect(one?.nodeDefId).toBe(other?.nodeDefId);
    expect(one?.nodeDefId).not.toBe(third?.nodeDefId);
  });

  test("modes that make no sense are left out", () => {
    const supportedModes = [null, 7, { label: "No number" }, { mode: 2, label: "Eco", modeTags: [null] }];
    const [node] = nodesOf(endpoint(1, { modeSelect: { supportedModes, currentMode: 2 } }));
    expect(node?.features.map(({ id, names }) => [id, Object.values(names)])).toEqual([["GV7", ["Eco"]]]);
  });

  test("endpoints without a function are no nodes", () => {
    expect(nodesOf(endpoint(0, {}), endpoint(1, { powerSource: { batPercentRemaining: 100 } }))).toEqual([]);
  });

  test("endpoints that name one another as the one above are still nodes", () => {
    const circle = [endpoint(1, DIMMABLE, 2), endpoint(2, DIMMABLE, 1)];
    expect(nodesOf(...circle).map(({ endpoint: number }) => number)).toEqual([1, 2]);
  });

  test("the parts of a bridged device are one device", () => {
    const basic = { bridgedDeviceBasicInformation: { nodeLabel: "Two Gang", uniqueId: "u" } };
    const units = planPeer(
      peer(endpoint(1, {}), endpoint(2, basic, 1), endpoint(3, DIMMABLE, 2), endpoint(4, DIMMABLE, 2)),
    );
    expect(units.map(({ key, name, nodes }) => [key, name, nodes.map((each) => each.endpoint)])).toEqual([
      ["u", "Two Gang", [3, 4]],
    ]);
  });
});

describe("buttons", () => {
  const counting = [
    "momentarySwitch",
    "momentarySwitchRelease",
    "momentarySwitchLongPress",
    "momentarySwitchMultiPress",
  ];

  test.each([
    [counting, "initialPress", {}, null],
    [counting, "shortRelease", {}, null],
    [counting, "multiPressOngoing", { currentNumberOfPressesCounted: 2 }, null],
    [counting, "multiPressComplete", { totalNumberOfPressesCounted: 0 }, null],
    [counting, "multiPressComplete", { totalNumberOfPressesCounted: 1 }, "DON"],
    [counting, "multiPressComplete", { totalNumberOfPressesCounted: 2 }, "DFON"],
    // More than the button says that it counts.
    [counting, "multiPressComplete", { totalNumberOfPressesCounted: 9 }, null],
    [counting, "multiPressComplete", {}, null],
    [counting.slice(0, 3), "initialPress", {}, null],
    [counting.slice(0, 3), "shortRelease", {}, "DON"],
    [counting.slice(0, 1), "initialPress", {}, "DON"],
    // An event that the button does not declare.
    [counting.slice(0, 1), "longPress", {}, null],
    [[], "multiPressComplete", { totalNumberOfPressesCounted: 1 }, null],
    [["latchingSwitch"], "switchLatched", { newPosition: 1 }, "DON"],
    [["latchingSwitch"], "somethingNew", {}, null],
  ])("of the features %j: %s %j is %j", (features, event, fields, control) => {
    const [node] = nodesOf(endpoint(1, { onOff: { onOff: false }, switch: { features, multiPressMax: 2 } }));
    expect(node?.controlOf("switch", event, fields)).toBe(control);
  });

  test("an event of another cluster is none", () => {
    const [node] = nodesOf(endpoint(1, { switch: { features: ["momentarySwitch"] } }));
    expect(node?.controlOf("doorLock", "initialPress", {})).toBeNull();
  });
});

function nodesOf(...endpoints: readonly EndpointDescription[]): readonly PeerPlan[] {
  return planPeer(peer(...endpoints)).flatMap(({ nodes }) => nodes);
}

function peer(...endpoints: readonly EndpointDescription[]): PeerDescription {
  return {
    ...{ peer: "peer1", identity: "maker", name: "Device", product: "Product", firmware: null, endpoints },
    sleep: { kind: "none", idleMs: 0 },
  };
}

function endpoint(number: number, clusters: Clusters, parent: number | null = 0): EndpointDescription {
  const described = Object.entries(clusters).map(([cluster, { features = [], ...values }]) => [
    cluster,
    { features, values },
  ]);
  return { number, parent: number === 0 ? null : parent, deviceTypes: [], clusters: Object.fromEntries(described) };
}
