/** Changes and events of the event stream. @see client/RULES.md */

import { expect, test } from "vitest";
import { Listeners } from "../../client/src/stream/listeners.ts";
import { startStage } from "./support/connected.ts";
import { follow, frame, HEARTBEAT, level, next, taken } from "./support/followed.ts";
import { json, status } from "./support/scripted-server.ts";
import { INTEGERS, NODES } from "./support/small-home.ts";

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const told: T[] = [];
  for await (const event of events) told.push(event);
  return told;
}

test("S1 a property is changed before the listeners are called, and passed with its former value", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const seen: unknown[] = [];
  const heard = next(home, "property");
  home.on("property", ({ address }) => seen.push(home.node(address).value("ST"), home.group("Evening").anyOn));
  stage.server.send(level("0"));
  expect(await heard).toEqual({
    kind: "property",
    at: "2031-02-03T04:05:06.123456-07:00",
    seqnum: 57,
    address: "5C 2 D1 1",
    property: { id: "ST", value: "0", formatted: "50%", uom: "100", name: "Status", prec: 0 },
    previous: { id: "ST", value: "191", formatted: "75%", uom: "100", name: "Status", prec: 0 },
  });
  expect(seen).toEqual([0, false]);
});

test("S1 a value that the stream repeats at its begin is no event; one that changed before is", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const values: string[] = [];
  home.on("property", ({ property }) => values.push(property.value));
  stage.server.send(level("191"));
  const changed = next(home, "property");
  stage.server.send(level("7"));
  await changed;
  expect(values).toEqual(["7"]);
});

test("S14 what a device sends itself is a control and no property; ERR is one without a unit", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const heard = next(home, "control");
  stage.server.send(frame({ control: "DON", action: "4", node: "5C 2 D1 1" }));
  expect(await heard).toMatchObject({ address: "5C 2 D1 1", control: "DON", value: "4" });
  expect(home.node("Porch Lantern").properties.has("DON")).toBe(false);
  const failed = next(home, "property");
  stage.server.send(frame({ control: "ERR", action: "1", node: "5C 2 D1 1" }));
  expect((await failed).property).toMatchObject({ id: "ERR", value: "1", uom: "" });
});

test("S2 the tree is not changed by lifecycle events; a refresh reads what they announce", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const lamp = home.node("Porch Lantern");
  const heard = next(home, "lifecycle");
  stage.server.send(
    frame({ control: "_3", action: "NN", node: "5C 2 D1 1", info: "<newName>Front Lantern</newName>" }),
  );
  expect(await heard).toMatchObject({
    verb: "NN",
    address: "5C 2 D1 1",
    info: { newName: "Front Lantern" },
    needsRefresh: true,
  });
  expect(lamp.name).toBe("Porch Lantern");
  const [first, ...others] = NODES.nodes.node;
  stage.server.on(
    "GET /api/nodes",
    json({ nodes: { ...NODES.nodes, node: [{ ...first, name: "Front Lantern" }, others[0]] } }),
  );
  const removed = home.node("Stairs");
  await home.refresh();
  expect(lamp.name).toBe("Front Lantern");
  expect(home.node("Front Lantern")).toBe(lamp);
  expect(home.nodes.find("Porch Lantern")).toBeNull();
  expect(() => removed.name).toThrow("not there any more");
  expect(stage.server.count("GET /api/config")).toBe(1);
});

test("S2 enablement is changed in place", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const heard = next(home, "lifecycle");
  stage.server.send(frame({ control: "_3", action: "EN", node: "61 9 B 1", info: "<enabled>true</enabled>" }));
  expect(await heard).toMatchObject({ needsRefresh: false });
  expect(home.node("Shed").enabled).toBe(true);
});

test("S3 a program's status, clause, enablement and times are changed in place, partial frames leave the rest", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  stage.server.send(
    frame({
      control: "_1",
      action: "0",
      info: "<id>1C</id><off /><rr /><r>310203 04:05:06 </r><f>310203 04:05:07 </f><s>33</s>",
    }),
  );
  expect(await next(home, "program")).toMatchObject({ id: "001C" });
  const program = home.program("Dusk");
  expect(program).toMatchObject({
    status: false,
    running: "running else",
    enabled: false,
    runAtStartup: true,
    lastRunTime: "2031-02-03T11:05:06.000Z",
    lastFinishTime: "2031-02-03T11:05:07.000Z",
    nextScheduledRunTime: null,
  });
  stage.server.send(frame({ control: "_1", action: "0", info: "<id>1c</id><nsr>310204 00:00:00 </nsr>" }));
  await next(home, "program");
  expect(program).toMatchObject({
    status: false,
    running: "running else",
    nextScheduledRunTime: "2031-02-04T07:00:00.000Z",
  });
  stage.server.send(frame({ control: "_1", action: "0", info: "<id>1C</id><s>12</s>" }));
  await next(home, "program");
  expect(program).toMatchObject({ status: false, running: "running then" });
});

