/** Edits by people: names, enabling, queries, switches of the controller. Every write waits for the disk. */

import { describe, expect, test } from "vitest";
import { renameThing, setNodeEnabled } from "../../src/commands/edit-nodes.ts";
import { createScene, removeScene } from "../../src/commands/edit-scenes.ts";
import { newAddress, newDeviceGroup } from "../../src/commands/new-ids.ts";
import { queryNode } from "../../src/commands/query-node.ts";
import { setSwitches } from "../../src/commands/settings.ts";
import type { Outcome } from "../../src/drivers/command.ts";
import { program } from "../support/programs.ts";
import { codeOf, createServices, REQUEST, settle, spec, told, UUID } from "./command-services.ts";

const LAMP = "ZW002_1";

async function lampServices(settings = {}) {
  const services = await createServices(settings);
  services.host.node(spec(LAMP));
  const group = {
    address: "31777",
    name: "Evening",
    parent: null,
    deviceGroup: 1,
    members: [{ address: LAMP, isController: false }],
    blocks: [],
  };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  services.feed.commit({ type: "folder-added", folder: { address: "31200", name: "Hall", parent: null } }, REQUEST);
  return services;
}

describe("rename", () => {
  test.each([
    [LAMP, "node", "node-renamed"],
    [LAMP, null, "node-renamed"],
    ["31777", "group", "group-renamed"],
    ["31777", null, "group-renamed"],
    ["31200", "folder", "folder-renamed"],
    [UUID, "group", "controller-changed"],
    [UUID, null, "controller-changed"],
  ] as const)("%s as %s is told as %s, and waits for the disk", async (address, kind, type) => {
    const services = await lampServices();
    await renameThing(services, address, kind, "Küche 🍳 <b>", REQUEST);
    expect(services.entries.at(-1)).toMatchObject({ change: { type }, cause: REQUEST });
    expect(services.durable).toEqual([services.feed.lastSeq]);
  });

  test("to the present name is published too, and is no edit", async () => {
    const services = await lampServices();
    await renameThing(services, LAMP, "node", `Device ${LAMP}`, REQUEST);
    expect([told(services, "node-renamed").length, services.home.edits.size]).toEqual([1, 0]);
    expect(services.durable).toEqual([services.feed.lastSeq]);
  });

  test("the root group's name is the controller's", async () => {
    const services = await lampServices();
    await renameThing(services, UUID, "group", "Home", REQUEST);
    expect(services.home.controller.name).toBe("Home");
    expect([...services.home.edits.values()].map(({ title }) => title)).toEqual(['Name the controller "Home"']);
  });

  test.each([
    [LAMP, "group"],
    [LAMP, "folder"],
    ["31777", "node"],
    [UUID, "node"],
    ["nowhere", null],
  ] as const)("%s is no %s", async (address, kind) => {
    const services = await lampServices();
    expect(await codeOf(renameThing(services, address, kind, "Name", REQUEST))).toBe("NODE_NOT_FOUND");
  });

  test.each([
    "",
    " ",
    " a",
    "a ",
    "a\u0000",
    "a\nb",
    "\u009b",
    "\ud800",
    "\u202eabc",
    "a\u200bb",
    "x".repeat(201),
    "🍳".repeat(201),
  ])("the name %j is refused and nothing changes", async (name) => {
    const services = await lampServices();
    expect(await codeOf(renameThing(services, LAMP, "node", name, REQUEST))).toBe("BAD_NAME");
    expect(told(services, "node-renamed")).toEqual([]);
  });

  test.each(["42", "🍳".repeat(200), "=cmd|' /C calc'!A0", "a  b"])("the name %j is stored unchanged", async (name) => {
    const services = await lampServices();
    await renameThing(services, LAMP, "node", name, REQUEST);
    expect(services.home.nodes.get(LAMP)?.name).toBe(name);
  });
});

describe("enable and disable", () => {
  test("waits for the disk, and queries an enabled node for its state", async () => {
    const services = await lampServices();
    await setNodeEnabled(services, LAMP, false, null, REQUEST);
    expect(services.home.nodes.get(LAMP)?.enabled).toBe(false);
    await setNodeEnabled(services, LAMP, true, null, REQUEST);
    expect(services.driver.queried).toEqual([LAMP]);
    expect(services.durable).toHaveLength(2);
    expect([...services.home.edits.values()].map(({ title }) => title)).toEqual([
      `Disable the node "Device ${LAMP}"`,
      `Enable the node "Device ${LAMP}"`,
    ]);
  });

  test.each([
    ["x".repeat(200), "none"],
    ["🍳".repeat(200), "none"],
    ["x".repeat(201), "BAD_BODY"],
    ["a\nb", "BAD_BODY"],
    ["\ud800", "BAD_BODY"],
  ])("the reason %j is %s", async (because, code) => {
    const services = await lampServices();
    expect(await codeOf(setNodeEnabled(services, LAMP, false, because, REQUEST))).toBe(code);
    expect(services.home.nodes.get(LAMP)?.disabledBecause).toBe(code === "none" ? because : undefined);
  });

  test("is published also when nothing changes, and works while the driver is down", async () => {
    const services = await lampServices();
    services.host.status("failed", "");
    await setNodeEnabled(services, LAMP, true, null, REQUEST);
    expect(told(services, "node-enabled")).toHaveLength(1);
    await setNodeEnabled(services, LAMP, false, null, REQUEST);
    expect(services.home.nodes.get(LAMP)?.enabled).toBe(false);
    expect(await codeOf(setNodeEnabled(services, "nowhere", true, null, REQUEST))).toBe("NODE_NOT_FOUND");
  });
});

