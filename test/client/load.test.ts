/** The requests of a load, their order, and tolerated deviations. @see client/RULES.md */

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LOCAL } from "../../client/src/load/documents.ts";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { NODES_XML, serveLocal } from "./support/local-home.ts";
import { json, status, text } from "./support/scripted-server.ts";
import { NODES } from "./support/small-home.ts";

const REQUIRED = [
  "GET /rest/profiles?include=nodedefs,editors,linkdefs",
  "GET /api/nodes",
  "GET /rest/status",
  "GET /api/programs",
  "GET /api/variables/1",
  "GET /api/variables/2",
];
const OPTIONAL = ["GET /api/groups", "GET /api/triggers", "GET /rest/networking/resources"];
const RADIO = [
  "GET /rest/zwave/node/0/def/get",
  "GET /rest/profiles/family/-1/profile/1/download/nls/en_US.txt",
  "GET /rest/profiles/family/4/profile/1/download/nls/en_US.txt",
];

describe("the requests of a load", () => {
  test("L1 the configuration, the login, then the documents, four at a time", async () => {
    await using stage = await startStage();
    const all = [...REQUIRED, ...OPTIONAL];
    const four = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    for (const what of all) {
      stage.server.on(what, async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        if (underWay === 4) four.resolve();
        await four.promise;
        underWay -= 1;
        return what.includes("/api/") ? json([]) : text(what.includes("profiles") ? "{}" : "<nodes></nodes>");
      });
    }
    await using _home = await connectTo(stage);
    expect(stage.server.paths().slice(0, 2)).toEqual(["GET /api/config", "POST /api/login"]);
    expect(stage.server.paths().slice(2).sort()).toEqual(all.sort());
    expect(most).toBe(4);
  });

  test("L1 the documents are stored as received for callers that need them", async () => {
    await using stage = await startStage();
    await using kept = await connectTo(stage, { keepDocuments: true });
    expect(JSON.parse(kept.documents.get("/api/nodes") ?? "")).toEqual({ successful: true, data: NODES });
    expect([...kept.documents.keys()].map((path) => `GET ${path}`).sort()).toEqual([...REQUIRED, ...OPTIONAL].sort());
    await using other = await connectTo(stage);
    expect(other.documents.size).toBe(0);
  });

  test("L1 nothing is requested when the configuration cannot be had", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/config", status(503));
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "HTTP_STATUS", status: 503 });
    expect(stage.server.paths()).toEqual(["GET /api/config"]);
  });

  test("L2 six documents and the optional ones, however many nodes and plugins there are", async () => {
    await using stage = await startStage();
    const node = Array.from({ length: 200 }, (_, index) => ({
      address: `n${index % 90}_${index}`,
      name: `Node ${index}`,
      nodeDefId: "meter",
      family: { _: "10", instance: String(index % 90) },
    }));
    stage.server.on("GET /api/nodes", json({ nodes: { node, folder: [], group: [] } }));
    await using home = await connectTo(stage);
    expect(home.nodes.size).toBe(200);
    expect(home.requests).toBe(2 + REQUIRED.length + OPTIONAL.length);
    expect(stage.server.paths().slice(2).sort()).toEqual([...REQUIRED, ...OPTIONAL].sort());
  });

  test("L9 nodedefs of a radio only where its nodes have none in the profile, then their labels", async () => {
    await using stage = await startStage();
    await using _home = await connectTo(stage);
    expect(stage.server.paths().slice(-3).sort()).toEqual([...RADIO].sort());
  });

  test("L9 the second path is requested when the first has no nodedefs, and labels are read under their other name", async () => {
    await using stage = await startStage();
    const definitions =
      '<nodeDefs><nodeDef id="UZW01A2"><cmds><sends/><accepts><cmd id="DON"/></accepts></cmds></nodeDef></nodeDefs>';
    stage.server.on("GET /rest/zwave/node/0/def/get", text("<nodeDefs></nodeDefs>"));
    stage.server.on("GET /rest/zmatter/zwave/node/0/def/get", text(definitions));
    stage.server.on(`${RADIO[1]}`, status(404));
    stage.server.on("GET /rest/profiles/family/1/profile/1/download/nls/en_US.txt", text("CMD-DON-NAME = Switch on"));
    await using home = await connectTo(stage);
    expect(home.node("Stairs").nodedef).toMatchObject({ family: "4", instance: "1" });
    expect(home.node("Stairs").nodedef?.accepts[0]?.name).toBe("Switch on");
    expect(home.problems).toEqual([]);
  });

  test("L8 in local mode only the legacy surface, and the tree from its XML", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    await using home = await connectTo(stage, { mode: "local" });
    expect(stage.server.paths().filter((path) => path.includes(" /api/"))).toEqual([]);
    expect(stage.server.paths()[0]).toBe("GET /rest/config");
    expect([home.nodes.size, home.groups.size, home.folders.size, home.programs.size]).toEqual([4, 1, 2, 3]);
    expect(home.variable("Boost").ts).toBe("2031-02-03T04:05:06.000Z");
    expect(home.problems).toEqual([]);
  });

  test("L12 a controller without a profile and without programs has a home with neither", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    for (const { path } of [LOCAL.profiles, LOCAL.programs]) stage.server.on(`GET ${path}`, status(404));
    await using home = await connectTo(stage, { mode: "local" });
    expect([home.nodes.size, home.programs.size, home.problems]).toEqual([4, 0, []]);
    expect(home.node("5C 2 D1 1").properties.get("ST")).toMatchObject({ formatted: "75%" });
  });

  test("L8 unknown elements inside a node of the XML tree do not change the node", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    const strange = "<more><name>Not this</name><address>nor this</address><enabled>true</enabled></more>";
    stage.server.on("GET /rest/nodes", text(NODES_XML.replaceAll("</node>", `${strange}</node>`)));
    await using home = await connectTo(stage, { mode: "local" });
    expect(home.node("61 9 B 1")).toMatchObject({ name: "Shed", enabled: false });
    expect(home.node("ZW002_1").devtype).toMatchObject({ cat: "109", mfg: "99.3.7" });
  });
});

