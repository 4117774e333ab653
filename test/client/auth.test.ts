/** The rules of authentication, against a controller that ends tokens when it likes. @see client/RULES.md */

import type { StoredTokens, TokenStore } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { serveLocal } from "./support/local-home.ts";
import { ACCOUNT, json, status, text } from "./support/scripted-server.ts";

const HOUR_MS = 3_600_000;

describe("portal mode", () => {
  test("A1 a token that ends within 60 seconds is refreshed before the request, a later one is not", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    await stage.clock.advance(HOUR_MS - 61_000);
    await home.query();
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(0);
    await stage.clock.advance(1_000);
    await home.query();
    expect(stage.server.paths().slice(-2)).toEqual(["POST /api/jwt/refresh", "GET /rest/query"]);
    expect(stage.server.count("POST /api/login")).toBe(1);
  });

  test("A2 after a 401 it refreshes and sends the request once more", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.endTokens("access");
    await home.query();
    expect(stage.server.paths().slice(-3)).toEqual(["GET /rest/query", "POST /api/jwt/refresh", "GET /rest/query"]);
  });

  test("A2 when the refresh fails it logs in, then sends the request once more", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.endTokens("both");
    await home.query();
    expect(stage.server.paths().slice(-4)).toEqual([
      "GET /rest/query",
      "POST /api/jwt/refresh",
      "POST /api/login",
      "GET /rest/query",
    ]);
  });

  test("A2 a 401 that stays after the new tokens is permanent: one retry, no more", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.on("GET /rest/query", status(401));
    expect(await failureOf(home.query())).toMatchObject({ code: "AUTH_FAILED", status: 401 });
    expect(stage.server.count("GET /rest/query")).toBe(2);
  });

  test("A2 when refresh and login fail the request fails, and the next one tries again", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.endTokens("both");
    stage.server.on("POST /api/login", status(401));
    expect(await failureOf(home.query())).toMatchObject({ code: "AUTH_FAILED" });
    expect(stage.server.count("GET /rest/query")).toBe(1);
    stage.server.on("POST /api/login", () => json(stage.server.issue()));
    await home.query();
    expect(stage.server.count("GET /rest/query")).toBe(2);
  });

  test("A3 fifty requests that meet a 401 at once make one refresh, and all of them succeed", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.endTokens("access");
    await Promise.all(Array.from({ length: 50 }, () => home.query()));
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
    expect(stage.server.count("POST /api/login")).toBe(1);
    expect(stage.server.count("GET /rest/query")).toBe(100);
  });

  test("A3 fifty requests with an ended session and a wrong password make one login", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.endTokens("both");
    stage.server.on("POST /api/login", status(401));
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => home.query()));
    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["rejected"]));
    expect(stage.server.count("POST /api/login")).toBe(2);
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
  });

  test("A3 a 401 that comes after the renewal has failed asks for no other one", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    const late = Promise.withResolvers<void>();
    stage.server.on("GET /rest/query/5C%202%20D1%201", async () => {
      await late.promise;
      return status(401);
    });
    const slow = failureOf(home.node("Porch Lantern").query());
    await stage.server.until(() => stage.server.count("GET /rest/query/5C%202%20D1%201") === 1);
    stage.server.endTokens("both");
    stage.server.on("POST /api/login", status(401));
    expect(await failureOf(home.query())).toMatchObject({ code: "AUTH_FAILED" });
    const logins = stage.server.count("POST /api/login");
    late.resolve();
    expect(await slow).toMatchObject({ code: "AUTH_FAILED" });
    expect(stage.server.count("POST /api/login")).toBe(logins);
  });

  test("A3 a 401 for a token that has been replaced meanwhile asks for no other one", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    const late = Promise.withResolvers<void>();
    stage.server.on("GET /rest/query/5C%202%20D1%201", async () => {
      const isFirst = stage.server.count("GET /rest/query/5C%202%20D1%201") === 1;
      if (isFirst) await late.promise;
      return isFirst ? status(401) : text("");
    });
    const slow = home.node("Porch Lantern").query();
    await stage.server.until(() => stage.server.count("GET /rest/query/5C%202%20D1%201") === 1);
    stage.server.endTokens("access");
    await home.query();
    late.resolve();
    await slow;
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
  });

  test("A3 requests that begin while a renewal is under way wait for its tokens", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    await stage.clock.advance(HOUR_MS);
    const release = Promise.withResolvers<void>();
    stage.server.on("POST /api/jwt/refresh", async () => {
      await release.promise;
      return json(stage.server.issue());
    });
    const first = home.query();
    await stage.server.until(() => stage.server.count("POST /api/jwt/refresh") === 1);
    const others = Array.from({ length: 10 }, () => home.query());
    release.resolve();
    await Promise.all([first, ...others]);
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
    expect(stage.server.count("GET /rest/query")).toBe(11);
  });

  test("A4 a token whose end cannot be read is used until a 401 says otherwise", async () => {
    await using stage = await startStage();
    stage.server.lifetimeS = null;
    await using home = await connectTo(stage);
    await stage.clock.advance(30 * 24 * HOUR_MS);
    await home.query();
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(0);
    stage.server.endTokens("access");
    await home.query();
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
  });

  test("A5 closing logs out with the token", async () => {
    await using stage = await startStage();
    const home = await connectTo(stage);
    await home.close();
    expect(stage.server.seen.at(-1)).toMatchObject({ path: "/api/jwt/logout", method: "POST", body: "" });
    expect(stage.server.isAuthorized(stage.server.seen.at(-1) as never)).toBe(true);
  });

  test("A5 near its end the token is refreshed before the logout; when that fails no logout is sent", async () => {
    await using stage = await startStage();
    const [first, second] = [await connectTo(stage), await connectTo(stage)];
    await stage.clock.advance(HOUR_MS - 30_000);
    await first.close();
    expect(stage.server.paths().slice(-2)).toEqual(["POST /api/jwt/refresh", "POST /api/jwt/logout"]);
    stage.server.on("POST /api/jwt/refresh", status(500));
    await second.close();
    expect(stage.server.paths().slice(-1)).toEqual(["POST /api/jwt/refresh"]);
    expect(stage.server.count("POST /api/login")).toBe(2);
  });

  test("A5 closing succeeds after any answer to the logout", async () => {
    await using stage = await startStage();
    for (const code of [404, 500]) {
      stage.server.on("POST /api/jwt/logout", status(code));
      const home = await connectTo(stage);
      await home.close();
      expect(await failureOf(home.query())).toMatchObject({ code: "CLOSED" });
    }
  });

  test("A5 a logout that is not answered is waited for a few seconds, no longer", async () => {
    await using stage = await startStage();
    const home = await connectTo(stage);
    stage.server.on("POST /api/jwt/logout", () => null);
    const closed = home.close();
    await stage.server.until(() => stage.server.count("POST /api/jwt/logout") === 1);
    await stage.clock.advance(5_000);
    await closed;
    expect(await failureOf(home.query())).toMatchObject({ code: "CLOSED" });
  });

  test.each([
    [
      "another status",
      status(201, JSON.stringify({ successful: true, data: { accessToken: "a", refreshToken: "b" } })),
    ],
    [
      "a wrong password",
      status(401, '{"successful":false,"error":"The user name or the password is wrong.","code":"LOGIN_FAILED"}'),
    ],
    ["successful not true", text('{"successful":"true","data":{"accessToken":"a","refreshToken":"b"}}')],
    ["no access token", text('{"successful":true,"data":{"refreshToken":"b"}}')],
    ["no refresh token", text('{"successful":true,"data":{"accessToken":"a","refreshToken":null}}')],
    ["a page", { body: "<html>Welcome</html>", headers: { "Content-Type": "text/html" } }],
    ["half a document", text('{"successful":true,"data":{"accessTok')],
  ])("A6 a login with %s is an authentication failure", async (_what, answer) => {
    await using stage = await startStage();
    stage.server.on("POST /api/login", answer);
    expect(await failureOf(connectTo(stage))).toMatchObject({ name: "ClientError", code: "AUTH_FAILED" });
  });

  test("A6 a login that is put off says for how long", async () => {
    await using stage = await startStage();
    stage.server.on("POST /api/login", { status: 429, headers: { "Retry-After": "90" } });
    expect(await failureOf(connectTo(stage))).toMatchObject({ status: 429, retryAfterS: 90 });
  });
});

