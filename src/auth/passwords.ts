/**
 * Passwords as argon2id hashes in PHC strings (`$argon2id$v=19$m=19456,t=2,p=1$salt$tag`). Every try costs the same,
 * whether the account exists or not. guess-limit.ts limits the number of tries.
 */

import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Config } from "../config.ts";
import { badValue } from "../errors.ts";
import type { Randomness } from "../util/randomness.ts";
import { type HashPriority, TurnQueue } from "./turn-queue.ts";

const PASSWORD_CHARACTERS_MIN = 8;

export type Passwords = {
  /** A PHC string with a salt of its own. @throws ControllerError LOGINS_BUSY. */
  hash(password: string, priority: HashPriority): Promise<string>;
  /**
   * True when the password is the one of the hash. Without a hash (no such account) it computes one all the same.
   * @throws ControllerError LOGINS_BUSY.
   */
  verify(password: string, hash: string | null, priority: HashPriority): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  isOutdated(hash: string): boolean;
};

/** Of one hash. */
export type PasswordCost = { readonly memoryKiB: number; readonly passes: number; readonly parallelism: number };
type Parsed = PasswordCost & { readonly salt: Buffer; readonly tag: Buffer };

export const PASSWORD_COST: PasswordCost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

const argon2Async = promisify(argon2);

export function createPasswords(
  config: Pick<Config, "passwordHashesAtOnce" | "passwordHashQueueMax">,
  randomness: Randomness,
  cost = PASSWORD_COST,
): Passwords {
  const queue = new TurnQueue({ atOnce: config.passwordHashesAtOnce, waitingMax: config.passwordHashQueueMax });
  // Verified for unknown accounts, so that they take as long as known ones.
  const decoy: Parsed = { ...cost, salt: randomness.bytes(SALT_BYTES), tag: randomness.bytes(TAG_BYTES) };
  return {
    hash: async (password, priority) => {
      const salt = randomness.bytes(SALT_BYTES);
      const tag = await queue.run(priority, () => computeTag(password, { ...cost, salt }, TAG_BYTES));
      return `${prefixOf(cost)}${unpadded(salt)}$${unpadded(tag)}`;
    },
    verify: async (password, hash, priority) => {
      const parsed = (hash === null ? null : parse(hash)) ?? decoy;
      const tag = await queue.run(priority, () => computeTag(password, parsed, parsed.tag.length));
      return timingSafeEqual(tag, parsed.tag) && parsed !== decoy;
    },
    isOutdated: (hash) => !hash.startsWith(prefixOf(cost)),
  };
}

/** @throws ControllerError BAD_VALUE for a weak password. */
export function checkNewPassword(password: string): void {
  if ([...password].length >= PASSWORD_CHARACTERS_MIN) return;
  throw badValue(`A password has at least ${PASSWORD_CHARACTERS_MIN} characters.`);
}

function computeTag(password: string, { memoryKiB, passes, parallelism, salt }: Omit<Parsed, "tag">, tagBytes: number) {
  return argon2Async("argon2id", {
    message: Buffer.from(password, "utf8"),
    nonce: salt,
    memory: memoryKiB,
    passes,
    parallelism,
    tagLength: tagBytes,
  });
}

/** null for a string that is not a hash of ours; such an account cannot log in. */
function parse(hash: string): Parsed | null {
  const match = PHC.exec(hash);
  if (!match) return null;
  const [, memoryKiB, passes, parallelism, salt = "", tag = ""] = match;
  return {
    memoryKiB: Number(memoryKiB),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

function prefixOf({ memoryKiB, passes, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
