/** The conversation with a plugin, message by message: every form that plugins of the field are known to send. */

import { beforeEach, describe, expect, test } from "vitest";
import { packetReader } from "../../../src/drivers/mqtt-packets.ts";
import { reportedValue } from "../../../src/drivers/plugin/driver-value.ts";
import { PluginData } from "../../../src/drivers/plugin/plugin-data.ts";
import { PluginDefinitions } from "../../../src/drivers/plugin/plugin-definitions.ts";
import { PluginSession } from "../../../src/drivers/plugin/session.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { ControllerError } from "../../../src/errors.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

const DEFAULTS = { shortPollS: 60, longPollS: 300, logLevel: "INFO", parameters: { host: "" } };
const LAMP = { address: "hall_1", name: "Hall lamp", nodeDefId: "LAMP", primaryNode: "bridge" };
const BRIDGE = { address: "bridge", name: "Bridge", nodeDefId: "CTL", primaryNode: "bridge" };

let host: RecordingHost;
let session: PluginSession;
let sent: Readonly<Record<string, unknown>>[];
let exceeded: string[];
let store: ServiceStore;
/** The disk refuses writes. */
let isFull: boolean;

beforeEach(() => {
  isFull = false;
  const saved = async () => {
    if (isFull) throw new ControllerError("STORE_UNAVAILABLE");
  };
  store = { ...memoryStore(), saved };
  host = new RecordingHost(new VirtualClock(1000), store);
  sent = [];
  exceeded = [];
  const data = new PluginData(store, DEFAULTS, 10_000);
  const definitions = new PluginDefinitions({ directory: "/nowhere", slot: 7, host, bytesMax: 2000 });
  session = new PluginSession({
    slot: 7,
    uuid: "00:00:5e:00:53:07",
    name: "Test",
    host,
    data,
    nodesMax: 3,
    send: (message) => void sent.push({ ...message }),
    definitions,
    connection: () => null,
    exceeded: (reason) => void exceeded.push(reason),
    restart: () => {},
    stop: () => {},
    pollsChanged: () => {},
    dataChanged: () => {},
    webHooks: { answer: () => {} },
    search: async () => [],
  });
});

function say(kind: string, message: unknown): Readonly<Record<string, unknown>>[] {
  sent.length = 0;
  void session.received(kind, typeof message === "string" ? message : JSON.stringify(message));
  return sent;
}

/** With an answer that comes when something is on disk. */
async function saySaved(kind: string, message: object): Promise<Readonly<Record<string, unknown>>[]> {
  sent.length = 0;
  await session.received(kind, JSON.stringify(message));
  return sent;
}

test("every answer is an object with one member", async () => {
  for (const verb of [
    "config",
    "getIsyInfo",
    "getNsInfo",
    "installprofile",
    "setPoll",
    "setLogLevel",
    "setLogList",
    "push",
  ]) {
    const answers = await saySaved("system", { [verb]: {} });
    expect(answers.map((answer) => Object.keys(answer).length)).toEqual([1]);
  }
});

test.each(["", "null", "42", "[]", "{", '{"unknown":1}', '"text"'])("%j is passed over", (message) => {
  expect(say("system", message)).toEqual([]);
  expect(say("nowhere", message)).toEqual([]);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is passed over", async (name) => {
  sent.length = 0;
  await session.received("system", `{"${name}":{"a":1}}`);
  await session.received(name, '{"assign":{"a":1},"config":{}}');
  expect(sent).toEqual([]);
});

