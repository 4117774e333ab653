import { expect, test } from "vitest";
import { openHome, temporaryDirectory } from "../support/test-store.ts";

test("a removed account removes its known devices, and no other account's", async () => {
  const dir = temporaryDirectory();
  const { store, close } = await openHome(dir);
  for (const id of ["a", "ab"]) {
    const account = { id, kind: "local", login: id, role: "user", passwordHash: "x", createdAtMs: 1 } as const;
    await store.accounts.putAccount(account);
    store.accounts.putKnownDevice(`${id} 192.168.1.20`, 5);
  }
  await store.accounts.removeAccount("a");
  expect([...store.accounts.knownDevices().keys()]).toEqual(["ab 192.168.1.20"]);
  await close();
  const after = await openHome(dir);
  expect(after.store.accounts.accounts().map(({ id }) => id)).toEqual(["ab"]);
  expect([...after.store.accounts.knownDevices().keys()]).toEqual(["ab 192.168.1.20"]);
});
