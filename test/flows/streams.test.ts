/**
 * The event streams as connections: handshake, form of a frame, replay, heartbeat, liveness. stream-events.test.ts
 * tests their events.
 */

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";
import { children, names, readXml } from "../support/read-xml.ts";

const SURFACES = ["rest", "api"] as const;
const PATH = { rest: "/rest/subscribe", api: "/api/events/subscribe" } as const;
const LAMP = "1A 2B 3C 1";

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

/** The head of the answer to an upgrade with these headers and nothing else. */
async function upgrade(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const socket = await controller.portal.socket();
  const lines = Object.entries({
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return first.toString("latin1").split("\r\n\r\n")[0] ?? "";
}

async function replayed(surface: "rest" | "api", inside = controller): Promise<FrameStream> {
  const stream = await inside.subscribe(surface, { listener: "portal" });
  await stream.next(({ control }) => control === "_0");
  return stream;
}

const events = (stream: FrameStream): readonly Frame[] => stream.frames.filter(({ seqnum }) => seqnum !== null);
const login = {
  auth: () => ({ auth: { token: token() } }),
  creds: () => ({ type: "auth", creds: { token: token() } }),
};
const token = () => controller.bearer().Authorization?.slice("Bearer ".length) ?? "";

describe("the handshake", () => {
  test.each(SURFACES)("%s upgrades with Authorization alone, or with an Origin that is no URL", async (surface) => {
    for (const headers of [{}, { Origin: "com.universal-devices.websockets.isy" }]) {
      const head = await upgrade(PATH[surface], { ...controller.bearer(), ...headers });
      expect(head).toMatch(/^HTTP\/1.1 101 /);
      expect(head).toMatch(/\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
      expect(head).not.toMatch(/Sec-WebSocket-(?:Protocol|Extensions)/i);
    }
  });

  test.each(SURFACES)("%s echoes ISYSUB and takes no extension", async (surface) => {
    const head = await upgrade(PATH[surface], {
      ...controller.bearer(),
      "Sec-WebSocket-Protocol": "other, ISYSUB",
      "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
    });
    expect(head).toMatch(/\r\nSec-WebSocket-Protocol: ISYSUB/i);
    expect(head).not.toMatch(/Sec-WebSocket-Extensions/i);
  });

  test("a trailing slash is accepted", async () => {
    for (const surface of SURFACES) expect(await upgrade(`${PATH[surface]}/`, controller.bearer())).toMatch(/ 101 /);
  });

  test.each(["auth", "creds"] as const)("the first message logs in, spelled with %s", async (spelling) => {
    const page = await controller.subscribe("api", { headers: {} });
    page.send(JSON.stringify(login[spelling]()));
    await page.next(({ type }) => type === "replayed");
    await page.close();
  });

  test("invalid credentials are 401, no place is 503 with a time to come again", async () => {
    for (const surface of SURFACES) {
      const wrong = await upgrade(PATH[surface], { Authorization: "Bearer stale" });
      expect(wrong).toMatch(/^HTTP\/1.1 401 /);
    }
    await using small = await startTestController({ streamClientsMax: 1, demo: false });
    await small.login();
    await replayed("rest", small);
    await expect(small.subscribe("api")).rejects.toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  });

  test("a wrong password is 401 before anything is sent", async () => {
    const headers = { Authorization: `Basic ${Buffer.from("admin:wrong").toString("base64")}` };
    await expect(controller.subscribe("rest", { listener: "local", headers })).rejects.toMatchObject({
      status: 401,
      headers: { "www-authenticate": 'Basic realm="/"' },
    });
  });

  test("the ways that are not there are 404 in the form of the surface", async () => {
    expect(await upgrade("/rest/nodes", controller.bearer())).toMatch(/^HTTP\/1.1 404 [\s\S]*text\/xml/);
    expect(await upgrade("/api/subscribe", controller.bearer())).toMatch(/^HTTP\/1.1 404 [\s\S]*application\/json/);
    const opened = controller.subscribe("api", { listener: "local", headers: controller.basic() });
    await expect(opened).rejects.toMatchObject({ status: 404 });
  });
});

describe.each(SURFACES)("a message of /%s", (surface) => {
  let stream: FrameStream;
  let binary = 0;

  beforeAll(async () => {
    stream = await controller.subscribe(surface, { listener: "portal" });
    stream.socket.on("message", (_, isBinary) => {
      if (isBinary) binary += 1;
    });
    await stream.next(({ control }) => control === "_0");
    // Equal reports are not published, so each report has another level.
    await controller.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DOF");
    await controller.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/64/51");
    await stream.next(({ control, action, node }) => control === "ST" && action === "163" && node === LAMP);
  });
  afterAll(() => stream.close());

  test(`${surface}: is text and holds one event`, () => {
    expect(binary).toBe(0);
    const [first, ...others] = stream.frames;
    const told = surface === "rest" ? others : [first, ...others].filter((frame) => frame?.type === "event");
    for (const frame of told) {
      if (surface === "rest") expect(frame?.raw.startsWith("<?xml")).toBe(true);
      else expect(frame?.raw).toMatch(/^\{"type":"event","data":"<\?xml /);
      expect(frame?.event.name).toBe("Event");
    }
  });

  test("has no namespace and its children in their order", () => {
    for (const { event } of events(stream)) {
      expect(Object.keys(event.attributes)).toEqual(["seqnum", "sid", "timestamp"]);
      expect(names(event).join(" ")).toMatch(/^control action node eventInfo( fmtAct( fmtName)?)?$/);
    }
  });

  test("is numbered from 0 without gaps, under one sid", () => {
    const told = events(stream);
    expect(told.map(({ seqnum }) => seqnum)).toEqual(told.map((_, index) => index));
    expect(new Set(told.map(({ sid }) => sid)).size).toBe(1);
    expect(told[0]?.sid).toMatch(/^uuid:\d+$/);
  });

  test("has a timestamp with microseconds and the offset of the home", () => {
    for (const { event } of events(stream)) {
      expect(event.attributes.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+02:00$/);
    }
  });

  test("of a property has unit and precision, a value, and both in words", () => {
    const properties = events(stream).filter(({ node, control }) => node !== "" && !control.startsWith("_"));
    expect(properties.length).toBeGreaterThan(100);
    for (const { control, action, uom, prec, event } of properties.filter((frame) => frame.control !== "ERR")) {
      expect([control, action]).toEqual([control, expect.stringMatching(/^-?\d+$/)]);
      expect([Number(uom) > 0, Number(prec) >= 0]).toEqual([true, true]);
      expect(children(event, "fmtAct")[0]?.text).not.toBe("");
    }
    const lamp = properties.findLast(({ node, control }) => node === LAMP && control === "ST");
    expect([lamp?.uom, lamp?.prec, lamp?.action]).toEqual(["100", "0", "163"]);
    expect(lamp?.text).toContain("<fmtAct>64%</fmtAct><fmtName>Status</fmtName>");
  });

  test("of the system has no attributes on its action and names no node", () => {
    const system = events(stream).filter(({ control }) => control.startsWith("_"));
    for (const { text } of system) expect(text).toMatch(/<action>[^<]*<\/action><node><\/node><eventInfo>/);
  });

  test("stays far below 4 MiB", () => {
    expect(Math.max(...stream.frames.map(({ raw }) => raw.length))).toBeLessThan(65_536);
  });

  if (surface === "rest") {
    test("is preceded by a greeting with the sid of every event", () => {
      const greeting = readXml(stream.frames[0]?.raw ?? "");
      expect([greeting.name, greeting.children[0]?.text]).toEqual(["SubscriptionResponse", events(stream)[0]?.sid]);
    });
  } else {
    test("beside events has a type and a text, and takes no number", () => {
      const beside = stream.frames.filter(({ type }) => type !== "event");
      const last = events(stream).find(({ control }) => control === "_0")?.seqnum ?? 0;
      expect(beside.map(({ raw }) => raw)).toEqual([
        '{"type":"spolisy","data":"{\\"status\\":\\"inactive\\"}"}',
        `{"type":"replayed","data":"{\\"seqnum\\":${last - 1}}"}`,
      ]);
    });
  }
});

describe.each(SURFACES)("the replay of /%s", (surface) => {
  type Told = { readonly id: string; readonly val: number; readonly init: number; readonly prec: number };
  const data = async <T>(path: string) => (await controller.portal.get(path)).json<{ data: T }>().data;

  test("every property with a value once, as the status table has it", async () => {
    const stream = await replayed(surface);
    const told = events(stream).filter(({ control }) => !control.startsWith("_"));
    const inStatus = children(readXml((await controller.portal.get("/rest/status")).text), "node").flatMap((node) =>
      children(node, "property")
        .filter(({ attributes }) => attributes.value !== "" && attributes.id !== "ERR")
        .map(({ attributes }) => `${node.attributes.id}|${attributes.id}|${attributes.value}|${attributes.formatted}`),
    );
    const inStream = told
      .filter(({ control }) => control !== "ERR")
      .map(({ node, control, action, event }) => `${node}|${control}|${action}|${children(event, "fmtAct")[0]?.text}`);
    expect([...inStream].sort()).toEqual([...inStatus].sort());
    await stream.close();
  });

  test("one _1/0 for each program and none for a folder, one _1/6 for each variable, modes, the last _5", async () => {
    const stream = await replayed(surface);
    const about = (control: string, action: string) =>
      events(stream).filter((frame) => frame.control === control && frame.action === action);
    const programs = (await data<{ id: string; folder: boolean }[]>("/api/programs")).filter(({ folder }) => !folder);
    const ids = about("_1", "0").map(({ eventInfo }) => /<id>([0-9A-F]+)<\/id>/.exec(eventInfo)?.[1]?.padStart(4, "0"));
    expect([...ids].sort()).toEqual(programs.map(({ id }) => id).sort());
    for (const type of [1, 2]) {
      const variables = await data<Told[]>(`/api/variables/${type}`);
      const values = about("_1", "6").map(({ eventInfo }) => eventInfo.replace(/<ts>.*<\/ts>/, ""));
      for (const { id, val, prec } of variables)
        expect(values).toContain(`<var type="${type}" id="${id}"><prec>${prec}</prec><val>${val}</val></var>`);
    }
    expect([about("_5", "0").length, about("_4", "5").length, about("_4", "6").length]).toEqual([1, 1, 1]);
    await stream.close();
  });

  test("values keep the time at which they changed", async () => {
    await using home = await startTestController();
    await home.login();
    await home.clock.advance(3_600_000);
    await home.login();
    await home.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON");
    const stream = await replayed(surface, home);
    const times = events(stream).filter(({ node, control }) => node === LAMP && ["ST", "OL"].includes(control));
    expect(times.map(({ control, event }) => [control, event.attributes.timestamp])).toEqual([
      ["OL", "2026-05-02T14:00:00.000000+02:00"],
      ["ST", "2026-05-02T15:00:00.000000+02:00"],
    ]);
    await stream.close();
  });

  test("no button that was pressed is pressed again", async () => {
    const { driver } = controller.services.drivers.list()[0] ?? {};
    for (const press of ["DON", "DOF", "DFON"]) expect(driver?.simulation?.act("1E 4 A0 3", press, 0)).toBe(true);
    const stream = await replayed(surface);
    const momentary = events(stream).filter(({ control }) =>
      /^(?:D[A-Z]*ON|D[A-Z]*OF|BRT|DIM|FD[A-Z]+)$/.test(control),
    );
    expect(momentary).toEqual([]);
    await stream.close();
  });

  test("the replay ends with a heartbeat whose action is 30, then silence until the next", async () => {
    const stream = await replayed(surface);
    const count = stream.frames.length;
    expect(events(stream).at(-1)).toMatchObject({ control: "_0", action: "30", node: "", eventInfo: "" });
    const pong = once(stream.socket, "pong");
    await controller.clock.advance(19_999);
    stream.socket.ping();
    await pong;
    expect(stream.frames.length).toBe(count);
    for (let beat = 1; beat <= 3; beat += 1) {
      await controller.clock.advance(beat === 1 ? 1 : 20_000);
      await stream.next(({ control, action }) => control === "_0" && action === "30");
    }
    expect(stream.frames.length).toBe(count + 3);
    await stream.close();
  });

  test("of 1,000 nodes takes less than a second", async () => {
    await using home = await startTestController({ demoNodes: 1000 });
    await home.login();
    const started = performance.now();
    const stream = await replayed(surface, home);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(new Set(events(stream).map(({ node }) => node)).size).toBeGreaterThan(900);
    await stream.close();
  });
});

describe("liveness", () => {
  test("pings are answered, and a client that never says anything stays", async () => {
    for (const surface of SURFACES) {
      const stream = await replayed(surface);
      const pong = once(stream.socket, "pong");
      stream.socket.ping("are you there");
      expect(String((await pong)[0])).toBe("are you there");
      for (let beat = 0; beat < 30; beat += 1) {
        await controller.clock.advance(20_000);
        await stream.next(({ control }) => control === "_0");
      }
      await stream.close();
    }
    await controller.login();
  });

  test("a client that does not answer the controller's ping is disconnected, the others stay", async () => {
    const [deaf, lively] = [await replayed("rest"), await replayed("api")];
    deaf.socket.pause();
    for (let beat = 1; beat <= 3; beat += 1) {
      const pinged = beat > 1 ? once(lively.socket, "ping") : null;
      await controller.clock.advance(20_000);
      await pinged;
      await lively.next(({ control }) => control === "_0");
      lively.socket.ping(); // Its pong comes after the answer to the controller's ping has been read.
      await once(lively.socket, "pong");
    }
    deaf.socket.resume();
    expect((await deaf.closed).code).toBe(1013);
    await lively.close();
  });

  test("a closed or broken connection frees its subscription", async () => {
    const subscribers = () => controller.services.subscribers().length;
    await expect.poll(subscribers).toBe(0);
    const [closing, breaking] = [await replayed("rest"), await replayed("api")];
    expect(subscribers()).toBe(2);
    expect((await controller.portal.get("/rest/subscriptions")).text.match(/<Sub /g)?.length).toBe(2);
    await closing.close();
    breaking.socket.terminate();
    await expect.poll(subscribers).toBe(0);
    expect((await controller.portal.get("/rest/subscriptions")).text).toContain("<Subscriptions></Subscriptions>");
  });

  test("32 subscribers each get every event under their own numbers", async () => {
    const streams = await Promise.all(Array.from({ length: 32 }, (_, at) => replayed(SURFACES[at % 2] ?? "rest")));
    for (const level of [10, 20, 30]) await controller.portal.get(`/rest/nodes/1A%202B%203C%201/cmd/DON/${level}/51`);
    for (const stream of streams) {
      await stream.next(({ control, text }) => control === "ST" && text.includes("<fmtAct>30%"));
      const told = events(stream);
      expect(told.map(({ seqnum }) => seqnum)).toEqual(told.map((_, index) => index));
      const levels = told.filter(({ control, node }) => control === "ST" && node === LAMP);
      expect(levels.slice(-3).map(({ event }) => children(event, "fmtAct")[0]?.text)).toEqual(["10%", "20%", "30%"]);
    }
    expect(new Set(streams.map((stream) => events(stream)[0]?.sid)).size).toBe(32);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test("a client that takes nothing is cut, and the others are not delayed", async () => {
    await using home = await startTestController({ streamRingFrames: 1024, streamSocketBytesMax: 65_536 });
    await home.login();
    const [stalled, other] = [await replayed("rest", home), await replayed("api", home)];
    stalled.socket.pause();
    const { feed } = home.services;
    const property = { id: "ST", value: 0, uom: 100, prec: 0, text: null, changedAtMs: home.clock.now() };
    const cause = { kind: "system", id: "test", by: null } as const;
    // How much the system's own buffers take differs; the loop ends when they are full.
    let rounds = 0;
    for (; home.services.subscribers().length > 1 && rounds < 400; rounds += 1) {
      for (let value = 0; value < 250; value += 1)
        feed.commit({ type: "property-changed", address: LAMP, property: { ...property, value } }, cause);
      feed.commit({ type: "busy-changed", busy: false }, cause);
      await other.next(({ control }) => control === "_5");
    }
    stalled.socket.resume();
    expect((await stalled.closed).code).toBe(1013);
    expect(events(other).filter(({ control, node }) => control === "ST" && node === LAMP).length).toBe(
      1 + 250 * rounds,
    );
    await other.close();
  });
});

describe("a socket", () => {
  test("opened at the local listener knows no session and outlives every logout", async () => {
    const stream = await controller.subscribe("rest", { listener: "local" });
    await stream.next(({ control }) => control === "_0");
    const headers = { "Content-Type": "application/json" };
    const answer = await controller.portal.request("POST", "/api/login", { headers, body: JSON.stringify(OWNER) });
    const { accessToken } = answer.json<{ data: { accessToken: string } }>().data;
    await controller.portal.request("POST", "/api/jwt/logout", { headers: { Authorization: `Bearer ${accessToken}` } });
    await controller.clock.advance(20_000);
    await stream.next(({ control }) => control === "_0");
    await stream.close();
  });

  test("is closed with 1001 when the controller stops", async () => {
    await using home = await startTestController({ demo: false });
    await home.login();
    const streams = await Promise.all(SURFACES.map((surface) => replayed(surface, home)));
    await home.stop();
    expect(await Promise.all(streams.map(async ({ closed }) => (await closed).code))).toEqual([1001, 1001]);
  });
});
