/** A home moves from a simulation to the devices of an integration. */

import { describe, expect, test } from "vitest";
import {
  finishMoveIn,
  heldPrograms,
  holdPrograms,
  moveInSteps,
  playedNodes,
  suggestDevices,
  takeNodes,
} from "../../src/commands/move-in.ts";
import { undoEdit } from "../../src/commands/undo-edit.ts";
import type { NodeSpec } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import { program } from "../support/programs.ts";
import { codeOf, createServices, memoryStore, REQUEST, scriptedDriver, settle, spec } from "./command-services.ts";

const [A, A2, B, C, C2, D] = ["ZW001_1", "ZW001_2", "ZW002_1", "ZW003_1", "ZW003_2", "ZW004_1"] as const;
const NOWHERE = "ZW009_1";
const devtype = (generic: string) => ({ generic, manufacturer: "12", category: 101 });
const [SWITCH, DIMMER] = [devtype("16"), devtype("17")];
const named = (address: string, name: string, more: Partial<NodeSpec> = {}) =>
  spec(address, "DIMMER", { name, ...more });

const programOf = (node: string): ProgramTree => ({
  if: [],
  then: [{ kind: "command", node, command: "DON", parameters: [] }],
  else: [],
});

/** A simulation plays the first nodes; the integration "radio" has the others. */
async function movingHome(played: readonly NodeSpec[], offered: readonly NodeSpec[]) {
  const services = await createServices({}, { simulation: { actions: () => [], act: () => false, mirror: () => {} } });
  const radio = scriptedDriver("radio");
  const host = new HomeHost(services, radio.name, memoryStore());
  services.drivers.add({ driver: radio }, host);
  await services.drivers.start();
  for (const each of played) services.host.node(each);
  for (const each of offered) host.node(each);
  const take = (mapping: Readonly<Record<string, string>> | null, isForced = false) =>
    takeNodes(services, radio.name, { mapping: mapping && new Map(Object.entries(mapping)), isForced }, REQUEST);
  const driverOf = (address: string) => services.home.nodes.get(address)?.driver;
  return { services, radio, host, take, driverOf };
}

describe("devices under the same addresses", () => {
  test("are taken over and queried for their state, but not the disabled ones", async () => {
    const both = [spec("ZW002_1"), spec("ZW003_1")];
    const { services, radio, take } = await movingHome(both, both);
    services.feed.commit({ type: "node-enabled", address: "ZW003_1", enabled: false }, REQUEST);
    const { addresses } = await take(null);
    await settle();
    expect([addresses, radio.queried, services.driver.queried]).toEqual([["ZW002_1", "ZW003_1"], ["ZW002_1"], []]);
    expect(playedNodes(services)).toEqual([]);
    await expect(take(null)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "The integration radio has no device under the address of a node that is still simulated.",
    });
  });

  test.each([
    ["are offered when they are of the same product", SWITCH, SWITCH, ["radio"]],
    ["are not offered when they are of another product", SWITCH, DIMMER, []],
    ["are offered when they name no product", SWITCH, null, ["radio"]],
    ["are offered when the home names no product", null, DIMMER, ["radio"]],
  ])("%s", async (_what, own, offered, offeredBy) => {
    const { services } = await movingHome(
      [spec(A, "DIMMER", { devtype: own })],
      [spec(A, "DIMMER", { devtype: offered })],
    );
    expect(playedNodes(services).map((each) => each.offeredBy)).toEqual([offeredBy]);
  });
});

