/** Edits by people: names, enabling, queries, switches of the controller. Every write waits for the disk. */

import { describe, expect, test } from "vitest";
import { rename, setNodeEnabled } from "../../src/commands/edit-nodes.ts";
import { queryNode } from "../../src/commands/query-node.ts";
import { setBatchMode, setBatteryWrites } from "../../src/commands/settings.ts";
import type { Outcome } from "../../src/drivers/driver.ts";
import { codeOf, createHouse, REQUEST, settle, spec, told, UUID } from "./command-house.ts";

const LAMP = "ZW002_1";

async function lampHouse(settings = {}) {
  const house = await createHouse(settings);
  house.host.node(spec(LAMP));
  const group = {
    address: "31777",
    name: "Evening",
    parent: null,
    deviceGroup: 1,
    members: [{ address: LAMP, isController: false }],
    blocks: [],
  };
  house.feed.commit({ type: "group-added", group }, REQUEST);
  house.feed.commit({ type: "folder-added", folder: { address: "31200", name: "Hall", parent: null } }, REQUEST);
  return house;
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
    const house = await lampHouse();
    await rename(house, address, kind, "Küche 🍳 <b>", REQUEST);
    expect(house.entries.at(-1)).toMatchObject({ change: { type }, cause: REQUEST });
    expect(house.durable).toEqual([house.feed.lastSeq]);
  });

  test("the root group's name is the controller's", async () => {
    const house = await lampHouse();
    await rename(house, UUID, "group", "Home", REQUEST);
    expect(house.home.controller.name).toBe("Home");
  });

  test.each([
    [LAMP, "group"],
    [LAMP, "folder"],
    ["31777", "node"],
    [UUID, "node"],
    ["nowhere", null],
  ] as const)("%s is no %s", async (address, kind) => {
    const house = await lampHouse();
    expect(await codeOf(rename(house, address, kind, "Name", REQUEST))).toBe("NODE_NOT_FOUND");
  });

  test.each(["", " ", " a", "a ", "a\u0000", "a\nb", "\u009b", "\ud800", "x".repeat(201), "🍳".repeat(201)])(
    "the name %j is refused and nothing changes",
    async (name) => {
      const house = await lampHouse();
      expect(await codeOf(rename(house, LAMP, "node", name, REQUEST))).toBe("BAD_NAME");
      expect(told(house, "node-renamed")).toEqual([]);
    },
  );

  test.each(["42", "🍳".repeat(200), "\u202eabc", "=cmd|' /C calc'!A0", "a  b"])(
    "the name %j is kept as it is",
    async (name) => {
      const house = await lampHouse();
      await rename(house, LAMP, "node", name, REQUEST);
      expect(house.home.nodes.get(LAMP)?.name).toBe(name);
    },
  );
});

describe("enable and disable", () => {
  test("tells the driver, waits for the disk, and asks a node that is back for its state", async () => {
    const house = await lampHouse();
    await setNodeEnabled(house, LAMP, false, REQUEST);
    expect([house.home.nodes.get(LAMP)?.enabled, house.driver.disabled]).toEqual([false, [LAMP]]);
    await setNodeEnabled(house, LAMP, true, REQUEST);
    expect(house.driver.queried).toEqual([LAMP]);
    expect(house.durable).toHaveLength(2);
  });

  test("is told also when nothing changes, and works while the driver is down", async () => {
    const house = await lampHouse();
    house.host.status("failed", "");
    await setNodeEnabled(house, LAMP, true, REQUEST);
    expect(told(house, "node-enabled")).toHaveLength(1);
    expect(await codeOf(setNodeEnabled(house, "nowhere", true, REQUEST))).toBe("NODE_NOT_FOUND");
  });
});

describe("query", () => {
  test("answers before the device does; what it does not answer is in the log", async () => {
    const house = await lampHouse();
    const gate = Promise.withResolvers<Outcome>();
    house.driver.answerQuery = () => gate.promise;
    await queryNode(house, LAMP, REQUEST);
    await queryNode(house, LAMP, REQUEST);
    expect([house.driver.queried, house.home.busy]).toEqual([[LAMP], true]);
    gate.resolve({ kind: "failed", reason: "no-ack", detail: "", retryable: true });
    await settle();
    expect([house.home.busy, house.lines[0]?.fields.node]).toEqual([false, LAMP]);
  });

  test("all means every enabled node, a few at a time; a group means its members", async () => {
    const house = await lampHouse({ queriesAtOnce: 2 });
    for (let n = 3; n < 9; n += 1) house.host.node(spec(`ZW00${n}_1`));
    house.feed.commit({ type: "node-enabled", address: "ZW003_1", enabled: false }, REQUEST);
    await queryNode(house, null, REQUEST);
    expect(house.driver.queried).toHaveLength(2);
    await settle();
    expect(house.driver.queried).toHaveLength(6);
    await queryNode(house, "31777", REQUEST);
    await queryNode(house, UUID, REQUEST);
    await settle();
    expect(house.driver.queried.filter((address) => address === LAMP)).toHaveLength(2);
    expect(house.driver.queried).toHaveLength(12);
  });

  test("an unknown or disabled node is refused; a driver that throws is named", async () => {
    const house = await lampHouse();
    expect(await codeOf(queryNode(house, "nowhere", REQUEST))).toBe("NODE_NOT_FOUND");
    house.driver.answerQuery = async () => {
      throw new TypeError("no");
    };
    await queryNode(house, LAMP, REQUEST);
    await settle();
    expect(house.lines.map(({ level }) => level)).toEqual(["error"]);
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    expect(await codeOf(queryNode(house, LAMP, REQUEST))).toBe("NODE_DISABLED");
  });
});

test("batch mode and battery writes are switches of the controller", async () => {
  const house = await createHouse();
  await setBatchMode(house, true, REQUEST);
  await setBatteryWrites(house, false, REQUEST);
  expect(house.home.controller).toMatchObject({ batchMode: true, batteryWrites: false, name: "Casa" });
  expect([told(house, "controller-changed").length, house.durable.length]).toEqual([2, 2]);
});
