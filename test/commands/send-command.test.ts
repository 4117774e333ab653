/** Commands to nodes: what is meant, what is handed to the driver, what the one who asked is told. */

import { describe, expect, test } from "vitest";
import { findCommand, recentCommands } from "../../src/commands/command-life.ts";
import { sendCommand } from "../../src/commands/send-command.ts";
import type { FailureReason, Outcome } from "../../src/drivers/driver.ts";
import type { ErrorCode } from "../../src/errors.ts";
import { codeOf, createHouse, REQUEST, report, request, settle, spec, told } from "./command-house.ts";

const LAMP = "ZW002_1";

async function lampHouse(nodeDefId = "DIMMER", settings = {}) {
  const house = await createHouse(settings);
  house.host.node(spec(LAMP, nodeDefId));
  return house;
}

const failed = (reason: FailureReason, detail = ""): Outcome => ({ kind: "failed", reason, detail, retryable: false });
const states = (house: Awaited<ReturnType<typeof lampHouse>>) => told(house, "command-moved").map(({ state }) => state);

describe("what is handed to the driver", () => {
  test.each([
    ["DIMMER", request(LAMP, "DON"), "DON", []],
    ["DIMMER", request(LAMP, "DON", "75", "51"), "DON", [["", 75, 51]]],
    [
      "DIMMER",
      request(LAMP, "DON", "40", "51", "9", "25"),
      "DON",
      [
        ["", 40, 51],
        ["RR", 9, 25],
      ],
    ],
    ["DIMMER", request(LAMP, "OL", "20"), "LEVEL", [["", 20, 51]]],
    ["SETUP", request(LAMP, "RATE", "7", "25"), "BOTH", [["B", 7, 25]]],
    ["LOCK", request(LAMP, "LOCK"), "SECMD", [["", 1, 25]]],
    ["LOCK", request(LAMP, "UNLOCK"), "SECMD", [["", 0, 25]]],
    ["COVER", request(LAMP, "DON"), "FDUP", []],
    ["COVER", request(LAMP, "DFOF"), "FDDOWN", []],
    ["COVER", request(LAMP, "DOF"), "FDDOWN", []],
    ["UNKNOWN_DEF", request(LAMP, "ANYTHING", "12"), "ANYTHING", [["", 12, 0]]],
  ] as const)("a %s takes %o as %s", async (nodeDefId, asked, command, parameters) => {
    const house = await lampHouse(nodeDefId);
    const receipt = await sendCommand(house, asked, REQUEST);
    const [sent] = house.driver.sent;
    expect(sent?.command).toBe(command);
    expect(sent?.parameters.map(({ id, value, uom }) => [id, value, uom])).toEqual(parameters);
    expect(receipt).toMatchObject({ address: LAMP, command, state: "acknowledged", members: [], commandId: sent?.id });
  });

  test.each(["DIMMER", "RELAY", "UNKNOWN_DEF"])("a query of a %s is a question to its driver", async (nodeDefId) => {
    const house = await lampHouse(nodeDefId);
    const receipt = await sendCommand(house, request(LAMP, "QUERY"), REQUEST);
    expect([house.driver.queried, house.driver.sent, receipt.state]).toEqual([[LAMP], [], "acknowledged"]);
  });

  test("a free node gets its command before the caller gives up its turn", async () => {
    const house = await lampHouse();
    const answer = sendCommand(house, request(LAMP, "DON"), REQUEST);
    expect(house.driver.sent).toHaveLength(1);
    await answer;
  });

  test("sending changes no property", async () => {
    const house = await lampHouse();
    await sendCommand(house, request(LAMP, "DON"), REQUEST);
    expect(told(house, "property-changed")).toEqual([]);
  });

  test("does not wait for the disk", async () => {
    const house = await lampHouse();
    const stuck = { ...house, durability: { committed: () => new Promise<void>(() => {}) } };
    await expect(sendCommand(stuck, request(LAMP, "DON"), REQUEST)).resolves.toMatchObject({ state: "acknowledged" });
  });
});

