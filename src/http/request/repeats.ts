/**
 * Writes that a client names by a key of its own (`Idempotency-Key`), because an answer can be lost with its machine. A request that
 * comes again with its key is not carried out again: it gets the same answer, or after a restart or a takeover one that says that it
 * was done. A key belongs to one request: the same method, path, rights and body. The key is in the journal, as the id of the cause.
 *
 * @see docs/interface/README.md
 */

import { createHash } from "node:crypto";
import { badValue, ControllerError } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";

/** Answers that are kept; the oldest go first. */
const ANSWERS_PER_ACCOUNT_MAX = 64;
const ANSWERS_MAX = 4096;
/** Keys of requests that were carried out and whose answers are not kept; the oldest go first. */
const DONE_MAX = 20_000;
/** A longer answer is not kept: its repetition is told that it was done. */
const ANSWER_CHARS_MAX = 8192;
const KEY = /^[\w.:-]{1,64}$/;
const DONE: Reply = { ...envelope(null), headers: { "Idempotency-Replayed": "true" } };

const HASH_CHARS = 22;
/** A request with a key, as the id of a cause. */
const KEYED = "key";

export class Repeats {
  /** Causes of earlier runs, also of other machines, and those whose answers are not kept any more. */
  readonly #done: Set<string>;
  readonly #answers = new Map<string, Promise<Reply>>();
  readonly #ofAccount = new Map<string, Set<string>>();
  /** The id of the request that has used a key, by account and key. */
  readonly #used = new Map<string, string>();

  /** @param written causes that the journal has, see `StoredKeys` */
  constructor(written: Iterable<string>) {
    this.#done = new Set(written);
    for (const id of this.#done) this.#used.set(keyIn(id), id);
  }

  /**
   * The id of the request's cause.
   * @param request what the key belongs to: method, path, rights and body. @throws ControllerError BAD_VALUE, CONFLICT
   */
  idOf(accountId: string, key: string | readonly string[], request: readonly (string | Uint8Array)[]): string {
    if (typeof key !== "string" || !KEY.test(key))
      throw badValue("The header Idempotency-Key has 1 to 64 letters, digits, dots, colons, hyphens or underscores.");
    const hash = createHash("sha256");
    for (const part of request) hash.update(`${part.length} `).update(part);
    const id = `${KEYED} ${accountId} ${key} ${hash.digest("base64url").slice(0, HASH_CHARS)}`;
    const used = this.#used.get(keyIn(id));
    // Earlier versions stored no hash.
    if (used === undefined || used === id || used === keyIn(id)) return used ?? id;
    throw new ControllerError("CONFLICT", "This Idempotency-Key was used for another request. Use a new key.");
  }

  /**
   * Carries a request out, unless it was before.
   * @param settled settles when everything that was done until now is on disk. @throws as `handle`
   */
  async answer(
    id: string,
    accountId: string,
    handle: () => Reply | Promise<Reply>,
    settled: () => Promise<void>,
  ): Promise<Reply> {
    const before = this.#answers.get(id);
    if (before) return this.#again(id, before, settled);
    if (this.#done.has(id)) return DONE;
    const answer = Promise.resolve().then(handle);
    this.#keep(id, accountId, answer);
    try {
      const reply = await answer;
      if (reply.body.length > ANSWER_CHARS_MAX || reply.file) this.#answers.set(id, Promise.resolve(DONE));
      return reply;
    } catch (error) {
      // Nothing was done, so another try may do it. A write that waits for its disk was done: see `#again`.
      if (!isUnsettled(error)) this.#forget(id, accountId);
      throw error;
    }
  }

  async #again(id: string, before: Promise<Reply>, settled: () => Promise<void>): Promise<Reply> {
    try {
      const reply = await before;
      return { ...reply, headers: { ...reply.headers, "Idempotency-Replayed": "true" } };
    } catch (error) {
      if (!isUnsettled(error)) throw error;
      await settled();
      this.#answers.set(id, Promise.resolve(DONE));
      return DONE;
    }
  }

  #keep(id: string, accountId: string, answer: Promise<Reply>): void {
    this.#answers.set(id, answer);
    this.#used.set(keyIn(id), id);
    const own = this.#ofAccount.get(accountId) ?? new Set();
    this.#ofAccount.set(accountId, own.add(id));
    const [oldestOwn] = own;
    if (own.size > ANSWERS_PER_ACCOUNT_MAX && oldestOwn !== undefined) this.#keepAsDone(oldestOwn, accountId);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > ANSWERS_MAX && oldest !== undefined) this.#keepAsDone(oldest, oldest.split(" ")[1] ?? "");
  }

  /** One that is still under way, or fails, is tried again by a client that repeats it. */
  #keepAsDone(id: string, accountId: string): void {
    this.#answers.get(id)?.then(
      () => {
        this.#done.add(id);
        this.#used.set(keyIn(id), id);
      },
      () => {},
    );
    this.#forget(id, accountId);
    const [oldest] = this.#done;
    if (this.#done.size <= DONE_MAX || oldest === undefined) return;
    this.#done.delete(oldest);
    this.#used.delete(keyIn(oldest));
  }

  #forget(id: string, accountId: string): void {
    this.#answers.delete(id);
    this.#used.delete(keyIn(id));
    const own = this.#ofAccount.get(accountId);
    own?.delete(id);
    if (own?.size === 0) this.#ofAccount.delete(accountId);
  }
}

/** Account and key: `key ACCOUNT KEY HASH` without the hash. */
function keyIn(id: string): string {
  return id.split(" ", 3).join(" ");
}

/** The change is in the home, and its place on the disk is not certain. */
function isUnsettled(error: unknown): boolean {
  return error instanceof ControllerError && error.code === "STORE_UNAVAILABLE";
}
