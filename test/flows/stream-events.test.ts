/** Events of changes in the home, on both surfaces. streams.test.ts tests the streams as connections. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DriverHost } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import type { Change } from "../../src/home/change.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";
import { children, names, readXml, textOf } from "../support/read-xml.ts";

const LAMP = "1A 2B 3C 1";
const CAUSE = { kind: "system", id: "test", by: null } as const;
const SCENE = "31003";
const FOLDER = "11001";
/** "Count Door Openings" and "Dishwasher Done", the disabled one. */
const PROGRAM = "000F";
const DISABLED = "0015";

let controller: TestController;
let late: DriverHost;
let fence = 0;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  const store = new Map<string, unknown>();
  late = new HomeHost(controller.services, "late", {
    get: (key) => store.get(key),
    set: (key, value) => void store.set(key, value),
    delete: (key) => void store.delete(key),
    keys: () => [...store.keys()],
    saved: async () => {},
  });
});

afterAll(() => controller[Symbol.asyncDispose]());

async function get(path: string): Promise<void> {
  const answer = await controller.portal.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
}
const at = (address: string) => `/rest/nodes/${encodeURIComponent(address)}`;
const commit = (change: Change) => controller.services.feed.commit(change, CAUSE);

async function open(surface: "rest" | "api"): Promise<FrameStream> {
  const stream = await controller.subscribe(surface, { listener: "portal" });
  await stream.next(({ control }) => control === "_0");
  return stream;
}

/** Every frame during the action. A write of a variable that no other client writes marks the end. */
async function during(stream: FrameStream, act: () => Promise<unknown> | unknown): Promise<readonly Frame[]> {
  const start = stream.frames.length;
  await act();
  fence += 1;
  const value = fence;
  commit({ type: "variable-written", variableType: 1, id: 10, value, before: 0, writtenAtMs: controller.clock.now() });
  const isFence = ({ eventInfo }: Frame) => eventInfo.includes(`id="10"`) && eventInfo.includes(`<val>${value}</val>`);
  await stream.next(isFence);
  return stream.frames.slice(start, stream.frames.findLastIndex(isFence));
}

const spelled = (frames: readonly Frame[]) =>
  frames.map(({ control, action, node }) => `${control} ${action} ${node}`.trim());

