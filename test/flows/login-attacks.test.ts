/** Attacks on the listeners: foreign and expired tokens (S2), and guessed passwords (S3). */

import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import {
  LOCAL,
  OWNER,
  START_MS,
  startTestController,
  type TestController,
  type Tokens,
} from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

const HOUR_MS = 3_600_000;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

function post(controller: TestController, path: string, body: unknown, from?: string): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  const source = from === undefined ? {} : { from };
  return controller.portal.request("POST", path, { headers, body: JSON.stringify(body), ...source });
}

async function freshTokens(controller: TestController): Promise<Tokens> {
  const answer = await post(controller, "/api/login", OWNER);
  return answer.json<{ data: Tokens }>().data;
}

async function upgradeStatus(controller: TestController, surface: "rest" | "api", token: string): Promise<number> {
  const opened = controller.subscribe(surface, { listener: "portal", headers: bearer(token) });
  return opened.then(
    () => 101,
    (error: { readonly status?: number }) => error.status ?? 0,
  );
}

/** How each entry treats a token: both surfaces, both upgrades, the first message, the refresh. */
async function ways(controller: TestController, token: string): Promise<readonly number[]> {
  const read = (path: string) => controller.portal.request("GET", path, { headers: bearer(token) });
  const page = await controller.subscribe("api", { headers: {} });
  page.send(JSON.stringify({ auth: { token } }));
  return [
    (await read("/api/nodes")).status,
    (await read("/rest/status")).status,
    await upgradeStatus(controller, "rest", token),
    await upgradeStatus(controller, "api", token),
    (await page.closed).code,
    (await post(controller, "/api/jwt/refresh", { refreshToken: token })).status,
  ];
}

const REFUSED = [401, 401, 401, 401, 1008, 401];

