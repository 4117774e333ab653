/** Commands to scenes and to the root group: the command for each member, and the published outcomes. */

import { describe, expect, test } from "vitest";
import { sendCommand } from "../../src/commands/send-command.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import type { SceneLink } from "../../src/home/groups.ts";
import {
  type CommandServices,
  codeOf,
  createServices,
  REQUEST,
  request,
  spec,
  told,
  UUID,
} from "./command-services.ts";

const SCENE = "31777";
const [A, B, C] = ["ZW002_1", "ZW003_1", "ZW004_1"] as const;
const percent = (id: string, value: number) => ({ id, value, uom: id === "RR" ? 25 : 51, prec: 0 });
const native = (node: string, ...parameters: ReturnType<typeof percent>[]): SceneLink => ({
  kind: "native",
  node,
  linkdef: "I_DIMMER",
  parameters,
});
const cmd = (node: string, command: string, ...parameters: ReturnType<typeof percent>[]): SceneLink => ({
  kind: "cmd",
  node,
  command,
  parameters,
});

async function sceneServices(
  links: readonly SceneLink[],
  nodeDefIds: readonly string[] = ["DIMMER", "DIMMER", "DIMMER"],
  more: Partial<Driver> = {},
) {
  const services = await createServices({}, more);
  const addresses = [A, B, C].slice(0, nodeDefIds.length);
  addresses.forEach((address, index) => {
    services.host.node(spec(address, nodeDefIds[index]));
  });
  const group = {
    address: SCENE,
    name: "Evening",
    parent: null,
    deviceGroup: 19,
    members: addresses.map((address) => ({ address, isController: false })),
    blocks: [
      { controller: A, links: [native(B, percent("OL", 1))] },
      { controller: SCENE, links },
    ],
  };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  return services;
}

const sent = (services: CommandServices) =>
  services.driver.sent.map(({ address, command, parameters }) => [
    address,
    command,
    ...parameters.map(({ value, uom }) => `${value}/${uom}`),
  ]);

test("members that the driver links itself are sent their commands together, and their driver reports for them", async () => {
  const together: unknown[] = [];
  const groupcast: Driver["groupcast"] = (commands) => {
    together.push(
      ...commands.map(({ address, command, parameters }) => [
        address,
        command,
        ...parameters.map(({ value }) => value),
      ]),
    );
  };
  const links = [native(A, percent("OL", 35)), native(B, percent("OL", 0)), { kind: "ignore", node: C } as const];
  const services = await sceneServices(links, ["DIMMER", "DIMMER", "DIMMER"], { groupcast });
  await sendCommand(services, request(SCENE, "DON"), REQUEST);
  expect(together).toEqual([
    [A, "DON", 35],
    [B, "DOF"],
  ]);
  expect(sent(services).map(([address, command]) => [address, command])).toEqual([
    [A, "DON"],
    [B, "DOF"],
  ]);
});

test("members of a driver that is down are failures, also where it could command them together", async () => {
  const services = await sceneServices([], ["DIMMER", "DIMMER"], { groupcast: () => {} });
  services.host.status("failed", "");
  expect(await codeOf(sendCommand(services, request(SCENE, "DON"), REQUEST))).toBe("DRIVER_UNAVAILABLE");
});

test("the driver decides whether it has a message for a scene with one member, which gets its own command", async () => {
  let isSentTogether = false;
  const groupcast: Driver["groupcast"] = () => {
    isSentTogether = true;
  };
  const services = await sceneServices([native(A, percent("OL", 35))], ["DIMMER"], { groupcast });
  await sendCommand(services, request(SCENE, "DON"), REQUEST);
  expect([isSentTogether, sent(services).length]).toEqual([true, 1]);
});