describe.each(["rest", "api"] as const)("/%s tells", (surface) => {
  let stream: FrameStream;
  const doing = (act: () => Promise<unknown> | unknown) => during(stream, act);

  beforeAll(async () => {
    await get(`${at(LAMP)}/cmd/DOF`);
    stream = await open(surface);
  });
  afterAll(() => stream.close());

  describe("commands", () => {
    test("a DON as _5/1, the new ST, _5/0, and an equal one without ST", async () => {
      const frames = await doing(() => get(`${at(LAMP)}/cmd/DON/75/51`));
      expect(spelled(frames)).toEqual(["_5 1", `ST 191 ${LAMP}`, "_5 0"]);
      expect(frames[1]?.text).toContain('<action uom="100" prec="0">191</action>');
      expect(spelled(await doing(() => get(`${at(LAMP)}/cmd/DON/75/51`)))).toEqual(["_5 1", "_5 0"]);
      await get(`${at(LAMP)}/cmd/DOF`);
    });

    test("a scene through its members alone, never by its own address", async () => {
      const frames = await doing(async () => {
        await get(`/rest/nodes/${SCENE}/cmd/DON`);
        await get(`/rest/nodes/${SCENE}/cmd/DOF`);
        await get(`/rest/nodes/${controller.services.home.controller.uuid}/cmd/BEEP`);
      });
      const told = new Set(frames.filter(({ control }) => !control.startsWith("_")).map(({ node }) => node));
      expect(told.size).toBeGreaterThan(2);
      expect([...told].filter((address) => !controller.services.home.nodes.has(address))).toEqual([]);
    });

    test("a fraction as an integer with its precision, never as a fraction", async () => {
      const frames = await doing(() => get(`${at("15 E 20 1")}/cmd/CLISPH/${surface === "rest" ? 65.5 : 66.5}/17`));
      const setpoint = frames.find(({ control }) => control === "CLISPH");
      expect(setpoint?.action).toMatch(/^-?\d+$/);
      expect(setpoint?.text).toContain(surface === "rest" ? "65.5" : "66.5");
    });

    test("a button that was pressed, with an integer and no attributes, and its light", async () => {
      const { driver } = controller.services.drivers.list()[0] ?? {};
      const press = surface === "rest" ? "DON" : "DOF";
      const frames = await doing(async () => {
        driver?.simulation?.act("1E 4 A0 3", press, 0);
        // The scene of the button is carried out.
        do await new Promise(setImmediate);
        while (controller.services.home.busy);
      });
      const own = [`${press} 0 1E 4 A0 3`, `ST ${surface === "rest" ? 255 : 0} 1E 4 A0 3`];
      expect(spelled(frames).slice(0, 2)).toEqual(own);
      expect(frames[0]?.text).toContain("<action>0</action>");
    });

    test("the brightness of a device's lights, as the memory that was written", async () => {
      const seen = await during(stream, async () => {
        await get(`${at(LAMP)}/cmd/BL/77`);
        await get(`${at("1E 4 A0 1")}/cmd/BL/19`);
      });
      const written = seen.filter(({ control }) => control === "_7").map(({ eventInfo }) => eventInfo);
      expect(written).toEqual([
        expect.stringContaining(`[${LAMP}] Memory : Write dbAddr=0x0264 [62] cmd1=0x2E cmd2=0x00`),
        expect.stringContaining("[1E 4 A0 1] Memory : Write dbAddr=0x0264 [13] cmd1=0x2E cmd2=0x00"),
      ]);
    });

    test("nothing that a client must read as progress: _7 is never sent", async () => {
      const frames = await doing(() => get(`${at(LAMP)}/cmd/OL/${surface === "rest" ? 200 : 210}`));
      expect(frames.filter(({ control }) => control === "_7")).toEqual([]);
      expect(spelled(frames)).toContain(`OL ${surface === "rest" ? 200 : 210} ${LAMP}`);
    });
  });

  describe("programs", () => {
    const info = (frame: Frame | undefined) => readXml(`<i>${frame?.eventInfo}</i>`);
    const isRun = ({ control, action }: Frame) => control === "_1" && action === "0";
    /** The frames of programs; the effects of their clauses are beside them. */
    const runs = async (verb: string, id = PROGRAM) =>
      (await doing(() => get(`/rest/programs/${id}/${verb}`))).filter(isRun);

    test("a run as the clause that runs, then its end", async () => {
      for (const [verb, bytes] of [
        ["runThen", ["22", "21"]],
        ["runElse", ["33", "31"]],
      ] as const) {
        const frames = await runs(verb);
        expect(frames.map((frame) => textOf(info(frame), "s"))).toEqual(bytes);
        expect(names(info(frames[1]))).toEqual(["id", "on", "nr", "r", "f", "s"]);
        expect(textOf(info(frames[1]), "id")).toBe("F");
      }
    });

    test("enabling and disabling flips on and off, and not s", async () => {
      const before = textOf(info((await runs("stop", DISABLED)).at(-1)), "s");
      for (const [verb, element] of [
        ["enable", "on"],
        ["disable", "off"],
      ] as const) {
        const [frame, ...others] = await runs(verb, DISABLED);
        expect(others).toEqual([]);
        expect(names(info(frame))).toContain(element);
        expect([textOf(info(frame), "id"), textOf(info(frame), "s")]).toEqual(["15", before]);
      }
      const startup = [await runs("enableRunAtStartup"), await runs("disableRunAtStartup")].map(([frame]) =>
        info(frame),
      );
      expect(startup.map((element) => names(element).filter((name) => /^(?:rr|nr)$/.test(name)))).toEqual([
        ["rr"],
        ["nr"],
      ]);
    });

    test("times of programs are local, in the zone of the timestamp", async () => {
      const [, last] = await runs("runThen");
      const { timestamp = "" } = last?.event.attributes ?? {};
      const [, year, month, day, clock] =
        /^20(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)\.\d{6}\+02:00$/.exec(timestamp) ?? [];
      expect(textOf(info(last), "f")).toBe(`${year}${month}${day} ${clock} `);
    });

    test("frames of programs have one of eight values of s, and ids without padding", async () => {
      const frames = await doing(async () => {
        for (const entry of controller.services.home.programs.values()) {
          if (entry.kind === "folder" || entry.id === 2) continue;
          for (const verb of ["run", "runThen", "runElse", "stop"])
            await get(`/rest/programs/${entry.id.toString(16).padStart(4, "0")}/${verb}`);
        }
      });
      const told = frames.filter(isRun).map(info);
      expect(told.length).toBeGreaterThan(80);
      for (const element of told) {
        expect(textOf(element, "s")).toMatch(/^(?:11|2[123]|3[123]|F1)$/);
        expect(textOf(element, "id")).toMatch(/^[1-9A-F][0-9A-F]*$/);
      }
    });

    test("a folder's run as the runs of its programs, and the folder itself never", async () => {
      const frames = await runs("run", "0003");
      const ids = new Set(frames.map((frame) => textOf(info(frame), "id")));
      expect(ids).toEqual(new Set(["7", "8", "9", "A", "B", "C"]));
    });
  });

  describe("variables", () => {
    const write = (body: object) => controller.portal.post("/api/variables/2/9", body);

    test("value, init, and everything else as another table", async () => {
      const frames = await doing(async () => {
        await write({ value: 4 });
        await get("/rest/vars/set/2/9/5");
        await write({ init: 2 });
        await get("/rest/vars/init/2/9/3");
        await write({ name: "Mode" });
        await write({ prec: 1 });
        const made = await controller.portal.put("/api/variables/2", { name: "New" });
        await controller.portal.delete(`/api/variables/2/${made.json<{ data: { id: string } }>().data.id}`);
        await write({ prec: 0 });
      });
      expect(
        frames.map(({ control, action, eventInfo }) => `${control}/${action} ${eventInfo.replace(/<ts>.*<\/ts>/, "")}`),
      ).toEqual([
        '_1/6 <var type="2" id="9"><prec>0</prec><val>4</val></var>',
        '_1/6 <var type="2" id="9"><prec>0</prec><val>5</val></var>',
        '_1/7 <var type="2" id="9"><init>2</init><prec>0</prec></var>',
        '_1/7 <var type="2" id="9"><init>3</init><prec>0</prec></var>',
        ...Array(5).fill('_1/9 <var type="2" id="0" />'),
      ]);
      expect(frames[0]?.eventInfo).toMatch(/<ts>\d{8} \d\d:\d\d:\d\d <\/ts>/);
    });

    test("an equal value is published, because clients wait for it", async () => {
      expect(spelled(await doing(() => write({ value: 5 })))).toEqual(["_1 6"]);
    });
  });

  describe("the tree", () => {
    const renamed = async (address: string, nodeType: string, name: string) =>
      doing(() => controller.portal.post(`/api/nodes/${encodeURIComponent(address)}`, { name, nodeType }));

    test("names, and the controller's as that of its group", async () => {
      const { uuid } = controller.services.home.controller;
      for (const [address, nodeType, verb] of [
        [LAMP, "node", "NN"],
        [SCENE, "group", "GN"],
        [FOLDER, "folder", "FN"],
        [uuid, "group", "GN"],
      ] as const) {
        const name = `Other <${surface}> & ${verb}`;
        // A network resource that a program of an earlier test fired may end now.
        const frames = (await renamed(address, nodeType, name)).filter(({ control }) => control === "_3");
        expect(spelled(frames)).toEqual([`_3 ${verb} ${address}`]);
        expect(textOf(readXml(`<i>${frames[0]?.eventInfo}</i>`), "newName")).toBe(name);
      }
      const [frame] = await doing(() => get(`${at(LAMP)}/change?name=${surface}`));
      expect(frame?.eventInfo).toBe(`<newName>${surface}</newName>`);
    });

    test("enabled and disabled, always with the word", async () => {
      const [off] = await doing(() => get(`${at("1A 44 C 1")}/disable`));
      expect([off?.action, off?.node, off?.eventInfo]).toEqual(["EN", "1A 44 C 1", "<enabled>false</enabled>"]);
      const [on] = await doing(() => get(`${at("1A 44 C 1")}/enable`));
      expect([on?.action, on?.eventInfo]).toEqual(["EN", "<enabled>true</enabled>"]);
    });

    test("a new node whole, visible in the documents, before its first value", async () => {
      const address = `n0${surface === "rest" ? 30 : 31}_new`;
      const spec = { address, name: "New & <node>", nodeDefId: "x", family: 10, instance: 30, type: "0.0.0.0" };
      const frames = await doing(() => {
        late.node({ ...spec, primary: address, devtype: null });
        late.report([{ address, id: "ST", value: 5, uom: 51, prec: 0, cause: "report" }]);
      });
      expect(spelled(frames)).toEqual([`_3 ND ${address}`, `ST 5 ${address}`]);
      const node = readXml(frames[0]?.eventInfo ?? "");
      expect([node.name, node.attributes.nodeDefId, textOf(node, "name")]).toEqual(["node", "x", "New & <node>"]);
      expect((await controller.portal.get("/api/nodes")).text).toContain(`"address":"${address}"`);
      expect((await controller.portal.get("/rest/nodes")).text).toContain(`<address>${address}</address>`);
    });

    test("its revision, its silence and its end, first out of its scenes", async () => {
      const address = `n0${surface === "rest" ? 30 : 31}_new`;
      const spec = { address, name: "ignored", nodeDefId: "y", family: 10, instance: 30, type: "0.0.0.0" };
      const scene = { address: "39001", name: "Short", parent: null, deviceGroup: 99, members: [], blocks: [] };
      const frames = await doing(() => {
        late.node({ ...spec, primary: address, devtype: null });
        late.link(address, "unreachable");
        late.link(address, "online");
        late.writes(address, "pending", true);
        late.writes(address, "writing", true);
        late.writes(address, "writing", false);
        commit({ type: "group-added", group: { ...scene, members: [{ address, isController: true }] } });
        late.gone(address);
        commit({ type: "group-removed", address: scene.address });
      });
      expect(spelled(frames)).toEqual([
        `_3 RV ${address}`,
        `_3 NE ${address}`,
        `_3 LS ${address}`,
        `_3 CE ${address}`,
        `_3 LS ${address}`,
        `_3 WH ${address}`,
        `_3 WD ${address}`,
        `_3 WD ${address}`,
        "_3 GD 39001",
        "_3 MV 39001",
        "_3 RG 39001",
        "_3 LU 39001",
        `_3 NR ${address}`,
        "_3 GR 39001",
      ]);
      expect(frames[9]?.eventInfo).toBe(`<movedNode>${address}</movedNode><linkType>16</linkType>`);
      expect(frames[10]?.eventInfo).toBe(`<removedNode>${address}</removedNode>`);
    });

    test("folders that come, go and move", async () => {
      const folder = { address: "19001", name: "Attic", parent: null };
      const frames = await doing(() => {
        commit({ type: "folder-added", folder });
        commit({ type: "parent-changed", address: LAMP, kind: "node", parent: { address: "19001", kind: "folder" } });
        commit({ type: "parent-changed", address: LAMP, kind: "node", parent: { address: FOLDER, kind: "folder" } });
        commit({ type: "folder-removed", address: "19001" });
      });
      expect(spelled(frames)).toEqual(["_3 FD 19001", `_3 PC ${LAMP}`, `_3 PC ${LAMP}`, "_3 FR 19001"]);
      expect(frames[1]?.eventInfo).toBe(
        `<node>${LAMP}</node><nodeType>1</nodeType><parent>19001</parent><parentType>3</parentType>`,
      );
    });

    test("a device that stops to answer: NE once, its ERR, the command's failure as 503, and CE when it is back", async () => {
      const { driver } = controller.services.drivers.list()[0] ?? {};
      const frames = await doing(async () => {
        driver?.simulation?.act("1A 2F A2 1", "UNPLUG", null);
        for (const level of [20, 30]) {
          const answer = await controller.portal.get(`${at("1A 2F A2 1")}/cmd/DON/${level}/51`);
          expect([answer.status, answer.text.includes("DEVICE_UNREACHABLE")]).toEqual([503, true]);
        }
        driver?.simulation?.act("1A 2F A2 1", "PLUG", null);
      });
      const told = spelled(frames).filter((text) => !text.startsWith("_5"));
      const [lost, back] = [frames, frames.toReversed()].map(
        (some) => some.find(({ action }) => action === "LS")?.eventInfo,
      );
      expect([lost, back]).toEqual(["<linkState>unreachable</linkState>", "<linkState>online</linkState>"]);
      expect(told.filter((text) => !text.startsWith("_3 LS"))).toEqual([
        "_3 NE 1A 2F A2 1",
        "ERR 1 1A 2F A2 1",
        "_3 CE 1A 2F A2 1",
        "ERR 0 1A 2F A2 1",
      ]);
    });
  });

  describe("the controller", () => {
    test("batch mode and battery writes", async () => {
      const frames = await doing(async () => {
        for (const mode of ["on", "off"]) await get(`/rest/batch/${mode}`);
        for (const mode of ["off", "on"]) await get(`/rest/batteryPoweredWrites/${mode}`);
      });
      expect(frames.map(({ control, action, eventInfo }) => `${control}/${action} ${eventInfo}`)).toEqual([
        "_4/5 <status>1</status>",
        "_4/5 <status>0</status>",
        "_4/6 <status>0</status>",
        "_4/6 <status>1</status>",
      ]);
    });

    test("a parameter that a device answered, and what became of a network resource, without what the other side said", async () => {
      const frames = await doing(async () => {
        await get("/rest/zwave/node/ZW002_1/config/query/3");
        const target = { host: "203.0.113.1", port: 1, method: "GET", path: "/", headers: [], body: "", timeoutMs: 0 };
        commit({ type: "network-resource-put", resource: { id: 77, name: "Far", protocol: "http", ...target } });
        controller.services.feed.commit(
          { type: "network-resource-fired", id: 77, outcome: "failed", detail: "secret" },
          CAUSE,
        );
      });
      expect(frames.some(({ control, eventInfo }) => control === "_21" && eventInfo.startsWith("<config "))).toBe(true);
      expect(frames.at(-1)?.eventInfo).toBe("[Network resource 77] failed");
    });
  });

  test("through all of this every action of a property was an integer with a unit, and of the system plain", () => {
    for (const { control, action, uom, prec, text } of stream.frames.filter(({ seqnum }) => seqnum !== null)) {
      const isProperty = uom !== null;
      if (isProperty)
        expect([action, Number(uom) > 0, prec]).toEqual([
          expect.stringMatching(/^(?:-?\d+)?$/),
          true,
          expect.stringMatching(/^\d$/),
        ]);
      else expect([control, text]).toEqual([control, expect.stringContaining(`<action>${action}</action>`)]);
      if (control.startsWith("_")) expect(isProperty).toBe(false);
    }
  });
});