describe("a mapping", () => {
  const played = [named(A, "Ceiling"), named(B, "Desk")];
  const offered = [named(B, "New"), named(C, "Newer")];

  test.each<[string, Record<string, string>, string]>([
    ["without entries", {}, "The mapping is empty."],
    ["of two nodes to one device", { [A]: C, [B]: C }, "The mapping names a new device twice."],
    ["of a node that is not played", { [C]: B }, `"${C}" is not the address of a node that is still simulated.`],
    [
      "to a device that there is not",
      { [A]: NOWHERE },
      `The integration radio has no device under the address "${NOWHERE}".`,
    ],
    [
      "that would lose a node",
      { [A]: B },
      `"${B}" is also the address of the node "Desk", which is still simulated. Map that node too, in the same step.`,
    ],
  ])("%s is refused", async (_what, mapping, message) => {
    const { services, take } = await movingHome(played, offered);
    const lastSeq = services.feed.lastSeq;
    await expect(take(mapping)).rejects.toMatchObject({ code: "BAD_REQUEST", message });
    expect(services.feed.lastSeq).toBe(lastSeq);
  });

  test("moves names to the new devices, also when an address is old and new, and can be undone", async () => {
    const { services, take, driverOf } = await movingHome(played, offered);
    const { edit, addresses } = await take({ [A]: B, [B]: C });
    const names = () => [...services.home.nodes.values()].map(({ address, name }) => `${address} ${name}`).sort();
    expect([addresses, names(), driverOf(B), driverOf(C)]).toEqual([
      [B, C],
      [`${B} Ceiling`, `${C} Desk`],
      "radio",
      "radio",
    ]);
    expect(services.home.edits.get(edit)?.title).toBe("Move-in: radio takes 2 nodes over by a mapping");
    await undoEdit(services, edit, REQUEST);
    expect([names(), driverOf(B)]).toEqual([[`${A} Ceiling`, `${B} Desk`, `${C} Newer`], "scripted"]);
  });

  test("can be undone also after the new driver has learned more about a device", async () => {
    const { services, take, driverOf, host } = await movingHome(played, offered);
    const { edit } = await take({ [A]: B, [B]: C });
    host.node(named(C, "Newer", { nodeDefId: "RELAY" }));
    expect(services.home.nodes.get(C)?.nodeDefId).toBe("RELAY");
    await undoEdit(services, edit, REQUEST);
    expect(driverOf(B)).toBe("scripted");
  });

  test("moves things below a node that a new device lacks to that device, also as one of several", async () => {
    const old = [named(A, "Ceiling"), named(B, "Desk"), named("ZW002_2", "Meter", { primary: B })];
    const { services, take } = await movingHome(old, [named(C, "New"), named(D, "Newer")]);
    const below = { kind: "folder", address: "31200", parent: { kind: "node", address: "ZW002_2" } } as const;
    services.feed.commit({ type: "folder-added", folder: { ...below, name: "Shelf" } }, REQUEST);
    await take({ [A]: C, [B]: D }, true);
    expect(services.home.folders.get("31200")?.parent).toEqual({ kind: "node", address: D });
  });

  test("of one node has a title that says so, and reaches its scenes and programs only", async () => {
    const { services, take } = await movingHome([named(A, "Ceiling")], [named(C, "New")]);
    for (const entry of [program(2), program(3, { tree: programOf(A) })]) {
      services.feed.commit({ type: "program-added", program: entry }, REQUEST);
    }
    const { edit } = await take({ [A]: C });
    const { title, touched } = services.home.edits.get(edit) ?? {};
    expect(title).toBe("Move-in: radio takes 1 node over by a mapping");
    expect(touched).toEqual([`node ${C}`, "program 3", `node ${A}`]);
  });

  test("to a device that lacks a function needs force", async () => {
    const { services, take } = await movingHome([named(A, "Ceiling")], [spec(C, "COVER")]);
    const link = { kind: "cmd", node: A, command: "DON", parameters: [] } as const;
    const members = [{ address: A, isController: false }];
    const blocks = [{ controller: "31777", links: [link] }];
    const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks };
    services.feed.commit({ type: "group-added", group }, REQUEST);
    expect(await codeOf(take({ [A]: C }))).toBe("CONFLICT");
    await take({ [A]: C }, true);
    expect(services.home.groups.get("31777")?.members).toEqual([{ address: C, isController: false }]);
  });
});