describe("the command for a member", () => {
  test.each<[string, SceneLink[], string[], string[], string[] | null]>([
    ["a native link has its own level", [native(A, percent("OL", 35))], ["DON"], ["DIMMER"], ["DON", "35/51"]],
    [
      "and its own ramp",
      [native(A, percent("OL", 35), percent("RR", 28))],
      ["DON"],
      ["DIMMER"],
      ["DON", "35/51", "28/25"],
    ],
    [
      "a level in the command overrides it",
      [native(A, percent("OL", 35))],
      ["DON", "80"],
      ["DIMMER"],
      ["DON", "80/51"],
    ],
    ["level 0 is off", [native(A, percent("OL", 0))], ["DON"], ["DIMMER"], ["DOF"]],
    ["and stays off whatever level the command has", [native(A, percent("OL", 0))], ["DON", "80"], ["DIMMER"], ["DOF"]],
    ["a command at level 0 is off", [native(A, percent("OL", 35))], ["DON", "0"], ["DIMMER"], ["DOF"]],
    ["fast on at level 0 is fast off", [native(A, percent("OL", 0))], ["DFON"], ["DIMMER"], ["DFOF"]],
    ["a relay has no level", [native(A, percent("OL", 35))], ["DON"], ["RELAY"], ["DON"]],
    ["a relay knows no fast command", [native(A, percent("OL", 35))], ["DFON"], ["RELAY"], ["DON"]],
    ["nor a fast off", [], ["DFOF"], ["RELAY"], ["DOF"]],
    [
      "a level that the editor has no place for is left away",
      [native(A, percent("OL", 35))],
      ["DON"],
      ["ODD"],
      ["DON"],
    ],
    ["native without a level is plain on", [native(A)], ["DON"], ["DIMMER"], ["DON"]],
    ["off is plain off", [native(A, percent("OL", 35))], ["DOF"], ["DIMMER"], ["DOF"]],
    ["brighter is plain", [native(A, percent("OL", 35))], ["BRT"], ["DIMMER"], ["BRT"]],
    ["a default link follows", [{ kind: "default", node: A }], ["DON"], ["DIMMER"], ["DON"]],
    ["with the command's level", [{ kind: "default", node: A }], ["DON", "40"], ["DIMMER"], ["DON", "40/51"]],
    ["no link follows too", [], ["DON", "40"], ["DIMMER"], ["DON", "40/51"]],
    ["a node without nodedef gets level and unit", [], ["DON", "40"], ["GHOST"], ["DON", "40/51"]],
    [
      "a cmd link has its own command",
      [cmd(A, "BEEP", { ...percent("", 3), uom: 25 })],
      ["DON"],
      ["ODD"],
      ["BEEP", "3/25"],
    ],
    ["which nothing else sets off", [cmd(A, "BEEP")], ["DOF"], ["ODD"], null],
    ["a switching cmd link follows off", [cmd(A, "DON")], ["DOF"], ["DIMMER"], ["DOF"]],
    ["ignored is ignored", [{ kind: "ignore", node: A }], ["DON"], ["DIMMER"], null],
    ["native comes before cmd", [cmd(A, "DOF"), native(A, percent("OL", 20))], ["DON"], ["DIMMER"], ["DON", "20/51"]],
    ["cmd comes before default", [{ kind: "default", node: A }, cmd(A, "DOF")], ["DON"], ["DIMMER"], ["DOF"]],
    [
      "the first of equal links counts",
      [native(A, percent("OL", 1)), native(A, percent("OL", 2))],
      ["DON"],
      ["DIMMER"],
      ["DON", "1/51"],
    ],
  ])("%s", async (_claim, links, asked, nodeDefIds, expected) => {
    const services = await sceneServices(links, nodeDefIds);
    await sendCommand(services, request(SCENE, ...(asked as [string])), REQUEST);
    expect(sent(services)).toEqual(expected ? [[A, ...expected]] : []);
  });
});

test("a command of a link is not sent without a parameter that its device refuses", async () => {
  const services = await sceneServices([cmd(A, "DON", percent("", 101))], ["DIMMER"]);
  expect(await codeOf(sendCommand(services, request(SCENE, "DON"), REQUEST))).toBe("BAD_PARAMETER");
  expect(sent(services)).toEqual([]);
});

test("a level for a member that cannot be switched on is a failure of this member only", async () => {
  const services = await sceneServices([], ["SETUP", "DIMMER"]);
  const { members } = await sendCommand(services, request(SCENE, "DON", "40"), REQUEST);
  expect(members.map(({ address, code }) => [address, code])).toEqual([
    [A, "COMMAND_NOT_ACCEPTED"],
    [B, null],
  ]);
  expect(sent(services)).toEqual([[B, "DON", "40/51"]]);
});