describe("what is refused before anything is sent", () => {
  test.each([
    [request("ZW099_1", "DON"), "NODE_NOT_FOUND"],
    [request("f1", "DON"), "COMMAND_NOT_ACCEPTED"],
    [request(LAMP, "EXPLODE"), "COMMAND_NOT_ACCEPTED"],
    [request(LAMP, "DON", "101", "51"), "BAD_PARAMETER"],
    [request(LAMP, "LEVEL"), "BAD_PARAMETER"],
  ] as const)("%o is %s", async (asked, code) => {
    const house = await lampHouse();
    house.feed.commit({ type: "folder-added", folder: { address: "f1", name: "Hall", parent: null } }, REQUEST);
    expect(await codeOf(sendCommand(house, asked, REQUEST))).toBe(code);
    expect([house.driver.sent, told(house, "command-moved")]).toEqual([[], []]);
  });

  test("a disabled node is not commanded", async () => {
    const house = await lampHouse();
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    expect(await codeOf(sendCommand(house, request(LAMP, "DON"), REQUEST))).toBe("NODE_DISABLED");
  });
});

describe("how it ends", () => {
  test.each([
    ["no-ack", "DEVICE_UNREACHABLE"],
    ["unreachable", "DEVICE_UNREACHABLE"],
    ["timeout", "DEVICE_TIMEOUT"],
    ["rejected", "DEVICE_FAILED"],
    ["internal", "DEVICE_FAILED"],
    ["unsupported", "NOT_SUPPORTED"],
    ["bad-parameter", "BAD_PARAMETER"],
    ["not-ready", "DRIVER_UNAVAILABLE"],
  ] as const satisfies readonly (readonly [FailureReason, ErrorCode])[])("%s is told as %s", async (reason, code) => {
    const house = await lampHouse();
    house.driver.answer = async () => failed(reason, "The lamp said no.");
    await expect(sendCommand(house, request(LAMP, "DON"), REQUEST)).rejects.toMatchObject({
      code,
      message: "The lamp said no.",
    });
    expect(states(house)).toEqual(["accepted", "sent", "failed"]);
    expect(house.home.busy).toBe(false);
  });

  test.each([
    [{ kind: "acked" }, ["accepted", "sent", "acknowledged"]],
    [{ kind: "sent" }, ["accepted", "sent"]],
    [{ kind: "queued", detail: "Asleep." }, ["accepted", "sent", "queued"]],
  ] as const satisfies readonly (readonly [Outcome, readonly string[]])[])("%o goes %o", async (outcome, expected) => {
    const house = await lampHouse();
    house.driver.answer = async () => outcome;
    const receipt = await sendCommand(house, request(LAMP, "DON"), REQUEST);
    expect(states(house)).toEqual(expected);
    expect(receipt.state).toBe(expected.at(-1));
  });

  test("an exception of the driver is a failure, named in the log", async () => {
    const house = await lampHouse();
    house.driver.answer = async () => {
      throw new TypeError("undefined is not a lamp");
    };
    expect(await codeOf(sendCommand(house, request(LAMP, "DON"), REQUEST))).toBe("DEVICE_FAILED");
    expect(house.lines.map(({ level }) => level)).toEqual(["error"]);
  });

  test("a driver that never answers is given up at the deadline, and the controller is not busy any more", async () => {
    const house = await lampHouse();
    house.driver.answer = () => new Promise(() => {});
    const answer = codeOf(sendCommand(house, request(LAMP, "DON"), REQUEST));
    expect(house.home.busy).toBe(true);
    await house.clock.advance(house.config.commandDeadlineMs);
    expect(await answer).toBe("DEVICE_TIMEOUT");
    expect(house.driver.sent[0]?.signal.aborted).toBe(true);
    expect([states(house).at(-1), house.home.busy]).toEqual(["failed", false]);
  });

  test("a driver that is down refuses, and the trace says so", async () => {
    const house = await lampHouse();
    house.host.status("failed", "The stick is gone.");
    expect(await codeOf(sendCommand(house, request(LAMP, "DON"), REQUEST))).toBe("DRIVER_UNAVAILABLE");
    expect(states(house)).toEqual(["accepted", "sent", "failed"]);
  });

  test("a node that is disabled while its command waits is left alone", async () => {
    const house = await lampHouse();
    const first = Promise.withResolvers<Outcome>();
    house.driver.answer = () => first.promise;
    const answers = [1, 2].map(() => codeOf(sendCommand(house, request(LAMP, "DON"), REQUEST)));
    house.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    first.resolve({ kind: "acked" });
    expect(await Promise.all(answers)).toEqual(["none", "NODE_DISABLED"]);
    expect(house.driver.sent).toHaveLength(1);
  });
});

