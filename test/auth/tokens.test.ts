import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bearer,
  createGate,
  type Gate,
  HOME,
  HOUR_MS,
  OWNER,
  OWNER_PASSWORD,
  outcome,
  outcomes,
  START_MS,
  UUID,
} from "./gate.ts";

let gate: Gate;
let access: string;
let refresh: string;
let ownKey: KeyObject;

beforeAll(async () => {
  gate = await createGate();
  ({ accessToken: access, refreshToken: refresh } = await gate.auth.login(OWNER, OWNER_PASSWORD, HOME));
  ownKey = createPrivateKey(gate.accounts.secret("token-key", () => ""));
});

type Forging = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly typ?: string;
  readonly key?: KeyObject | Uint8Array;
  readonly alg?: string;
  readonly header?: object;
};

/** A token like the real one but for what is named. */
const forge = ({ claims = {}, typ = "at+jwt", key = ownKey, alg = "ES256", header = {} }: Forging) =>
  new SignJWT({ ...decodeJwt(access), ...claims }).setProtectedHeader({ ...header, alg, typ }).sign(key);

const verdict = (token: string) => outcome(gate.auth.verifyAccessToken(token));
const nowS = START_MS / 1000;

test("equal tokens at the same moment share one check of the signature", async () => {
  // One that has issued none itself, as after a restart.
  const { auth } = await createGate({ accounts: gate.accounts });
  const checked = Array.from({ length: 1000 }, () => outcome(auth.verifyAccessToken(access)));
  expect(new Set(await Promise.all(checked))).toEqual(new Set(["ok"]));
});

describe("a token as clients know it", () => {
  test("says ES256 and its type, and nothing else, in its header", () => {
    expect(decodeProtectedHeader(access)).toEqual({ alg: "ES256", typ: "at+jwt" });
    expect(decodeProtectedHeader(refresh)).toEqual({ alg: "ES256", typ: "rt+jwt" });
  });

  test("names controller, account, times, audience and issuer in the order that clients see elsewhere", () => {
    const claims = decodeJwt(access);
    expect(Object.keys(claims)).toEqual(["uuid", "sub", "iat", "exp", "aud", "iss", "role", "sid", "jti"]);
    expect(claims).toMatchObject({
      uuid: UUID,
      sub: OWNER,
      aud: ["eisy"],
      iss: "eisy",
      role: "owner",
      iat: nowS,
      exp: nowS + 3600,
    });
    expect(decodeJwt(refresh).exp).toBe(nowS + 30 * 86_400);
  });

  test("lets its bearer in as the account that logged in", async () => {
    const principal = await gate.auth.authenticate(bearer(access), "portal", HOME);
    expect(principal).toMatchObject({ login: OWNER, role: "owner", sessionId: decodeJwt(access).sid });
    expect(await gate.auth.authenticate(`bearer  ${access} `, "portal", HOME)).toEqual(principal);
  });
});

describe("a token that is not ours is refused", () => {
  const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const publicPem = () => Buffer.from(createPublicKey(ownKey).export({ type: "spki", format: "pem" }));
  const cases: readonly (readonly [string, () => string | Promise<string>])[] = [
    ["without a signature (alg none)", () => new UnsecuredJWT(decodeJwt(access)).encode()],
    ["with the signature cut off", () => access.replace(/[^.]+$/, "")],
    ["signed by HMAC with our public key", () => forge({ alg: "HS256", key: publicPem() })],
    ["signed by another key", () => forge({ key: otherKey })],
    [
      "bringing its own key along",
      () => forge({ key: otherKey, header: { jwk: createPublicKey(otherKey).export({ format: "jwk" }) } }),
    ],
    [
      "with a critical header that we do not know",
      () =>
        new SignJWT(decodeJwt(access))
          .setProtectedHeader({ alg: "ES256", typ: "at+jwt", crit: ["home"], home: 1 })
          .sign(ownKey, { crit: { home: true } }),
    ],
    ["of another controller", () => forge({ claims: { uuid: "02:00:00:00:00:99" } })],
    ["of another issuer", () => forge({ claims: { iss: "isy" } })],
    ["for another audience", () => forge({ claims: { aud: ["isy"] } })],
    ["expired", () => forge({ claims: { exp: nowS } })],
    ["without an expiry", () => forge({ claims: { exp: undefined } })],
    ["issued in the future", () => forge({ claims: { iat: nowS + 120, exp: nowS + 7200 } })],
    ["not valid yet", () => forge({ claims: { nbf: nowS + 120 } })],
    ["without a time of issue", () => forge({ claims: { iat: undefined } })],
    ["without a session", () => forge({ claims: { sid: undefined } })],
    ["with a session that is no text", () => forge({ claims: { sid: 7 } })],
    ["without an id", () => forge({ claims: { jti: undefined } })],
    ["of a session that never was", () => forge({ claims: { sid: "0".repeat(32) } })],
    ["of no type", () => forge({ typ: "JWT" })],
    ["a refresh token", () => refresh],
    ["100 KB long", () => forge({ claims: { more: "x".repeat(100_000) } })],
    ["empty", () => ""],
    ["no token at all", () => "hello"],
    ["three dots", () => "..."],
  ];
  test.each(cases)("%s", async (_name, make) => {
    expect(await verdict(await make())).toBe("TOKEN_REFUSED");
  });

  test("the forgery itself is sound: unchanged it is let in", async () => {
    expect(await verdict(await forge({}))).toBe("ok");
  });
});