describe("published changes", () => {
  test("every member has its own result, and one success is success", async () => {
    const services = await sceneServices([{ kind: "ignore", node: C }], ["DIMMER", "LOCK", "DIMMER"]);
    const receipt = await sendCommand(services, request(SCENE, "DON"), REQUEST);
    expect(receipt).toMatchObject({ address: SCENE, state: "acknowledged", detail: "1 of 2 members accepted it." });
    expect(receipt.members.map(({ address, state, code }) => [address, state, code])).toEqual([
      [A, "acknowledged", null],
      [B, "failed", "COMMAND_NOT_ACCEPTED"],
      [C, "skipped", null],
    ]);
  });

  test("a member that fails does not stop the others", async () => {
    const services = await sceneServices([]);
    services.driver.answer = async ({ address }) =>
      address === A ? { kind: "failed", reason: "no-ack", detail: "", retryable: true } : { kind: "acked" };
    const { members } = await sendCommand(services, request(SCENE, "DON"), REQUEST);
    expect(members.map(({ code }) => code)).toEqual(["DEVICE_UNREACHABLE", null, null]);
  });

  test("when no member accepted it, the command failed with the error of the first member", async () => {
    const services = await sceneServices([]);
    services.driver.answer = async () => ({ kind: "failed", reason: "no-ack", detail: "", retryable: true });
    expect(await codeOf(sendCommand(services, request(SCENE, "DON"), REQUEST))).toBe("DEVICE_UNREACHABLE");
    expect(told(services, "command-moved").at(-1)).toMatchObject({ address: SCENE, state: "failed" });
  });

  test("a disabled or vanished member is named", async () => {
    const services = await sceneServices([]);
    services.feed.commit({ type: "node-enabled", address: A, enabled: false }, REQUEST);
    services.feed.commit({ type: "node-removed", address: B }, REQUEST);
    const { members } = await sendCommand(services, request(SCENE, "DON"), REQUEST);
    expect(members.map(({ code }) => code)).toEqual(["NODE_DISABLED", "NODE_NOT_FOUND", null]);
  });

  test("a scene without members succeeds", async () => {
    const services = await sceneServices([], []);
    await expect(sendCommand(services, request(SCENE, "DON"), REQUEST)).resolves.toMatchObject({ members: [] });
  });

  test.each([
    ["passes over", [cmd(A, "BEEP"), { kind: "ignore", node: B } as const]],
    ["has no members", []],
  ])("a command that neither scenes nor its members know is refused where it %s", async (_why, links) => {
    const services = await sceneServices(links, links.length === 0 ? [] : ["DIMMER", "DIMMER"]);
    expect(await codeOf(sendCommand(services, request(SCENE, "BOGUS"), REQUEST))).toBe("COMMAND_NOT_ACCEPTED");
    expect((await sendCommand(services, request(SCENE, "DOF"), REQUEST)).state).toBe("acknowledged");
    expect(services.driver.sent).toEqual([]);
  });

  test("a level outside 0 to 100 is refused before any member is sent a command", async () => {
    const services = await sceneServices([]);
    expect(await codeOf(sendCommand(services, request(SCENE, "DON", "101"), REQUEST))).toBe("BAD_PARAMETER");
    expect(services.driver.sent).toEqual([]);
  });

  test("no property and no control is ever published for the scene itself", async () => {
    const services = await sceneServices([]);
    await sendCommand(services, request(SCENE, "DON"), REQUEST);
    expect([told(services, "property-changed"), told(services, "control-sent")]).toEqual([[], []]);
  });
});

describe("the root group", () => {
  test("is everyone that is enabled and accepts the command", async () => {
    const services = await sceneServices([native(A, percent("OL", 1))], ["DIMMER", "LOCK", "RELAY"]);
    const { members, detail } = await sendCommand(services, request(UUID, "DON", "60"), REQUEST);
    expect(sent(services)).toEqual([
      [A, "DON", "60/51"],
      [C, "DON"],
    ]);
    // The lock does not accept DON. It is left out and is no failure.
    expect([members.map(({ address }) => address), detail]).toEqual([[A, C], ""]);
    services.feed.commit({ type: "node-enabled", address: A, enabled: false }, REQUEST);
    const later = await sendCommand(services, request(UUID, "DON"), REQUEST);
    expect(later.members.map(({ address }) => address)).toEqual([C]);
  });

  test("refuses an unknown command", async () => {
    const services = await sceneServices([], ["DIMMER", "LOCK", "RELAY"]);
    expect(await codeOf(sendCommand(services, request(UUID, "BOGUS"), REQUEST))).toBe("COMMAND_NOT_ACCEPTED");
  });

  test("asks every node for its state", async () => {
    const services = await sceneServices([], ["DIMMER", "LOCK", "RELAY"]);
    const { members } = await sendCommand(services, request(UUID, "QUERY"), REQUEST);
    expect([services.driver.queried, sent(services), members.length]).toEqual([[A, B, C], [], 3]);
  });
});