describe("confirmation by the device's own report", () => {
  test("a report that names the command confirms it, also before the driver has answered", async () => {
    const house = await lampHouse();
    house.driver.answer = async ({ id }) => {
      house.host.report([report(LAMP, 100, { commandId: id })]);
      return { kind: "acked" };
    };
    const receipt = await sendCommand(house, request(LAMP, "DON"), REQUEST);
    expect(states(house)).toEqual(["accepted", "sent", "acknowledged", "confirmed"]);
    expect(receipt.state).toBe("confirmed");
    const cause = house.entries.find(({ change }) => change.type === "property-changed")?.cause;
    expect(cause).toEqual({ kind: "report", id: receipt.commandId, by: "scripted" });
  });

  test("the first report of the node after the answer confirms, also one that changes nothing", async () => {
    const house = await lampHouse();
    house.host.report([report(LAMP, 100)]);
    const { commandId } = await sendCommand(house, request(LAMP, "DON"), REQUEST);
    house.host.report([report(LAMP, 100)]);
    house.host.report([report(LAMP, 99)]);
    expect(states(house)).toEqual(["accepted", "sent", "acknowledged", "confirmed"]);
    expect(findCommand(house, commandId)).toMatchObject({ state: "confirmed", address: LAMP, cause: REQUEST });
  });

  test("neither what is restored at start nor another command's report confirms", async () => {
    const house = await lampHouse();
    const { commandId } = await sendCommand(house, request(LAMP, "DON"), REQUEST);
    house.host.report([report(LAMP, 100, { cause: "restore" })]);
    house.host.report([report(LAMP, 50, { commandId: "another" })]);
    expect(findCommand(house, commandId)?.state).toBe("acknowledged");
  });
});

describe("the trace", () => {
  test("keeps as many commands as the settings say, newest first", async () => {
    const house = await lampHouse("DIMMER", { commandsKept: 10 });
    const ids: string[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      ids.push((await sendCommand(house, request(LAMP, turn % 2 ? "DON" : "DOF"), REQUEST)).commandId);
    }
    expect(recentCommands(house).map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    expect(findCommand(house, ids[0] ?? "")).toBeNull();
  });

  test("busy surrounds commands that overlap once", async () => {
    const house = await lampHouse();
    house.host.node(spec("ZW003_1"));
    const gates = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()];
    house.driver.answer = () => gates[house.driver.sent.length - 1]?.promise ?? Promise.reject(new Error("No gate."));
    const answers = [LAMP, "ZW003_1"].map((address) => sendCommand(house, request(address, "DON"), REQUEST));
    gates[0]?.resolve({ kind: "acked" });
    await settle();
    expect(house.home.busy).toBe(true);
    gates[1]?.resolve({ kind: "acked" });
    await Promise.all(answers);
    expect(told(house, "busy-changed").map(({ busy }) => busy)).toEqual([true, false]);
  });
});
