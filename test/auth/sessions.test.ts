import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Sessions } from "../../src/auth/sessions.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { createGate, DAY_MS, HOME, OWNER, OWNER_PASSWORD, outcome, outcomes, START_MS } from "./gate.ts";
import { MemoryAccounts } from "./memory-accounts.ts";

const login = (gate: Awaited<ReturnType<typeof createGate>>) => gate.auth.login(OWNER, OWNER_PASSWORD, HOME);

describe("a refresh token", () => {
  test("is good once: its pair works at once, and the access token before it until it expires", async () => {
    const gate = await createGate();
    const first = await login(gate);
    const second = await gate.auth.refresh(first.refreshToken);
    const checks = [second.accessToken, first.accessToken].map((token) => gate.auth.verifyAccessToken(token));
    expect(await outcomes(checks)).toEqual({ ok: 2 });
    expect(await outcome(gate.auth.refresh(second.refreshToken))).toBe("ok");
  });

  test("that is used again ends its session for every client that holds it", async () => {
    const gate = await createGate();
    const ended: string[] = [];
    gate.auth.onSessionsEnded((ids) => ended.push(...ids));
    const first = await login(gate);
    const second = await gate.auth.refresh(first.refreshToken);
    const { sessionId } = await gate.auth.verifyAccessToken(second.accessToken);
    expect(await outcome(gate.auth.refresh(first.refreshToken))).toBe("TOKEN_REFUSED");
    expect(ended).toEqual([sessionId]);
    expect(await outcome(gate.auth.verifyAccessToken(second.accessToken))).toBe("TOKEN_REFUSED");
    expect(await outcome(gate.auth.refresh(second.refreshToken))).toBe("TOKEN_REFUSED");
    expect(gate.accounts.sessions()).toEqual([]);
  });

  test("that the same client sends twice within ten seconds is refused, and the session continues", async () => {
    const gate = await createGate();
    const first = await login(gate);
    const second = await gate.auth.refresh(first.refreshToken, HOME);
    await gate.clock.advance(10_000);
    expect(await outcome(gate.auth.refresh(first.refreshToken, HOME))).toBe("TOKEN_REFUSED");
    expect(await outcome(gate.auth.verifyAccessToken(second.accessToken))).toBe("ok");
    expect(await outcome(gate.auth.refresh(second.refreshToken, HOME))).toBe("ok");
  });

  test.each([
    ["from another address", 0, "203.0.113.5", 1],
    ["ten seconds and more later", 10_001, HOME, 1],
    ["though a newer one was used already", 0, HOME, 2],
  ])("that is used again %s ends its session", async (_what, laterMs, from, rotations) => {
    const gate = await createGate();
    const first = await login(gate);
    let newest = first;
    for (let count = 0; count < rotations; count += 1) newest = await gate.auth.refresh(newest.refreshToken, HOME);
    await gate.clock.advance(laterMs);
    expect(await outcome(gate.auth.refresh(first.refreshToken, from))).toBe("TOKEN_REFUSED");
    expect(await outcome(gate.auth.refresh(newest.refreshToken, HOME))).toBe("TOKEN_REFUSED");
    expect(gate.accounts.sessions()).toEqual([]);
  });

  test("that is used again is answered when the end of its session is on disk", async () => {
    const gate = await createGate();
    const { refreshToken } = await login(gate);
    await gate.auth.refresh(refreshToken);
    const release = gate.accounts.slowDisk();
    let answered = false;
    const reused = outcome(gate.auth.refresh(refreshToken)).finally(() => {
      answered = true;
    });
    await expect.poll(() => gate.accounts.sessions().length).toBe(0);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    release();
    expect(await reused).toBe("TOKEN_REFUSED");
  });

  test("leaves the other sessions of the account alone when it is reused", async () => {
    const gate = await createGate();
    const other = await login(gate);
    const first = await login(gate);
    await gate.auth.refresh(first.refreshToken);
    await outcome(gate.auth.refresh(first.refreshToken));
    expect(await outcome(gate.auth.verifyAccessToken(other.accessToken))).toBe("ok");
  });

  test("shown ten times at the same moment gives one pair, which works", async () => {
    const gate = await createGate();
    const { refreshToken } = await login(gate);
    const tries = Array.from({ length: 10 }, () => gate.auth.refresh(refreshToken));
    expect(await outcomes(tries)).toEqual({ ok: 1, TOKEN_REFUSED: 9 });
    const [won] = (await Promise.allSettled(tries)).flatMap((tried) =>
      tried.status === "fulfilled" ? [tried.value] : [],
    );
    expect(await outcome(gate.auth.verifyAccessToken(won?.accessToken ?? ""))).toBe("ok");
  });

  test("of another kind or a foreign text is refused", async () => {
    const gate = await createGate();
    const { accessToken } = await login(gate);
    for (const token of [accessToken, "", "x", "x".repeat(100_000)]) {
      expect(await outcome(gate.auth.refresh(token))).toBe("TOKEN_REFUSED");
    }
    expect(await outcome(gate.auth.verifyAccessToken(accessToken))).toBe("ok");
  });

  test("is good for thirty days, counted from the last refresh", async () => {
    const gate = await createGate();
    const first = await login(gate);
    await gate.clock.advance(29 * DAY_MS);
    const second = await gate.auth.refresh(first.refreshToken);
    await gate.clock.advance(29 * DAY_MS);
    expect(await outcome(gate.auth.refresh(second.refreshToken))).toBe("ok");
    const idle = await login(gate);
    await gate.clock.advance(30 * DAY_MS);
    expect(await outcome(gate.auth.refresh(idle.refreshToken))).toBe("TOKEN_REFUSED");
  });

  test("of a removed account is refused", async () => {
    const gate = await createGate();
    const { accessToken, refreshToken } = await login(gate);
    await gate.accounts.removeAccount((await gate.auth.verifyAccessToken(accessToken)).accountId);
    expect(await outcome(gate.auth.refresh(refreshToken))).toBe("TOKEN_REFUSED");
  });
});

