/** The whole service through its listeners: what every client meets before it asks for anything in particular. */

import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

function handshake(port: string, options: object): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.alpnProtocol || "no protocol"}`);
      socket.destroy();
    });
    socket.once("error", () => resolve("refused"));
  });
}

describe("TLS", () => {
  test("1.2 and 1.3 are spoken, older versions are not, and HTTP/1.1 is the only protocol", async () => {
    const { port } = new URL(controller.portal.url);
    expect(await handshake(port, { minVersion: "TLSv1.3" })).toBe("TLSv1.3 no protocol");
    expect(await handshake(port, { maxVersion: "TLSv1.2" })).toBe("TLSv1.2 no protocol");
    expect(await handshake(port, { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" })).toBe(
      "refused",
    );
    expect(await handshake(port, { ALPNProtocols: ["h2", "http/1.1"] })).toBe("TLSv1.3 http/1.1");
  });

  test("the certificate stands for the address the controller is reached at, by its own authority", async () => {
    const { port } = new URL(controller.local.url);
    const ca = controller.controller.caCertificate;
    expect(await handshake(port, { ca, rejectUnauthorized: true })).toMatch("TLSv1.3");
  });
});

describe("a client that only knows its own surface", () => {
  test("reads /api/config with a bearer, with stale ones and with none", async () => {
    for (const headers of [controller.bearer(), { Authorization: "Bearer stale" }, controller.basic(), {}]) {
      expect((await controller.portal.request("GET", "/api/config", { headers })).status).toBe(200);
    }
  });

  test("gets the page for an unknown address in a browser, and the failure as JSON elsewhere", async () => {
    const get = (path: string, Accept: string) => controller.portal.request("GET", path, { headers: { Accept } });
    const html = "text/html,application/xhtml+xml,*/*;q=0.8";
    const [person, client, api] = [
      await get("/nowhere", html),
      await get("/nowhere", "*/*"),
      await get("/api/nowhere", html),
    ];
    expect([person.status, person.headers["content-type"], person.text.slice(0, 15)]).toEqual([
      404,
      "text/html; charset=utf-8",
      "<!doctype html>",
    ]);
    expect([client.status, client.json<{ code: string }>().code]).toEqual([404, "PATH_UNKNOWN"]);
    expect([api.status, api.headers["content-type"]]).toEqual([401, expect.stringContaining("json")]);
    const local = await controller.local.request("GET", "/nowhere", { headers: { Accept: html } });
    expect([local.status, local.headers["content-type"]]).toEqual([404, expect.not.stringContaining("html")]);
  });

  test("gets an error in JSON for /api on the local listener", async () => {
    const answer = await controller.local.get("/api/config");
    expect([answer.status, answer.json()]).toEqual([
      404,
      {
        successful: false,
        data: null,
        error: "There is nothing at this path.",
        code: "PATH_UNKNOWN",
        errorMessage: "There is nothing at this path.",
        errorCode: "PATH_UNKNOWN",
      },
    ]);
  });

  test("is asked for credentials in its own format", async () => {
    const local = await controller.local.request("GET", "/rest/nodes", { headers: {} });
    expect([local.status, local.headers["www-authenticate"], local.headers["content-type"]]).toEqual([
      401,
      'Basic realm="/"',
      "text/xml; charset=UTF-8",
    ]);
    const portal = await controller.portal.request("GET", "/api/nodes", { headers: {} });
    expect([portal.status, portal.headers["www-authenticate"], portal.headers["content-type"]]).toEqual([
      401,
      "Bearer",
      "application/json; charset=utf-8",
    ]);
  });

  test("logs out with an empty body of any type", async () => {
    const { accessToken } = (
      await controller.portal.post("/api/login", { username: "owner@example.org", password: "a quiet Sunday morning" })
    ).json<{ data: { accessToken: string } }>().data;
    const headers = {
      Authorization: `Bearer ${accessToken}`,
      "Content-Type": "application/octet-stream",
      "Content-Length": "0",
    };
    const answer = await controller.portal.request("POST", "/api/jwt/logout", { headers });
    expect([answer.status, answer.json()]).toEqual([200, { successful: true, data: null }]);
  });

  test("sends 50 requests at once and has them all answered", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => controller.local.get(index % 2 ? "/rest/nodes" : "/rest/status")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("streams", () => {
  test.each(["rest", "api"] as const)(
    "%s: opened with a header at either listener, replayed, and beating",
    async (surface) => {
      for (const listener of surface === "rest" ? (["portal", "local"] as const) : (["portal"] as const)) {
        const stream = await controller.subscribe(surface, { listener, protocols: ["ISYSUB"] });
        await stream.next(({ control }) => control === "_0");
        expect(stream.socket.protocol).toBe("ISYSUB");
        await stream.close();
      }
    },
  );

  test("a wrong credential is 401 before the upgrade", async () => {
    const opened = controller.subscribe("rest", { listener: "local", headers: { Authorization: "Basic eDp5" } });
    await expect(opened).rejects.toMatchObject({ status: 401 });
  });

  test("a page of another site opens none", async () => {
    const opened = controller.subscribe("rest", {
      headers: { ...controller.bearer(), Origin: "https://evil.example" },
    });
    await expect(opened).rejects.toMatchObject({ status: 403 });
  });
});

test("a listener without TLS speaks the local surface, and the log says what that means", async () => {
  await using plain = await startTestController({ plainPort: 0, demo: false });
  const answer = await fetch(`${plain.controller.plainUrl}/rest/nodes`, { headers: plain.basic() });
  expect([answer.status, (await answer.text()).slice(0, 5)]).toEqual([200, "<?xml"]);
  expect(plain.lines.some(({ level, message }) => level === "warn" && message.includes("without TLS"))).toBe(true);
});

test("a port in use is reported in one sentence that names the setting", async () => {
  const taken = Number(new URL(controller.portal.url).port);
  await expect(startTestController({ localPort: taken, demo: false })).rejects.toThrow(
    `Port ${taken} (setting localPort) is already in use on 127.0.0.1.`,
  );
});

test("the controller is the same one after a restart", async () => {
  await using first = await startTestController();
  await first.login();
  const uuid = (await first.portal.get("/api/config")).json<{ data: { uuid: string } }>().data.uuid;
  await first.stop();
  await using second = await startTestController({}, { data: first.data, seed: 2 });
  await second.login();
  expect((await second.portal.get("/api/config")).json<{ data: { uuid: string } }>().data.uuid).toBe(uuid);
});
