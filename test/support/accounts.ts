/** Accounts of every role in a controller's data, put there while it is stopped, as the command line does. */

import { createPasswords } from "../../src/auth/passwords.ts";
import type { Role } from "../../src/auth/principal.ts";
import type { Account } from "../../src/auth/records.ts";
import { parseConfig } from "../../src/config.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createLog } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import type { TestController } from "./controller.ts";

type NewAccount = {
  readonly kind: Account["kind"];
  readonly login: string;
  readonly password: string;
  readonly role: Role;
};

/** Starts the controller again; its ports are others then, its sessions stay. */
export async function addAccounts(controller: TestController, accounts: readonly NewAccount[]): Promise<void> {
  await controller.stop();
  const { clock, data: dir } = controller;
  const config = parseConfig({ data: dir });
  const passwords = createPasswords(config, seededRandomness(7));
  const store = await openStore({ dir, config, clock, log: createLog("silent") });
  try {
    for (const { kind, login, password, role } of accounts) {
      const passwordHash = await passwords.hash(password, "known");
      await store.accounts.putAccount({
        id: `test ${login}`,
        kind,
        login,
        role,
        passwordHash,
        createdAtMs: clock.now(),
      });
    }
  } finally {
    await store.close();
  }
  await controller.restart();
}
