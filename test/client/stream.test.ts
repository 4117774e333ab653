/** The event stream: what it changes, what it tells, and how it comes back. @see client/RULES.md */

import type { EventKind, EventOf, Home, NodeOptions } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { Listeners } from "../../client/src/stream/listeners.ts";
import { connectTo, type Stage, startStage } from "./support/connected.ts";
import { serveLocal } from "./support/local-home.ts";
import { json, status } from "./support/scripted-server.ts";
import { INTEGERS, NODES } from "./support/small-home.ts";

type Event = {
  readonly control: string;
  readonly action?: string;
  readonly attributes?: string;
  readonly node?: string;
  readonly info?: string;
};

function frame({ control, action = "", attributes = "", node = "", info = "" }: Event, more = ""): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><Event seqnum="57" sid="uuid:31" timestamp="2031-02-03T04:05:06.123456-07:00">' +
    `<control>${control}</control><action${attributes}>${action}</action><node>${node}</node><eventInfo>${info}</eventInfo>${more}</Event>`
  );
}

const HEARTBEAT = frame({ control: "_0", action: "30" });
const level = (value: string) =>
  frame(
    { control: "ST", action: value, attributes: ' uom="100" prec="0"', node: "5C 2 D1 1" },
    "<fmtAct>50%</fmtAct><fmtName>Status</fmtName>",
  );

/** A home whose stream stands. */
async function follow(stage: Stage, options: Partial<NodeOptions> = {}): Promise<Home> {
  const home = await connectTo(stage, { stream: "rest", ...options });
  await stage.server.until(() => stage.server.sockets.length > 0);
  return home;
}

