/** Radio networks, and files in both directions. @see client/RULES.md */

import { once } from "node:events";
import { login } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { serveLocal } from "./support/local-home.ts";
import { ACCOUNT, json, type ScriptedServer, status, text } from "./support/scripted-server.ts";

const FILE = Uint8Array.from([0, 255, 1, 254]);
const OPERATION = {
  ...{ id: "7", kind: "include", stage: "asking", address: "ZW005_1", percent: null, result: { security: "S0" } },
  ...{ question: { kind: "pin", data: { dskRest: "-1" }, answer: {} }, detail: "Type it." },
  ...{ startedTime: "T1", lastTime: "T2" },
} as const;
const STEP = {
  ...{ id: "7", kind: "include", stage: "asking", address: "ZW005_1", percent: 5, result: { security: "S0" } },
  detail: "Type it.",
};

type Home = Awaited<ReturnType<typeof connectTo>>;
type Network = ReturnType<Home["radios"]["network"]>;

/** The requests that are sent, while every answer is this one. */
async function sentBy(act: (network: Network) => Promise<unknown>, data: unknown, path: string) {
  await using stage = await startStage();
  stage.server.on(path, json(data));
  await using home = await connectTo(stage);
  const before = stage.server.seen.length;
  const came = await act(home.radios.network("zwave 2"));
  const { method = "", path: target = "", contentType = "", body = "" } = stage.server.seen[before] ?? {};
  return { sent: `${method} ${target}`, contentType, body, came };
}

const BASE = "/api/radios/zwave%202";

describe("radio networks", () => {
  test.each<[string, (network: Network) => Promise<unknown>]>([
    [`POST ${BASE}/nodes/ZW%205/firmware?fileName=a%20b.hex`, (to) => to.updateFirmware("ZW 5", FILE, "a b.hex")],
    [`PUT ${BASE}/memory?confirm=d0`, (to) => to.restoreMemory(FILE, "d0")],
  ])("C16 %s carries the file as it is", async (path, act) => {
    const sent = await sentBy(act, OPERATION, path);
    expect(sent).toMatchObject({ sent: path, contentType: "application/octet-stream", came: { id: "7" } });
    expect(sent.body).toBe(Buffer.from(FILE).toString());
  });

  test("C16 devices, the list of those that may join, the state", async () => {
    const device = { address: "ZW005_1", state: "alive", batteryPercent: 0, route: null };
    const devices = await sentBy((to) => to.devices(), [device], `GET ${BASE}/nodes`);
    expect(devices.came).toEqual([device]);
    const ping = await sentBy((to) => to.ping("ZW005_1"), device, `POST ${BASE}/nodes/ZW005_1/ping`);
    expect(ping).toMatchObject({ sent: `POST ${BASE}/nodes/ZW005_1/ping`, came: device });
    const entry = { dsk: "1-2", security: [], active: true, address: null };
    const listed = await sentBy((to) => to.provisioned(), [entry], `GET ${BASE}/provisioning`);
    expect(listed.came).toEqual([entry]);
    const gone = await sentBy((to) => to.unprovision("1-2"), null, `DELETE ${BASE}/provisioning/1-2`);
    expect(gone.sent).toBe(`DELETE ${BASE}/provisioning/1-2`);
    const idle = { name: "zwave", state: "ready", detail: "", about: null, operation: null };
    expect((await sentBy((to) => to.state(), idle, `GET ${BASE}`)).came).toEqual(idle);
    const busy = { ...idle, operation: OPERATION };
    expect((await sentBy((to) => to.state(), busy, `GET ${BASE}`)).came).toMatchObject({
      operation: { id: "7", question: { kind: "pin", data: { dskRest: "-1" } } },
    });
    const report = await sentBy(
      (to) => to.diagnostics({ names: false }),
      { format: 1 },
      `GET ${BASE}/diagnostics?names=no`,
    );
    expect(report.came).toEqual({ format: 1 });
  });

  test("C16 an operation that comes without its state is a failure", async () => {
    const failing = sentBy((network) => network.restoreMemory(FILE, "d0"), null, `PUT ${BASE}/memory?confirm=d0`);
    expect(await failureOf(failing)).toMatchObject({ code: "BAD_DOCUMENT" });
  });

  test.each<[string, (of: Home["integrations"]) => Promise<unknown>, string]>([
    [
      "POST /operation",
      (of) => of.begin("zwave 2", "include", { security: "S0" }),
      '{"kind":"include","input":{"security":"S0"}}',
    ],
    [
      "POST /operation/answer",
      (of) => of.answer("zwave 2", { kind: "pin", pin: "12345" }),
      '{"kind":"pin","pin":"12345"}',
    ],
    ["DELETE /operation", (of) => of.cancel("zwave 2"), ""],
    ["GET /operation", (of) => of.operation("zwave 2"), ""],
  ])("C16 %s of the integration returns the operation", async (what, act, body) => {
    await using stage = await startStage();
    const path = what.replace("/", "/api/integrations/zwave%202/");
    stage.server.on(path, json(OPERATION));
    await using home = await connectTo(stage);
    const before = stage.server.seen.length;
    expect(await act(home.integrations)).toMatchObject({ id: "7", stage: "asking", result: { security: "S0" } });
    expect(stage.server.seen[before]?.body).toBe(body);
  });

  test("C14 local mode has none of them, and sends nothing", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    await using home = await connectTo(stage, { mode: "local" });
    const before = stage.server.seen.length;
    const network = home.radios.network("zwave");
    const asked = [home.radios.list(), network.devices(), network.memory(), network.restoreMemory(FILE, "d0")];
    const codes = await Promise.all(asked.map(async (each) => (await failureOf(each)).code));
    expect(codes).toEqual(asked.map(() => "NOT_IN_LOCAL_MODE"));
    expect(stage.server.seen).toHaveLength(before);
  });

  test.each([
    ["_21", '<pin dskRest="-1" />', { kind: "pin", data: { dskRest: "-1" } }],
    [
      "_25",
      "<grant><security>S2-authenticated</security><security>S0</security></grant>",
      { kind: "grant", data: { security: ["S2-authenticated", "S0"] } },
    ],
    ["_25", "", null],
    ["_27", "", null],
    ["_20", "", null],
  ])("S17 steps of an operation are events, from the frames %s with %s", async (control, asked, question) => {
    await using stage = await startStage();
    await using home = await connectTo(stage, { stream: "rest" });
    await stage.server.until(() => stage.server.sockets.length === 1);
    const told = new Promise((resolve) => home.on("operation", resolve));
    const tail = `<operation id="7" kind="include" stage="asking" percent="5" security="S0">${asked}<detail>Type it.</detail></operation>`;
    stage.server.send(
      `<Event seqnum="4"><control>${control}</control><action>5.5</action><node>ZW005_1</node><eventInfo>${tail}</eventInfo></Event>`,
    );
    expect(await told).toMatchObject({ kind: "operation", seqnum: 4, step: { ...STEP, question } });
  });
});

