/** Reads accounts and backups. @see docs/interface/accounts.md, backup.md */

import { ClientError } from "../errors.ts";
import type { Account, Backup, WithPassword } from "../model/accounts.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

export const readAccounts = (data: unknown): readonly Account[] => objectsOf(data).map(readAccount);

export function readAccount(data: unknown): Account {
  const { id, kind, login, role, createdAt } = objectOf(data, "an account");
  return {
    id: textOf(id),
    kind: kind === "local" ? "local" : "portal",
    login: textOf(login),
    // Whatever is not known has the fewest rights.
    role: role === "owner" || role === "user" ? role : "guest",
    createdAt: textOf(createdAt),
  };
}

export function readPassword(data: unknown): WithPassword {
  return { password: textOrNull(isObject(data) ? data.password : null) };
}

export const readBackups = (data: unknown): readonly Backup[] => objectsOf(data).map(readBackup);

export function readBackup(data: unknown): Backup {
  const { id, kind, state, progress, bytes, sha256, failure, encrypted, time, test } = objectOf(data, "a backup");
  return {
    id: textOf(id),
    kind: textOf(kind),
    state: state === "making" || state === "proving" || state === "ready" ? state : "failed",
    progress: numberOf(progress),
    bytes: typeof bytes === "number" ? bytes : null,
    sha256: textOrNull(sha256),
    failure: textOrNull(failure),
    encrypted: booleanOf(encrypted, false),
    time: textOf(time),
    test: isObject(test) ? { time: textOf(test.time), failure: textOrNull(test.failure) } : null,
  };
}

function objectOf(data: unknown, what: string): Json {
  if (isObject(data)) return data;
  throw new ClientError("BAD_DOCUMENT", `The answer is not ${what}.`);
}
