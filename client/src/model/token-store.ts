/** Where a login is kept beyond the life of a program, such as a browser's local storage. */

/** Plain tokens, as a store keeps them. They are secrets. */
export type StoredTokens = { readonly access: string; readonly refresh: string };

/**
 * Keeps a login beyond the life of a program, and shares it between several (the tabs of a browser): a refresh token
 * works once, so whoever refreshes does it alone and writes the new pair.
 */
export type TokenStore = {
  /** Null: nobody is logged in. */
  read(): StoredTokens | null;
  /** Null: the login has ended. */
  write(tokens: StoredTokens | null): void;
  /** Runs `work` while nobody else who shares the store does. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
};
