/**
 * Accounts of programs that the controller runs itself, such as plugins. One lasts as long as its program: it is stored nowhere,
 * has a new password each time, and works from this machine only.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Randomness } from "../util/randomness.ts";
import type { Principal, Role } from "./principal.ts";

export type ServiceAccounts = {
  /** Replaces an account of the same login. @returns the password. */
  grant(login: string, role: Role): string;
  /** Ends the streams that the account has open, too. */
  revoke(login: string): void;
};

const PASSWORD_BYTES = 24;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

export class ServiceAccountBook implements ServiceAccounts {
  readonly #granted = new Map<string, { readonly principal: Principal; readonly digest: Buffer }>();
  readonly #randomness: Randomness;
  readonly #revoked: (accountId: string) => void;

  constructor(randomness: Randomness, revoked: (accountId: string) => void) {
    this.#randomness = randomness;
    this.#revoked = revoked;
  }

  grant(login: string, role: Role): string {
    this.revoke(login);
    const password = this.#randomness.bytes(PASSWORD_BYTES).toString("base64url");
    const principal = { accountId: `service ${login}`, login, role, sessionId: null, view: null };
    this.#granted.set(login, { principal, digest: digestOf(password) });
    return password;
  }

  revoke(login: string): void {
    const granted = this.#granted.get(login);
    if (!granted) return;
    this.#granted.delete(login);
    this.#revoked(granted.principal.accountId);
  }

  /** The password is random and long, so no limit on guesses is needed. */
  find(login: string, password: string, remoteAddress: string): Principal | null {
    const granted = this.#granted.get(login);
    if (!granted || !LOOPBACK.test(remoteAddress)) return null;
    return timingSafeEqual(granted.digest, digestOf(password)) ? granted.principal : null;
  }
}

function digestOf(password: string): Buffer {
  return createHash("sha256").update(password).digest();
}