describe("files", () => {
  async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    return Buffer.concat(all);
  }

  const open = (server: ScriptedServer, clock: Parameters<typeof login>[0]["clock"]) =>
    login({ url: server.url, ...ACCOUNT, ...(clock && { clock }), deadlineMs: 1000 });

  test("G6 a download comes in pieces, whole and unchanged, after a 401 too", async () => {
    await using stage = await startStage();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) & 0xff));
    stage.server.on("GET /api/backup/1/file", (seen, response) => {
      if (!stage.server.isAuthorized(seen)) return status(401);
      response.writeHead(200, { "Content-Type": "application/octet-stream" });
      response.end(bytes);
      return null;
    });
    await using session = await open(stage.server, stage.clock);
    stage.server.endTokens("access");
    expect((await collect(await session.download("/api/backup/1/file"))).equals(bytes)).toBe(true);
  });

  test("G6 one that is refused is a failure with the controller's reason", async () => {
    await using stage = await startStage();
    const refusal = '{"successful":false,"error":"There is none.","code":"BACKUP_NOT_FOUND"}';
    stage.server.on("GET /api/backup/1/file", status(404, refusal));
    await using session = await open(stage.server, stage.clock);
    expect(await failureOf(session.download("/api/backup/1/file"))).toMatchObject({
      ...{ code: "HTTP_STATUS", status: 404, reason: "BACKUP_NOT_FOUND", message: "There is none." },
    });
  });

  test("G2 G6 one that stalls ends at the deadline of its piece, one that breaks off at once", async () => {
    await using stage = await startStage();
    stage.server.on("GET /stalls", (_seen, response) => {
      response.write("some");
      return null;
    });
    stage.server.on("GET /breaks", (_seen, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("some", () => response.destroy());
      return null;
    });
    await using session = await open(stage.server, stage.clock);
    const stalled = (await session.download("/stalls"))[Symbol.asyncIterator]();
    expect(String(Buffer.from((await stalled.next()).value))).toBe("some");
    const late = failureOf(stalled.next());
    await stage.clock.advance(1000);
    expect(await late).toMatchObject({ code: "DEADLINE_PASSED" });
    const broken = session.download("/breaks").then(collect);
    expect(await failureOf(broken)).toMatchObject({ code: "CONNECTION_FAILED" });
  });

  test("G6 who leaves a download early ends it", async () => {
    await using stage = await startStage();
    const closed = Promise.withResolvers<void>();
    stage.server.on("GET /endless", (_seen, response) => {
      void once(response, "close").then(() => closed.resolve());
      response.write("some");
      return null;
    });
    await using session = await open(stage.server, stage.clock);
    for await (const piece of await session.download("/endless")) {
      expect(piece).toHaveLength(4);
      break;
    }
    await closed.promise;
  });

  test("G6 an upload is sent unchanged, and its answer is not validated", async () => {
    await using stage = await startStage();
    stage.server.on("PUT /api/radios/zwave/memory", json({ id: "7" }));
    await using session = await open(stage.server, stage.clock);
    expect(await session.upload("PUT", "/api/radios/zwave/memory", FILE)).toMatchObject({ data: { id: "7" } });
    stage.server.on("PUT /api/radios/zwave/memory", text("<html>"));
    const failing = session.upload("PUT", "/api/radios/zwave/memory", FILE);
    expect(await failureOf(failing)).toMatchObject({ code: "BAD_DOCUMENT" });
  });
});
