/**
 * Portal sessions: a login and its line of refresh tokens, each good for one rotation. An older token of a live session
 * means that two parties hold the line, one of them a thief, so the whole session ends.
 * A session ends in memory first, at once for every surface; the promise settles when the disk has it too.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { RecentlyUsed } from "../util/recently-used.ts";
import type { AccountStore, Session } from "./records.ts";

type SessionParts = {
  readonly config: Pick<Config, "refreshTokenLifetimeS" | "sessionsMax">;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
};

type EndListener = (sessionIds: readonly string[]) => void;

type Rotation = { readonly usedTokenId: string; readonly source: string | null; readonly atMs: number };

const ID_BYTES = 16;
/** Characters stored of the User-Agent header; browsers need about 120. */
const CLIENT_CHARACTERS_MAX = 200;
/** Two tabs or two requests of one client may refresh with the same token; the later one comes within this time. */
const RACE_MS = 10_000;
const ROTATIONS_MAX = 1024;

export class Sessions {
  readonly #parts: SessionParts;
  readonly #live: Map<string, Session>;
  readonly #listeners = new Set<EndListener>();
  readonly #rotations = new RecentlyUsed<Rotation>(ROTATIONS_MAX);

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#live = new Map(parts.accounts.sessions().map((session) => [session.id, session]));
  }

  /** The live session of this id; null when it ended or its time is over. */
  find(id: string): Session | null {
    const session = this.#live.get(id);
    return session && session.expiresAtMs > this.#parts.clock.now() ? session : null;
  }

  /**
   * A new session, on disk. Ends the account's oldest ones when it has too many.
   * @param client the program that logged in; null: unknown
   */
  async begin(accountId: string, client: string | null = null): Promise<Session> {
    const now = this.#parts.clock.now();
    const named = client === null ? {} : { client: client.slice(0, CLIENT_CHARACTERS_MAX) };
    const session = this.#stamped({ id: this.#newId(), accountId, createdAtMs: now, ...named });
    const { sessionsMax } = this.#parts.config;
    const older = this.ofAccount(accountId).sort((one, other) => one.createdAtMs - other.createdAtMs);
    const surplus = older.slice(0, Math.max(0, older.length - sessionsMax + 1));
    this.#live.set(session.id, session);
    await Promise.all([this.purge(), this.end(surplus.map(({ id }) => id)), this.#put(session, null)]);
    return this.#stillLive(session);
  }

  /**
   * Replaces the newest refresh token id of the session with the next one, on disk.
   * @param source where the request comes from; null when unknown.
   * @throws ControllerError TOKEN_REFUSED. A token id that was used before ends the session, unless the same client
   * shows it within seconds: then two of its requests raced.
   */
  async rotate(id: string, refreshTokenId: string, source: string | null): Promise<Session> {
    const session = this.find(id);
    if (!session) throw new ControllerError("TOKEN_REFUSED");
    if (session.refreshTokenId !== refreshTokenId) {
      if (!this.#isRace(id, refreshTokenId, source)) await this.end([id]);
      throw new ControllerError("TOKEN_REFUSED");
    }
    const rotated = this.#stamped(session);
    this.#live.set(id, rotated);
    await this.#put(rotated, session);
    this.#rotations.set(id, { usedTokenId: refreshTokenId, source, atMs: this.#parts.clock.elapsed() });
    return this.#stillLive(rotated);
  }

  /** Only for the token before the newest one: an older one was not lost on its way. */
  #isRace(id: string, usedTokenId: string, source: string | null): boolean {
    const last = this.#rotations.get(id);
    if (!last || source === null) return false;
    const isRecent = this.#parts.clock.elapsed() - last.atMs <= RACE_MS;
    return isRecent && last.usedTokenId === usedTokenId && last.source === source;
  }

  /** Ends sessions early and notifies the listeners. Unknown ids are skipped. */
  async end(ids: readonly string[]): Promise<void> {
    const ended = ids.filter((id) => this.#live.delete(id));
    if (ended.length === 0) return;
    for (const listener of this.#listeners) listener(ended);
    await this.#parts.accounts.removeSessions(ended);
  }

  endOfAccount(accountId: string): Promise<void> {
    return this.end(this.ofAccount(accountId).map(({ id }) => id));
  }

  ofAccount(accountId: string): Session[] {
    return [...this.#live.values()].filter((session) => session.accountId === accountId);
  }

  /** Forgets the sessions whose time is over. */
  async purge(): Promise<void> {
    const now = this.#parts.clock.now();
    const expired = [...this.#live.values()].filter(({ expiresAtMs }) => expiresAtMs <= now).map(({ id }) => id);
    if (expired.length === 0) return;
    for (const id of expired) this.#live.delete(id);
    await this.#parts.accounts.removeSessions(expired);
  }

  onEnded(listener: EndListener): void {
    this.#listeners.add(listener);
  }

  #stamped(session: Omit<Session, "refreshTokenId" | "expiresAtMs">): Session {
    const { clock, config } = this.#parts;
    const expiresAtMs = clock.now() + config.refreshTokenLifetimeS * 1000;
    return { ...session, refreshTokenId: this.#newId(), expiresAtMs };
  }

  /** The write failed, so the session is unchanged. */
  async #put(session: Session, before: Session | null): Promise<void> {
    try {
      await this.#parts.accounts.putSession(session);
    } catch (error) {
      if (this.#live.get(session.id) === session) {
        if (before) this.#live.set(before.id, before);
        else this.#live.delete(session.id);
      }
      throw error;
    }
  }

  /** The session may have ended during the write; then it gets no new tokens. */
  #stillLive(session: Session): Session {
    if (this.#live.get(session.id) !== session) throw new ControllerError("TOKEN_REFUSED");
    return session;
  }

  #newId(): string {
    return randomId(this.#parts.randomness, ID_BYTES);
  }
}