describe("S2: a token", () => {
  let controller: TestController;
  let tokens: Tokens;

  beforeAll(async () => {
    controller = await startTestController();
    tokens = await controller.login();
  });
  afterAll(() => controller[Symbol.asyncDispose]());

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = () => JSON.parse(Buffer.from(tokens.accessToken.split(".")[1] ?? "", "base64url").toString());
  const ourKey = () => createPrivateKey(readFileSync(join(controller.data, "secrets", "token-key")));
  const ES256 = { alg: "ES256", typ: "at+jwt" };

  function signed(header: object, payload: object, key = ourKey()): string {
    const text = `${part(header)}.${part(payload)}`;
    return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  }
  function hmac(header: object, secret: string | Buffer): string {
    const text = `${part(header)}.${part(claims())}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  }
  const forger = generateKeyPairSync("ec", { namedCurve: "P-256" });

  test("of the test's own forger, made with the controller's own key, would be accepted", async () => {
    const headers = bearer(signed(ES256, claims()));
    expect((await controller.portal.request("GET", "/api/nodes", { headers })).status).toBe(200);
  });

  test.each<readonly [string, () => string]>([
    ["without a signature, alg none", () => `${part({ ...ES256, alg: "none" })}.${part(claims())}.`],
    ["without a signature, alg nOnE", () => `${part({ ...ES256, alg: "nOnE" })}.${part(claims())}.`],
    ["without its signature", () => tokens.accessToken.replace(/[^.]*$/, "")],
    ["with an empty signature of zeros", () => tokens.accessToken.replace(/[^.]*$/, "A".repeat(86))],
    [
      "signed HS256 with the public key as PEM",
      () => hmac({ ...ES256, alg: "HS256" }, createPublicKey(ourKey()).export({ type: "spki", format: "pem" })),
    ],
    [
      "signed HS256 with the public key as DER",
      () => hmac({ ...ES256, alg: "HS256" }, createPublicKey(ourKey()).export({ type: "spki", format: "der" })),
    ],
    ["signed HS256 with nothing", () => hmac({ ...ES256, alg: "HS256" }, "")],
    ["HS256 that says ES256", () => hmac(ES256, createPublicKey(ourKey()).export({ type: "spki", format: "pem" }))],
    ["signed by a stranger", () => signed(ES256, claims(), forger.privateKey)],
    [
      "signed by a stranger who brings the key along",
      () => signed({ ...ES256, jwk: forger.publicKey.export({ format: "jwk" }) }, claims(), forger.privateKey),
    ],
    [
      "signed by a stranger who says where the key is",
      () => signed({ ...ES256, kid: "../../../dev/null", jku: "https://evil.example" }, claims(), forger.privateKey),
    ],
    ["with a critical header that nobody knows", () => signed({ ...ES256, crit: ["x"], x: 1 }, claims())],
    ["of no type", () => signed({ alg: "ES256" }, claims())],
    ["for somebody else", () => signed(ES256, { ...claims(), aud: ["another"] })],
    ["of another issuer", () => signed(ES256, { ...claims(), iss: "another" })],
    ["of another controller with a copy of the key", () => signed(ES256, { ...claims(), uuid: "02:00:00:00:00:99" })],
    ["of a session that never was", () => signed(ES256, { ...claims(), sid: "never" })],
    ["that never ends", () => signed(ES256, { ...claims(), exp: undefined })],
    ["whose end is a text", () => signed(ES256, { ...claims(), exp: "tomorrow" })],
    ["that is not good yet", () => signed(ES256, { ...claims(), nbf: claims().exp - 60 })],
    ["issued in the future", () => signed(ES256, { ...claims(), iat: claims().iat + 600 })],
    ["that is over", () => signed(ES256, { ...claims(), exp: claims().iat })],
    ["with one claim changed", () => tokens.accessToken.replace(/\.[^.]*\./, `.${part({ ...claims(), role: "x" })}.`)],
    ["of 12 KB, rightly signed", () => signed(ES256, { ...claims(), padding: "x".repeat(9000) })],
  ])("%s is refused everywhere", async (_, forge) => {
    expect(await ways(controller, forge())).toEqual(REFUSED);
  });

  test("of 100 KB is refused at once: as a header it is cut off, in a body it is not read", async () => {
    const token = `${tokens.accessToken}${"x".repeat(100_000)}`;
    const read = await controller.portal.raw(
      `GET /api/nodes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    // A client that is still writing may find the connection cut before it reads why.
    expect(read).toMatch(/^(?:HTTP\/1.1 431 |$)/);
    const started = performance.now();
    expect((await post(controller, "/api/jwt/refresh", { refreshToken: token })).status).toBe(413);
    expect(performance.now() - started).toBeLessThan(500);
  });

  test("of 140 KB is refused like any body of its size where no credentials are needed", async () => {
    const answer = await post(controller, "/api/jwt/refresh", { refreshToken: "x".repeat(140_000) });
    expect([answer.status, answer.json()]).toMatchObject([413, { code: "BODY_TOO_LARGE" }]);
  });

  test("of another instance is refused, though the same owner logged in there", async () => {
    await using other = await startTestController({}, { seed: 2 });
    const { accessToken, refreshToken } = await other.login();
    expect(await ways(controller, accessToken)).toEqual(REFUSED);
    expect(await ways(controller, refreshToken)).toEqual(REFUSED);
  });

  test("for refreshing gives no access, and one for access refreshes nothing", async () => {
    const { accessToken, refreshToken } = await freshTokens(controller);
    const headers = bearer(refreshToken);
    expect((await controller.portal.request("GET", "/api/nodes", { headers })).status).toBe(401);
    expect((await post(controller, "/api/jwt/refresh", { refreshToken: accessToken })).status).toBe(401);
    expect((await controller.portal.request("GET", "/api/nodes", { headers: bearer(accessToken) })).status).toBe(200);
  });

  test("for refreshing, shown a second time, ends the session on HTTP and on its open streams alone", async () => {
    const [stolen, other] = [await freshTokens(controller), await freshTokens(controller)];
    const streams = await Promise.all(
      (["rest", "api"] as const).map((surface) =>
        controller.subscribe(surface, { listener: "portal", headers: bearer(stolen.accessToken) }),
      ),
    );
    const untouched = await controller.subscribe("api", { headers: bearer(other.accessToken) });
    const { refreshToken } = stolen;
    const rotated = (await post(controller, "/api/jwt/refresh", { refreshToken })).json<{ data: Tokens }>().data;
    // Within seconds the same client may have lost a race against itself; that ends nothing.
    await controller.clock.advance(11_000);
    expect((await post(controller, "/api/jwt/refresh", { refreshToken })).status).toBe(401);
    expect((await Promise.all(streams.map(({ closed }) => closed))).map(({ code }) => code)).toEqual([1008, 1008]);
    expect(await ways(controller, rotated.accessToken)).toEqual(REFUSED);
    expect((await post(controller, "/api/jwt/refresh", { refreshToken: rotated.refreshToken })).status).toBe(401);
    await controller.services.feed.commit({ type: "busy-changed", busy: false }, { kind: "system", id: "t", by: null });
    await untouched.next(({ control }) => control === "_5");
    await untouched.close();
  });

  test("that expires closes no stream that it opened", async () => {
    const { accessToken } = await freshTokens(controller);
    const stream = await controller.subscribe("api", { headers: bearer(accessToken) });
    await stream.next(({ control }) => control === "_0");
    for (let minutes = 0; minutes < 65; minutes += 1) {
      await controller.clock.advance(60_000);
      await stream.next(({ control }) => control === "_0");
    }
    expect((await controller.portal.request("GET", "/api/nodes", { headers: bearer(accessToken) })).status).toBe(401);
    await stream.close();
  });
});