describe("local mode", () => {
  test("A7 every request carries the credentials, and nothing logs in or out", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    const home = await connectTo(stage, { mode: "local" });
    await home.query();
    await home.close();
    expect(new Set(stage.server.seen.map(({ authorization }) => authorization))).toEqual(
      new Set([`Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString("base64")}`]),
    );
    expect(stage.server.paths().filter((path) => path.includes("/api/"))).toEqual([]);
  });

  test("A7 a 401 is permanent: nothing is tried again", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    await using home = await connectTo(stage, { mode: "local" });
    stage.server.on("GET /rest/query", status(401));
    expect(await failureOf(home.query())).toMatchObject({ code: "AUTH_FAILED", status: 401 });
    expect(stage.server.count("GET /rest/query")).toBe(1);
  });

  test("A7 credentials of any letters go out as UTF-8", async () => {
    await using stage = await startStage();
    const failed = await failureOf(connectTo(stage, { mode: "local", user: "домовой", password: "Käse" }));
    expect(failed.code).toBe("AUTH_FAILED");
    expect(stage.server.seen[0]?.authorization).toBe(`Basic ${Buffer.from("домовой:Käse").toString("base64")}`);
  });
});

describe("the configuration", () => {
  test("A8 is requested first and without credentials", async () => {
    await using stage = await startStage();
    await using _home = await connectTo(stage);
    expect(stage.server.seen[0]).toMatchObject({ path: "/api/config", authorization: "" });
    expect(stage.server.seen[1]?.path).toBe("/api/login");
  });

  test("A8 with credentials when a controller requires them", async () => {
    await using stage = await startStage();
    const body = JSON.stringify({ successful: true, data: { uuid: "u", version: "5.9" } });
    stage.server.on("GET /api/config", (seen) => (stage.server.isAuthorized(seen) ? { body } : status(401)));
    await using home = await connectTo(stage);
    expect(home.config).toEqual({ uuid: "u", version: "5.9", portalHost: null });
  });
});