describe("logout", () => {
  test("ends access and refresh, notifies listeners, and is on disk", async () => {
    const gate = await createGate();
    const told: (readonly string[])[] = [];
    gate.auth.onSessionsEnded((ids) => told.push(ids));
    const { accessToken, refreshToken } = await login(gate);
    const principal = await gate.auth.verifyAccessToken(accessToken);
    await gate.auth.logout(principal);
    expect(await outcome(gate.auth.verifyAccessToken(accessToken))).toBe("TOKEN_REFUSED");
    expect(await outcome(gate.auth.refresh(refreshToken))).toBe("TOKEN_REFUSED");
    expect(gate.accounts.sessions()).toEqual([]);
    await gate.auth.logout(principal);
    expect(told).toEqual([[principal.sessionId]]);
  });

  test("does nothing for who has no session", async () => {
    const gate = await createGate();
    const ended: string[] = [];
    gate.auth.onSessionsEnded((ids) => ended.push(...ids));
    const { accessToken } = await login(gate);
    const { accountId } = await gate.auth.verifyAccessToken(accessToken);
    await gate.auth.logout({ accountId, login: OWNER, role: "owner", sessionId: null, view: null });
    expect([ended, gate.accounts.sessions().length]).toEqual([[], 1]);
    expect(await outcome(gate.auth.verifyAccessToken(accessToken))).toBe("ok");
  });
});