describe("tolerated deviations", () => {
  test.each([
    ["GET /api/groups", [404]],
    ["GET /api/triggers", [404]],
    ["GET /rest/networking/resources", [404, 503]],
    [`${RADIO[0]}`, [404]],
    [`${RADIO[2]}`, [404]],
  ])("L3 without %s the rest is there, and nothing is wrong", async (what, codes) => {
    await using stage = await startStage();
    for (const code of codes) {
      stage.server.on(what, status(code));
      await using home = await connectTo(stage);
      expect(home.problems).toEqual([]);
      expect(home.nodes.size).toBe(4);
    }
  });

  test.each([...OPTIONAL, RADIO[0] ?? "", RADIO[1] ?? ""])(
    "L3 when %s fails otherwise the rest is there, with a problem",
    async (what) => {
      await using stage = await startStage();
      stage.server.on(what, status(500));
      await using home = await connectTo(stage);
      expect(home.nodes.size).toBe(4);
      expect(home.problems.join()).toContain(what.replace("GET ", ""));
    },
  );

  test.each(["<html>not found</html>", '{"successful":true,"data":{"gro'])(
    "L3 groups that are %s leave the scenes unresolved",
    async (body) => {
      await using stage = await startStage();
      stage.server.on("GET /api/groups", text(body));
      await using home = await connectTo(stage);
      expect(home.group("Evening").targetsResolved).toBe(false);
      expect(home.problems).toHaveLength(1);
    },
  );

  test.each(REQUIRED)("L4 when %s fails the load fails, with its status and address", async (what) => {
    await using stage = await startStage();
    stage.server.on(what, status(500, '{"successful":false,"error":"Out of order.","code":"INTERNAL"}'));
    expect(await failureOf(connectTo(stage))).toMatchObject({
      code: "HTTP_STATUS",
      status: 500,
      reason: "INTERNAL",
      message: "Out of order.",
      url: `${stage.server.url}${what.replace("GET ", "")}`,
    });
  });

  test.each(REQUIRED)("L4 when %s is a page or half a document the load fails", async (what) => {
    await using stage = await startStage();
    for (const body of ["<html><body>Hello</html>", '{"successful":true,"data":{"nodes":{"no', "<nodes><node id="]) {
      stage.server.on(what, { body, headers: { "Content-Type": "text/html" } });
      expect(await failureOf(connectTo(stage))).toMatchObject({ code: "BAD_DOCUMENT" });
    }
  });

  test("L4 a status of 3xx is a failure too", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", { status: 304 });
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "HTTP_STATUS", status: 304 });
  });

  test("L4 an envelope that says that it failed fails the load, with its sentence", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/programs", text('{"successful":false,"data":null,"error":"Not now."}'));
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "REFUSED", message: "/api/programs: Not now." });
  });

  test("L6 malformed nodedefs of a radio fail the load", async () => {
    await using stage = await startStage();
    stage.server.on(
      "GET /rest/zwave/node/0/def/get",
      text('<nodeDefs><nodedef id="UZW01A2"><sts></nodedef></nodeDefs>'),
    );
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "BAD_DOCUMENT" });
  });

  test("L7 an ampersand in the network resources is mended", async () => {
    await using stage = await startStage();
    stage.server.on(
      "GET /rest/networking/resources",
      text(
        "<NetConfig><NetRule><name>Salt & Pepper &amp; Co</name><id>9</id></NetRule><NetRule><name>x</name></NetRule></NetConfig>",
      ),
    );
    await using home = await connectTo(stage);
    expect(Array.from(home.resources, ({ id, name }) => ({ id, name }))).toEqual([
      { id: "9", name: "Salt & Pepper & Co" },
    ]);
  });

  test("L7 text that is quoted as a whole needs no mending", async () => {
    await using stage = await startStage();
    const quoted = "<NetRule><id>9</id><name><![CDATA[Salt & Pepper &amp; Co]]></name></NetRule>";
    stage.server.on("GET /rest/networking/resources", text(`<NetConfig>${quoted}<url>?a&b</url></NetConfig>`));
    await using home = await connectTo(stage);
    expect(home.resource("9").name).toBe("Salt & Pepper &amp; Co");
  });

  test.each(["<NetConfig><NetRule>", "no XML", ""])("L7 network resources that are %j are none", async (body) => {
    await using stage = await startStage();
    stage.server.on("GET /rest/networking/resources", text(body));
    await using home = await connectTo(stage);
    expect(home.resources.size).toBe(0);
    expect(home.nodes.size).toBe(4);
  });

  test("L10 containers of another kind than expected hold nothing, and one object is a list of one", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", json({ nodes: { node: NODES.nodes.node[0], group: "", folder: null } }));
    stage.server.on("GET /api/programs", json({ id: "0001" }));
    stage.server.on("GET /api/variables/1", json(null));
    await using home = await connectTo(stage);
    expect([home.nodes.size, home.groups.size, home.folders.size, home.programs.size]).toEqual([1, 0, 0, 0]);
  });
});