test("both surfaces send the same, event for event", async () => {
  const streams = await Promise.all([open("rest"), open("api")]);
  const told = await Promise.all(
    streams.map(async (stream, index) => {
      if (index === 0) {
        await get(`${at(LAMP)}/cmd/DON/33/51`);
        await get(`/rest/programs/${PROGRAM}/run`);
        await get("/rest/vars/set/1/1/99");
        await get(`${at(LAMP)}/change?name=Both`);
        await get("/rest/vars/set/1/2/99");
      }
      await stream.next(
        ({ eventInfo }) => eventInfo.includes('type="1" id="2"') && eventInfo.includes("<val>99</val>"),
      );
      return stream.frames.filter(({ seqnum }) => seqnum !== null).map(({ text }) => text.replace(/ sid="[^"]*"/, ""));
    }),
  );
  expect(told[0]?.length).toBeGreaterThan(200);
  expect(told[1]).toEqual(told[0]);
  await Promise.all(streams.map((stream) => stream.close()));
});

test("after a reconnect the stream alone gives what the documents say", async () => {
  const lost = await open("rest");
  lost.socket.terminate();
  await get(`${at(LAMP)}/cmd/DON/12/51`);
  await get("/rest/vars/set/2/2/1");
  await get(`/rest/programs/${PROGRAM}/runElse`);
  const stream = await open("rest");
  const status = readXml((await controller.portal.get("/rest/status")).text);
  const lamp = children(status, "node").find(({ attributes }) => attributes.id === LAMP);
  const value = children(lamp ?? status, "property").find(({ attributes }) => attributes.id === "ST")?.attributes.value;
  expect(stream.frames.find(({ control, node }) => control === "ST" && node === LAMP)?.action).toBe(value);
  expect(stream.frames.find(({ text }) => text.includes('<var type="2" id="2"><prec>'))?.text).toContain(
    "<val>1</val>",
  );
  expect(stream.frames.find(({ eventInfo }) => eventInfo.startsWith("<id>F</id>"))?.eventInfo).toContain("<s>31</s>");
  await stream.close();
});