describe("a new password", () => {
  test("ends the account's sessions and makes the old password worthless, also where it was remembered", async () => {
    const gate = await createGate();
    const { accessToken, refreshToken } = await login(gate);
    const { accountId, sessionId } = await gate.auth.verifyAccessToken(accessToken);
    const told: (readonly string[])[] = [];
    gate.auth.onSessionsEnded((ids) => told.push(ids));
    const revoked: string[] = [];
    gate.auth.accounts.onRevoked((id) => revoked.push(id));
    await gate.auth.accounts.setPassword(accountId, "another horse");
    expect({ told, revoked }).toEqual({ told: [[sessionId]], revoked: [accountId] });
    expect(await outcome(gate.auth.verifyAccessToken(accessToken))).toBe("TOKEN_REFUSED");
    expect(await outcome(gate.auth.refresh(refreshToken))).toBe("TOKEN_REFUSED");
    expect(await outcome(login(gate))).toBe("LOGIN_FAILED");
    expect(await outcome(gate.auth.login(OWNER, "another horse", HOME))).toBe("ok");
  });

  test("has at least eight characters and an account", async () => {
    const { auth, accounts } = await createGate();
    expect(await outcome(auth.accounts.setPassword(accounts.accounts()[0]?.id ?? "", "1234567"))).toBe("BAD_VALUE");
    expect(await outcome(auth.accounts.setPassword("nobody", "12345678"))).toBe("ACCOUNT_NOT_FOUND");
  });

  test("is answered when the end of the sessions is on disk", async () => {
    const gate = await createGate();
    const { accountId } = await gate.auth.verifyAccessToken((await login(gate)).accessToken);
    gate.accounts.removeSessions = () => Promise.reject(new Error("no space"));
    expect(await outcome(gate.auth.accounts.setPassword(accountId, "another horse"))).toBe("Error: no space");
  });

  test("does not bring back an account that is removed while the hash is computed", async () => {
    const { auth, accounts } = await createGate();
    const lodger = { kind: "portal", login: "lodger@example.org", role: "user", password: "horse battery" } as const;
    const { account } = await auth.accounts.add(lodger);
    const before = accounts.accounts().filter(({ id }) => id !== account.id);
    const change = outcome(auth.accounts.setPassword(account.id, "another horse"));
    await auth.accounts.remove(account.id);
    expect(await change).toBe("ACCOUNT_NOT_FOUND");
    expect(accounts.accounts()).toEqual(before);
  });

  test("also stops a login with the old one that is just being checked", async () => {
    const gate = await createGate({ settings: { passwordHashesAtOnce: 1 } });
    const owner = gate.accounts.accounts().find(({ login: name }) => name === OWNER);
    const change = gate.auth.accounts.setPassword(owner?.id ?? "", "another horse");
    expect(await outcome(login(gate))).toBe("LOGIN_FAILED");
    await change;
    expect(gate.accounts.sessions()).toEqual([]);
  });
});