describe("how a body is written", () => {
  const one = (name: string) =>
    JSON.stringify({ successful: true, data: { nodes: { node: [{ address: "1", name }] } } });
  const latin = { "Content-Type": "application/json; charset=ISO-8859-1" };

  test.each([
    ["packed by gzip", { "Content-Encoding": "gzip" }, gzipSync(one("Küche"))],
    ["packed by deflate", { "Content-Encoding": "deflate" }, deflateSync(one("Küche"))],
    ["packed by Brotli", { "Content-Encoding": "br" }, brotliCompressSync(one("Küche"))],
    ["begun with a byte order mark", {}, Buffer.from(`\ufeff${one("Küche")}`)],
    ["in the character set that it names", latin, Buffer.from(one("Küche"), "latin1")],
    ["in a character set that nobody knows", { "Content-Type": "text/plain; charset=x" }, Buffer.from(one("Küche"))],
  ])("L11 a body %s is read", async (_how, headers, bytes) => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", (_seen, response) => {
      response.writeHead(200, headers).end(bytes);
      return null;
    });
    await using home = await connectTo(stage);
    expect(home.node("1").name).toBe("Küche");
  });

  test.each([
    ["breaks off", gzipSync(one("Küche")).subarray(0, 40)],
    ["is not packed", Buffer.from(one("Küche"))],
  ])("L11 a packed body that %s is a failure", async (_how, bytes) => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", (_seen, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(bytes);
      return null;
    });
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "CONNECTION_FAILED" });
  });
});

describe("time and the end", () => {
  test("G2 a request whose answer does not come is given up at its deadline", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage, { deadlineMs: 5_000 });
    stage.server.on("GET /rest/query", () => null);
    const failure = failureOf(home.query());
    await stage.server.until(() => stage.server.count("GET /rest/query") === 1);
    await stage.clock.advance(5_000);
    expect(await failure).toMatchObject({ code: "DEADLINE_PASSED" });
  });

  test("G2 so is one whose body comes to a halt", async () => {
    await using stage = await startStage();
    const begun = Promise.withResolvers<void>();
    stage.server.on("GET /api/nodes", (_seen, response) => {
      response.writeHead(200, { "Content-Length": "100000" });
      response.write('{"successful":true,', () => begun.resolve());
      return null;
    });
    const failure = failureOf(connectTo(stage, { deadlineMs: 5_000 }));
    await begun.promise;
    await stage.clock.advance(5_000);
    expect(await failure).toMatchObject({ code: "DEADLINE_PASSED" });
  });

  test("G2 a connection that breaks off in the middle of a document is a failure, not half a home", async () => {
    await using stage = await startStage();
    stage.server.on("GET /rest/status", (_seen, response) => {
      response.writeHead(200, { "Content-Length": "100000" });
      response.write("<nodes>", () => response.destroy());
      return null;
    });
    expect(await failureOf(connectTo(stage))).toMatchObject({ code: "CONNECTION_FAILED" });
  });

  test("G2 without an answer the failure says so", async () => {
    const stage = await startStage();
    const { url } = stage.server;
    await stage[Symbol.asyncDispose]();
    const { server, clock } = await startStage();
    await using _other = server;
    expect(await failureOf(connectTo({ server, clock, [Symbol.asyncDispose]: async () => {} }, { url }))).toMatchObject(
      {
        code: "CONNECTION_FAILED",
      },
    );
  });

  test("G3 closing fails requests under way, and all later ones", async () => {
    await using stage = await startStage();
    const home = await connectTo(stage);
    stage.server.on("GET /rest/query", () => null);
    const failure = failureOf(home.query());
    await stage.server.until(() => stage.server.count("GET /rest/query") === 1);
    await home.close();
    expect(await failure).toMatchObject({ code: "CLOSED" });
    expect(await failureOf(home.refresh())).toMatchObject({ code: "CLOSED" });
  });

  test("G3 a load that fails leaves no session behind", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", status(500));
    await failureOf(connectTo(stage));
    expect(stage.server.count("POST /api/jwt/logout")).toBe(1);
  });
});
