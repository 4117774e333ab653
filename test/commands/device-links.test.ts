/** Scene links that devices carry out: their state, and when drivers refresh them. */

import { expect, test } from "vitest";
import {
  deviceLinkState,
  isCarriedByDevice,
  sendDeviceLinks,
  writeDeviceLinks,
} from "../../src/commands/device-links.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Change } from "../../src/home/change.ts";
import { type DeviceLink, type DeviceLinkState, deviceLinkOf } from "../../src/home/device-links.ts";
import type { Group, SceneLink } from "../../src/home/groups.ts";
import { codeOf, createServices, memoryStore, REQUEST, scriptedDriver, settle, spec } from "./command-services.ts";

const [SWITCH, LAMP, SCENE] = ["ZW001_1", "ZW002_1", "31777"] as const;
const PLAIN: SceneLink = { kind: "default", node: LAMP };
const DIM: SceneLink = {
  kind: "cmd",
  node: LAMP,
  command: "DON",
  parameters: [{ id: "", value: 60, uom: 51, prec: 0 }],
};
const KNOWN: DeviceLinkState = { state: "software", detail: "known" };
const blockOf = (controller: string, ...links: readonly SceneLink[]) => ({ controller, links });
const members = [SWITCH, LAMP].map((address) => ({ address, isController: address === SWITCH }));
const group: Group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };

/** A driver whose devices hold links. */
async function linkServices() {
  const heard: string[] = [];
  const driver = {
    known: null as DeviceLinkState | null,
    links: {
      refresh: () => void heard.push("refresh"),
      retry: (address: string) => void heard.push(`retry ${address}`),
      state: () => driver.known,
      carries: ({ responder }: { readonly responder: string }, command: string) =>
        responder === LAMP && command === "DON",
    },
  };
  const services = await createServices({}, driver);
  for (const address of [SWITCH, LAMP]) services.host.node(spec(address));
  return { services, driver, heard };
}
type State = DeviceLinkState | null;
const software = (detail: string): State => ({ state: "software", detail });

test.each<[string, readonly [controller: string, ...links: readonly SceneLink[]], State]>([
  ["of a command to the scene has no state", [SCENE, PLAIN], null],
  ["of a controller to itself has no state", [LAMP, PLAIN], null],
  ["that is ignored has no state", [SWITCH, { kind: "ignore", node: LAMP }], null],
  ["that does not exist has no state", [SWITCH, { kind: "default", node: SWITCH }], null],
  [
    "that is ignored and wanted is one",
    [SWITCH, { kind: "ignore", node: LAMP }, PLAIN],
    software("One of the two devices is disabled."),
  ],
  [
    "that is plain is the controller's while a device is disabled",
    [SWITCH, PLAIN],
    software("One of the two devices is disabled."),
  ],
])("a link %s", async (_what, [controller, ...links], state) => {
  const { services } = await linkServices();
  expect(deviceLinkState(services, group, blockOf(controller, ...links), LAMP)).toEqual(state);
});

const LEVEL = { id: "OL", value: 60, uom: 51, prec: 0 };
const RAMP = { id: "RR", value: 20, uom: 25, prec: 0 };

test.each<[string, SceneLink | null, Partial<DeviceLink>]>([
  [
    "a level and a ramp",
    { kind: "native", node: LAMP, linkdef: "I_DIMMER", parameters: [LEVEL, RAMP] },
    { level: LEVEL, ramp: RAMP },
  ],
  ["the level of its command", DIM, { level: { ...LEVEL, id: "" } }],
  ["a command of its own", { kind: "cmd", node: LAMP, command: "DFON", parameters: [] }, { command: "DFON" }],
  ["what the scene does, with a default link", PLAIN, {}],
  ["what the scene does, without a link", null, {}],
])("a link of the scene itself carries %s", (_what, link, effect) => {
  const block = blockOf(SCENE, ...(link ? [link] : []));
  const plain = {
    scene: SCENE,
    deviceGroup: 1,
    controller: SCENE,
    responder: LAMP,
    level: null,
    ramp: null,
    command: null,
  };
  expect(deviceLinkOf(group, block, LAMP)).toEqual({ ...plain, ...effect });
});