describe("the disk", () => {
  test("has the session before the login is answered", async () => {
    const gate = await createGate();
    await login(gate);
    const release = gate.accounts.slowDisk();
    let answered = false;
    const slow = login(gate).then(() => {
      answered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    release();
    await slow;
    expect(gate.accounts.sessions()).toHaveLength(2);
  });

  test("that is full refuses a login and leaves no session", async () => {
    const gate = await createGate();
    await login(gate);
    gate.accounts.diskFull = true;
    expect(await outcome(login(gate))).toBe("STORE_UNAVAILABLE");
    gate.accounts.diskFull = false;
    expect(gate.accounts.sessions()).toHaveLength(1);
  });

  test("that is full refuses a refresh, and the same token works once the disk has space", async () => {
    const gate = await createGate();
    const { refreshToken } = await login(gate);
    gate.accounts.diskFull = true;
    expect(await outcome(gate.auth.refresh(refreshToken))).toBe("STORE_UNAVAILABLE");
    gate.accounts.diskFull = false;
    expect(await outcome(gate.auth.refresh(refreshToken))).toBe("ok");
  });

  test("that is slow issues no tokens for a session that ended meanwhile", async () => {
    const gate = await createGate();
    const { accessToken, refreshToken } = await login(gate);
    const principal = await gate.auth.verifyAccessToken(accessToken);
    const release = gate.accounts.slowDisk();
    const kept = () => gate.accounts.sessions()[0]?.refreshTokenId;
    const before = kept();
    const refreshed = outcome(gate.auth.refresh(refreshToken));
    await expect.poll(kept).not.toBe(before);
    const loggedOut = gate.auth.logout(principal);
    release();
    await loggedOut;
    expect(await refreshed).toBe("TOKEN_REFUSED");
  });
});

describe("sessions by themselves", () => {
  const create = (accounts = new MemoryAccounts(), sessionsMax = 3) => {
    const clock = new VirtualClock(START_MS);
    const config = { refreshTokenLifetimeS: 3600, sessionsMax };
    return { accounts, clock, sessions: new Sessions({ accounts, clock, config, randomness: systemRandomness }) };
  };

  test("end the oldest of an account when one too many begins", async () => {
    const { accounts, clock, sessions } = create();
    const ended: string[] = [];
    sessions.onEnded((ids) => ended.push(...ids));
    const begun: string[] = [];
    for (let count = 0; count < 5; count++) {
      begun.push((await sessions.begin("owner")).id);
      await clock.advance(1);
    }
    await sessions.begin("guest");
    expect(ended).toEqual(begun.slice(0, 2));
    expect(accounts.sessions()).toHaveLength(4);
  });

  test("that have expired are removed at the next login, without an event", async () => {
    const { accounts, clock, sessions } = create();
    const ended: string[] = [];
    sessions.onEnded((ids) => ended.push(...ids));
    const { id } = await sessions.begin("owner");
    await clock.advance(3_600_000);
    expect(sessions.find(id)).toBeNull();
    const next = await sessions.begin("owner");
    expect(accounts.sessions()).toEqual([next]);
    expect(ended).toEqual([]);
  });

  test("that have expired are not listed, even while no login removed them", async () => {
    const { auth, accounts, clock } = await createGate();
    await auth.login(OWNER, OWNER_PASSWORD, HOME);
    const id = accounts.accounts().find(({ login }) => login === OWNER)?.id ?? "";
    await clock.advance(29 * DAY_MS);
    const later = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    expect(auth.accounts.sessions(id)).toHaveLength(2);
    await clock.advance(DAY_MS);
    expect(auth.accounts.sessions(id)).toHaveLength(1);
    await auth.refresh(later.refreshToken);
    expect(auth.accounts.sessions(id)).toHaveLength(1);
  });

  test("that could not be stored leave nothing, also when the session ended meanwhile", async () => {
    const { accounts, sessions } = create();
    const { promise, reject: fail } = Promise.withResolvers<void>();
    accounts.putSession = () => promise;
    const begun = outcome(sessions.begin("owner"));
    await sessions.endOfAccount("owner");
    fail(new Error("no room"));
    expect(await begun).toBe("Error: no room");
    expect(accounts.sessions()).toEqual([]);
  });

  test("give one rotation to each token, in any order of rotations and reuses", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 20 }), async (agesOfTokens) => {
        const { sessions } = create();
        const { id, refreshTokenId } = await sessions.begin("owner");
        const tokens = [refreshTokenId];
        let alive = true;
        for (const age of agesOfTokens) {
          const token = tokens.at(-1 - age) ?? "unknown";
          const shouldWork: boolean = alive && age === 0;
          const rotated = await sessions.rotate(id, token, null).catch(() => null);
          alive = shouldWork;
          expect(rotated !== null).toBe(shouldWork);
          if (rotated) tokens.push(rotated.refreshTokenId);
        }
        expect(sessions.find(id) !== null).toBe(alive);
      }),
      { numRuns: 50 },
    );
  });
});

test("a start forgets sessions that are over, and goes on when the disk does not let it", async () => {
  const gate = await createGate();
  await login(gate);
  await gate.clock.advance(31 * DAY_MS);
  gate.accounts.diskFull = true;
  const { lines } = await createGate({ accounts: gate.accounts, clock: gate.clock });
  await expect
    .poll(() => lines.map(({ message }) => message))
    .toEqual(["Sessions that are over could not be removed."]);
  gate.accounts.diskFull = false;
  await createGate({ accounts: gate.accounts, clock: gate.clock });
  expect(gate.accounts.sessions()).toEqual([]);
});
