import { describe, expect, test } from "vitest";
import { loginRoutes } from "../../src/http/api/login.ts";
import type { HttpRequest } from "../../src/http/route.ts";
import { checkBody } from "../../src/http/schema.ts";
import type { Services } from "../../src/http/services.ts";
import { createGate, HOME, OWNER, OWNER_PASSWORD, outcome } from "./gate.ts";

const routeOf = (path: string) => loginRoutes.find((route) => route.path === path) ?? expect.unreachable(path);
const [login, refresh, logout] = ["/api/login", "/api/jwt/refresh", "/api/jwt/logout"].map(routeOf) as [
  (typeof loginRoutes)[number],
  (typeof loginRoutes)[number],
  (typeof loginRoutes)[number],
];

/** Only what these handlers look at. */
async function createContext() {
  const gate = await createGate();
  const services = { auth: gate.auth } as unknown as Services;
  const ask = async (route: (typeof loginRoutes)[number], request: Partial<HttpRequest>) => {
    const reply = await route.handle(
      { remoteAddress: HOME, headers: {}, body: null, principal: null, ...request } as HttpRequest,
      services,
    );
    return { reply, answer: JSON.parse(String(reply.body)) };
  };
  return { ...gate, ask };
}

describe("the routes of logging in", () => {
  test("are three, on the portal only, of which two need no credentials", () => {
    const table = loginRoutes.map(({ method, path, listener, access, changes }) => [
      method,
      path,
      listener,
      access,
      changes,
    ]);
    expect(table).toEqual([
      ["POST", "/api/login", "portal", "public", true],
      ["POST", "/api/login/passkey/options", "portal", "public", true],
      ["POST", "/api/login/passkey", "portal", "public", true],
      ["POST", "/api/jwt/refresh", "portal", "public", true],
      ["POST", "/api/jwt/logout", "portal", "read", true],
    ]);
  });

  test("answer with the envelope in JSON, in the order that clients know", async () => {
    const { ask } = await createContext();
    const { reply, answer } = await ask(login, { body: { username: OWNER, password: OWNER_PASSWORD } });
    expect(reply).toMatchObject({ status: 200, contentType: "application/json; charset=utf-8" });
    expect(Object.keys(answer)).toEqual(["successful", "data"]);
    expect(answer).toEqual({
      successful: true,
      data: { accessToken: expect.any(String), refreshToken: expect.any(String), ssl: {} },
    });
  });

  test("change a refresh token for a new pair, and end the session", async () => {
    const { ask, auth } = await createContext();
    const first = await ask(login, { body: { username: OWNER, password: OWNER_PASSWORD } });
    const { answer } = await ask(refresh, { body: { refreshToken: first.answer.data.refreshToken } });
    expect(Object.keys(answer.data)).toEqual(["accessToken", "refreshToken", "ssl"]);
    const principal = await auth.verifyAccessToken(answer.data.accessToken);
    const out = await ask(logout, { principal });
    expect(out.reply.body).toBe('{"successful":true,"data":null}');
    expect(await outcome(auth.verifyAccessToken(answer.data.accessToken))).toBe("TOKEN_REFUSED");
  });
});

describe("the body of a login", () => {
  const good = { username: OWNER, password: "secret" };
  const check = (body: unknown) => outcome((async () => checkBody(login.body ?? {}, body))());

  test.each(["a@b", "owner@domovoi.local", "first.last+tag@sub.example.co.uk", "jörg@bücher.example"])(
    "takes the address %s",
    async (username) => {
      expect(await check({ ...good, username, more: 1 })).toBe("ok");
    },
  );

  test.each([
    { ...good, username: "admin" },
    { ...good, username: "" },
    { ...good, username: "a b@example.org" },
    { ...good, username: "a@b@example.org" },
    { ...good, username: 7 },
    { ...good, username: `${"x".repeat(100_000)}@` },
    { ...good, password: 7 },
    { ...good, password: "x".repeat(1025) },
    { username: OWNER },
    { password: "secret" },
    [],
    null,
    "text",
  ])("refuses %j", async (body) => {
    expect(await check(body)).toBe("BAD_BODY");
  });

  test("of a refresh may hold a text of any length", async () => {
    const checkRefresh = (body: unknown) => outcome((async () => checkBody(refresh.body ?? {}, body))());
    expect(await checkRefresh({ refreshToken: "x".repeat(100_000) })).toBe("ok");
    expect(await checkRefresh({ refreshToken: null })).toBe("BAD_BODY");
    expect(await checkRefresh({})).toBe("BAD_BODY");
    expect(logout.body).toBeUndefined();
  });
});