describe("headers of the portal listener", () => {
  test.each(["", "Bearer", "Bearer ", "Digest x", "é"])("%j is refused", async (header) => {
    expect(await outcome(gate.auth.authenticate(header, "portal", HOME))).toBe("TOKEN_REFUSED");
  });

  test("without a header a request has no principal", async () => {
    expect(await gate.auth.authenticate(undefined, "portal", HOME)).toBeNull();
  });
});

describe("a token in the course of time", () => {
  test("is good to its last second, remembered or not, and then no longer", async () => {
    const { auth, clock } = await createGate();
    const { accessToken } = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    await clock.advance(HOUR_MS - 1000);
    expect(await outcome(auth.verifyAccessToken(accessToken))).toBe("ok");
    expect(await outcome(auth.verifyAccessToken(accessToken))).toBe("ok");
    await clock.advance(1000);
    expect(await outcome(auth.verifyAccessToken(accessToken))).toBe("TOKEN_REFUSED");
  });

  test("means nothing to another controller, even with the same accounts and sessions", async () => {
    const { auth, accounts, clock } = await createGate();
    const { accessToken } = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    accounts.secrets.clear();
    const other = await createGate({ accounts, clock });
    expect(await outcome(other.auth.verifyAccessToken(accessToken))).toBe("TOKEN_REFUSED");
  });

  test("is still good after a restart", async () => {
    const { auth, accounts, clock } = await createGate();
    const { accessToken, refreshToken } = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    const { auth: again } = await createGate({ accounts, clock });
    expect(await outcome(again.verifyAccessToken(accessToken))).toBe("ok");
    expect(await outcome(again.refresh(refreshToken))).toBe("ok");
  });

  test("carries the role that the account has now, not the one it had", async () => {
    const { auth, accounts } = await createGate();
    const { accessToken } = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    const { accountId } = await auth.verifyAccessToken(accessToken);
    for (const account of accounts.accounts().filter(({ id }) => id === accountId)) {
      await accounts.putAccount({ ...account, role: "guest" });
    }
    expect(await auth.verifyAccessToken(accessToken)).toMatchObject({ role: "guest" });
    await accounts.removeAccount(accountId);
    expect(await outcome(auth.verifyAccessToken(accessToken))).toBe("TOKEN_REFUSED");
  });
});

describe("a flood of forged tokens", () => {
  const signature = (n: number) => Buffer.alloc(64, `signature ${n}`).toString("base64url");
  const withSession = (sid: unknown, n: number) => {
    const [head] = access.split(".");
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(access), sid })).toString("base64url");
    return `${head}.${claims}.${signature(n)}`;
  };
  const flood = (sid: (n: number) => unknown) =>
    Array.from({ length: 1000 }, (_, n) => gate.auth.verifyAccessToken(withSession(sid(n), n)));

  test("with invented sessions is refused without a check of any signature", async () => {
    expect(await outcomes(flood((n) => `session ${n}`))).toEqual({ TOKEN_REFUSED: 1000 });
  });

  test("for a live session waits for few checks, and the session's own token for none", async () => {
    const { sid } = decodeJwt(access);
    const all = flood(() => sid);
    expect(await verdict(access)).toBe("ok");
    const { TOKEN_REFUSED: checked = 0, LOGINS_BUSY: busy = 0 } = await outcomes(all);
    expect([checked + busy, checked < 300]).toEqual([1000, true]);
  });

  test("does not displace the verdict on a good token", async () => {
    await outcomes(flood((n) => `session ${n}`));
    expect(await verdict(access)).toBe("ok");
  });
});
