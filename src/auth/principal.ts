/** Who is asking. */

export type Role = "owner" | "user" | "guest";

export type Principal = {
  readonly accountId: string;
  /** E-mail address of a portal account, user name of a local one. */
  readonly login: string;
  readonly role: Role;
  /** The portal session whose token was shown; null with basic authentication. */
  readonly sessionId: string | null;
};
