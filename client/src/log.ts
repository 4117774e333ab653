/** Where the library says what it does; silent unless a log is given. Secrets never get here. */

export type ClientLog = {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
};

export const silentLog: ClientLog = { debug: () => {}, warn: () => {} };
