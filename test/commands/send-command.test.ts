/** Commands to nodes: their interpretation, the command for the driver, the answer to the sender. */

import { describe, expect, test } from "vitest";
import { sendCommand } from "../../src/commands/send-command.ts";
import type { FailureReason, Outcome } from "../../src/drivers/command.ts";
import type { ErrorCode } from "../../src/errors.ts";
import { codeOf, createServices, REQUEST, report, request, settle, spec, told } from "./command-services.ts";

const LAMP = "ZW002_1";

async function lampServices(nodeDefId = "DIMMER", settings = {}) {
  const services = await createServices(settings);
  services.host.node(spec(LAMP, nodeDefId));
  return services;
}

const failed = (reason: FailureReason, detail = ""): Outcome => ({ kind: "failed", reason, detail, retryable: false });
const states = (services: Awaited<ReturnType<typeof lampServices>>) =>
  told(services, "command-moved").map(({ state }) => state);

describe("the command for the driver", () => {
  test.each([
    ["DIMMER", request(LAMP, "DON"), "DON", []],
    ["DIMMER", request(LAMP, "DON", "75/51"), "DON", [["", 75, 51]]],
    [
      "DIMMER",
      request(LAMP, "DON", "40/51", "9/25"),
      "DON",
      [
        ["", 40, 51],
        ["RR", 9, 25],
      ],
    ],
    ["DIMMER", request(LAMP, "OL", "20"), "LEVEL", [["", 20, 51]]],
    ["SETUP", request(LAMP, "RATE", "7/25"), "BOTH", [["B", 7, 25]]],
    ["LOCK", request(LAMP, "LOCK"), "SECMD", [["", 1, 25]]],
    ["LOCK", request(LAMP, "UNLOCK"), "SECMD", [["", 0, 25]]],
    ["COVER", request(LAMP, "DON"), "FDUP", []],
    ["COVER", request(LAMP, "DFOF"), "FDDOWN", []],
    ["COVER", request(LAMP, "DOF"), "FDDOWN", []],
    ["UNKNOWN_DEF", request(LAMP, "ANYTHING", "12"), "ANYTHING", [["", 12, 0]]],
  ] as const)("a %s takes %o as %s", async (nodeDefId, asked, command, parameters) => {
    const services = await lampServices(nodeDefId);
    const receipt = await sendCommand(services, asked, REQUEST);
    const [sent] = services.driver.sent;
    expect(sent?.command).toBe(command);
    expect(sent?.parameters.map(({ id, value, uom }) => [id, value, uom])).toEqual(parameters);
    expect(receipt).toMatchObject({ address: LAMP, command, state: "acknowledged", members: [], commandId: sent?.id });
  });

  test.each(["DIMMER", "RELAY", "UNKNOWN_DEF"])("a query of a %s is a question to its driver", async (nodeDefId) => {
    const services = await lampServices(nodeDefId);
    const receipt = await sendCommand(services, request(LAMP, "QUERY"), REQUEST);
    expect([services.driver.queried, services.driver.sent, receipt.state]).toEqual([[LAMP], [], "acknowledged"]);
  });

  test("a free node gets its command before the caller gives up its turn", async () => {
    const services = await lampServices();
    const answer = sendCommand(services, request(LAMP, "DON"), REQUEST);
    expect(services.driver.sent).toHaveLength(1);
    await answer;
  });

  test("commands and queries wait for the first start of their driver, whichever it is, and for their deadline at most", async () => {
    const { promise: up, resolve } = Promise.withResolvers<void>();
    const services = await createServices({}, { restore: () => {}, start: () => up } as never);
    services.host.node(spec(LAMP, "DIMMER"));
    const starting = services.drivers.startBehindListeners();
    const early = sendCommand(services, request(LAMP, "QUERY"), REQUEST);
    const late = sendCommand(services, request(LAMP, "QUERY"), REQUEST, AbortSignal.timeout(0)).catch(() => "given up");
    expect(await late).toBe("given up");
    expect(services.driver.queried).toEqual([]);
    resolve();
    await starting;
    await early;
    expect(services.driver.queried).toEqual([LAMP]);
  });

  test("sending changes no property", async () => {
    const services = await lampServices();
    await sendCommand(services, request(LAMP, "DON"), REQUEST);
    expect(told(services, "property-changed")).toEqual([]);
  });

  test("does not wait for the disk", async () => {
    const services = await lampServices();
    const stuck = { ...services, durability: { committed: () => new Promise<void>(() => {}) } };
    await expect(sendCommand(stuck, request(LAMP, "DON"), REQUEST)).resolves.toMatchObject({ state: "acknowledged" });
  });
});

