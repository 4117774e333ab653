/** Programs by room and role through the interface: text and JSON, clients that do not know them, commands to a room. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Text = { readonly id: string; readonly version: number; readonly text: string };
type Tree = {
  readonly id: number;
  readonly version: number;
  readonly if: object[];
  readonly then: object[];
  readonly else: object[];
};

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const data = <T>(answer: Answer): T => answer.json<{ data: T }>().data;
const refusal = (answer: Answer) => {
  const { code, error } = answer.json<{ code: string; error: string }>();
  return [answer.status, code, error];
};
const folder = (name: string) => {
  for (const each of controller.services.home.folders.values()) if (each.name === name) return each.address;
  throw new Error(`There is no room ${name}.`);
};
const apply = (text: string, more: object = {}) => controller.portal.post("/api/programs/text", { text, ...more });
const treeOf = async (id: string) =>
  data<Tree>(await controller.portal.get(`/api/triggers/${Number.parseInt(id, 16)}`));
const textOf = async (id: string) => data<Text>(await controller.portal.get(`/api/programs/${id}/text`)).text;

describe("the text", () => {
  test("of every sentence is given back as it was written, and makes the same tree as its JSON", async () => {
    const [kitchen, living] = [folder("Kitchen"), folder("Living Room")];
    const lines = [
      `Status of any window in 'Kitchen' [${kitchen}] or 'Living Room' [${living}] except 'Hall Ceiling' [1A 2B 3C 1] is Open`,
      "And Status of no lock is Unlocked for 1 hour 30 seconds",
      "And Status 'Living Room Thermostat' [15 E 20 1] 'Temperature' [ST] > 156 half-degrees for 5 minutes",
      `And Status of all lamps in 'Kitchen' [${kitchen}] are Off`,
      "And Number of leak sensors that are Wet >= 2",
      `Or Average temperature in 'Living Room' [${living}] < 19.5°C`,
      "And Highest humidity > 70%RH",
      `Or Control any motion sensor in 'Living Room' [${living}] is switched 'On' [DON]`,
      "And Control any button is not switched 'Off' [DOF]",
    ];
    const actions = [
      `Set all lamps in 'Kitchen' [${kitchen}] Off`,
      `Set all lamps in 'Kitchen' [${kitchen}] On 40%`,
      "Set all covers Close",
      "Set all thermostats Heat 20.5°C",
    ];
    const indented = (all: readonly string[]) => all.map((line) => `    ${line}`).join("\n");
    const head = "Program 'By room'";
    const text = `${head}\nFolder 'My Programs' [0001]\n\nIf\n${indented(lines)}\n\nThen\n${indented(actions)}\n\nElse\n`;
    const made = data<Text>(await apply(text));
    expect(made.text.replace(` [${made.id}]`, "")).toBe(text);
    const { id, version, if: conditions, then, else: otherwise } = await treeOf(made.id);
    const written = { id, version, if: conditions, then, else: otherwise };
    expect((await controller.portal.post("/api/trigger", written)).status).toBe(200);
    expect(await textOf(made.id)).toBe(made.text);
    expect((await treeOf(made.id)).version).toBe(version);
  });

  test.each([
    ["Set all locks Off", "Programs do not command locks all at once."],
    ["Set all garage doors Open", "Programs do not command garage doors all at once."],
    ["Set all sirens On", "Programs do not command sirens all at once."],
    ["Set all lamps Toggle", "Here a command for lamps is expected: On, Off."],
    ["Set all thermostats Heat", "Here a temperature is expected"],
    ["Set all lambs On", 'Did you mean "lamps"?'],
    ["Wait 1 minute\nIf\nStatus of any lock is Locked for 0 minutes", "is expected"],
  ])("%s is refused", async (line, sentence) => {
    const before = controller.services.home.programs.size;
    const [status, code, msg] = refusal(await apply(`Program 'No'\nThen\n${line}`));
    expect([status, code]).toEqual([400, "BAD_PROGRAM_TEXT"]);
    expect(msg).toContain(sentence);
    expect(controller.services.home.programs.size).toBe(before);
  });

  test.each([
    [{ type: "roles", role: "lock", do: "off" }, "then[0].role"],
    [{ type: "roles", role: "lamp", do: "open" }, "then[0].do"],
    [{ type: "roles", role: "lamp", do: "on", in: Array.from({ length: 65 }, () => "x") }, "then[0].in"],
    [{ type: "roles", role: "thermostat", do: "heat" }, '"val"'],
  ])("JSON %j is refused with its place", async (action, place) => {
    const body = { name: "No", if: [], then: [action], else: [] };
    const [status, code, msg] = refusal(await controller.portal.put("/api/trigger", body));
    expect([status, code]).toEqual([400, "BAD_BODY"]);
    expect(msg).toContain(place);
  });
});

describe("a client that does not know them", () => {
  const TEXT =
    "Program 'Old clients'\nIf\nStatus of any lock is Unlocked\nThen\nSet all lamps in 'Kitchen' Off\nSet 'Hall Ceiling' DON";

  test("renames, enables and runs the program, and gives the tree back as it came", async () => {
    const { id, text } = data<Text>(await apply(TEXT));
    await controller.portal.post(`/api/programs/${id}`, { enabled: false });
    await controller.portal.post(`/api/programs/${id}`, { enabled: true });
    const { version: _version, ...tree } = await treeOf(id);
    expect((await controller.portal.post("/api/trigger", tree)).status).toBe(200);
    expect(await textOf(id)).toBe(text);
  });

  test("is refused when it would lose a text to a channel, or a statement of another controller", async () => {
    const unread = { type: "unread", xml: "<siren />" };
    const message = { type: "notify", to: "mail", text: "The door is open" };
    const stored = { name: "Kept", if: [], then: [unread, message], else: [] };
    const { json } = await controller.portal.put("/api/trigger", stored);
    const { id } = json<{ data: { id: number } }>().data;
    const lost = await controller.portal.post("/api/trigger", { id, if: [], then: [message], else: [] });
    expect(refusal(lost)).toEqual([409, "CONFLICT", expect.stringContaining("has a statement that older clients")]);
    expect((await controller.portal.post("/api/trigger", { id, ...stored })).status).toBe(200);
  });

  test("is refused when it would lose them; nothing changes; with the version it is meant", async () => {
    const { id, text } = data<Text>(await apply(TEXT));
    const { version, id: number } = await treeOf(id);
    const without = { id: number, if: [], then: [], else: [] };
    expect(refusal(await controller.portal.post("/api/trigger", without))).toEqual([
      409,
      "CONFLICT",
      "This program has 2 statements that older clients do not know, which the new one lacks. Save it with its version, or change it as text or on the page.",
    ]);
    expect(refusal(await controller.portal.post(`/api/programs/${id}`, { if: [] }))[0]).toBe(409);
    expect(await textOf(id)).toBe(text);
    expect((await controller.portal.post("/api/trigger", { ...without, version })).status).toBe(200);
    expect((await treeOf(id)).then).toEqual([]);
  });

  test("may write a text without them, and trees that never had any", async () => {
    const { id } = data<Text>(await apply(TEXT));
    expect((await controller.portal.put(`/api/programs/${id}/text`, { text: "Program 'Old clients'" })).status).toBe(
      200,
    );
    const { id: number } = await treeOf(id);
    expect((await controller.portal.post("/api/trigger", { id: number, if: [], then: [], else: [] })).status).toBe(200);
  });
});

describe("edits around them", () => {
  test("the uses of a device name the programs that mean it by room and role", async () => {
    const { id } = data<Text>(await apply("Program 'All counters'\nThen\nSet all lamps in 'Kitchen' On"));
    const usesOf = async (node: string) =>
      data<{ as: string; text: string }[]>(
        await controller.portal.get(`/api/uses/node/${encodeURIComponent(node)}`),
      ).filter(({ as }) => as === "role");
    const use = { as: "role", text: 'is meant by room and role by the program "All counters"' };
    expect(await usesOf("1A 30 F4 1")).toContainEqual(expect.objectContaining(use));
    expect(await usesOf("1A 60 A 1")).not.toContainEqual(expect.objectContaining(use));
    await controller.portal.request("DELETE", `/api/trigger/${Number.parseInt(id, 16)}`, {
      headers: controller.bearer(),
    });
  });

  test("a folder that is used is named by its uses, and removing it says so in the program", async () => {
    const made = data<{ address: string }>(
      await controller.portal.post("/api/nodes", { nodeType: "folder", name: "Attic" }),
    );
    const { id } = data<Text>(await apply(`Program 'Attic'\nIf\nStatus of any lock in 'Attic' is Unlocked`));
    const uses = data<{ text: string }[]>(await controller.portal.get(`/api/uses/folder/${made.address}`));
    expect(uses.map(({ text }) => text)).toEqual(['is named by the program "Attic"']);
    const removed = await controller.portal.request("DELETE", `/api/nodes/${made.address}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ nodeType: "folder" }),
    });
    expect(removed.status).toBe(200);
    const { error } = data<{ error?: string }>(await controller.portal.get(`/api/programs/${id}/text`));
    expect(error).toBe(`There is no folder ${made.address}.`);
    await controller.portal.post("/api/edits/last/undo", {});
    expect(data<{ error?: string }>(await controller.portal.get(`/api/programs/${id}/text`)).error).toBeUndefined();
  });
});

test("a move, a use and a folder that is moved say which programs mean more or fewer nodes from now on", async () => {
  const [kitchen, living] = [folder("Kitchen"), folder("Living Room")];
  const inKitchen = data<Text>(await apply("Program 'Dinner'\nIf\nThen\nSet all lamps in 'Kitchen' Off"));
  const inLiving = data<Text>(await apply("Program 'Cinema'\nIf\nThen\nSet all lamps in 'Living Room' Off"));
  const change = async (address: string, body: object) => {
    const path = `/api/nodes/${encodeURIComponent(address)}`;
    const headers = { ...controller.bearer(), "Content-Type": "application/json" };
    const answer = await controller.portal.request("PATCH", path, { headers, body: Buffer.from(JSON.stringify(body)) });
    return data<{ programs: readonly { id: string; isMeant: boolean }[] }>(answer).programs.filter(({ id }) =>
      [inKitchen.id, inLiving.id].includes(id),
    );
  };
  const [joins, leaves] = [
    { id: inKitchen.id, name: "Dinner", isMeant: true },
    { id: inLiving.id, name: "Cinema", isMeant: false },
  ];
  const lamp = [...controller.services.home.nodes.values()].find(
    ({ parent, role }) => parent?.address === living && role === "dimmer",
  );
  expect(await change(lamp?.address ?? "", { parentAddress: kitchen })).toEqual([joins, leaves]);
  expect(await change(lamp?.address ?? "", { name: "Renamed" })).toEqual([]);
  expect(await change(lamp?.address ?? "", { enabled: false })).toEqual([{ ...joins, isMeant: false }]);
  await change(lamp?.address ?? "", { enabled: true });
  await change(lamp?.address ?? "", { parentAddress: living });
  expect(await change(living, { parentAddress: kitchen })).toEqual([joins]);
  await change(living, { parentAddress: null });
});

describe("a command to a room", () => {
  test("reaches its lamps, also one that was moved in after the program was written", async () => {
    const { home } = controller.services;
    const status = (address: string) => home.nodes.get(address)?.properties.get("ST")?.value;
    const { id } = data<Text>(await apply("Program 'Kitchen dark'\nThen\nSet all lamps in 'Kitchen' Off"));
    const lamps = ["1A 30 F4 1", "1A 2B 3C 1"];
    await controller.portal.request("PATCH", "/api/nodes/1A%202B%203C%201", {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ parentAddress: folder("Kitchen") }),
    });
    for (const lamp of lamps) await controller.portal.get(`/rest/nodes/${encodeURIComponent(lamp)}/cmd/DON`);
    await controller.clock.advance(2000);
    expect(lamps.every((lamp) => status(lamp) !== 0)).toBe(true);
    await controller.portal.get(`/rest/programs/${id}/runThen`);
    await controller.clock.advance(2000);
    expect(lamps.map(status)).toEqual([0, 0]);
  });
});

test("a level to all lamps of a room turns the relay among them on, level 0 turns it off, and verification has nothing against it", async () => {
  const { home } = controller.services;
  const statusOf = (address: string) => home.nodes.get(address)?.properties.get("ST")?.value;
  const [dimmer, relay] = ["1A 44 7 1", "1A 44 C 1"];
  for (const [level, expected] of [
    [40, [102, 255]],
    [0, [0, 0]],
  ] as const) {
    const answer = await apply(`Program 'Bedroom ${level}'\nIf\nThen\nSet all lamps in 'Bedroom' On ${level}%`);
    const { findings } = answer.json<{ findings: readonly { readonly code: string }[] }>();
    expect(findings.map(({ code }) => code)).toEqual(["NEVER_STARTS"]);
    await controller.portal.get(`/rest/programs/${data<Text>(answer).id}/runThen`);
    await controller.clock.advance(2000);
    expect([statusOf(dimmer), statusOf(relay)]).toEqual(expected);
  }
});