describe("nodes", () => {
  test("a list is answered by a list of records, in its order, primaries added first", () => {
    const [answer] = say("command", { addnode: [LAMP, BRIDGE] });
    expect(answer).toMatchObject({
      addnode: [
        { address: "hall_1", isPrimary: 0 },
        { address: "bridge", isPrimary: 1 },
      ],
    });
    expect([...host.nodes.keys()]).toEqual(["n007_bridge", "n007_hall_1"]);
  });

  test.each([
    [[1, 2, 9, 0], "1.2.9.0"],
    ["0x01020900", "1.2.9.0"],
    [undefined, "0.0.0.0"],
    [[1, 2], "0.0.0.0"],
  ])("the hint %j is %s", (hint, type) => {
    say("command", { addnode: [{ ...BRIDGE, hint }] });
    expect(host.nodes.get("n007_bridge")?.type).toBe(type);
  });

  test.each([
    [{ address: "a-very-long-address" }, /longer than 14/],
    [{ address: "a b" }, /characters/],
    [{ address: "" }, /empty/],
    [{ nodeDefId: "" }, /nodeDefId/],
    [{ primaryNode: "nobody" }, /no primary node/],
  ])("%j is refused, and the others are added", (change, error) => {
    const [answer] = say("command", { addnode: [{ ...LAMP, primaryNode: "hall_1", ...change }, BRIDGE] });
    expect(answer).toMatchObject({ addnode: [{ error: expect.stringMatching(error) }, { address: "bridge" }] });
  });

  test("there is a limit on their number", () => {
    const [answer] = say("command", {
      addnode: ["a", "b", "c", "d"].map((address) => ({ ...BRIDGE, address, primaryNode: address })),
    });
    expect(JSON.stringify(answer)).toContain("The plugin has 3 nodes already.");
  });

  test("one that goes on adding nodes is stopped", async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ ...BRIDGE, address: `n${at}`, primaryNode: `n${at}` }));
    await session.received("command", JSON.stringify({ addnode: many }));
    expect(sent).toHaveLength(1);
    expect(exceeded).toEqual([]);
    await session.received("command", JSON.stringify({ addnode: many }));
    expect(exceeded[0]).toBe("The plugin adds more than 3 nodes (pluginNodesMax).");
  });

  test("a long list of reports takes several turns and is answered whole", async () => {
    say("command", { addnode: [BRIDGE] });
    sent.length = 0;
    const set = Array.from({ length: 500 }, (_, at) => ({ address: "bridge", driver: `GV${at}`, value: at, uom: 56 }));
    const done = session.received("status", JSON.stringify({ set }));
    expect(host.last("n007_bridge", "GV499")).toBeNull();
    await done;
    expect(host.last("n007_bridge", "GV499")).toMatchObject({ value: 499 });
    expect(sent).toEqual([{ set: expect.objectContaining({ length: 500 }) }]);
  });

  test("the first node of others is removed after them", () => {
    say("command", { addnode: [BRIDGE, LAMP] });
    const refused = { address: "bridge", code: 409, error: "It is the primary node of another node. Remove it first." };
    expect(say("command", { removenode: { address: "bridge" } })).toEqual([{ removenode: [refused] }]);
    const both = [{ address: "bridge" }, { address: "hall_1" }];
    expect(say("command", { removenode: both })).toEqual([
      { removenode: both.map(({ address }) => ({ address, success: true })) },
    ]);
  });

  test("one that is added again keeps its values, and removed as a list or alone it is gone", () => {
    say("command", { addnode: [{ ...BRIDGE, drivers: [{ driver: "ST", value: "5", uom: 25 }] }] });
    say("status", { set: [{ address: "bridge", driver: "ST", value: 7, uom: "25" }] });
    say("command", { addnode: [{ ...BRIDGE, drivers: [{ driver: "ST", value: "5", uom: 25 }] }] });
    expect(host.value("n007_bridge")).toBe(7);
    expect(say("command", { removenode: { address: "bridge" } })).toEqual([
      { removenode: [{ address: "bridge", success: true }] },
    ]);
    expect(host.nodes.size).toBe(0);
    expect(JSON.stringify(say("command", { removenode: [{ address: "bridge" }] }))).toContain("404");
  });

  test("a change to a malformed nodedef is refused and not stored", () => {
    say("command", { addnode: [BRIDGE] });
    const [answer] = say("command", { changenode: [{ address: "bridge", nodeDefId: "../x" }] });
    expect(answer).toMatchObject({ changenode: [{ address: "bridge", code: 400 }] });
    expect(session.nodes.map(({ nodeDefId }) => nodeDefId)).toEqual(["CTL"]);
    say("command", { changenode: [{ address: "bridge", nodeDefId: "CTL2" }] });
    expect(session.nodes.map(({ nodeDefId }) => nodeDefId)).toEqual(["CTL2"]);
  });

  test("config lists exactly those that were added, as the libraries need them", () => {
    say("command", {
      addnode: [{ ...BRIDGE, private: { key: 1 }, drivers: [{ driver: "ST", value: "1", uom: "25" }] }],
    });
    const [answer] = say("system", { config: { version: "1.2" } });
    const config = answer?.config as { readonly nodes: unknown; readonly logLevelList: string };
    expect(config.nodes).toMatchObject([
      { address: "bridge", enabled: 1, private: { key: 1 }, drivers: [{ driver: "ST", value: "1", uom: 25 }] },
    ]);
    expect(JSON.parse(config.logLevelList)).toContainEqual({ id: 1, name: "Info", value: "INFO", level: 20 });
    expect(session.version).toBe("1.2");
  });
});

