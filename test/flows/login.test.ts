/** Login, tokens and credentials at both listeners. For attacks see login-attacks.test.ts. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/http/routes.ts";
import { LOCAL, OWNER, startTestController, type TestController, type Tokens } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Claims = Readonly<Record<string, unknown>> & { readonly iat: number; readonly exp: number };

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});
const tokensOf = (answer: Answer) => answer.json<{ data: Tokens }>().data;

/** Without an Authorization header. */
function post(path: string, body: unknown): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  return controller.portal.request("POST", path, { headers, body: JSON.stringify(body) });
}

/** A session of its own, so that the tests do not end one another's. */
async function freshTokens(): Promise<Tokens> {
  return tokensOf(await post("/api/login", OWNER));
}

function read(token: string, path = "/api/nodes"): Promise<Answer> {
  return controller.portal.request("GET", path, { headers: bearer(token) });
}

function decode(token: string): { readonly header: unknown; readonly payload: Claims } {
  const [header = "", payload = ""] = token.split(".");
  const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  return { header: parse(header), payload: parse(payload) };
}

const spelled = (path: string) =>
  path.replace(/:(\w+)/g, (_, name) => (name === "type" || name === "id" ? "1" : "x")).replace("*", "1");
const guarded = routes.filter(({ access }) => access !== "public" && access !== "optional");

