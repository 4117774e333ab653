import { describe, expect, test } from "vitest";
import type { Account, Session } from "../../src/auth/records.ts";
import type { Change } from "../../src/home/change.ts";
import { openHome, START_MS, temporaryDirectory } from "../support/test-store.ts";

const variable: Change = {
  type: "variable-added",
  variable: { type: 2, id: 1, name: "Guests", value: 7, init: 3, prec: 0, writtenAtMs: 1 },
};

async function leaveVariable(dir: string, bootId: string | null = "boot-1"): Promise<void> {
  const { write, close } = await openHome(dir, { bootId });
  await write(variable);
  await close();
}

describe("a start", () => {
  test("in the same boot is warm: variables keep their last value", async () => {
    const dir = temporaryDirectory();
    await leaveVariable(dir);
    const { home, store } = await openHome(dir);
    expect(store.warmStart).toBe(true);
    expect(home.variables[2].get(1)?.value).toBe(7);
  });

  test("after a boot is cold: variables take their initial value, as an entry of the journal", async () => {
    const dir = temporaryDirectory();
    await leaveVariable(dir);
    const { home, store, feed } = await openHome(dir, { bootId: "boot-2" });
    expect(store.warmStart).toBe(false);
    expect(home.variables[2].get(1)).toMatchObject({ value: 3, writtenAtMs: START_MS });
    expect(feed.lastSeq).toBe(3);
  });

  test("after a boot leaves variables alone when they are to be kept", async () => {
    const dir = temporaryDirectory();
    await leaveVariable(dir);
    const { home } = await openHome(dir, { bootId: "boot-2", settings: { variablesAfterBoot: "keep" } });
    expect(home.variables[2].get(1)?.value).toBe(7);
  });

  test("after a boot is cold once: a value written since then stays", async () => {
    const dir = temporaryDirectory();
    await leaveVariable(dir);
    const cold = await openHome(dir, { bootId: "boot-2" });
    await cold.write({ type: "variable-written", variableType: 2, id: 1, value: 9, before: 3, writtenAtMs: 2 });
    await cold.close();
    const { home } = await openHome(dir, { bootId: "boot-2" });
    expect(home.variables[2].get(1)?.value).toBe(9);
  });

  test("on a system without boot ids is warm", async () => {
    const dir = temporaryDirectory();
    await leaveVariable(dir, null);
    const { store } = await openHome(dir, { bootId: null });
    expect(store.warmStart).toBe(true);
  });

  test("on a new data directory is cold", async () => {
    const { store } = await openHome(temporaryDirectory(), { bootId: null });
    expect(store.warmStart).toBe(false);
  });

  test("refuses a setting that it does not know", async () => {
    const settings = { variablesAfterBoot: "kepp" };
    await expect(openHome(temporaryDirectory(), { settings })).rejects.toMatchObject({ code: "BAD_VALUE" });
  });
});

describe("kept beside the home", () => {
  const account: Account = {
    id: "a1",
    kind: "portal",
    login: "o@example.org",
    role: "owner",
    passwordHash: "h",
    createdAtMs: 1,
  };
  const session: Session = { id: "s1", accountId: "a1", refreshTokenId: "t1", createdAtMs: 1, expiresAtMs: 2 };

  test("are accounts, sessions and known devices", async () => {
    const dir = temporaryDirectory();
    const { store, close } = await openHome(dir);
    store.accounts.putKnownDevice("a1 192.0.2.1", 5);
    await store.accounts.putAccount(account);
    await store.accounts.putSession(session);
    await store.accounts.putSession({ ...session, id: "s2" });
    await store.accounts.removeSessions(["s1"]);
    await close();
    const again = (await openHome(dir)).store.accounts;
    expect(again.accounts()).toEqual([account]);
    expect(again.sessions()).toEqual([{ ...session, id: "s2" }]);
    expect([...again.knownDevices()]).toEqual([["a1 192.0.2.1", 5]]);
  });

  test("is what each driver keeps, apart from the others'", async () => {
    const dir = temporaryDirectory();
    const { store, close } = await openHome(dir);
    store.driverStore("virtual").set("a", { level: 1 });
    store.driverStore("virtual").set("gone", 1);
    store.driverStore("virtual").delete("gone");
    store.driverStore("zwave").set("a", [2]);
    await close();
    const again = (await openHome(dir)).store;
    expect(again.driverStore("virtual").keys()).toEqual(["a"]);
    expect(again.driverStore("virtual").get("a")).toEqual({ level: 1 });
    expect(again.driverStore("zwave").get("a")).toEqual([2]);
    expect(again.driverStore("zwave").get("b")).toBeUndefined();
  });

  test("is a driver's value as it was when it was set", async () => {
    const { store } = await openHome(temporaryDirectory());
    const value = { level: 1 };
    store.driverStore("virtual").set("a", value);
    value.level = 2;
    expect(store.driverStore("virtual").get("a")).toEqual({ level: 1 });
  });
});