describe("a login that is stored", () => {
  /** As the tabs of a browser share it: one value, one lock. */
  function sharedStore(): TokenStore & { stored: StoredTokens | null } {
    let turn: Promise<unknown> = Promise.resolve();
    return {
      stored: null,
      read() {
        return this.stored;
      },
      write(tokens) {
        this.stored = tokens;
      },
      exclusively<T>(work: () => Promise<T>): Promise<T> {
        const result = turn.then(work);
        turn = result.catch(() => {});
        return result;
      },
    };
  }

  test("A9 the next program goes on without user and password, and two that renew at once log in once", async () => {
    await using stage = await startStage();
    const tokenStore = sharedStore();
    await connectTo(stage, { tokenStore });
    const first = tokenStore.stored;
    expect(first).not.toBeNull();
    const again = () => connectTo(stage, { tokenStore, user: "", password: "" });
    const [one, two] = await Promise.all([again(), again()]);
    expect(stage.server.count("POST /api/login")).toBe(1);
    stage.server.endTokens("access");
    await Promise.all([one.query(), two.query()]);
    expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
    expect(tokenStore.stored).not.toEqual(first);
    await one.close();
    expect(tokenStore.stored).toBeNull();
  });

  test("A9 a controller that cannot be reached ends no stored login; one that refuses it does", async () => {
    await using stage = await startStage();
    const tokenStore = sharedStore();
    await connectTo(stage, { tokenStore });
    const stored = tokenStore.stored;
    stage.server.on("GET /rest/status", status(503));
    await failureOf(connectTo(stage, { tokenStore, user: "", password: "" }));
    expect(tokenStore.stored).toEqual(stored);
    stage.server.endTokens("both");
    expect(await failureOf(connectTo(stage, { tokenStore, user: "", password: "" }))).toMatchObject({
      code: "AUTH_FAILED",
      message: "The session has ended. Sign in again.",
    });
    expect(tokenStore.stored).toBeNull();
  });

  test("A9 a refresh that fails for the connection, or for trouble of the controller, keeps the login for another try", async () => {
    await using stage = await startStage();
    const tokenStore = sharedStore();
    await connectTo(stage, { tokenStore });
    await using home = await connectTo(stage, { tokenStore, user: "", password: "" });
    const stored = tokenStore.stored;
    stage.server.endTokens("access");
    stage.server.on("POST /api/jwt/refresh", status(503));
    expect(await failureOf(home.query())).toMatchObject({ code: "HTTP_STATUS", status: 503 });
    stage.server.on("POST /api/jwt/refresh", (_seen, response) => {
      response.destroy();
      return null;
    });
    expect(await failureOf(home.query())).toMatchObject({ code: "CONNECTION_FAILED" });
    expect(tokenStore.stored).toEqual(stored);
    stage.server.forget();
    await home.query();
    expect(tokenStore.stored).not.toEqual(stored);
  });

  test("A9 a login that ended goes on with the next one in the token store", async () => {
    await using stage = await startStage();
    const tokenStore = sharedStore();
    await connectTo(stage, { tokenStore });
    await using home = await connectTo(stage, { tokenStore, user: "", password: "" });
    stage.server.endTokens("both");
    expect(await failureOf(home.query())).toMatchObject({ code: "AUTH_FAILED" });
    expect(tokenStore.stored).toBeNull();
    await connectTo(stage, { tokenStore });
    await home.query();
    expect(stage.server.count("POST /api/login")).toBe(2);
  });

  test.each([-1, 1])(
    "A1 a clock that is wrong by %i day renews stored tokens once, then by their lifetime",
    async (days) => {
      await using stage = await startStage();
      stage.server.nowMs = () => stage.clock.now() + days * 24 * HOUR_MS;
      const tokenStore = sharedStore();
      await connectTo(stage, { tokenStore });
      await using home = await connectTo(stage, { tokenStore, user: "", password: "" });
      for (let request = 0; request < 3; request++) await home.query();
      expect(stage.server.count("POST /api/jwt/refresh")).toBe(1);
      await stage.clock.advance(HOUR_MS - 60_000);
      await home.query();
      expect(stage.server.count("POST /api/jwt/refresh")).toBe(2);
    },
  );
});
