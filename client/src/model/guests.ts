/** Guest links, and what an account or a guest link reaches of the home. */

/** Everything that is not named does not exist for the account. At least one thing is named. */
export type Limits = {
  /** Addresses of folders, each with everything in it. */
  readonly folders?: readonly string[];
  /** Addresses. */
  readonly nodes?: readonly string[];
  /** Addresses. */
  readonly scenes?: readonly string[];
  /** Ids of programs, and of program folders with everything in them. */
  readonly programs?: readonly string[];
  /** `<type>/<id>`. */
  readonly variables?: readonly string[];
  /** Ids of network resources. */
  readonly resources?: readonly number[];
  /** The only commands that may be sent. Null, or left out: all that the role allows. */
  readonly commands?: readonly string[] | null;
};

export type GuestLink = {
  readonly id: string;
  readonly name: string;
  /** `user` also operates locks and runs the programs that the limits name. */
  readonly role: "user" | "guest";
  readonly limits: Required<Limits>;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** ISO 8601 in UTC; null: until it is revoked. */
  readonly expiresAt: string | null;
  /** When the latest visit began, ISO 8601 in UTC; null: none since the start of the controller. */
  readonly visitedAt: string | null;
};

export type NewGuestLink = {
  readonly name: string;
  readonly limits: Limits;
  /** Default `guest`. */
  readonly role?: GuestLink["role"];
  /** Until its end. Default: until it is revoked. */
  readonly seconds?: number;
};

/** Guest links: one person reaches certain things for a time. @see docs/interface/guests.md */
export type Guests = {
  /** Those whose time is not over, without their tokens. */
  list(): Promise<readonly GuestLink[]>;
  /** @returns with the token and the link, which are not shown again */
  create(wanted: NewGuestLink): Promise<GuestLink & { readonly token: string; readonly link: string }>;
  /** Its token is refused from now on, and its streams end. */
  revoke(id: string): Promise<void>;
};
