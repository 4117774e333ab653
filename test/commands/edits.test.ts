/** Edits by people: names, enabling, queries, switches of the controller. Every write waits for the disk. */

import { describe, expect, test } from "vitest";
import { newDeviceGroup } from "../../src/commands/addresses.ts";
import { renameThing, setNodeEnabled } from "../../src/commands/edit-nodes.ts";
import { queryNode } from "../../src/commands/query-node.ts";
import { setSwitches } from "../../src/commands/settings.ts";
import type { Outcome } from "../../src/drivers/driver.ts";
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

  test("the root group's name is the controller's", async () => {
    const services = await lampServices();
    await renameThing(services, UUID, "group", "Home", REQUEST);
    expect(services.home.controller.name).toBe("Home");
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

  test.each(["", " ", " a", "a ", "a\u0000", "a\nb", "\u009b", "\ud800", "x".repeat(201), "🍳".repeat(201)])(
    "the name %j is refused and nothing changes",
    async (name) => {
      const services = await lampServices();
      expect(await codeOf(renameThing(services, LAMP, "node", name, REQUEST))).toBe("BAD_NAME");
      expect(told(services, "node-renamed")).toEqual([]);
    },
  );

  test.each(["42", "🍳".repeat(200), "\u202eabc", "=cmd|' /C calc'!A0", "a  b"])(
    "the name %j is stored unchanged",
    async (name) => {
      const services = await lampServices();
      await renameThing(services, LAMP, "node", name, REQUEST);
      expect(services.home.nodes.get(LAMP)?.name).toBe(name);
    },
  );
});

describe("enable and disable", () => {
  test("notifies the driver, waits for the disk, and queries an enabled node for its state", async () => {
    const services = await lampServices();
    await setNodeEnabled(services, LAMP, false, null, REQUEST);
    expect([services.home.nodes.get(LAMP)?.enabled, services.driver.disabled]).toEqual([false, [LAMP]]);
    await setNodeEnabled(services, LAMP, true, null, REQUEST);
    expect(services.driver.queried).toEqual([LAMP]);
    expect(services.durable).toHaveLength(2);
  });

  test("is published also when nothing changes, and works while the driver is down", async () => {
    const services = await lampServices();
    services.host.status("failed", "");
    await setNodeEnabled(services, LAMP, true, null, REQUEST);
    expect(told(services, "node-enabled")).toHaveLength(1);
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