test.each<[string, readonly NodeSpec[], readonly NodeSpec[], Record<string, string>]>([
  ["of the same name", [named(A, "Hall"), named(B, "Desk")], [named(C, " hall "), named(D, "New")], { [A]: C }],
  [
    "of the same type, when it is alone",
    [named(A, "Hall")],
    [named(C, "New"), named(D, "Other", { type: "1.2.3.4" })],
    { [A]: C },
  ],
  [
    "of the same product",
    [named(A, "Hall", { devtype: SWITCH })],
    [named(C, "New", { devtype: SWITCH }), named(D, "Other", { devtype: DIMMER })],
    { [A]: C },
  ],
  [
    "of the same type, when only the last numbers of the types differ",
    [named(A, "Hall", { type: "4.17.1.0" })],
    [named(C, "New", { type: "4.17.2.9" }), named(D, "Other", { type: "4.18.1.0" })],
    { [A]: C },
  ],
  ["none if two new devices have the type", [named(A, "Hall")], [named(C, "New"), named(D, "Other")], {}],
  ["none if two old devices have the type", [named(A, "Hall"), named(B, "Desk")], [named(C, "New")], {}],
  [
    "of the same name, before types are compared",
    [named(A, "Hall"), named(B, "Desk")],
    [named(C, "Hall"), named(D, "New")],
    { [A]: C },
  ],
  [
    "of the same name, also when another one has the same type",
    [named(A, "Hall")],
    [named(C, "Hall", { type: "1.2.3.4" }), named(D, "New")],
    { [A]: C },
  ],
  [
    "of the same type, when the other one of this type has the name of another node",
    [named(A, "Hall", { type: "1.2.3.4" }), named(B, "Desk")],
    [named(C, "Hall"), named(D, "New")],
    { [A]: C, [B]: D },
  ],
  ["none that has the address of a node of its kind", [named(A, "Hall"), named(B, "Desk")], [named(A, "New")], {}],
  [
    "none for a part of a device",
    [named(A, "Hall"), named(A2, "Part", { primary: A })],
    [named(C, "Part")],
    { [A]: C },
  ],
  [
    "none that is a part of a device",
    [named(A, "Hall")],
    [named(C, "New", { type: "1.2.3.4" }), named(C2, "Hall", { primary: C })],
    {},
  ],
])("suggested is the device %s", async (_what, played, offered, expected) => {
  const { services } = await movingHome(played, offered);
  const suggestions = Array.from(suggestDevices(services), ([address, each]) => [address, each.address]);
  expect(Object.fromEntries(suggestions)).toEqual(expected);
});

test("a device that already replaced a node is not suggested again", async () => {
  const { services, take } = await movingHome([named(A, "Hall"), named(B, "Desk")], [named(C, "New")]);
  await take({ [A]: C });
  expect([...suggestDevices(services)]).toEqual([]);
});

describe("programs", () => {
  test("are disabled until the move is finished; programs that were disabled before stay disabled", async () => {
    const { services } = await movingHome([], []);
    for (const entry of [program(2), program(3, { enabled: false })]) {
      services.feed.commit({ type: "program-added", program: entry }, REQUEST);
    }
    const enabled = () =>
      [...services.home.programs.values()].map((entry) => entry.kind === "program" && entry.enabled);
    expect(await codeOf(finishMoveIn(services, REQUEST))).toBe("CONFLICT");
    await holdPrograms(services, REQUEST);
    const held = heldPrograms(services.home);
    await holdPrograms(services, REQUEST);
    expect([enabled(), moveInSteps(services.home)]).toEqual([[false, false], [held]]);
    await finishMoveIn(services, REQUEST);
    expect([enabled(), heldPrograms(services.home)]).toEqual([[true, false], null]);
    expect(await codeOf(finishMoveIn(services, REQUEST))).toBe("CONFLICT");
  });
});
