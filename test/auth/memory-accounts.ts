/** Accounts in memory, on a disk that a test can make slow or full. */

import type { Account, AccountStore, Session } from "../../src/auth/records.ts";
import { ControllerError } from "../../src/errors.ts";

export class MemoryAccounts implements AccountStore {
  readonly #accounts = new Map<string, Account>();
  readonly #sessions = new Map<string, Session>();
  readonly #knownDevices = new Map<string, number>();
  readonly secrets = new Map<string, string>();
  /** Every write waits for this. */
  disk: Promise<void> = Promise.resolve();
  diskFull = false;

  /** Makes every write from now on wait. @returns what lets them go. */
  slowDisk(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.disk = promise;
    return resolve;
  }

  accounts(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  putAccount(account: Account): Promise<void> {
    return this.#write(() => this.#accounts.set(account.id, account));
  }

  removeAccount(id: string): Promise<void> {
    return this.#write(() => this.#accounts.delete(id));
  }

  sessions(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  putSession(session: Session): Promise<void> {
    return this.#write(() => this.#sessions.set(session.id, session));
  }

  removeSessions(ids: readonly string[]): Promise<void> {
    return this.#write(() => {
      for (const id of ids) this.#sessions.delete(id);
    });
  }

  knownDevices(): ReadonlyMap<string, number> {
    return this.#knownDevices;
  }

  putKnownDevice(id: string, seenAtMs: number): void {
    this.#knownDevices.set(id, seenAtMs);
  }

  secret(name: string, make: () => string): string {
    const known = this.secrets.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.secrets.set(name, made);
    return made;
  }

  findSecret(name: string): string | null {
    return this.secrets.get(name) ?? null;
  }

  replaceSecret(name: string, value: string): void {
    this.secrets.set(name, value);
  }

  async #write(apply: () => void): Promise<void> {
    if (this.diskFull) throw new ControllerError("STORE_UNAVAILABLE");
    apply();
    await this.disk;
  }
}