test("S2: a token from the future is refused: the clock was set back by a day", async () => {
  await using first = await startTestController();
  const { accessToken, refreshToken } = await first.login();
  await first.stop();
  await using second = await startTestController(
    {},
    { data: first.data, seed: 2, clock: new VirtualClock(START_MS - 24 * HOUR_MS) },
  );
  expect(await ways(second, accessToken)).toEqual(REFUSED);
  expect((await post(second, "/api/jwt/refresh", { refreshToken })).status).toBe(401);
});

describe("S3: guessing", () => {
  const strangers = (count: number, network = 1) =>
    Array.from({ length: count }, (_, at) => `127.${network}.${Math.floor(at / 250)}.${1 + (at % 250)}`);
  const portalGuess = (controller: TestController, username: string) => (from: string, at: number) =>
    post(controller, "/api/login", { username, password: `guess ${at}` }, from);
  const localGuess = (controller: TestController, user: string) => (from: string, at: number) =>
    controller.local.request("GET", "/rest/nodes", { headers: basic(user, `guess ${at}`), from });

  /** Simultaneous attempts wait in a bounded queue, so some are refused. */
  const AT_ONCE = 40;

  /** Statuses and how often each came. */
  async function tally(
    sources: readonly string[],
    guess: (from: string, at: number) => Promise<Answer>,
  ): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (let first = 0; first < sources.length; first += AT_ONCE) {
      const answers = sources.slice(first, first + AT_ONCE).map((from, at) => guess(from, first + at));
      for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  test.each([
    ["the portal's login", portalGuess, OWNER.username],
    ["basic authentication", localGuess, LOCAL.username],
  ] as const)(
    "%s: from 200 addresses five tries, then 429; the owner's known device is not locked out, after a restart too",
    async (_, guessing, login) => {
      await using controller = await startTestController({ demo: false });
      await controller.login();
      expect((await controller.local.get("/rest/ping")).status).toBe(200);
      await controller.restart();
      const guess = guessing(controller, login);
      expect(await tally(strangers(200), guess)).toEqual({ 401: 5, 429: 195 });
      await controller.login();
      expect((await controller.local.get("/rest/ping")).status).toBe(200);
      await controller.clock.advance(HOUR_MS);
      expect(await tally(strangers(20, 2), guess)).toEqual({ 401: 5, 429: 15 });
    },
  );

  test("the refusal has a time for the next attempt, and until then right and wrong passwords get the same answer", async () => {
    await using controller = await startTestController({ demo: false });
    const guess = portalGuess(controller, OWNER.username);
    await tally(strangers(5), guess);
    const wrong = await guess("127.3.0.1", 9);
    const right = await post(controller, "/api/login", OWNER, "127.3.0.1");
    expect([wrong.status, wrong.headers["retry-after"], wrong.json()]).toEqual([
      429,
      "3600",
      {
        successful: false,
        data: null,
        error: "Too many failed logins. Wait before the next try.",
        code: "TOO_MANY_TRIES",
        errorMessage: "Too many failed logins. Wait before the next try.",
        errorCode: "TOO_MANY_TRIES",
      },
    ]);
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text]);
    const rest = await localGuess(controller, OWNER.username)("127.3.0.2", 1);
    expect(rest.status).toBe(401); // Another account of another listener.
  });

  test("an unknown name is refused in the same words, after as many attempts", async () => {
    await using controller = await startTestController({ demo: false });
    const [known, unknown] = [portalGuess(controller, OWNER.username), portalGuess(controller, "nobody@example.org")];
    for (let at = 0; at < 7; at += 1) {
      const [mine, nobodys] = [await known(`127.4.0.${at + 1}`, at), await unknown(`127.4.1.${at + 1}`, at)];
      expect([nobodys.status, nobodys.text, nobodys.headers["retry-after"]]).toEqual([
        mine.status,
        mine.text,
        mine.headers["retry-after"],
      ]);
    }
  });

  test("one address has thirty tries an hour over all names, and others are not touched by that", async () => {
    await using controller = await startTestController({ demo: false });
    const guess = (from: string, at: number) => portalGuess(controller, `somebody${at}@example.org`)(from, at);
    expect(await tally(Array(40).fill("127.5.0.1"), guess)).toEqual({ 401: 30, 429: 10 });
    expect((await portalGuess(controller, "else@example.org")("127.5.0.2", 1)).status).toBe(401);
    await controller.login();
  });

  test("a stream's upgrade counts as a try like any other", async () => {
    await using controller = await startTestController({ demo: false });
    const tries = [];
    for (let at = 0; at < 7; at += 1) {
      const opened = controller.subscribe("rest", { listener: "local", headers: basic(LOCAL.username, `guess ${at}`) });
      tries.push(
        await opened.then(
          () => 101,
          ({ status }) => status,
        ),
      );
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});
