/** Links of scenes that devices carry out: what the home says of each, and when drivers are told. */

import { expect, test } from "vitest";
import {
  deviceLinkState,
  isCarriedByDevice,
  sendDeviceLinks,
  writeDeviceLinks,
} from "../../src/commands/device-links.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Change } from "../../src/home/change.ts";
import type { DeviceLinkState } from "../../src/home/device-links.ts";
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
  ["of a command to the scene is none", [SCENE, PLAIN], null],
  ["of a controller to itself is none", [LAMP, PLAIN], null],
  ["that is ignored is none", [SWITCH, { kind: "ignore", node: LAMP }], null],
  ["that there is not is none", [SWITCH, { kind: "default", node: SWITCH }], null],
  [
    "that is ignored and wanted is one",
    [SWITCH, { kind: "ignore", node: LAMP }, PLAIN],
    software("The link has a level, a ramp or a command of its own."),
  ],
  [
    "with a level is the controller's",
    [SWITCH, DIM],
    software("The link has a level, a ramp or a command of its own."),
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

test("a link that the driver knows is as it says, and it says what its devices carry out", async () => {
  const { services, driver } = await linkServices();
  driver.known = KNOWN;
  expect(deviceLinkState(services, group, blockOf(SWITCH, DIM), LAMP)).toEqual(KNOWN);
  const carries = (responder: string, command: string) => isCarriedByDevice(services, SWITCH, responder, command);
  expect([carries(LAMP, "DON"), carries(LAMP, "DOF"), carries("nowhere", "DON")]).toEqual([true, false, false]);
});

test("a link between two networks, or of devices that hold none, is the controller's", async () => {
  const services = await createServices();
  for (const address of [SWITCH, LAMP]) services.host.node(spec(address));
  const stateOf = () => deviceLinkState(services, group, blockOf(SWITCH, PLAIN), LAMP);
  expect(stateOf()).toEqual(software("These devices hold no links."));
  const other = scriptedDriver("other");
  services.drivers.add(other, new HomeHost(services, other.name, memoryStore()));
  const lamp = services.home.nodes.get(LAMP);
  if (lamp) services.feed.commit({ type: "node-revised", node: { ...lamp, driver: other.name } }, REQUEST);
  expect(stateOf()).toEqual(software("The two devices are not in one network."));
  expect(isCarriedByDevice(services, SWITCH, LAMP, "DON")).toBe(false);
});

test("only controllers of the scene are told to write their links again", async () => {
  const { services, heard } = await linkServices();
  services.feed.commit({ type: "group-added", group }, REQUEST);
  writeDeviceLinks(services, SCENE);
  expect(heard).toEqual([`retry ${SWITCH}`]);
  expect(await codeOf((async () => writeDeviceLinks(services, "nowhere"))())).toBe("NODE_NOT_FOUND");
});

test("a driver is told once after all changes that may move a link, and of no others", async () => {
  const { services, heard } = await linkServices();
  sendDeviceLinks(services);
  const heardAfter = async (...changes: readonly Change[]) => {
    heard.length = 0;
    for (const change of changes) services.feed.commit(change, REQUEST);
    await settle();
    return heard.length;
  };
  const enabled = (value: boolean): Change => ({ type: "node-enabled", address: LAMP, enabled: value });
  expect(await heardAfter({ type: "group-added", group })).toBe(1);
  expect(await heardAfter({ type: "group-links-changed", group }, enabled(false), enabled(true))).toBe(1);
  expect(await heardAfter({ type: "node-renamed", address: LAMP, name: "Ceiling" })).toBe(0);
  expect(await heardAfter({ type: "group-renamed", address: SCENE, name: "Dusk" })).toBe(0);
  expect(await heardAfter({ type: "group-removed", address: SCENE })).toBe(1);
});
