/** Accounts and backups through the library. @see client/RULES.md */

import { login } from "@domovoi/client";
import { expect, test } from "vitest";
import { OWNER, startTestController } from "../support/controller.ts";
import { failureOf } from "./support/connected.ts";

test("C20 accounts are added, changed and removed; backups are made, followed, fetched and removed", async () => {
  await using controller = await startTestController();
  const { url } = controller.portal;
  const open = (user: string, password: string) => login({ url, user, password, insecure: true });
  await using session = await open(OWNER.username, OWNER.password);
  const { accounts, backups } = session;

  const lodger = { kind: "portal", login: "lodger@example.org", role: "guest" } as const;
  const { id, password } = await accounts.add(lodger);
  expect(password).toEqual(expect.any(String));
  await using asLodger = await open(lodger.login, password ?? "");
  expect(await failureOf(asLodger.accounts.list())).toMatchObject({ status: 403 });
  expect(await accounts.setRole(id, "user")).toMatchObject({ id, role: "user" });
  expect(await accounts.setPassword(id, "a key under the mat")).toEqual({ password: null });
  expect(await failureOf(accounts.setPassword(id, "short-1"))).toMatchObject({
    status: 400,
    message: expect.not.stringContaining("short-1"),
  });
  expect(await accounts.setLimits(id, null)).toMatchObject({ id, role: "user" });
  await accounts.remove(id);
  expect((await accounts.list()).map((account) => account.login)).not.toContain(lodger.login);

  let backup = await backups.begin();
  while (backup.state === "making" || backup.state === "proving") backup = await backups.follow(backup.id);
  expect(backup).toMatchObject({ state: "ready", kind: "asked", encrypted: false, failure: null });
  let bytes = 0;
  for await (const piece of await backups.download(backup.id)) bytes += piece.length;
  expect(bytes).toBe(backup.bytes);
  await backups.remove(backup.id);
  expect(await backups.list()).toEqual([]);
}, 30_000);