/** The next event of this kind. */
function next<K extends EventKind>(
  home: Home,
  kind: K,
  fits: (event: EventOf<K>) => boolean = () => true,
): Promise<EventOf<K>> {
  return new Promise((resolve) => {
    const stop = home.on(kind, (event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const told: T[] = [];
  for await (const event of events) told.push(event);
  return told;
}

/** Settles when everything that was sent before has been taken. */
async function taken(stage: Stage, home: Home): Promise<void> {
  const heard = next(home, "heartbeat");
  stage.server.send(HEARTBEAT);
  await heard;
}

describe("what it changes and tells", () => {
  test("S1 a property is changed before the listeners are called, and told with what it was", async () => {
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

  test("S2 the tree is not changed by lifecycle events; a refresh brings what they tell", async () => {
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

  test("S12 what is told while the home is loaded again is kept", async () => {
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
    stage.server.send(
      frame({ control: "_3", action: "NN", node: "61 9 B 1", info: "<newName>Salt & Pepper</newName>" }),
    );
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

  test("S13 an iteration that is not asked for 100,000 events fails instead of leaving a gap", () => {
    const listeners = new Listeners({ debug: () => {}, warn: () => {} });
    const events = listeners.events();
    for (let seqnum = 0; seqnum <= 100_000; seqnum += 1) listeners.tell({ kind: "heartbeat", at: "", seqnum });
    return expect(events.next()).rejects.toMatchObject({ code: "TOO_SLOW" });
  });

  test("S15 parameters of radio devices, settings and services of plugins are told", async () => {
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
});

describe("how it comes back", () => {
  test("S6 after 1, 2, 5, 10, 30, 60, 60 seconds, and after 1 again when it was heard", async () => {
    await using stage = await startStage();
    await using home = await follow(stage);
    const upgrades = () => stage.server.count("UPGRADE /rest/subscribe");
    stage.server.upgrades.push(...Array.from({ length: 7 }, () => 503));
    const waits = [1, 2, 5, 10, 30, 60, 60];
    let lost = next(home, "stream", ({ status: now }) => now === "waiting");
    stage.server.sockets.at(-1)?.terminate();
    for (const [index, seconds] of waits.entries()) {
      await lost;
      await stage.clock.advance(seconds * 1000 - 1);
      expect(upgrades()).toBe(1 + index);
      lost = next(home, "stream", ({ status: now }) => now === "waiting");
      await stage.clock.advance(1);
      await stage.server.until(() => upgrades() === 2 + index);
    }
    await lost;
    const back = next(home, "stream", ({ status: now }) => now === "syncing");
    await stage.clock.advance(60_000);
    await back;
    await taken(stage, home);
    const again = next(home, "stream", ({ status: now }) => now === "waiting");
    stage.server.sockets.at(-1)?.terminate();
    await again;
    await stage.clock.advance(1_000);
    await stage.server.until(() => upgrades() === 10);
  });

  test("S7 the status and the time of the last event", async () => {
    await using stage = await startStage();
    await using home = await follow(stage);
    await taken(stage, home);
    expect(home.stream).toEqual({ status: "syncing", lastEventAtMs: stage.clock.now() });
    const connected = next(home, "stream");
    await stage.clock.advance(1_000);
    expect(await connected).toEqual({ kind: "stream", status: "connected", isAgain: false });
    const waiting = next(home, "stream");
    stage.server.sockets.at(-1)?.terminate();
    expect(await waiting).toEqual({ kind: "stream", status: "waiting", isAgain: true });
    expect(home.stream.lastEventAtMs).toBe(stage.clock.now() - 1_000);
    await home.close();
    expect(home.stream.status).toBe("closed");
  });

  test("S7 the burst is over when the controller says so, and at the latest after ten seconds", async () => {
    await using stage = await startStage();
    await using home = await follow(stage, { stream: "api" });
    const connected = next(home, "stream", ({ status: now }) => now === "connected");
    stage.server.send('{"type":"replayed","data":"{\\"seqnum\\":7}"}');
    await connected;
    await using busy = await connectTo(stage, { stream: "rest" });
    await next(busy, "stream", ({ status: now }) => now === "syncing");
    const late = next(busy, "stream", ({ status: now }) => now === "connected");
    for (let spent = 0; spent < 10_000; spent += 500) {
      await taken(stage, busy);
      await stage.clock.advance(500);
    }
    await late;
  });

  test("S9 both streams take the credentials in the upgrade, and the JSON one carries the same events", async () => {
    await using stage = await startStage();
    await using home = await follow(stage, { stream: "api" });
    expect(stage.server.seen.find(({ method }) => method === "UPGRADE")).toMatchObject({
      path: "/api/events/subscribe",
      authorization: expect.stringMatching(/^Bearer /),
    });
    const heard = next(home, "property");
    stage.server.send(JSON.stringify({ type: "event", data: level("9") }));
    expect((await heard).property.value).toBe("9");
    expect(stage.server.socketMessages).toEqual([]);
  });

  test("S10 an upgrade that is answered 401 is tried again at once with other tokens, then later", async () => {
    await using stage = await startStage();
    stage.server.upgrades.push(401, 401);
    await using home = await connectTo(stage, { stream: "rest" });
    await next(home, "stream", ({ status: now }) => now === "waiting");
    expect(stage.server.paths().filter((path) => /UPGRADE|jwt/.test(path))).toEqual([
      "UPGRADE /rest/subscribe",
      "POST /api/jwt/refresh",
      "UPGRADE /rest/subscribe",
    ]);
    await stage.clock.advance(1_000);
    await stage.server.until(() => stage.server.sockets.length === 1);
  });

  test("S10 in local mode a 401 ends it for good", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    stage.server.upgrades.push(401);
    await using home = await connectTo(stage, { stream: "rest", mode: "local" });
    await next(home, "stream", ({ status: now }) => now === "refused");
    await stage.clock.advance(3_600_000);
    expect(stage.server.count("UPGRADE /rest/subscribe")).toBe(1);
  });

  test("S10 a login that fails meanwhile is tried again with the stream", async () => {
    await using stage = await startStage();
    await using home = await follow(stage);
    stage.server.endTokens("both");
    stage.server.on("POST /api/login", status(503));
    stage.server.upgrades.push(401);
    const waits = () => next(home, "stream", ({ status: now }) => now === "waiting");
    const lost = waits();
    stage.server.sockets.at(-1)?.terminate();
    await lost;
    const refused = waits();
    await stage.clock.advance(1_000);
    await refused;
    stage.server.on("POST /api/login", () => json(stage.server.issue()));
    await stage.clock.advance(2_000);
    await stage.server.until(() => stage.server.sockets.length === 2);
  });

  test("S11 a connection that dies without a word is found by its silence, after twice what a heartbeat promises", async () => {
    await using stage = await startStage();
    await using home = await follow(stage);
    const heard = next(home, "heartbeat");
    stage.server.send(frame({ control: "_0", action: "90" }));
    await heard;
    const waiting = next(home, "stream", ({ status: now }) => now === "waiting");
    await stage.clock.advance(179_999);
    expect(home.stream.status).toBe("connected");
    await stage.clock.advance(1);
    await waiting;
    await stage.clock.advance(1_000);
    await stage.server.until(() => stage.server.sockets.length === 2);
  });

  test("S16 a closed home opens nothing any more", async () => {
    await using stage = await startStage();
    const home = await follow(stage);
    const waiting = next(home, "stream", ({ status: now }) => now === "waiting");
    stage.server.sockets.at(-1)?.terminate();
    await waiting;
    await home.close();
    await stage.clock.advance(3_600_000);
    expect(stage.server.count("UPGRADE /rest/subscribe")).toBe(1);
    expect(stage.server.paths().at(-1)).toBe("POST /api/jwt/logout");
  });
});