test("links of a driver are those of scenes to its enabled nodes, and between two of them", async () => {
  const { services } = await linkServices();
  const blocks = [blockOf(SWITCH, DIM), blockOf(LAMP, PLAIN), blockOf(SCENE, { kind: "ignore", node: SWITCH })];
  services.feed.commit({ type: "group-added", group: { ...group, blocks } }, REQUEST);
  const pairs = () => services.host.deviceLinks().map(({ controller, responder }) => [controller, responder]);
  expect(pairs()).toEqual([
    [SWITCH, LAMP],
    [SCENE, LAMP],
  ]);
  services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
  expect(pairs()).toEqual([]);
});

test("the driver reports the state of a link, and which commands its devices carry out", async () => {
  const { services, driver } = await linkServices();
  driver.known = KNOWN;
  expect(deviceLinkState(services, group, blockOf(SWITCH, DIM), LAMP)).toEqual(KNOWN);
  const carries = (responder: string, command: string) =>
    isCarriedByDevice(services, group, blockOf(SWITCH, DIM), responder, command);
  expect([carries(LAMP, "DON"), carries(LAMP, "DOF"), carries("nowhere", "DON")]).toEqual([true, false, false]);
  expect(deviceLinkState(services, group, blockOf(SCENE, DIM), LAMP)).toEqual(KNOWN);
});

test("the controller carries out a link between two networks, and one of devices that store no links", async () => {
  const services = await createServices();
  for (const address of [SWITCH, LAMP]) services.host.node(spec(address));
  const stateOf = () => deviceLinkState(services, group, blockOf(SWITCH, PLAIN), LAMP);
  expect(stateOf()).toEqual(software("These devices hold no links."));
  const other = scriptedDriver("other");
  services.drivers.add({ driver: other }, new HomeHost(services, other.name, memoryStore()));
  const lamp = services.home.nodes.get(LAMP);
  if (lamp) services.feed.commit({ type: "node-revised", node: { ...lamp, driver: other.name } }, REQUEST);
  expect(stateOf()).toEqual(software("The two devices are not in one network."));
  expect(isCarriedByDevice(services, group, blockOf(SWITCH, PLAIN), LAMP, "DON")).toBe(false);
});

test("a scene's links are written again by the drivers of its members", async () => {
  const { services, heard } = await linkServices();
  services.feed.commit({ type: "group-added", group }, REQUEST);
  writeDeviceLinks(services, SCENE);
  expect(heard).toEqual([`retry ${SCENE}`]);
  expect(await codeOf((async () => writeDeviceLinks(services, "nowhere"))())).toBe("NODE_NOT_FOUND");
});

test("a driver refreshes its links once after several changes of scenes and nodes, and never after a rename", async () => {
  const { services, heard } = await linkServices();
  sendDeviceLinks(services);
  const refreshesAfter = async (...changes: readonly Change[]) => {
    heard.length = 0;
    for (const change of changes) services.feed.commit(change, REQUEST);
    await settle();
    return heard.length;
  };
  const enabled = (value: boolean): Change => ({ type: "node-enabled", address: LAMP, enabled: value });
  expect(await refreshesAfter({ type: "group-added", group })).toBe(1);
  expect(await refreshesAfter({ type: "group-links-changed", group }, enabled(false), enabled(true))).toBe(1);
  expect(await refreshesAfter({ type: "node-renamed", address: LAMP, name: "Ceiling" })).toBe(0);
  expect(await refreshesAfter({ type: "group-renamed", address: SCENE, name: "Dusk" })).toBe(0);
  expect(await refreshesAfter({ type: "group-removed", address: SCENE })).toBe(1);
});
