import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import {
  basic,
  createGate,
  DAY_MS,
  effortOf,
  type Gate,
  HOME,
  HOUR_MS,
  LOCAL_PASSWORD,
  LOCAL_USER,
  MEASURABLE_COST,
  OWNER,
  OWNER_PASSWORD,
  outcome,
  outcomes,
} from "./gate.ts";

const AWAY = "203.0.113.5";
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `198.51.${index >> 8}.${index & 255}`);
const wrong = (gate: Gate, from: string, login = OWNER, password = "wrong horse") =>
  gate.auth.login(login, password, from);
const local = (gate: Gate, from: string, password: string, login = LOCAL_USER) =>
  gate.auth.authenticate(basic(login, password), "local", from);

/** Outcomes of as many tries, one after the other. */
async function series(count: number, attempt: (index: number) => Promise<unknown>): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let index = 0; index < count; index++) codes.push(await outcome(attempt(index)));
  return codes;
}

const five = ["LOGIN_FAILED", "LOGIN_FAILED", "LOGIN_FAILED", "LOGIN_FAILED", "LOGIN_FAILED"];

describe("guessing the owner's password", () => {
  test("from one address: five tries an hour, then no hash is computed any more", async () => {
    // With this many at once, all but a few would be refused because too many passwords are being checked.
    const gate = await createGate({ settings: { passwordHashesAtOnce: 1, passwordHashQueueMax: 1 } });
    expect(await series(5, (index) => wrong(gate, AWAY, OWNER, `guess ${index}`))).toEqual(five);
    const more = Array.from({ length: 500 }, (_, index) => wrong(gate, AWAY, OWNER, `more ${index}`));
    expect(await outcomes(more)).toEqual({ TOO_MANY_TRIES: 500 });
    expect(await outcome(gate.auth.login(OWNER, OWNER_PASSWORD, AWAY))).toBe("TOO_MANY_TRIES");
  });

  test("from a thousand addresses: the same five", async () => {
    const gate = await createGate();
    const tries = addresses(1000).map((from, index) => wrong(gate, from, OWNER, `guess ${index}`));
    const { LOGIN_FAILED = 0, TOO_MANY_TRIES = 0, LOGINS_BUSY = 0, ...others } = await outcomes(tries);
    expect({ LOGIN_FAILED, others }).toEqual({ LOGIN_FAILED: 5, others: {} });
    expect(TOO_MANY_TRIES + LOGINS_BUSY).toBe(995);
    const later = await series(50, (index) => wrong(gate, addresses(50)[index] ?? "", OWNER, `later ${index}`));
    expect(new Set(later)).toEqual(new Set(["TOO_MANY_TRIES"]));
  });

  test("at the same moment does not slip past the five", async () => {
    const gate = await createGate();
    const tries = Array.from({ length: 40 }, (_, index) => wrong(gate, AWAY, OWNER, `guess ${index}`));
    expect(await outcomes(tries)).toEqual({ LOGIN_FAILED: 5, TOO_MANY_TRIES: 35 });
  });

  test("at the same moment with one and the same password counts every try", async () => {
    const gate = await createGate();
    const tries = Array.from({ length: 20 }, () => wrong(gate, AWAY));
    expect(await outcomes(tries)).toEqual({ LOGIN_FAILED: 5, TOO_MANY_TRIES: 15 });
  });

  test("goes on an hour after the first try, with one more", async () => {
    const gate = await createGate();
    await series(1, () => wrong(gate, AWAY));
    await gate.clock.advance(HOUR_MS / 2);
    await series(4, () => wrong(gate, AWAY));
    const error = await wrong(gate, AWAY).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ControllerError);
    expect(error).toMatchObject({ code: "TOO_MANY_TRIES", status: 429, retryAfterS: 1800 });
    await gate.clock.advance(HOUR_MS / 2 - 1);
    expect(await series(1, () => wrong(gate, AWAY))).toEqual(["TOO_MANY_TRIES"]);
    await gate.clock.advance(1);
    expect(await series(2, () => wrong(gate, AWAY))).toEqual(["LOGIN_FAILED", "TOO_MANY_TRIES"]);
  });

  test("by the thousand waits in a queue that has an end", async () => {
    const gate = await createGate({ settings: { passwordHashQueueMax: 3 } });
    const tries = Array.from({ length: 20 }, (_, index) => wrong(gate, AWAY, OWNER, `guess ${index}`));
    const { LOGINS_BUSY = 0, LOGIN_FAILED = 0 } = await outcomes(tries);
    expect(LOGINS_BUSY).toBeGreaterThan(0);
    expect(LOGIN_FAILED).toBeLessThanOrEqual(5);
  });

  test("is logged once, with the account and the source, without the password", async () => {
    const gate = await createGate();
    await series(8, () => wrong(gate, AWAY, OWNER, "canary-4711"));
    expect(gate.lines).toMatchObject([{ level: "warn", fields: { account: OWNER, source: AWAY } }]);
    expect(JSON.stringify(gate.lines)).not.toContain("canary");
  });
});