test("S3 a frame of a folder changes its status, and gives it no fields of programs", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const info =
    "<id>2</id><on /><rr /><r>310203 04:05:06 </r><f>310203 04:05:07 </f><nsr>310204 00:00:00 </nsr><s>21</s>";
  stage.server.send(frame({ control: "_1", action: "0", info }));
  expect(await next(home, "program")).toMatchObject({ id: "0002" });
  expect(home.program("Lights")).toMatchObject({
    status: true,
    enabled: null,
    runAtStartup: null,
    running: null,
    lastRunTime: null,
    lastFinishTime: null,
    nextScheduledRunTime: null,
  });
});

test("S4 values and inits of variables come with actions 6 and 7", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const info = '<var type="1" id="7"><prec>1</prec><val>150</val><ts>20310203 04:05:06 </ts></var>';
  stage.server.send(frame({ control: "_1", action: "6", info }));
  expect(await next(home, "variable")).toMatchObject({ type: 1, id: "7", what: "value" });
  expect(home.variable("1.7")).toMatchObject({
    raw: 150,
    value: 15,
    prec: 1,
    rawInit: 0,
    ts: "2031-02-03T11:05:06.000Z",
  });
  stage.server.send(
    frame({ control: "_1", action: "7", info: '<var type="1" id="7"><init>3</init><prec>1</prec></var>' }),
  );
  expect(await next(home, "variable")).toMatchObject({ what: "init" });
  stage.server.send(frame({ control: "_1", action: "7", info: "<var><type>1</type><id>7</id><val>4</val></var>" }));
  await next(home, "variable");
  expect(home.variable("1.7")).toMatchObject({ raw: 150, rawInit: 4, ts: "2031-02-03T11:05:06.000Z" });
});

test("S5 when the table changed it is read again, and values that come meanwhile are not lost", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const release = Promise.withResolvers<void>();
  stage.server.on("GET /api/variables/1", async () => {
    await release.promise;
    return json([...INTEGERS, { id: "8", val: 0, init: 0, prec: 0, name: "New", ts: "" }]);
  });
  const values: number[] = [];
  home.on("variable", ({ id }) => values.push(home.variable(`1.${id}`).raw));
  const table = next(home, "variables");
  stage.server.send(frame({ control: "_1", action: "9", info: '<var type="1" id="0" />' }));
  await stage.server.until(() => stage.server.count("GET /api/variables/1") === 2);
  stage.server.send(frame({ control: "_1", action: "6", info: '<var type="1" id="8"><val>5</val></var>' }));
  await taken(stage, home);
  expect(values).toEqual([]);
  release.resolve();
  expect(await table).toMatchObject({ type: 1 });
  await taken(stage, home);
  expect(home.variable("New").raw).toBe(5);
  expect(values).toEqual([5]);
});

test("S5 a table that changes while it is read is read once more; one that cannot be read stays", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const changed = frame({ control: "_1", action: "9", info: '<var type="2" id="0" />' });
  const release = Promise.withResolvers<void>();
  stage.server.on("GET /api/variables/2", async () => {
    await release.promise;
    return status(500);
  });
  const table = next(home, "variables");
  stage.server.send(changed);
  await stage.server.until(() => stage.server.count("GET /api/variables/2") === 2);
  stage.server.send(changed, changed);
  await taken(stage, home);
  release.resolve();
  await table;
  expect(stage.server.count("GET /api/variables/2")).toBe(3);
  expect(home.variable("Target").raw).toBe(215);
});

test("S12 frames that arrive while the home is loaded again are applied", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const release = Promise.withResolvers<void>();
  stage.server.on("GET /api/nodes", async () => {
    await release.promise;
    return json(NODES);
  });
  const refreshed = home.refresh();
  await stage.server.until(() => stage.server.count("GET /api/nodes") === 2);
  stage.server.send(level("255"));
  await taken(stage, home);
  release.resolve();
  await refreshed;
  expect(home.node("Porch Lantern").value("ST")).toBe(100);
});

test("S12 who asks for a refresh while one runs gets another one, and many get the same", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const first = home.refresh();
  await stage.server.until(() => stage.server.count("GET /api/nodes") === 2);
  await Promise.all([first, home.refresh(), home.refresh(), home.refresh()]);
  expect(stage.server.count("GET /api/nodes")).toBe(3);
});

