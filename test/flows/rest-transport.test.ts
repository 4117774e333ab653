import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restRoutes } from "../../src/http/rest/rest-routes.ts";
import { readXml } from "../support/read-xml.ts";
import { BASIC, openRestListener, type RestListener } from "../support/rest-listener.ts";

const PATHS = [
  "/rest/config",
  "/rest/sys",
  "/rest/time",
  "/rest/network",
  "/rest/subscriptions",
  "/rest/ping",
  "/rest/batch",
  "/rest/batteryPoweredWrites",
  "/rest/nodes",
  "/rest/nodes/devices",
  "/rest/nodes/scenes",
  "/rest/status",
  "/rest/programs",
  "/rest/vars/definitions/1",
  "/rest/vars/definitions/2",
  "/rest/vars/get/1",
  "/rest/vars/get/2",
  "/rest/networking/resources",
  "/rest/networking/wol",
];
const OUTSIDE = [
  "/rest/climate",
  "/rest/electricity",
  "/rest/elk/get/topology",
  "/rest/zb/nodes",
  "/rest/X10/A1/3",
  "/rest/logs",
];

describe("the table of the legacy surface", () => {
  test("exactly the routes that do more than read are marked as changing", () => {
    // These only read too: for owners, and for everybody while the controller is announced.
    const exceptions = ["/WEB/sysconfig.txt", "/desc"];
    const others = restRoutes.filter(({ path }) => !exceptions.includes(path));
    for (const { path, access, changes } of others) expect([path, changes]).toEqual([path, access !== "read"]);
  });

  test("every path is open on both listeners, to GET alone, for those who have logged in", () => {
    for (const { method, listener, access } of restRoutes) {
      expect([method, listener]).toEqual(["GET", "both"]);
      expect(access).not.toBe("public");
    }
  });
});

describe("the legacy surface", () => {
  let listener: RestListener;

  beforeAll(async () => {
    listener = await openRestListener({ demoNodes: 500 });
  });
  afterAll(() => listener.close());

  test("a request without credentials is answered with a challenge for basic authentication", async () => {
    for (const path of PATHS) {
      const answer = await listener.get(path, {});
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
    }
  });

  test("a wrong password is 401", async () => {
    const wrong = `Basic ${Buffer.from("admin:not this one").toString("base64")}`;
    expect((await listener.get("/rest/config", { authorization: wrong })).status).toBe(401);
  });

  test("credentials are good on the very first request", async () => {
    for (const path of PATHS) expect((await listener.get(path)).status).toBe(200);
  });

  test("a trailing slash changes nothing, with a query neither", async () => {
    for (const path of PATHS.filter((path) => path !== "/rest/time")) {
      expect((await listener.get(`${path}/`)).body).toBe((await listener.get(path)).body);
    }
    const plain = await listener.get("/rest/programs?subfolders=true");
    expect((await listener.get("/rest/programs/?subfolders=true")).body).toBe(plain.body);
  });

  test("double slashes and a doubled prefix are one", async () => {
    expect((await listener.get("//rest//config")).status).toBe(200);
    expect((await listener.get("/rest//rest/vars/get/1/")).body).toBe((await listener.get("/rest/vars/get/1")).body);
  });

  test("an address with spaces is decoded", async () => {
    const [address = ""] = [...listener.services.home.nodes.keys()].filter((key) => key.includes(" "));
    const answer = await listener.get(`/rest/nodes/${address.replaceAll(" ", "%20")}`);
    expect(answer.body).toContain(`<address>${address}</address>`);
  });

  test("Content-Length counts bytes", async () => {
    const [address = ""] = listener.services.home.nodes.keys();
    await listener.get(`/rest/nodes/${encodeURIComponent(address)}/change?name=${encodeURIComponent("Küche 💡")}`);
    for (const path of ["/rest/nodes", `/rest/nodes/${encodeURIComponent(address)}`]) {
      const answer = await listener.get(path);
      expect(answer.body).toContain("<name>Küche 💡</name>");
      expect(Number(answer.headers["content-length"])).toBe(answer.bytes.length);
    }
  });

  test("the connection is good after a 404", async () => {
    for (const path of OUTSIDE) {
      expect((await listener.get(path)).status).toBe(404);
      expect((await listener.get("/rest/ping")).status).toBe(200);
    }
  });

  test("XML is text/xml in UTF-8, failures too", async () => {
    for (const path of [...PATHS, ...OUTSIDE, "/rest/nodes/nobody", "/rest/programs/FFFF"]) {
      expect((await listener.get(path)).headers["content-type"]).toBe("text/xml; charset=UTF-8");
    }
  });

  test("the prolog is directly followed by a root, nothing stands before it", async () => {
    for (const path of [...PATHS, ...OUTSIDE]) {
      const { body } = await listener.get(path);
      expect(body).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?><[A-Za-z]/);
      expect(body).not.toMatch(/\n/);
      expect(() => readXml(body)).not.toThrow();
    }
  });

  test("names with markup are returned unchanged", async () => {
    const [, address = ""] = listener.services.home.nodes.keys();
    const name = `Tom & "Jerry" <b> 🐭`;
    await listener.get(`/rest/nodes/${encodeURIComponent(address)}/change?name=${encodeURIComponent(name)}`);
    const nodes = await listener.xml("/rest/nodes");
    const named = nodes.children.flatMap((element) => element.children.filter((each) => each.name === "name"));
    expect(named.map(({ text }) => text)).toContain(name);
  });

  test("an idle connection is promised for more than a minute", async () => {
    const [, seconds] = /timeout=(\d+)/.exec(String((await listener.get("/rest/ping")).headers["keep-alive"])) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(60);
  });

  test("fifty requests at once all succeed", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => listener.get(PATHS[n % PATHS.length] ?? "")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  });

  test("a GET with an empty chunked body is a GET", async () => {
    const answer = await listener.get("/rest/config", { authorization: BASIC, "transfer-encoding": "chunked" });
    expect(answer.status).toBe(200);
  });

  test("SOAP is only posted, and the device description is there", async () => {
    expect((await listener.get("/services")).status).toBe(405);
    expect((await listener.get("/desc")).status).toBe(200);
  });

  test("a client that does not accept compression gets none", async () => {
    expect((await listener.get("/rest/nodes")).headers["content-encoding"]).toBeUndefined();
  });

  test("the first load of 500 nodes is quick", async () => {
    const started = performance.now();
    await Promise.all([
      ...PATHS.map((path) => listener.get(path)),
      listener.get("/rest/nodes?members=false"),
      listener.get("/rest/programs?subfolders=true"),
    ]);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("ping answers", async () => {
    expect((await listener.get("/rest/ping")).body).toContain('succeeded="true"');
  });
});
