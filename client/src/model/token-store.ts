/** Where a login is stored between runs of a program, such as a browser's local storage. */

/** Tokens as plain text, as a store holds them. They are secrets. */
export type StoredTokens = { readonly access: string; readonly refresh: string };

/**
 * Stores a login between runs of a program, and shares it between several programs, such as the tabs of a browser. A refresh
 * token works once, so one program at a time refreshes it and writes the new pair.
 */
export type TokenStore = {
  /** Null when no user is logged in. */
  read(): StoredTokens | null;
  /** Null when the login has ended. */
  write(tokens: StoredTokens | null): void;
  /** Runs `work` while no other program that shares the store runs its own. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
};