describe("a known device", () => {
  test("logs in while a thousand strangers guess, after a restart too, without remembered credentials", async () => {
    const before = await createGate();
    await before.auth.login(OWNER, OWNER_PASSWORD, HOME);
    const gate = await createGate({ accounts: before.accounts, clock: before.clock });
    const guesses = addresses(1000).map((from) => outcome(wrong(gate, from)));
    expect(await outcome(gate.auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("ok");
    await Promise.all(guesses);
    expect(await outcome(gate.auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("ok");
    expect(await outcome(gate.auth.login(OWNER, OWNER_PASSWORD, AWAY))).toBe("TOO_MANY_TRIES");
  });

  test("may mistype five times an hour, and is not helped by other addresses", async () => {
    const gate = await createGate();
    await gate.auth.login(OWNER, OWNER_PASSWORD, HOME);
    expect(await series(6, () => wrong(gate, HOME))).toEqual([...five, "TOO_MANY_TRIES"]);
    expect(await series(1, () => wrong(gate, AWAY))).toEqual(["LOGIN_FAILED"]);
  });

  test("whose credentials were right is never delayed by attempts of others from its own address", async () => {
    const gate = await createGate();
    expect(await outcome(local(gate, HOME, LOCAL_PASSWORD))).toBe("ok");
    await series(40, (index) => local(gate, HOME, `guess ${index}`));
    await series(40, (index) => local(gate, HOME, "guess", `user${index}`));
    expect(await outcomes(Array.from({ length: 50 }, () => local(gate, HOME, LOCAL_PASSWORD)))).toEqual({ ok: 50 });
  }, 60_000);

  test("stays known for thirty days after its last login, and not longer", async () => {
    const gate = await createGate();
    await gate.auth.login(OWNER, OWNER_PASSWORD, HOME);
    await gate.clock.advance(29 * DAY_MS);
    await gate.auth.login(OWNER, OWNER_PASSWORD, HOME);
    await gate.clock.advance(29 * DAY_MS);
    const again = await createGate({ accounts: gate.accounts, clock: gate.clock });
    await series(5, () => wrong(again, AWAY));
    expect(await outcome(again.auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("ok");
    await gate.clock.advance(30 * DAY_MS);
    const later = await createGate({ accounts: gate.accounts, clock: gate.clock });
    await series(5, () => wrong(later, AWAY));
    expect(await outcome(later.auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("TOO_MANY_TRIES");
  }, 60_000);

  test("of one account is unknown to another", async () => {
    const gate = await createGate();
    await local(gate, HOME, LOCAL_PASSWORD);
    await series(5, () => wrong(gate, AWAY));
    expect(await outcome(gate.auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("TOO_MANY_TRIES");
  });
});

describe("many devices that are right at the same moment", () => {
  test("are all let in, though more of them check than a stranger may fail", async () => {
    const gate = await createGate();
    const logins = addresses(12).map((from) => gate.auth.login(OWNER, OWNER_PASSWORD, from));
    expect(await outcomes(logins)).toEqual({ ok: 12 });
  });

  test("are asked to retry when too many wait, which uses up no attempts", async () => {
    const gate = await createGate({ settings: { passwordHashQueueMax: 1, passwordHashesAtOnce: 1 } });
    const logins = addresses(12).map((from) => gate.auth.login(OWNER, OWNER_PASSWORD, from));
    const { ok = 0, LOGINS_BUSY = 0 } = await outcomes(logins);
    expect(ok + LOGINS_BUSY).toBe(12);
    expect(await series(5, () => wrong(gate, AWAY))).toEqual(five);
  });
});

describe("a login without an account", () => {
  const nobody = "nobody@example.org";

  test("is refused in the same words and after as many attempts as a login with one", async () => {
    const gate = await createGate();
    const known = await series(8, (index) => wrong(gate, AWAY, OWNER, `guess ${index}`));
    const unknown = await series(8, (index) => wrong(gate, "203.0.113.6", nobody, `guess ${index}`));
    expect(unknown).toEqual(known);
    const other = await series(2, () => wrong(gate, "203.0.113.7", nobody.toUpperCase()));
    expect(other).toEqual(["TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
  });

  test("takes as long to refuse as a login with one", async () => {
    const settings = { loginFailuresPerHour: 1000, loginFailuresPerAddressPerHour: 10_000 };
    const gate = await createGate({ settings, passwordCost: MEASURABLE_COST });
    const spanOf = (login: string, index: number) =>
      effortOf(() => outcome(wrong(gate, AWAY, login, `guess ${index}`)));
    const spans = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 7; round++) {
      spans.known = Math.min(spans.known, await spanOf(OWNER, round));
      spans.unknown = Math.min(spans.unknown, await spanOf(nobody, round));
    }
    expect(spans.unknown / spans.known).toBeGreaterThan(0.5);
    expect(spans.unknown / spans.known).toBeLessThan(2);
  });

  test("is never written into the log", async () => {
    const gate = await createGate();
    await series(6, () => wrong(gate, AWAY, "my-password-by-mistake@example.org"));
    expect(gate.lines).toEqual([]);
  });

  test("is also the one of an account of the other listener", async () => {
    const gate = await createGate();
    expect(await outcome(gate.auth.login(LOCAL_USER, LOCAL_PASSWORD, HOME))).toBe("LOGIN_FAILED");
    expect(await outcome(local(gate, HOME, OWNER_PASSWORD, OWNER))).toBe("LOGIN_FAILED");
  });
});

describe("one address that tries many accounts", () => {
  const names = (index: number) => `user${index}@example.org`;

  test("has thirty tries an hour altogether", async () => {
    const gate = await createGate({ settings: { loginFailuresPerAddressPerHour: 7 } });
    const codes = await series(9, (index) => wrong(gate, AWAY, names(index)));
    expect(codes).toEqual([...five, "LOGIN_FAILED", "LOGIN_FAILED", "TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
    expect(await series(1, () => wrong(gate, "203.0.113.6", names(0)))).toEqual(["LOGIN_FAILED"]);
  });

  test("is one subscriber with IPv6, whichever of its addresses it takes", async () => {
    const gate = await createGate({ settings: { loginFailuresPerAddressPerHour: 2 } });
    const codes = await series(4, (index) => wrong(gate, `2001:db8:1:2::${index + 1}`, names(index)));
    expect(codes).toEqual(["LOGIN_FAILED", "LOGIN_FAILED", "TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
    expect(await series(1, () => wrong(gate, "2001:db8:1:3::1", names(9)))).toEqual(["LOGIN_FAILED"]);
  });

  test("waits for the same hour when the clock is set back or forward", async () => {
    for (const stepMs of [-5 * HOUR_MS, 5 * HOUR_MS]) {
      const gate = await createGate();
      await series(5, () => wrong(gate, AWAY));
      gate.clock.moveTo(gate.clock.now() + stepMs);
      expect(await wrong(gate, AWAY).catch((error: unknown) => error)).toMatchObject({ retryAfterS: 3600 });
      await gate.clock.advance(HOUR_MS - 1);
      expect(await outcome(wrong(gate, AWAY))).toBe("TOO_MANY_TRIES");
      await gate.clock.advance(1);
      expect(await outcome(wrong(gate, AWAY))).toBe("LOGIN_FAILED");
    }
  });
});

describe("a client that recently used the right password", () => {
  /** The same accounts after a restart: nothing is remembered in memory. */
  const restart = ({ accounts, clock }: Gate) => createGate({ accounts, clock });
  const lockOut = (gate: Gate, from: string) => series(6, () => local(gate, from, "wrong"));

  test("is not locked out by others at the same address, after a restart too", async () => {
    const before = await createGate();
    expect(await outcome(local(before, HOME, LOCAL_PASSWORD))).toBe("ok");
    const gate = await restart(before);
    expect(await lockOut(gate, HOME)).toEqual([...five, "TOO_MANY_TRIES"]);
    expect(await series(3, () => local(gate, HOME, LOCAL_PASSWORD))).toEqual(["ok", "ok", "ok"]);
    expect(await outcome(local(gate, HOME, "wrong"))).toBe("TOO_MANY_TRIES");
  });

  test("is one at its own address only, with its own password, for thirty days", async () => {
    const before = await createGate();
    await local(before, HOME, LOCAL_PASSWORD);
    const elsewhere = await restart(before);
    await lockOut(elsewhere, AWAY);
    expect(await outcome(local(elsewhere, AWAY, LOCAL_PASSWORD))).toBe("TOO_MANY_TRIES");
    await before.clock.advance(31 * DAY_MS);
    const later = await restart(before);
    await lockOut(later, HOME);
    expect(await outcome(local(later, HOME, LOCAL_PASSWORD))).toBe("TOO_MANY_TRIES");
  });

  test("is verified again with another password", async () => {
    const before = await createGate();
    await local(before, HOME, LOCAL_PASSWORD);
    const account = before.accounts.accounts().find(({ login }) => login === LOCAL_USER);
    await before.auth.accounts.setPassword(account?.id ?? "", "another horse");
    const gate = await restart(before);
    await lockOut(gate, HOME);
    expect(await series(2, () => local(gate, HOME, LOCAL_PASSWORD))).toEqual(["TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
    expect(await outcome(local(gate, HOME, "another horse"))).toBe("TOO_MANY_TRIES");
  });

  test("leaves nothing in the store that reveals the password: four characters beside the address", async () => {
    const gate = await createGate();
    await local(gate, HOME, LOCAL_PASSWORD);
    const ids = [...gate.accounts.knownDevices().keys()].map((id) => id.split(" ").slice(1));
    expect(ids.map(([address]) => address)).toEqual([HOME, HOME]);
    expect(ids.flatMap(([, proof = ""]) => proof.length).every((length) => length <= 4)).toBe(true);
  });
});
