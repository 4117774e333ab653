import { argon2Sync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createPasswords, PASSWORD_COST } from "../../src/auth/passwords.ts";
import { type HashPriority, TurnQueue } from "../../src/auth/turn-queue.ts";
import { parseConfig } from "../../src/config.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { createGate, effortOf, HOME, MEASURABLE_COST, OWNER, OWNER_PASSWORD, outcome, outcomes } from "./gate.ts";

const passwords = createPasswords(parseConfig({}), systemRandomness);

/** A hash as another version, or another program, may have made it. */
function oldHash(password: string, memory: number, passes: number, parallelism: number): string {
  const nonce = Buffer.alloc(16, 7);
  const tag = argon2Sync("argon2id", { message: password, nonce, memory, passes, parallelism, tagLength: 24 });
  const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`;
}

describe("a password hash", () => {
  test("is a PHC string of argon2id with 19 MiB and two passes, salted", async () => {
    const [one, other] = await Promise.all([passwords.hash("secret", "known"), passwords.hash("secret", "known")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(passwords.isOutdated(one)).toBe(false);
  });

  test.each(["secret", "", "pässwörd 鍵 🔑", "a:b", "x".repeat(1024), "nul\0inside"])(
    "fits %j only",
    async (password) => {
      const hash = await passwords.hash(password, "known");
      expect(await passwords.verify(password, hash, "known")).toBe(true);
      expect(await passwords.verify(`${password} `, hash, "known")).toBe(false);
    },
  );

  test("made with other parameters still fits, and is known to be outdated", async () => {
    const hash = oldHash("secret", 64, 1, 2);
    expect(await passwords.verify("secret", hash, "known")).toBe(true);
    expect(await passwords.verify("secreT", hash, "known")).toBe(false);
    expect(passwords.isOutdated(hash)).toBe(true);
  });

  test.each([
    "",
    "secret",
    "$2b$10$abcdefghijklmnopqrstuv",
    "$argon2i$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
  ])("that is not ours (%j) lets nobody in", async (hash) => {
    expect(await passwords.verify("secret", hash, "known")).toBe(false);
  });

  test("takes as long for an unknown account as for a known one", async () => {
    const passwords = createPasswords(parseConfig({}), systemRandomness, MEASURABLE_COST);
    const hash = await passwords.hash("secret", "known");
    const spanOf = (of: string | null) => effortOf(() => passwords.verify("guess", of, "known"));
    const spans: { somebody: number[]; nobody: number[] } = { somebody: [], nobody: [] };
    for (let round = 0; round < 15; round++) {
      spans.somebody.push(await spanOf(hash));
      spans.nobody.push(await spanOf(null));
    }
    const ratio = Math.min(...spans.nobody) / Math.min(...spans.somebody);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe("an outdated hash", () => {
  const withOldHash = async () => {
    const gate = await createGate({ passwordCost: PASSWORD_COST });
    const owner = gate.accounts.accounts().find(({ login }) => login === OWNER);
    const account = { ...(owner ?? expect.unreachable()), passwordHash: oldHash(OWNER_PASSWORD, 64, 1, 1) };
    await gate.accounts.putAccount(account);
    const hashNow = () => gate.accounts.accounts().find(({ login }) => login === OWNER)?.passwordHash ?? "";
    return { ...gate, account, hashNow };
  };

  test("is renewed by the next good login, and the password stays good", async () => {
    const { auth, hashNow } = await withOldHash();
    expect(await outcome(auth.login(OWNER, "wrong horse", HOME))).toBe("LOGIN_FAILED");
    expect(passwords.isOutdated(hashNow())).toBe(true);
    const logins = [HOME, "10.0.0.1", "10.0.0.2"].map((from) => auth.login(OWNER, OWNER_PASSWORD, from));
    expect(await outcomes(logins)).toEqual({ ok: 3 });
    expect(passwords.isOutdated(hashNow())).toBe(false);
    expect(await outcome(auth.login(OWNER, OWNER_PASSWORD, "10.0.0.3"))).toBe("ok");
  });

  test("stays when it cannot be written, and the login succeeds all the same", async () => {
    const { auth, accounts, hashNow, lines } = await withOldHash();
    accounts.putAccount = () => Promise.reject(new Error("no room"));
    expect(await outcome(auth.login(OWNER, OWNER_PASSWORD, HOME))).toBe("ok");
    expect(passwords.isOutdated(hashNow())).toBe(true);
    expect(lines).toMatchObject([{ level: "warn", fields: { account: OWNER } }]);
  });

  test("is not renewed over a password that was changed meanwhile", async () => {
    const { auth, accounts, account, hashNow } = await withOldHash();
    const changed = oldHash("another horse", 64, 1, 1);
    let looks = 0;
    const { accounts: list } = accounts;
    accounts.accounts = () => {
      looks += 1;
      // Known, again known, checked; and then, when the new hash is to be written, changed.
      return looks < 5 ? list.call(accounts) : [{ ...account, passwordHash: changed }];
    };
    await outcome(auth.login(OWNER, OWNER_PASSWORD, HOME));
    expect(hashNow()).toBe(changed);
  });
});

describe("the queue for hashes", () => {
  const create = (atOnce: number, waitingMax: number) => {
    const queue = new TurnQueue({ atOnce, waitingMax });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (priority: HashPriority, name: string) =>
      queue.run(priority, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { queue, begun, run, end };
  };

  test("lets few run at once, known devices before strangers, each priority in order", async () => {
    const { begun, run, end } = create(2, 9);
    const all = [
      run("stranger", "s1"),
      run("stranger", "s2"),
      run("stranger", "s3"),
      run("known", "k1"),
      run("known", "k2"),
    ];
    await end("");
    expect(begun).toEqual(["s1", "s2"]);
    for (const name of ["s1", "k1", "s2", "k2", "s3"]) await end(name);
    expect(begun).toEqual(["s1", "s2", "k1", "k2", "s3"]);
    await Promise.all(all);
  });

  test("refuses when a priority is full, and the other priority is not touched", async () => {
    const { run, end } = create(1, 1);
    const going = [run("stranger", "a"), run("stranger", "b")];
    expect(await outcome(run("stranger", "c"))).toBe("LOGINS_BUSY");
    going.push(run("known", "d"));
    expect(await outcome(run("known", "e"))).toBe("LOGINS_BUSY");
    for (const name of ["a", "d", "b"]) await end(name);
    await Promise.all(going);
  });

  test("goes on after a hash that failed", async () => {
    const { queue } = create(1, 1);
    expect(await outcome(queue.run("known", () => Promise.reject(new Error("no memory"))))).toBe("Error: no memory");
    expect(await outcome(queue.run("known", () => Promise.resolve()))).toBe("ok");
  });
});
