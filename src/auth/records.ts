/** The stored records of accounts and sessions, the port to their storage, and lookups. */

import type { Limits } from "../home/limits.ts";
import type { Weekday } from "../home/program-syntax.ts";
import type { Role } from "./principal.ts";

export const PAGE_LAYER_MEMBERS = ["favorites", "order", "hidden", "used"] as const;

/** Lists of addresses; `used` has "HOUR ADDRESS" for each of the latest commands. */
export type PageLayer = Readonly<Record<(typeof PAGE_LAYER_MEMBERS)[number], readonly string[]>>;

/** A browser that shows notifications, as its push service named it. */
export type PushDevice = {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Address at the push service of the browser's maker: a secret, because it suffices for sending. */
  readonly endpoint: string;
  /** Keys of the browser for the content, base64url. */
  readonly p256dh: string;
  readonly auth: string;
  readonly createdAtMs: number;
  /** The session in which it was added, which ends it too when it ends early; left out: none. */
  readonly sessionId?: string;
};

/** A key that a device of the person keeps, and what was registered of it. */
export type Passkey = {
  /** As the authenticator named it, base64url. */
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it has signed, as it says itself; zero where it does not count. */
  readonly counter: number;
  /** For people. */
  readonly name: string;
  /** The host name of the page on which it was added, and on which alone it works. */
  readonly rpId: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
};

/** What makes the digits of an app on the person's phone (RFC 6238: SHA-1, 6 digits, 30 seconds). */
export type SecondFactor = {
  /** Base32. */
  readonly secret: string;
  /** The step of time whose digits were used last: digits work once. */
  readonly lastStep: number;
  readonly addedAtMs: number;
};

/** `command`: one that an assistant may not send itself. The others can be allowed without asking. */
export const PROPOSED_KINDS = ["program", "name", "command"] as const;
export const ALLOWED_KINDS = ["program", "name"] as const;
export type AllowedKind = (typeof ALLOWED_KINDS)[number];

export type ProposedChange =
  /** `version` of the program that it replaces; null, as `before`: a new one. */
  | { readonly kind: "program"; readonly text: string; readonly before: string | null; readonly version: number | null }
  | { readonly kind: "name"; readonly address: string; readonly name: string; readonly before: string }
  | {
      readonly kind: "command";
      readonly address: string;
      readonly command: string;
      readonly values: readonly string[];
    };

/** A change that an assistant proposes, with what was known about it then. */
export type Proposal = {
  readonly id: string;
  readonly atMs: number;
  readonly why: string;
  readonly title: string;
  readonly change: ProposedChange;
  readonly findings: readonly { readonly severity: string; readonly sentence: string; readonly line: number | null }[];
  readonly lastWeek: { readonly differences: number; readonly lines: readonly string[] } | null;
  /** It asks whatever is allowed. */
  readonly isSecured: boolean;
  readonly state: "waiting" | "approved" | "rejected";
  readonly decidedBy: string | null;
  readonly decidedAtMs: number | null;
};

/** Minutes count from local midnight, 0 to 1,439. An end at or before the beginning is on the next day. */
export type OpenSpan = {
  readonly days: readonly Weekday[];
  readonly fromMinute: number;
  readonly toMinute: number;
};
export type Hours = readonly OpenSpan[];

export type Account = {
  readonly id: string;
  /**
   * `portal`: logs in with an e-mail address and gets tokens. `local`: basic authentication on the local listener. `guest`: a
   * guest link, which is a token.
   */
  readonly kind: "portal" | "local" | "guest";
  readonly login: string;
  readonly role: Role;
  /** PHC string of an argon2id hash; of a guest link the SHA-256 of its token's secret. */
  readonly passwordHash: string;
  readonly createdAtMs: number;
  /** The part of the home that the account can reach; absent: all of it. */
  readonly limits?: Limits;
  /** When the account may be used; absent: at all times. */
  readonly hours?: Hours;
  /** End of a guest link; absent for links without one. */
  readonly expiresAtMs?: number;
  /** Left out: nothing was marked yet. */
  readonly pageLayer?: PageLayer;
  /** It is the account of an assistant, and makes these kinds of changes without asking; absent: of a person. */
  readonly assistant?: readonly AllowedKind[];
  /** Left out: none yet. */
  readonly proposals?: readonly Proposal[];
  /** Left out: none yet. */
  readonly pushDevices?: readonly PushDevice[];
  /** Left out: none. */
  readonly passkeys?: readonly Passkey[];
  /** Left out: the password suffices. */
  readonly secondFactor?: SecondFactor;
  /** SHA-256 of the codes that were not used yet. Left out: there never were any. */
  readonly recoveryCodes?: readonly string[];
};

/** A login and its line of refresh tokens; only the newest token's id is good, an older one revokes the session. */
export type Session = {
  readonly id: string;
  readonly accountId: string;
  readonly refreshTokenId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The program that logged in, as it names itself (User-Agent). For people: nothing depends on it. */
  readonly client?: string;
};

/** Loaded at start, written through; every promise settles when the write is on disk. */
export type AccountStore = {
  accounts(): readonly Account[];
  putAccount(account: Account): Promise<void>;
  removeAccount(id: string): Promise<void>;
  sessions(): readonly Session[];
  /** Also settles when the disk refuses: the session is then in memory, and on disk when the disk takes writes again. */
  putSession(session: Session): Promise<void>;
  removeSessions(ids: readonly string[]): Promise<void>;
  /**
   * Addresses from which an account has logged in, with the time of the last login. Ids are `accountId address`. For
   * the password that was used they are `accountId address proof`.
   */
  knownDevices(): ReadonlyMap<string, number>;
  putKnownDevice(id: string, seenAtMs: number): void;
  /** Secrets of the instance by name (PEM or base64); made once, kept in files of mode 0600 beside the database. */
  secret(name: string, make: () => string): string;
  /** The secret of this name; null when none was made yet. For secrets whose making takes more than one step. */
  findSecret(name: string): string | null;
  /** Keeps a secret, in place of an older one of this name. On disk when it returns, wholly or not at all. */
  replaceSecret(name: string, value: string): void;
};

/** The account that logs in this way under this name; names differ by more than case. */
export function findAccount(accounts: AccountStore, kind: Account["kind"], login: string): Account | null {
  const wanted = login.toLowerCase();
  return accounts.accounts().find((account) => account.kind === kind && account.login.toLowerCase() === wanted) ?? null;
}

export function findAccountById(accounts: AccountStore, id: string): Account | null {
  return accounts.accounts().find((account) => account.id === id) ?? null;
}