describe("values", () => {
  test.each([
    ["21.5", { value: 215, prec: 1 }],
    ["21.50", { value: 2150, prec: 2 }],
    ["-0.5", { value: -5, prec: 1 }],
    [40, { value: 40, prec: 0 }],
    [21.600000000000001, { value: 216, prec: 1 }],
    ["1e-05", { value: 1, prec: 5 }],
    [true, { value: 1, prec: 0 }],
    ["True", { value: 1, prec: 0 }],
    ["False", { value: 0, prec: 0 }],
    ["None", null],
    ["", null],
    [null, null],
    ["open", null],
    ["21,5", null],
    [1e21, null],
    [{ toString: 1, valueOf: 1 }, null],
    ["99999999999999999999", null],
  ])("%j is %j", (given, value) => {
    expect(reportedValue(given)).toEqual(value);
  });

  test("a report of an unknown node is answered by an error, and the rest is taken", () => {
    say("command", { addnode: [BRIDGE] });
    const set = [
      { address: "nobody", driver: "ST", value: 1, uom: 2 },
      { address: "bridge", driver: "GV1", value: "3", uom: "56", text: "three" },
    ];
    expect(say("status", { set })).toMatchObject([{ set: [{ code: 404 }, { driver: "GV1" }] }]);
    expect(host.last("n007_bridge", "GV1")).toMatchObject({ value: 3, uom: 56, text: "three" });
  });

  test("what is no number leaves the value as it was, and the owner is shown it once", () => {
    say("command", { addnode: [BRIDGE] });
    say("status", { set: { address: "bridge", driver: "GV1", value: "7", uom: 56 } });
    const before = host.reports.length;
    const set = { address: "bridge", driver: "GV1", value: "21,5", uom: 56 };
    expect(say("status", { set })).toMatchObject([{ set: [{ code: 400, driver: "GV1" }] }]);
    say("status", { set });
    expect(host.reports.length).toBe(before);
    expect(host.last("n007_bridge", "GV1")).toMatchObject({ value: 7 });
    expect(session.notes).toEqual(['GV1 of bridge takes a number, not "21,5". Its value stays.']);
  });

  test("a command that a node sent is answered without the command, which would be carried out", () => {
    say("command", { addnode: [BRIDGE] });
    expect(say("command", { command: [{ address: "bridge", cmd: "DON", value: "1", uom: 2 }] })).toEqual([
      { command: [{ address: "bridge", success: true }] },
    ]);
    expect(host.controls).toEqual([{ address: "n007_bridge", control: "DON", value: 1 }]);
  });

  test("the chosen property shows the connection", () => {
    say("command", { addnode: [{ ...BRIDGE, drivers: [{ driver: "ST", value: "0", uom: 25 }] }] });
    say("system", { setController: { node: "bridge", driver: "ST" } });
    expect(host.last("n007_bridge", "ST")).toMatchObject({ value: 1, uom: 25 });
    session.showConnection("lost");
    expect(host.value("n007_bridge")).toBe(2);
    session.showConnection("stopped");
    expect(host.value("n007_bridge")).toBe(0);
  });
});

test("a command goes out with texts, named parameters in the query", () => {
  const parameters = [
    { id: "", value: 405, uom: 4, prec: 1 },
    { id: "BR", value: 30, uom: 51, prec: 0 },
  ];
  session.command({ address: "n007_hall_1", command: "BLEND", parameters });
  session.query("n007_hall_1");
  expect(sent).toEqual([
    { command: { address: "hall_1", cmd: "BLEND", value: "40.5", uom: "4", query: { "BR.uom51": "30" } } },
    { query: { address: "hall_1" } },
  ]);
});

describe("stored data", () => {
  test("parameters are there before anybody set them, and nothing is ever null", () => {
    expect(say("custom", { getAll: {} })).toEqual([{ getAll: [{ key: "customparams", value: '{"host":""}' }] }]);
  });

  test("a change is acknowledged and echoed as text", async () => {
    expect(
      await saySaved("custom", {
        set: [
          { key: "notices", value: { a: "Hello" } },
          { key: "idata", value: {} },
        ],
      }),
    ).toEqual([
      {
        set: [
          { success: true, key: "notices" },
          { success: true, key: "idata" },
        ],
      },
      { custom: { notices: '{"a":"Hello"}' } },
    ]);
  });

  test("there is a limit on their sum", async () => {
    const big = "x".repeat(9000);
    await saySaved("custom", { set: [{ key: "a", value: big }] });
    expect(JSON.stringify(await saySaved("custom", { set: [{ key: "b", value: big }] }))).toContain(
      "at most 10000 bytes",
    );
    expect(session.data.get("b")).toBe(null);
  });

  test("what the disk does not take is answered as refused, without an echo, and logged once", async () => {
    isFull = true;
    const set = [{ key: "a", value: "1" }];
    const error = "The change could not be written to disk. Try again.";
    expect(await saySaved("custom", { set })).toEqual([{ set: [{ success: false, key: "a", error }] }]);
    expect(await saySaved("system", { setPoll: { short: 5 } })).toEqual([{ setPoll: { success: false, error } }]);
    expect(await saySaved("system", { updateprofile: { requestId: "1", editors: [] } })).toEqual([
      { updateprofile: { requestId: "1", success: false, message: error } },
    ]);
    expect(host.logLines.filter((line) => line.includes("A plugin's data is not stored"))).toHaveLength(1);
    isFull = false;
    expect(await saySaved("custom", { set })).toEqual([{ set: [{ success: true, key: "a" }] }, { custom: { a: "1" } }]);
  });

  test("levels of the log without a number get one", () => {
    say("system", {
      setLogList: {
        levels: [
          { id: 0, name: "Debug + more", value: "ALL" },
          { name: "Info", value: "INFO" },
        ],
      },
    });
    const [answer] = say("system", { config: {} });
    const config = answer?.config as { readonly logLevelList: string };
    expect(JSON.parse(config.logLevelList)).toMatchObject([
      { value: "ALL", level: 10 },
      { value: "INFO", level: 20 },
    ]);
  });
});

