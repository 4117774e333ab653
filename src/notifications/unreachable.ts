/**
 * Explains to a channel's owner why a receiver cannot be reached. The text leaves out the address, which may be
 * secret.
 */

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refused the connection",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "the network has no way to it",
  ENETUNREACH: "the network has no way to it",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up",
  ETIMEDOUT: "it did not answer in time",
  EAUTH: "it refused the user name or the password",
};

/** @param code of Node, or of the library that connects; null: unknown */
export function unreachable(receiver: string, code: string | null): string {
  const words = code === null ? "it did not answer" : WORDS[code];
  return `${receiver} cannot be used: ${words ?? code}.`;
}