describe("the transport", () => {
  test("HTTP/1.1 with kept connections, and twelve requests of one client at once", async () => {
    const raw = await controller.portal.raw("GET /api/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(raw.startsWith("HTTP/1.1 200 OK\r\n")).toBe(true);
    const answers = await Promise.all(Array.from({ length: 12 }, () => controller.portal.get("/api/nodes")));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.connection}`))).toEqual(
      new Set(["200 keep-alive"]),
    );
  });

  test("the requests of programs are accepted: no cookie, no body, no Content-Type", async () => {
    const { accessToken } = await freshTokens();
    const answer = await controller.portal.request("GET", "/api/nodes", {
      headers: {
        ...bearer(accessToken),
        Accept: "*/*",
        "Accept-Encoding": "gzip, deflate",
        "User-Agent": "Python/3.11 aiohttp/3.14.3",
      },
    });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
  });

  test("bodies are UTF-8 on both surfaces", async () => {
    const name = "Küche 💡";
    await controller.portal.post("/api/nodes/1A%202B%203C%201", { name, nodeType: "node" });
    for (const path of ["/api/nodes", "/rest/nodes", "/rest/nodes/1A%202B%203C%201"]) {
      const answer = await controller.portal.get(path);
      expect(answer.headers["content-type"]).toMatch(/charset=utf-8/i);
      expect(answer.bytes.includes(Buffer.from(name, "utf8"))).toBe(true);
    }
  });

  test("every answer of /api, and the profiles, are application/json", async () => {
    const { accessToken } = await freshTokens();
    const asked = routes.filter(({ path, method }) => path.startsWith("/api/") && method !== "DELETE");
    const isLogout = ({ path }: { readonly path: string }) => path.endsWith("/logout");
    const targets = [
      { method: "GET", path: "/api/nowhere" },
      { method: "GET", path: "/rest/profiles?include=nodedefs,editors,linkdefs" },
      ...asked.filter((route) => !isLogout(route)),
      ...asked.filter(isLogout),
    ];
    for (const { method, path } of targets) {
      const { headers } = await controller.portal.request(method, spelled(path), { headers: bearer(accessToken) });
      expect([path, headers["content-type"]]).toEqual([path, "application/json; charset=utf-8"]);
    }
  });

  test("an unknown path of /api is 404 in JSON", async () => {
    for (const path of ["/api", "/api/", "/api/nowhere", "/api/nodes/a/b/c", "/api/index.html"]) {
      const answer = await controller.portal.get(path);
      expect([path, answer.status, answer.json<{ code: string }>().code]).toEqual([path, 404, "PATH_UNKNOWN"]);
    }
  });

  test("an idle connection is promised for longer than 15 s", async () => {
    const { headers } = await controller.portal.get("/api/config");
    expect(Number(/timeout=(\d+)/.exec(String(headers["keep-alive"]))?.[1])).toBeGreaterThan(15);
  });

  test("a logout with an empty body of type application/octet-stream is taken", async () => {
    const { accessToken } = await freshTokens();
    const headers = {
      ...bearer(accessToken),
      "Content-Type": "application/octet-stream",
      "Content-Length": "0",
    };
    expect((await controller.portal.request("POST", "/api/jwt/logout", { headers })).status).toBe(200);
  });
});

describe("logging in", () => {
  test("e-mail and password alone give 200, JSON, two tokens and ssl", async () => {
    const answer = await post("/api/login", OWNER);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.json()).toEqual({
      successful: true,
      data: { accessToken: expect.any(String), refreshToken: expect.any(String), ssl: {} },
    });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("a wrong password is 401", async () => {
    const answer = await post("/api/login", { ...OWNER, password: "not this one" });
    expect([answer.status, answer.json()]).toMatchObject([401, { successful: false, code: "LOGIN_FAILED" }]);
  });

  test("a user name that is no e-mail address is 400", async () => {
    for (const username of ["owner", "", "@", "a b@c", LOCAL.username]) {
      expect([username, (await post("/api/login", { username, password: "x" })).status]).toEqual([username, 400]);
    }
  });

  test("the access token is a JWT of three parts with the claims that clients know, role and session", async () => {
    const { accessToken, refreshToken } = await freshTokens();
    expect([accessToken.split(".").length, refreshToken.split(".").length]).toEqual([3, 3]);
    const { header, payload } = decode(accessToken);
    expect(header).toEqual({ alg: "ES256", typ: "at+jwt" });
    expect(decode(refreshToken).header).toEqual({ alg: "ES256", typ: "rt+jwt" });
    const { uuid } = (await controller.portal.get("/api/config")).json<{ data: { uuid: string } }>().data;
    expect(payload).toMatchObject({ uuid, sub: OWNER.username, aud: ["eisy"], iss: "eisy" });
    expect(payload).toMatchObject({ role: "owner", sid: expect.any(String) });
    expect([payload.iat, payload.exp].map(Number.isInteger)).toEqual([true, true]);
    expect(payload.iat).toBe(Math.floor(controller.clock.now() / 1000));
  });

  test("an access token is good for an hour, and no setting makes it 60 s or less", async () => {
    const { iat, exp } = decode((await freshTokens()).accessToken).payload;
    expect(exp - iat).toBe(3600);
    await expect(startTestController({ accessTokenLifetimeS: 60 })).rejects.toThrow(/accessTokenLifetimeS/);
  });

  test("a refresh token is good for thirty days", async () => {
    const { iat, exp } = decode((await freshTokens()).refreshToken).payload;
    expect(exp - iat).toBe(30 * 86_400);
  });
});

describe("refreshing", () => {
  test("the refresh token alone gives a new pair, which works at once", async () => {
    const first = await freshTokens();
    const answer = await post("/api/jwt/refresh", { refreshToken: first.refreshToken });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    const second = tokensOf(answer);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await read(second.accessToken)).status).toBe(200);
  });

  test("the refresh token before it is refused", async () => {
    const { refreshToken } = await freshTokens();
    expect((await post("/api/jwt/refresh", { refreshToken })).status).toBe(200);
    expect((await post("/api/jwt/refresh", { refreshToken })).status).toBe(401);
  });

  test("a foreign refresh token is answered 401, another type than text 400", async () => {
    const { accessToken } = await freshTokens();
    for (const refreshToken of ["", "x", "a.b.c", accessToken]) {
      expect([refreshToken, (await post("/api/jwt/refresh", { refreshToken })).status]).toEqual([refreshToken, 401]);
    }
    for (const body of [{}, { refreshToken: 5 }, { refreshToken: null }, [], "x"]) {
      expect((await post("/api/jwt/refresh", body)).status).toBe(400);
    }
  });
});

describe("logging out", () => {
  test("answers 200 with null, and the pair is worth nothing any more", async () => {
    const { accessToken, refreshToken } = await freshTokens();
    const answer = await controller.portal.request("POST", "/api/jwt/logout", { headers: bearer(accessToken) });
    expect([answer.status, answer.json()]).toEqual([200, { successful: true, data: null }]);
    expect((await read(accessToken)).status).toBe(401);
    expect((await post("/api/jwt/refresh", { refreshToken })).status).toBe(401);
  });

  test("closes the streams of its session and no others", async () => {
    const [leaving, staying] = [await freshTokens(), await freshTokens()];
    const left = await controller.subscribe("api", { headers: bearer(leaving.accessToken) });
    const stayed = await controller.subscribe("rest", { headers: bearer(staying.accessToken), listener: "portal" });
    await controller.portal.request("POST", "/api/jwt/logout", { headers: bearer(leaving.accessToken) });
    expect((await left.closed).code).toBe(1008);
    await controller.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/30/51");
    await stayed.next(({ control, node }) => control === "ST" && node === "1A 2B 3C 1");
    await stayed.close();
  });

  test("the path of older firmware is 404", async () => {
    expect((await controller.portal.post("/api/logout")).status).toBe(404);
  });
});

describe("the bearer", () => {
  test("missing or invalid, it is 401 on every path that is not public", async () => {
    for (const headers of [{}, bearer("stale"), bearer("a.b.c"), bearer("")]) {
      for (const { method, path } of guarded) {
        const answer = await controller.portal.request(method, spelled(path), { headers });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
      }
    }
  });

  test("paths and methods that do not exist are not revealed without it", async () => {
    for (const [method, path] of [
      ["GET", "/api/nowhere"],
      ["GET", "/rest/nowhere"],
      ["PATCH", "/api/nodes"],
      ["POST", "/rest/nodes"],
    ] as const) {
      expect((await controller.portal.request(method, path, { headers: {} })).status).toBe(401);
    }
  });

  test("expired, it is 401 on both surfaces", async () => {
    const { accessToken } = await freshTokens();
    await controller.clock.advance(3_600_000);
    expect((await read(accessToken)).status).toBe(401);
    expect((await read(accessToken, "/rest/status")).status).toBe(401);
    await controller.login();
  });

  test("a 401 says no more than that", async () => {
    const api = await read("stale");
    expect(api.json()).toEqual({
      successful: false,
      data: null,
      error: "The token is expired, revoked or from another controller.",
      code: "TOKEN_REFUSED",
      errorMessage: "The token is expired, revoked or from another controller.",
      errorCode: "TOKEN_REFUSED",
    });
    expect(api.headers["www-authenticate"]).toBe("Bearer");
    const rest = await read("stale", "/rest/nodes");
    expect([rest.headers["content-type"], rest.text]).toEqual([
      "text/xml; charset=UTF-8",
      '<?xml version="1.0" encoding="UTF-8"?><RestResponse succeeded="false"><status>401</status><reason code="TOKEN_REFUSED">The token is expired, revoked or from another controller.</reason></RestResponse>',
    ]);
  });

  test("nine requests at once with one new token all succeed", async () => {
    const { accessToken } = await freshTokens();
    const answers = await Promise.all(Array.from({ length: 9 }, () => read(accessToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
  });

  test("nine that were refused at once all succeed after one refresh", async () => {
    const { accessToken, refreshToken } = await freshTokens();
    await controller.clock.advance(3_600_000);
    const refused = await Promise.all(Array.from({ length: 9 }, () => read(accessToken)));
    expect(refused.map(({ status }) => status)).toEqual(Array(9).fill(401));
    const renewed = tokensOf(await post("/api/jwt/refresh", { refreshToken }));
    const retried = await Promise.all(Array.from({ length: 9 }, () => read(renewed.accessToken)));
    expect(retried.map(({ status }) => status)).toEqual(Array(9).fill(200));
    await controller.login();
  });
});

describe("basic authentication", () => {
  const DOCUMENTS = [
    "/api/config",
    "/api/nodes",
    "/api/programs",
    "/api/triggers",
    "/api/variables/1",
    "/api/variables/2",
  ];

  test("the documents of the load are there, and closed to others", async () => {
    await using open = await startTestController({ localApi: true });
    for (const path of DOCUMENTS) {
      expect([path, (await open.local.get(path)).status]).toEqual([path, 200]);
      const answer = await open.local.request("GET", path, { headers: basic(LOCAL.username, "wrong") });
      expect([path, answer.status]).toEqual([path, path === "/api/config" ? 200 : 401]);
      expect((await controller.local.get(path)).status).toBe(404);
    }
  });

  test("wrong credentials of any form are 401", async () => {
    for (const headers of [
      basic(LOCAL.username, "wrong"),
      basic("nobody", LOCAL.password),
      basic(OWNER.username, OWNER.password),
      { Authorization: "Basic" },
      { Authorization: "Basic %%%" },
      { Authorization: `Basic ${Buffer.from("no colon").toString("base64")}` },
      { Authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}` },
      { Authorization: "Digest username=admin" },
      controller.bearer(),
    ]) {
      const answer = await controller.local.request("GET", "/rest/nodes", { headers });
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, 'Basic realm="/"']);
    }
  });

  test("valid credentials never meet 401 at /api/groups", async () => {
    await using open = await startTestController({ localApi: true, demo: false });
    expect((await open.local.get("/api/groups")).status).toBe(200);
    expect((await controller.local.get("/api/groups")).status).toBe(404);
  });

  test("nor at the network resources", async () => {
    expect((await controller.local.get("/rest/networking/resources")).status).toBe(200);
  });

  describe("on the portal listener", () => {
    const read = (path: string, headers: Readonly<Record<string, string>>) =>
      controller.portal.request("GET", path, { headers });

    test("local accounts read both surfaces and follow both streams", async () => {
      const right = basic(LOCAL.username, LOCAL.password);
      for (const path of ["/api/nodes", "/rest/nodes"]) expect((await read(path, right)).status).toBe(200);
      for (const surface of ["rest", "api"] as const) {
        const stream = await controller.subscribe(surface, { listener: "portal", headers: right });
        await stream.next(({ control }) => control === "_0");
        await stream.close();
      }
    });

    test.each([
      ["a wrong password", basic(LOCAL.username, "wrong")],
      ["a portal account", basic(OWNER.username, OWNER.password)],
    ])("%s is refused, and only a bearer token is requested", async (_name, headers) => {
      const { status, headers: answered } = await read("/api/nodes", headers);
      expect([status, answered["www-authenticate"]]).toEqual([401, "Bearer"]);
    });

    test("pages of other sites are refused with good credentials too", async () => {
      const headers = { ...basic(LOCAL.username, LOCAL.password), "Sec-Fetch-Site": "cross-site" };
      expect((await read("/api/nodes", headers)).status).toBe(403);
    });

    test("guesses count as on the local listener", async () => {
      await using open = await startTestController({ demo: false, loginFailuresPerAddressPerHour: 3 });
      const guess = async (number: number) =>
        (await open.portal.request("GET", "/api/nodes", { headers: basic(`guest${number}`, "wrong") })).status;
      expect([await guess(1), await guess(2), await guess(3), await guess(4)]).toEqual([401, 401, 401, 429]);
    });

    test("the setting portalBasic turns it off", async () => {
      await using closed = await startTestController({ demo: false, portalBasic: false });
      const headers = basic(LOCAL.username, LOCAL.password);
      expect((await closed.portal.request("GET", "/api/nodes", { headers })).status).toBe(401);
    });
  });

  test("they open the stream", async () => {
    const stream = await controller.subscribe("rest", { listener: "local" });
    await stream.next(({ control }) => control === "_0");
    await stream.close();
  });
});
