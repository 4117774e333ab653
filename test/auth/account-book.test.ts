/** Accounts as an owner manages them, on a disk that refuses the change. */

import { expect, test } from "vitest";
import type { Auth } from "../../src/auth/auth.ts";
import { NO_ACCESS } from "../../src/home/limits.ts";
import { createGate, HOME, outcome } from "./gate.ts";

const PASSWORD = "horse battery";
const LODGER = { kind: "portal", login: "lodger@example.org", role: "user", password: PASSWORD } as const;

const CHANGES: Readonly<Record<string, (accounts: Auth["accounts"], id: string) => Promise<unknown>>> = {
  "a new account": (accounts) => accounts.add({ ...LODGER, login: "guest@example.org" }),
  "another role": (accounts, id) => accounts.revise(id, { role: "guest" }),
  "other limits": (accounts, id) => accounts.revise(id, { limits: NO_ACCESS }),
  "another password": (accounts, id) => accounts.setPassword(id, "another horse"),
  "a removal": (accounts, id) => accounts.remove(id),
};

test.each(Object.entries(CHANGES))(
  "%s that the disk refuses is refused, and changes nothing",
  async (_what, change) => {
    const { auth, accounts } = await createGate();
    const { account } = await auth.accounts.add(LODGER);
    const { accessToken } = await auth.login(LODGER.login, PASSWORD, HOME);
    const before = accounts.accounts();
    const ended: string[] = [];
    auth.accounts.onRevoked((id) => ended.push(id));
    auth.onSessionsEnded((ids) => ended.push(...ids));
    accounts.diskFull = true;
    expect(await outcome(change(auth.accounts, account.id))).toBe("STORE_UNAVAILABLE");
    accounts.diskFull = false;
    expect({ accounts: accounts.accounts(), ended }).toEqual({ accounts: before, ended: [] });
    expect(await outcome(auth.verifyAccessToken(accessToken))).toBe("ok");
    expect(await outcome(auth.login(LODGER.login, PASSWORD, HOME))).toBe("ok");
  },
);
