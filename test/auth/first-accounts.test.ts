import { describe, expect, test } from "vitest";
import { ensureFirstAccounts, type FirstAccounts, generatePassword } from "../../src/auth/first-accounts.ts";
import { setPassword } from "../../src/cli/reset-password.ts";
import { parseConfig } from "../../src/config.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { basic, createGate, HOME, LOCAL_USER, OWNER, OWNER_PASSWORD, outcome, START_MS } from "./gate.ts";
import { MemoryAccounts } from "./memory-accounts.ts";

const parts = (accounts = new MemoryAccounts()) => ({
  accounts,
  clock: new VirtualClock(START_MS),
  randomness: systemRandomness,
  config: parseConfig({}),
});

describe("the first accounts", () => {
  test("are an owner and a local administrator, generated and printed when none are given", async () => {
    const { accounts, ...others } = parts();
    const generated = await ensureFirstAccounts({ accounts, ...others }, {});
    expect(generated).toMatchObject({ owner: { login: "owner@domovoi.local" }, local: { login: "admin" } });
    expect(accounts.accounts()).toMatchObject([
      { kind: "portal", login: "owner@domovoi.local", role: "owner", createdAtMs: START_MS },
      { kind: "local", login: "admin", role: "owner", createdAtMs: START_MS },
    ]);
    const { auth } = await createGate({ accounts });
    expect(await outcome(auth.login("owner@domovoi.local", generated?.owner?.password ?? "", HOME))).toBe("ok");
    expect(await outcome(auth.authenticate(basic("admin", generated?.local?.password ?? ""), "local", HOME))).toBe(
      "ok",
    );
  });

  test("are kept as hashes only", async () => {
    const { accounts, ...others } = parts();
    const generated = await ensureFirstAccounts({ accounts, ...others }, { ownerPassword: "given-password" });
    expect(generated?.owner).toBeNull();
    expect(JSON.stringify(accounts.accounts())).not.toContain("given-password");
    expect(JSON.stringify(accounts.accounts())).not.toContain(generated?.local?.password);
  });

  test("use the given credentials, and print only the generated password", async () => {
    const given = { ownerEmail: "kim@example.org", localUser: "house", localPassword: "12345678" };
    const generated = await ensureFirstAccounts(parts(), given);
    expect(generated).toMatchObject({ owner: { login: "kim@example.org" }, local: null });
    const all = { ...given, ownerPassword: "87654321" };
    expect(await ensureFirstAccounts(parts(), all)).toBeNull();
  });

  test("are made once", async () => {
    const { accounts, ...others } = parts();
    await ensureFirstAccounts({ accounts, ...others }, {});
    const before = accounts.accounts();
    expect(await ensureFirstAccounts({ accounts, ...others }, { localUser: "other" })).toBeNull();
    expect(accounts.accounts()).toEqual(before);
  });

  test("are recreated one by one after damage, because otherwise the owner could not log in", async () => {
    const { accounts, ...others } = parts();
    await ensureFirstAccounts({ accounts, ...others }, {});
    const [owner] = accounts.accounts();
    const damaged = new MemoryAccounts();
    if (owner) await damaged.putAccount(owner);
    const generated = await ensureFirstAccounts({ accounts: damaged, ...others }, {});
    expect(generated).toMatchObject({ owner: null, local: { login: "admin" } });
    expect(damaged.accounts()).toMatchObject([owner, { kind: "local", login: "admin" }]);
  });

  const refused: readonly FirstAccounts[] = [
    { ownerEmail: "pat" },
    { ownerEmail: "pat@" },
    { ownerEmail: "pat @example.org" },
    { ownerEmail: "" },
    { ownerPassword: "1234567" },
    { localUser: "" },
    { localUser: "a:b" },
    { localPassword: "" },
  ];
  test.each(refused)("are not made from %j", async (first) => {
    const { accounts, ...others } = parts();
    expect(await outcome(ensureFirstAccounts({ accounts, ...others }, first))).toBe("BAD_VALUE");
    expect(accounts.accounts()).toEqual([]);
  });
});

test("generated passwords have 24 characters that are not mistaken for one another, all equally likely", () => {
  const passwords = Array.from({ length: 500 }, () => generatePassword(systemRandomness));
  expect(passwords.every((password) => /^[2-9A-HJ-NP-Za-hjkmnp-z]{24}$/.test(password))).toBe(true);
  expect(new Set(passwords).size).toBe(500);
  expect(new Set(passwords.join("")).size).toBe(55);
});

describe("a password that was lost", () => {
  const { clock, randomness, config } = parts();

  test("is replaced by the one that is given, and the sessions end", async () => {
    const { accounts, auth } = await createGate();
    await auth.login(OWNER, OWNER_PASSWORD, HOME);
    const told = await setPassword({ accounts, clock, randomness, config }, OWNER.toUpperCase(), "a new horse");
    expect(told).toEqual({ login: OWNER, password: "a new horse" });
    expect(accounts.sessions()).toEqual([]);
    expect(await outcome(auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("LOGIN_FAILED");
    expect(await outcome(auth.login(OWNER, "a new horse", HOME))).toBe("ok");
  });

  test("ends the second factor too, which a lost phone may have taken along", async () => {
    const { accounts, auth } = await createGate();
    const owner = accounts.accounts().find(({ login }) => login === OWNER) ?? expect.unreachable();
    const secondFactor = { secret: "JBSWY3DPEHPK3PXP", lastStep: 0, addedAtMs: START_MS };
    await accounts.putAccount({ ...owner, secondFactor });
    expect(await outcome(auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("SECOND_FACTOR_NEEDED");
    await setPassword({ accounts, clock, randomness, config }, OWNER, "a new horse");
    expect(await outcome(auth.login(OWNER, "a new horse", HOME))).toBe("ok");
  });

  test("is replaced by a generated one when none is given", async () => {
    const { accounts, auth } = await createGate();
    const { password } = await setPassword({ accounts, clock, randomness, config }, LOCAL_USER, undefined);
    expect(await outcome(auth.authenticate(basic(LOCAL_USER, password), "local", HOME))).toBe("ok");
  });

  test("cannot be replaced for an account that does not exist", async () => {
    const { accounts } = await createGate();
    expect(await outcome(setPassword({ accounts, clock, randomness, config }, "nobody", "12345678"))).toBe("BAD_VALUE");
  });
});