describe("refused before anything is sent", () => {
  test.each([
    [request("ZW099_1", "DON"), "NODE_NOT_FOUND"],
    [request("f1", "DON"), "COMMAND_NOT_ACCEPTED"],
    [request(LAMP, "EXPLODE"), "COMMAND_NOT_ACCEPTED"],
    [request(LAMP, "DON", "101/51"), "BAD_PARAMETER"],
    [request(LAMP, "LEVEL"), "BAD_PARAMETER"],
  ] as const)("%o is %s", async (asked, code) => {
    const services = await lampServices();
    services.feed.commit({ type: "folder-added", folder: { address: "f1", name: "Hall", parent: null } }, REQUEST);
    expect(await codeOf(sendCommand(services, asked, REQUEST))).toBe(code);
    expect([services.driver.sent, told(services, "command-moved")]).toEqual([[], []]);
  });

  test.each([
    ["EXPLODE", "EXPLODE"],
    ["X".repeat(20), "X".repeat(20)],
    ["X".repeat(21), "this command"],
    ["<script>", "this command"],
    ["", "this command"],
  ])("a command %j that is not accepted is named as %s", async (command, named) => {
    const services = await lampServices();
    await expect(sendCommand(services, request(LAMP, command), REQUEST)).rejects.toMatchObject({
      message: `Device ${LAMP} does not accept ${named}.`,
    });
  });

  test("a disabled node is not commanded", async () => {
    const services = await lampServices();
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    expect(await codeOf(sendCommand(services, request(LAMP, "DON"), REQUEST))).toBe("NODE_DISABLED");
  });

  test.each([
    ["without a reason", null, "is disabled."],
    ["with a reason", "Its battery leaks.", "is disabled: Its battery leaks."],
  ])("a node that was disabled %s is named with it", async (_which, because, end) => {
    const services = await lampServices();
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false, because }, REQUEST);
    await expect(sendCommand(services, request(LAMP, "DON"), REQUEST)).rejects.toMatchObject({
      message: `The node "Device ${LAMP}" ${end}`,
    });
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
    const services = await lampServices();
    services.driver.answer = async () => failed(reason, "The lamp said no.");
    await expect(sendCommand(services, request(LAMP, "DON"), REQUEST)).rejects.toMatchObject({
      code,
      message: "The lamp said no.",
    });
    expect(states(services)).toEqual(["accepted", "failed"]);
    expect(services.home.busy).toBe(false);
  });

  test.each([
    [{ kind: "acked" }, ["accepted", "acknowledged"]],
    [{ kind: "sent" }, ["accepted", "sent"]],
    [{ kind: "queued", detail: "Asleep." }, ["accepted", "queued"]],
  ] as const satisfies readonly (readonly [Outcome, readonly string[]])[])("%o goes %o", async (outcome, expected) => {
    const services = await lampServices();
    services.driver.answer = async () => outcome;
    const receipt = await sendCommand(services, request(LAMP, "DON"), REQUEST);
    expect(states(services)).toEqual(expected);
    expect(receipt.state).toBe(expected.at(-1));
  });

  test("a failure without words has the sentence of its code", async () => {
    const services = await lampServices();
    services.driver.answer = async () => failed("rejected", " ");
    const message = "The device refused the command.";
    await expect(sendCommand(services, request(LAMP, "DON"), REQUEST)).rejects.toMatchObject({ message });
  });

  test.each([
    [true, `The integration "Attic" is not running. "domovoi integration list" shows the reason.`],
    [false, `The integration "Attic" is stopped. Start it on its page or with "domovoi integration start scripted".`],
  ])(
    "a device of an integration that is started (%s) and does not run is refused with what to do",
    async (enabled, message) => {
      const services = await lampServices();
      const integration = { id: "scripted", type: "scripted", name: "Attic", settings: {}, secrets: [], enabled };
      services.feed.commit({ type: "integration-added", integration: { ...integration, origin: "owner" } }, REQUEST);
      services.host.status("stopped", "");
      const refusal = { code: "DRIVER_UNAVAILABLE", message };
      await expect(sendCommand(services, request(LAMP, "DON"), REQUEST)).rejects.toMatchObject(refusal);
    },
  );

  test("an exception of the driver is a failure, named in the log", async () => {
    const services = await lampServices();
    services.driver.answer = async () => {
      throw new TypeError("undefined is not a lamp");
    };
    expect(await codeOf(sendCommand(services, request(LAMP, "DON"), REQUEST))).toBe("DEVICE_FAILED");
    expect(services.lines.map(({ level }) => level)).toEqual(["error"]);
  });

  test("a driver that never answers is given up at the deadline, and the controller is not busy any more", async () => {
    const services = await lampServices();
    services.driver.answer = () => new Promise(() => {});
    const answer = codeOf(sendCommand(services, request(LAMP, "DON"), REQUEST));
    expect(services.home.busy).toBe(true);
    await services.clock.advance(services.config.commandDeadlineMs);
    expect(await answer).toBe("DEVICE_TIMEOUT");
    expect(services.driver.sent[0]?.signal.aborted).toBe(true);
    expect([states(services).at(-1), services.home.busy]).toEqual(["failed", false]);
  });

  test("a driver that is down refuses, and the trace says so", async () => {
    const services = await lampServices();
    services.host.status("failed", "The adapter is gone.");
    expect(await codeOf(sendCommand(services, request(LAMP, "DON"), REQUEST))).toBe("DRIVER_UNAVAILABLE");
    expect(states(services)).toEqual(["accepted", "failed"]);
  });

  test("a node that is disabled while its command waits is left alone", async () => {
    const services = await lampServices();
    const first = Promise.withResolvers<Outcome>();
    services.driver.answer = () => first.promise;
    const answers = [1, 2].map(() => codeOf(sendCommand(services, request(LAMP, "DON"), REQUEST)));
    services.feed.commit({ type: "node-enabled", address: LAMP, enabled: false }, REQUEST);
    first.resolve({ kind: "acked" });
    expect(await Promise.all(answers)).toEqual(["none", "NODE_DISABLED"]);
    expect(services.driver.sent).toHaveLength(1);
  });
});