test("a new scene gets a device group that no other scene has, and the least used one when all are taken", async () => {
  const services = await createServices();
  const add = (deviceGroup: number, copy = "") => {
    const group = {
      address: `3${deviceGroup}${copy}`,
      name: "Scene",
      parent: null,
      deviceGroup,
      members: [],
      blocks: [],
    };
    services.feed.commit({ type: "group-added", group }, REQUEST);
  };
  add(1);
  add(3);
  expect(newDeviceGroup(services.home)).toBe(2);
  for (let deviceGroup = 2; deviceGroup <= 254; deviceGroup += 1) if (deviceGroup !== 3) add(deviceGroup);
  for (let deviceGroup = 1; deviceGroup <= 253; deviceGroup += 1) add(deviceGroup, "b");
  expect(newDeviceGroup(services.home)).toBe(254);
});

describe("the address of a new folder or scene", () => {
  test.each([
    ["folder", [], "11001"],
    ["group", [], "31001"],
    ["folder", ["11005", "11003", "101"], "11006"],
    ["group", ["31005", "40000", "11001"], "40001"],
    ["folder", ["65534"], "65535"],
    ["folder", ["65535"], "11001"],
    ["group", ["65535", "11001", "11002"], "11003"],
    ["group", ["70000"], "31001"],
  ] as const)("of the kind %s beside %j is %s", async (kind, taken, address) => {
    const services = await createServices();
    for (const each of taken) {
      services.feed.commit({ type: "folder-added", folder: { address: each, name: "Taken", parent: null } }, REQUEST);
      if (kind === "group" && Number(each) > 31_000) {
        const scene = { address: each, name: "Taken", parent: null, deviceGroup: 1, members: [], blocks: [] };
        services.feed.commit({ type: "group-added", group: scene }, REQUEST);
      }
    }
    expect(newAddress(services.home, kind)).toBe(address);
  });

  test("is refused when none is free", async () => {
    const services = await createServices();
    for (let number = 11_001; number <= 65_535; number += 1) {
      const folder = { address: String(number), name: "Taken", parent: null };
      services.feed.commit({ type: "folder-added", folder }, REQUEST);
    }
    expect(await codeOf((async () => newAddress(services.home, "group"))())).toBe("LIMIT_REACHED");
  });

  test("is not one of a removed thing that an undo can bring back, or that a program names", async () => {
    const services = await createServices();
    const { address } = await createScene(services, { name: "Evening", parent: null }, REQUEST);
    await removeScene(services, address, REQUEST);
    const then = [{ kind: "command", node: "31002", command: "DON", parameters: [] } as const];
    services.feed.commit({ type: "program-added", program: program(2, { tree: { if: [], then, else: [] } }) }, REQUEST);
    expect([address, newAddress(services.home, "group")]).toEqual(["31001", "31003"]);
  });
});

describe("query", () => {
  test("answers before the device does; what it does not answer is in the log", async () => {
    const services = await lampServices();
    const gate = Promise.withResolvers<Outcome>();
    services.driver.answerQuery = () => gate.promise;
    await queryNode(services, LAMP, REQUEST);
    await queryNode(services, LAMP, REQUEST);
    expect([services.driver.queried, services.home.busy]).toEqual([[LAMP], true]);
    gate.resolve({ kind: "failed", reason: "no-ack", detail: "", retryable: true });
    await settle();
    expect([services.home.busy, services.lines[0]?.fields.node]).toEqual([false, LAMP]);
  });

  test("all means every enabled node, a few at a time; a group means its members", async () => {
    const services = await lampServices({ queriesAtOnce: 2 });
    for (let n = 3; n < 9; n += 1) services.host.node(spec(`ZW00${n}_1`));
    services.feed.commit({ type: "node-enabled", address: "ZW003_1", enabled: false }, REQUEST);
    await queryNode(services, null, REQUEST);
    expect(services.driver.queried).toHaveLength(2);
    await settle();
    expect(services.driver.queried).toHaveLength(6);
    await queryNode(services, "31777", REQUEST);
    await queryNode(services, UUID, REQUEST);
    await settle();
    expect(services.driver.queried.filter((address) => address === LAMP)).toHaveLength(2);
    expect(services.driver.queried).toHaveLength(12);
    expect(services.lines).toEqual([]);
  });

  test("an unknown or disabled node is refused; a driver that throws is named", async () => {
    const services = await lampServices();
    expect(await codeOf(queryNode(services, "nowhere", REQUEST))).toBe("NODE_NOT_FOUND");
    services.driver.answerQuery = async () => {
      throw new TypeError("no");
    };
    await queryNode(services, LAMP, REQUEST);
    await settle();
    expect(services.lines.map(({ level }) => level)).toEqual(["error"]);
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    expect(await codeOf(queryNode(services, LAMP, REQUEST))).toBe("NODE_DISABLED");
  });
});

test("batch mode and battery writes are switches of the controller", async () => {
  const services = await createServices();
  await setSwitches(services, { batchMode: true }, REQUEST);
  await setSwitches(services, { batteryWrites: false }, REQUEST);
  expect(services.home.controller).toMatchObject({ batchMode: true, batteryWrites: false, name: "Casa" });
  expect([told(services, "controller-changed").length, services.durable.length]).toEqual([2, 2]);
});