test("S8 what cannot be read is dropped, and the stream goes on", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const before = JSON.stringify(home.snapshot());
  const told: unknown[] = [];
  home.on("property", (event) => told.push(event));
  const broken = [
    ...[
      "",
      "null",
      "[]",
      "{}",
      "<",
      "<Event",
      "<Event>",
      "<Event/>",
      "<Other/>",
      '{"type":"event"}',
      '{"type":"event","data":7}',
    ],
    ...['{"type":"spolisy"', "<!DOCTYPE Event><Event/>", "<Event><control>ST</control>", level("1").slice(0, -3)],
    frame({ control: "ST", action: "1", attributes: ' uom="51"', node: "no such node" }),
    frame({ control: "_1", action: "0", info: "<id>FFFF</id><s>21</s>" }),
    frame({ control: "_1", action: "6", info: '<var type="1" id="99"><val>1</val></var>' }),
    frame({ control: "_1", action: "6", info: '<var type="3" id="7"><val>1</val></var>' }),
    frame({ control: "_1", action: "9", info: "" }),
  ];
  stage.server.send(...broken, Buffer.from(level("1")));
  await taken(stage, home);
  expect(JSON.stringify(home.snapshot())).toBe(before);
  expect(told).toEqual([]);
  expect(stage.server.sockets).toHaveLength(1);
});

test("S8 a bare ampersand in a frame is mended", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const heard = next(home, "lifecycle");
  stage.server.send(frame({ control: "_3", action: "NN", node: "61 9 B 1", info: "<newName>Salt & Pepper</newName>" }));
  expect((await heard).info).toEqual({ newName: "Salt & Pepper" });
});

test("S13 a listener that throws keeps nothing from the others, and one that was taken off is not called", async () => {
  await using stage = await startStage();
  const warned: unknown[] = [];
  const log = { debug: () => {}, warn: (_message: string, fields?: object) => void warned.push(fields) };
  await using home = await follow(stage, { log });
  const called: string[] = [];
  home.on("property", () => {
    throw new Error("mine");
  });
  home.on("property", () => Promise.reject(new Error("mine, later")));
  const stop = home.on("property", () => called.push("taken off"));
  home.on("property", () => called.push("other"));
  stop();
  stage.server.send(level("1"));
  await taken(stage, home);
  expect(called).toEqual(["other"]);
  expect(warned).toEqual([
    { kind: "property", error: "mine" },
    { kind: "property", error: "mine, later" },
  ]);
});

test("S13 an iteration gets every event from when it begins, and ends when it is left or the home is closed", async () => {
  await using stage = await startStage();
  const home = await follow(stage);
  const left: string[] = [];
  const events = home.events();
  stage.server.send(level("1"), level("2"), HEARTBEAT);
  for await (const event of events) {
    if (event.kind === "property") left.push(event.property.value);
    if (event.kind === "heartbeat") break;
  }
  expect(left).toEqual(["1", "2"]);
  expect(await events.next()).toEqual({ value: undefined, done: true });
  const last = all(home.events());
  await home.close();
  expect((await last).map(({ kind }) => kind)).toEqual(["stream"]);
  expect((await home.events().next()).done).toBe(true);
});

test("S13 an iteration that is 100,000 events behind fails instead of leaving a gap", () => {
  const listeners = new Listeners({ debug: () => {}, warn: () => {} });
  const events = listeners.events();
  for (let seqnum = 0; seqnum <= 100_000; seqnum += 1) listeners.tell({ kind: "heartbeat", at: "", seqnum });
  return expect(events.next()).rejects.toMatchObject({ code: "TOO_SLOW" });
});

test("S15 parameters of radio devices, settings and services of plugins are reported", async () => {
  await using stage = await startStage();
  await using home = await follow(stage);
  const parameter = next(home, "parameter");
  const system = next(home, "system");
  const services = next(home, "plugin-services");
  stage.server.send(
    frame({ control: "_21", action: "3", info: '<config node="ZW002_1" paramNum="3" size="1" value="-1" />' }),
    frame({ control: "_5", action: "1" }),
    '{"type":"spolisy","data":"{\\"status\\":\\"inactive\\"}"}',
  );
  expect(await parameter).toMatchObject({ address: "ZW002_1", number: 3, size: 1, value: -1 });
  expect(await system).toMatchObject({ control: "_5", action: "1", address: "", info: "" });
  expect(await services).toEqual({ kind: "plugin-services", data: { status: "inactive" } });
});