describe("confirmation by the device's own report", () => {
  test("a report that names the command confirms it, also before the driver has answered", async () => {
    const services = await lampServices();
    services.driver.answer = async ({ id }) => {
      services.host.report([report(LAMP, 100, { commandId: id })]);
      return { kind: "acked" };
    };
    const receipt = await sendCommand(services, request(LAMP, "DON"), REQUEST);
    expect(states(services)).toEqual(["accepted", "confirmed"]);
    expect(receipt.state).toBe("confirmed");
    const cause = services.entries.find(({ change }) => change.type === "property-changed")?.cause;
    expect(cause).toEqual({ kind: "report", id: receipt.commandId, by: "scripted" });
  });

  test("the first report of the node after the answer confirms, also one that changes nothing", async () => {
    const services = await lampServices();
    services.host.report([report(LAMP, 100)]);
    const { commandId } = await sendCommand(services, request(LAMP, "DON"), REQUEST);
    services.host.report([report(LAMP, 100)]);
    const confirmed = services.queue.lives.find(commandId);
    await services.clock.advance(1000);
    services.host.report([report(LAMP, 99)]);
    expect(states(services)).toEqual(["accepted", "acknowledged"]);
    expect(confirmed).toMatchObject({ state: "confirmed", address: LAMP, cause: REQUEST });
    expect(services.queue.lives.find(commandId)).toBe(confirmed);
  });

  test("neither what is restored at start nor another command's report confirms", async () => {
    const services = await lampServices();
    const { commandId } = await sendCommand(services, request(LAMP, "DON"), REQUEST);
    services.host.report([report(LAMP, 100, { cause: "restore" })]);
    services.host.report([report(LAMP, 50, { commandId: "another" })]);
    expect(services.queue.lives.find(commandId)?.state).toBe("acknowledged");
  });
});

describe("the trace", () => {
  test("shows a command as sent while its device has not answered", async () => {
    const services = await lampServices();
    const gate = Promise.withResolvers<Outcome>();
    services.driver.answer = () => gate.promise;
    const answer = sendCommand(services, request(LAMP, "DON"), REQUEST);
    await settle();
    expect(services.queue.lives.recent().map(({ state }) => state)).toEqual(["sent"]);
    gate.resolve({ kind: "acked" });
    await answer;
    expect(services.queue.lives.recent().map(({ state }) => state)).toEqual(["acknowledged"]);
  });

  test("keeps as many commands as the settings say, newest first", async () => {
    const services = await lampServices("DIMMER", { commandsKept: 10 });
    const ids: string[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      ids.push((await sendCommand(services, request(LAMP, turn % 2 ? "DON" : "DOF"), REQUEST)).commandId);
    }
    expect(services.queue.lives.recent().map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    expect(services.queue.lives.find(ids[0] ?? "")).toBeNull();
  });

  test("busy surrounds commands that overlap once", async () => {
    const services = await lampServices();
    services.host.node(spec("ZW003_1"));
    const gates = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()];
    services.driver.answer = () =>
      gates[services.driver.sent.length - 1]?.promise ?? Promise.reject(new Error("No gate."));
    const answers = [LAMP, "ZW003_1"].map((address) => sendCommand(services, request(address, "DON"), REQUEST));
    gates[0]?.resolve({ kind: "acked" });
    await settle();
    expect(services.home.busy).toBe(true);
    gates[1]?.resolve({ kind: "acked" });
    await Promise.all(answers);
    expect(told(services, "busy-changed").map(({ busy }) => busy)).toEqual([true, false]);
  });
});