describe("definitions as JSON", () => {
  const EDITOR = { id: "MODES", ranges: [{ uom: "25", subset: "0-2", names: { "0": "Idle", "1": "Heat" } }] };
  const NODEDEF = {
    id: "LAMP",
    name: "Lamp",
    properties: [{ id: "ST", editor: "_51_0_R_0_100", name: "Level" }],
    cmds: { sends: [{ id: "DON" }], accepts: [{ id: "DON", parameters: [{ id: "", editor: "_51_0", init: "ST" }] }] },
  };
  const update = (given: object) => saySaved("system", { updateprofile: { requestId: "5f3a9c01", ...given } });
  const lamp = () => host.profile.nodedef("LAMP", 10, 7);

  test("they are published, given back as they were sent, and deleted", async () => {
    expect(await update({ editors: [EDITOR], nodedefs: [NODEDEF] })).toEqual([
      { updateprofile: { requestId: "5f3a9c01", success: true } },
    ]);
    expect(lamp()?.properties).toEqual([{ id: "ST", editor: "_51_0_R_0_100", name: "Level", hide: false }]);
    expect(host.profile.editor("MODES", 10, 7)?.ranges[0]?.names.get(1)).toBe("Heat");
    expect(say("system", { getprofile: {} })).toEqual([
      { getprofile: { success: true, editors: [EDITOR], nodedefs: [NODEDEF], linkdefs: [] } },
    ]);
    await update({ delete: { editors: ["*"], nodedefs: ["LAMP"] } });
    expect(say("system", { getprofile: {} })).toMatchObject([{ getprofile: { editors: [], nodedefs: [] } }]);
    expect(lamp()).toBeNull();
  });

  test("the same ones again change nothing", async () => {
    await update({ nodedefs: [NODEDEF] });
    const { version } = host.profile;
    await update({ nodedefs: [NODEDEF] });
    expect(host.profile.version).toBe(version);
  });

  test.each([
    ["no list", { nodedefs: {} }, /not a list/],
    ["an item without an id", { nodedefs: [{}] }, /no usable id/],
    ["an editor without ranges", { editors: [{ id: "A" }] }, /no list of ranges/],
    ["properties that are no objects", { nodedefs: [{ id: "A", properties: [1] }] }, /not a list/],
    ["too much", { nodedefs: [{ id: "A", name: "x".repeat(3000) }] }, /longer than 2000 bytes/],
  ])("%s is refused whole", async (_what, given, message) => {
    await update({ nodedefs: [NODEDEF] });
    expect(await update({ delete: { nodedefs: ["*"] }, editors: [EDITOR], ...given })).toMatchObject([
      { updateprofile: { requestId: "5f3a9c01", success: false, message: expect.stringMatching(message) } },
    ]);
    expect(lamp()).not.toBeNull();
    expect(host.profile.editor("MODES", 10, 7)).toBeNull();
  });
});

test("the length of a packet is known from its first bytes, for any division into pieces", () => {
  const packet = Buffer.concat([
    Buffer.from([0x30, 0xac, 0x02]),
    Buffer.alloc(300),
    Buffer.from([0x30, 5]),
    Buffer.alloc(5),
  ]);
  const whole = packetReader();
  expect(whole(packet)).toEqual({ longest: 300, firstEnd: 303 });
  expect(whole(packet)).toEqual({ longest: 300, firstEnd: 0 });
  const byByte = packetReader();
  const bytes = [...packet].map((byte) => byByte(Buffer.from([byte])));
  expect(bytes.map(({ longest }) => longest).filter((length) => length > 0)).toEqual([300, 5]);
  expect(bytes.filter(({ firstEnd }) => firstEnd === 1)).toHaveLength(303);
  expect(packetReader()(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff])).longest).toBe(Number.POSITIVE_INFINITY);
});
